"""moves(), perft() and divide(): the legal moves of a position, and how many lines of them there are."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from chesstools import engines
from chesstools.errors import OptionError
from chesstools.fen.answers import answer
from chesstools.fen.problems import why_not_understood
from chesstools.fen.rows import moves_rows
from chesstools.reference.fen_rows import divide as slow_divide
from chesstools.reference.fen_rows import understood

NOTATIONS = ("san", "uci")

_TEXTS = pa.list_(pa.field("item", pa.string()))


def moves(fens: Any, *, notation: str = "san", chess960: bool = False, engine: str | None = None) -> Any:
    """The legal moves of each position, in the order of python-chess: ``san`` with check marks, or ``uci`` (castling as the two
    steps of the king, in Chess960 as king takes rook).

    >>> moves("7k/8/5KQ1/8/8/8/8/8 b - - 0 1"), moves("k7/8/8/8/8/8/8/K7 w - - 0 1", notation="uci")
    ([], ['a1b2', 'a1a2', 'a1b1'])

    None (null) for a position with a field that cannot be read, or from which no game can be played; OptionError for one given as
    a string, and for an unknown notation.
    """
    if notation not in NOTATIONS:
        raise OptionError(f"notation is {notation!r}; choose from {', '.join(NOTATIONS)}.")

    def work(lines: pa.StringArray) -> pa.Array:
        return moves_rows(lines, chess960=chess960, engine=engine).column(notation)

    return answer(fens, work, _TEXTS, chess960=chess960)


def divide(fen: str, depth: int, *, chess960: bool = False, engine: str | None = None) -> dict[str, int]:
    """Every legal move (UCI) with the number of lines of `depth` legal plies that begin with it. `depth` is at least 1.

    >>> divide("7k/8/8/8/8/8/8/K7 w - - 0 1", 2)
    {'a1b2': 3, 'a1a2': 3, 'a1b1': 3}

    The native core counts tens of millions of lines a second, the readable engine some 100,000. Raises OptionError for a depth
    below 1, and for a position with a field that cannot be read, or from which no game can be played.
    """
    if depth < 1:
        raise OptionError(f"depth is {depth}; it must be 1 or more.")
    if engines.choose(engine) == "native":
        from chesstools import _core

        try:
            return dict(_core.fen_perft(fen, depth, chess960=chess960))
        except ValueError:
            raise OptionError(why_not_understood(fen, chess960=chess960)) from None
    board = understood(fen, chess960)
    if board is None:
        raise OptionError(why_not_understood(fen, chess960=chess960))
    return dict(slow_divide(board, depth))


def perft(fen: str, depth: int, *, chess960: bool = False, engine: str | None = None) -> int:
    """The number of lines of `depth` legal plies; see `divide`.

    >>> perft("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3)
    8902
    """
    return sum(divide(fen, depth, chess960=chess960, engine=engine).values())
