"""render() and render_png(): what is asked for is in the picture."""

from __future__ import annotations

import struct
import sys
from xml.etree import ElementTree

import pytest

from chesstools.errors import ChesstoolsError, OptionError
from chesstools.fen import render, render_png

MATE = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
SVG = "{http://www.w3.org/2000/svg}"


def classes(svg: str) -> list[str]:
    return [element.get("class", "") for element in ElementTree.fromstring(svg).iter()]


def men(svg: str) -> dict[tuple[str, str], str]:
    """What stands where: (x, y) of the picture → the man."""
    uses = [element for element in ElementTree.fromstring(svg).iter(f"{SVG}use") if "transform" in element.attrib]
    return {
        tuple(use.get("transform", "")[10:-1].split(", ")[:2]): use.get("{http://www.w3.org/1999/xlink}href", "") for use in uses
    }  # type: ignore[misc]


def test_men_and_check() -> None:
    svg = render(MATE)
    assert len(men(svg)) == 31
    assert "check" in classes(svg)
    assert ElementTree.fromstring(svg).get("width") == "400"
    assert "check" not in classes(render("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))


def test_flipped_and_coordinates() -> None:
    one, other = render("4k3/8/8/8/8/8/8/3K4 w - - 0 1"), render("4k3/8/8/8/8/8/8/3K4 w - - 0 1", flipped=True)
    ((x, y),) = [place for place, man in men(one).items() if man == "#white-king"]
    ((x2, y2),) = [place for place, man in men(other).items() if man == "#white-king"]
    assert float(y) > float(y2)
    assert float(x) < float(x2)
    plain = render("4k3/8/8/8/8/8/8/3K4 w - - 0 1", coordinates=False)
    assert len(plain) < len(one)


def test_moves_arrows_and_squares() -> None:
    svg = render(MATE, last_move="h5f7", arrows=["g8f6", "e5e5:blue", "a1h8:red"], squares=["c6"])
    assert sum("lastmove" in name for name in classes(svg)) == 2
    assert classes(svg).count("arrow") == 4  # two lines with a head each
    assert classes(svg).count("circle") == 1
    assert "#cc0000" in svg


def test_what_cannot_be_played_is_drawn() -> None:
    assert len(men(render("8/8/8/8/8/8/8/QQ6 w - - 0 1"))) == 2
    assert len(men(render("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"))) == 3


@pytest.mark.parametrize(
    ("fen", "options", "sentence"),
    [
        ("x", {}, "cannot be read"),
        ("", {}, "cannot be read: it is empty"),
        (MATE, {"last_move": "e9e4"}, "'e9e4' names no square"),
        (MATE, {"arrows": ["e2"]}, "'e2' is no arrow; write e2e4, or e2e4:red"),
        (MATE, {"arrows": ["e2e4:pink"]}, "'e2e4:pink' has an unknown colour; choose from green, red, yellow, blue"),
        (MATE, {"squares": ["i1"]}, "'i1' names no square"),
        (MATE, {"size": 3}, "size is 3; it must be 16 to 8192 pixels"),
    ],
)
def test_refused(fen: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        render(fen, **options)  # type: ignore[arg-type]


def test_png() -> None:
    pytest.importorskip("resvg_py")
    data = render_png(MATE, size=123, last_move="h5f7")
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (123, 123)
    assert data != render_png(MATE, size=123)


def test_png_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ChesstoolsError, match=r"pip install 'chesstools-pgn\[render\]'"):
        render_png(MATE)
