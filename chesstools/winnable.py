"""winnable(): can a colour still mate by any series of legal moves (FIDE 5.2.2, 6.9)?

What the answer means, and how it is found, stands in `chesstools/reference/winnable.py`; the native core gives the same answers,
and has the search of the mode ``full`` besides.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess

from chesstools import engines
from chesstools.depth import MODES
from chesstools.errors import OptionError
from chesstools.fen.problems import playable

COLORS = ("white", "black")

FULL_NODES = 300_000
"""How many positions the mode ``full`` looks at before it gives up: some seconds."""


@dataclass(frozen=True, slots=True)
class Winnable:
    """Whether a colour can still mate, and what that rests on."""

    answer: str
    """``yes``: the line shows it. ``no``: it is proved that there is none. ``unknown``: neither was found."""
    method: str | None
    """What the answer rests on: ``material``, ``terminal`` (the game is over), ``forced``, ``search``, ``semi-static`` or
    ``mate``. None for ``unknown``."""
    line: tuple[str, ...]
    """For ``yes``, moves of both sides in standard notation that end in mate; empty where the mate is on the board."""
    nodes: int
    """How many positions were looked at."""


def winnable(fen: str, color: str, *, mode: str = "quick", nodes: int = FULL_NODES, engine: str | None = None) -> Winnable:
    """Whether `color` (``white`` or ``black``) can still mate by any series of legal moves, however badly the other side plays.

    Quick takes microseconds; it proves most of what cannot be won, and says ``unknown`` nearly always otherwise. Full looks at up
    to `nodes` positions, for a line that mates or until there is none; it needs the native core. Draws by repetition or by
    counting moves are left out of account.

    `fen` may have 1, 4 or 6 fields, as start positions of games may (missing ones: White to move, no castling). `engine` is
    chosen as in `chesstools.scan`.

    >>> winnable("8/8/4k3/8/8/8/8/2B1K3 w - - 0 1", "white")
    Winnable(answer='no', method='material', line=(), nodes=0)
    >>> winnable("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "white")
    Winnable(answer='no', method='terminal', line=(), nodes=1)

    Raises OptionError for an unknown colour or mode, for a position that cannot be played, and for the mode ``full`` without
    the core.
    """
    if color not in COLORS:
        raise OptionError(f"color is {color!r}; choose from {', '.join(COLORS)}.")
    if mode not in MODES:
        raise OptionError(f"mode is {mode!r}; choose from {', '.join(MODES)}.")
    board = playable(fen)
    white = color == "white"
    if engines.choose(engine) == "native":
        from chesstools import _core

        text = board.fen(en_passant="fen")
        told = _core.winnable(text, chess960=board.chess960, white=white, limit=None if mode == "quick" else nodes)
        verdict, method, sans, looked_at = told
        return Winnable(verdict, method, tuple(sans), looked_at)
    if mode == "full":
        raise OptionError(f"The mode full needs the native core: {engines.HOW_TO_GET_IT}.")
    from chesstools.reference.winnable import quick

    answer = quick(board, white)
    return Winnable(answer.verdict, answer.method, tuple(_sans(board, answer.line)), answer.nodes)


def _sans(board: chess.Board, line: list[chess.Move]) -> list[str]:
    board = board.copy(stack=False)
    sans = []
    for move in line:
        sans.append(board.san(move))
        board.push(move)
    return sans
