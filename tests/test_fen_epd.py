"""to_epd(), from_epd() and operations(): nothing of an EPD is lost, python-chess reads what is written."""

from __future__ import annotations

import chess
import pytest
from fen_lines import boards, lines
from hypothesis import given
from hypothesis import strategies as st

from chesstools.errors import OptionError
from chesstools.fen import from_epd, operations, to_epd
from chesstools.fen.epd import from_epd_line
from chesstools.reference.fen import read_fen

FOUR = "4k3/8/8/8/8/8/8/4K2R w K -"

opcodes = st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True).filter(lambda code: code not in ("hmvc", "fmvn"))
operands = st.one_of(
    st.from_regex(r"[A-Za-z0-9+=.-]{1,8}( [A-Za-z0-9+=.-]{1,8}){0,3}", fullmatch=True),
    st.text(st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=["C", "Z"]), max_size=8).map(
        '"; {}"'.format
    ),
    st.just(""),
)


@given(boards())
def test_there_and_back(board: chess.Board) -> None:
    fen = board.fen(en_passant="fen")
    epd = to_epd(fen)
    assert from_epd(epd) == fen
    assert to_epd(epd) == epd
    other = chess.Board()
    told = other.set_epd(epd)
    assert other.fen(en_passant="fen") == fen
    assert told == {"hmvc": board.halfmove_clock, "fmvn": board.fullmove_number}


@given(boards(), st.dictionaries(opcodes, operands, min_size=1, max_size=4))
def test_operations_are_kept(board: chess.Board, told: dict[str, str]) -> None:
    fen = board.fen(en_passant="fen")
    written = " ".join(f"{code} {operand};" if operand else f"{code};" for code, operand in told.items())
    epd = to_epd(f"{fen} {written}")
    assert epd == f"{to_epd(fen)} {written}"
    assert operations(epd) == {"hmvc": str(board.halfmove_clock), "fmvn": str(board.fullmove_number), **told}
    assert from_epd_line(epd) == (fen, list(told))


@pytest.mark.parametrize(
    ("line", "fen", "left"),
    [
        (FOUR, f"{FOUR} 0 1", []),
        (f"{FOUR} bm O-O Rh8+; hmvc 3;", f"{FOUR} 3 1", ["bm"]),
        (f"{FOUR} hmvc 3; fmvn 40;", f"{FOUR} 3 40", []),
        (f"{FOUR} hmvc 3 fmvn 40", f"{FOUR} 3 40", []),
        (f"{FOUR} 5 7; D1 15;D2 66;", f"{FOUR} 5 7", ["D1", "D2"]),
        (f"{FOUR} 5 7 hmvc 3;", f"{FOUR} 5 7", ["hmvc"]),
        ("4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", []),
    ],
)
def test_to_fen(line: str, fen: str, left: list[str]) -> None:
    assert from_epd_line(line) == (fen, left)


def test_to_epd() -> None:
    assert to_epd(f"{FOUR}  5 7 ; D1 15;") == f"{FOUR} hmvc 5; fmvn 7; D1 15;"
    assert to_epd([FOUR, f"{FOUR} bm O-O;", f"{FOUR} 5", None]) == [FOUR, f"{FOUR} bm O-O;", f"{FOUR} hmvc 5; fmvn 1;", None]


def test_what_python_chess_refuses() -> None:
    """It raises where a move is illegal, and reads numbers as floats; nothing is interpreted here."""
    line = f"{FOUR} bm Qa8; ce 1e3; c1 007;"
    assert operations(line) == {"bm": "Qa8", "ce": "1e3", "c1": "007"}
    with pytest.raises(ValueError, match="Qa8"):
        chess.Board().set_epd(line)


@given(lines())
def test_any_line(line: str) -> None:
    (epd,), (fen,) = to_epd([line]), from_epd([line])
    assert (epd is None) == (fen is None)
    if fen is None or epd is None:
        return
    assert read_fen(fen).is_read
    assert from_epd(epd) == fen or "hmvc" in line or "fmvn" in line


def test_what_cannot_be_read() -> None:
    for function in (to_epd, from_epd):
        assert function(["x"]) == [None]
        with pytest.raises(OptionError, match="The position 'x' cannot be read"):
            function("x")
