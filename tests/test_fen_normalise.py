"""normalise(): python-chess writes the same, nothing is guessed, and each change is told."""

from __future__ import annotations

import chess
import pyarrow as pa
import pytest
from fen_lines import ODD, boards, lines
from hypothesis import example, given
from hypothesis import strategies as st

from chesstools.errors import OptionError
from chesstools.fen import normalise
from chesstools.fen.rows import normalise_rows
from chesstools.reference.epd_line import split_line
from chesstools.reference.fen import read_fen
from chesstools.reference.normal_form import Form


def changes(text: str, **form: object) -> list[str] | None:
    rows = normalise_rows(pa.array([text], pa.string()), Form(**form))  # type: ignore[arg-type]
    made: list[str] | None = rows.column("changes")[0].as_py()
    return made


@given(boards())
def test_a_fen_of_python_chess_stays(board: chess.Board) -> None:
    fen = board.fen(en_passant="fen")
    assert normalise(fen) == fen
    assert changes(fen) == []
    assert normalise(fen, en_passant="legal") == board.fen(en_passant="legal")
    assert normalise(fen, castling="shredder") == board.fen(shredder=True, en_passant="fen")
    board.ep_square = None
    assert normalise(fen, en_passant="never") == board.fen()


@given(lines())
@example(ODD[5])
def test_normal_is_normal(text: str) -> None:
    """What comes out once comes out again, and is the same position."""
    (normal,) = normalise([text])
    setup = read_fen(split_line(text).position)
    if normal is None:
        assert setup.board is None or not setup.is_read
        return
    assert normalise(normal) == normal
    assert changes(normal) == []
    assert (changes(text) == []) == (normal == text)
    again = read_fen(split_line(normal).position, chess960=setup.board is not None and setup.board.chess960).board
    assert again == setup.board
    assert normal.endswith(split_line(text).rest)


@pytest.mark.parametrize(
    ("text", "form", "wanted", "made"),
    [
        # The e.p. cases of the known faults: the squares stay by the standard, and go where no capture is legal.
        ("k2r4/8/8/3Pp3/8/8/8/3K4 w - e6 0 2", {}, "k2r4/8/8/3Pp3/8/8/8/3K4 w - e6 0 2", []),
        ("k2r4/8/8/3Pp3/8/8/8/3K4 w - e6 0 2", {"en_passant": "legal"}, "k2r4/8/8/3Pp3/8/8/8/3K4 w - - 0 2", ["en-passant"]),
        ("8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1", {"en_passant": "legal"}, "8/8/8/8/1k1Pp2R/8/8/4K3 b - - 0 1", ["en-passant"]),
        ("3bk3/8/8/3Pp3/7K/8/8/8 w - e6 0 2", {"en_passant": "legal"}, "3bk3/8/8/3Pp3/7K/8/8/8 w - - 0 2", ["en-passant"]),
        # Rights without king or rook, never taken for Chess960 where that cannot be.
        (
            "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w KQkq - 0 1",
            {},
            "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w kq - 0 1",
            ["castling-rights"],
        ),
        ("7k/8/5K2/8/8/8/8/6R1 w KQkq - 0 1", {}, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", ["castling-rights"]),
        # X-FEN and Shredder-FEN.
        ("7k/8/8/8/8/8/8/RR2K3 w Q - 0 1", {"castling": "shredder"}, "7k/8/8/8/8/8/8/RR2K3 w A - 0 1", ["castling-letters"]),
        ("7k/8/8/8/8/8/8/RR2K3 w B - 0 1", {}, "7k/8/8/8/8/8/8/RR2K3 w B - 0 1", []),
        (
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
            {},
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
            ["castling-letters"],
        ),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", {}, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["castling-letters"]),
        # Fields that are missing, blanks, signs, counters.
        ("4k3/8/8/8/8/8/4P3/4K3", {}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ["fields"]),
        ("4k3/8/44/8/8/8/4P~3/4K3 w - - 0 1", {}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ["placement"]),
        ("4k3/8/8/8/8/8/8/4K3  w - -  007 0;", {}, "4k3/8/8/8/8/8/8/4K3 w - - 7 1", ["spacing", "counters"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 12 40", {"reset_counters": True}, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", ["counters"]),
        # EPD.
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc 2; fmvn 3;", {}, "4k3/8/8/8/8/8/8/4K3 w - - 2 3", ["fields"]),
        ('4k3/8/8/8/8/8/8/4K3 w KQ - id "a; b";', {}, '4k3/8/8/8/8/8/8/4K3 w - - id "a; b";', ["castling-rights"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1; D1 5;", {}, "4k3/8/8/8/8/8/8/4K3 w - - 0 1; D1 5;", []),
    ],
)
def test_forms(text: str, form: dict[str, object], wanted: str, made: list[str]) -> None:
    rows = normalise_rows(pa.array([text], pa.string()), Form(**form))  # type: ignore[arg-type]
    assert (rows.column("fen")[0].as_py(), rows.column("changes")[0].as_py()) == (wanted, made)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot be read: it is empty"),
        ("4k3/8/8/8/8/8/8/4K3 w xyz - 0 1", "cannot be read: the castling rights are “xyz”"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "cannot be read: the en passant square is “e9”"),
        ("4k3/8/8/8/8/8/8/3QK3 w - - -1 -5", "cannot be read: the halfmove clock is “-1”, not a number; the move number is “-5”"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 99999999999999999999", "out of range"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "cannot be played: White has 0 kings"),
        ("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "cannot be played: Black is in check but it is not their move"),
    ],
)
def test_nothing_is_guessed(text: str, reason: str) -> None:
    assert normalise([text, None]) == [None, None]
    assert changes(text) is None
    with pytest.raises(OptionError, match="cannot be") as raised:
        normalise(text)
    assert reason in str(raised.value)


@pytest.mark.parametrize("option", [{"en_passant": "x"}, {"castling": "x"}, {"counters": "x"}])
def test_unknown_words(option: dict[str, str]) -> None:
    with pytest.raises(OptionError, match=r"is 'x'; choose from "):
        normalise([], **option)


@given(st.lists(st.none() | lines(), max_size=4))
def test_many_are_normalised_as_one(texts: list[str | None]) -> None:
    for text, normal in zip(texts, normalise(texts), strict=True):
        if text is not None and normal is not None:
            assert normalise(text) == normal
