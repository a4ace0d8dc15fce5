"""When a player who oversteps the time, or resigns, has drawn all the same: what the opponent has cannot win (6.9, 5.1.2)."""

from __future__ import annotations

import chess

from chesstools.profiles import Profile
from chesstools.reference.winnable import quick


def is_bare(board: chess.Board, side: chess.Color) -> bool:
    """Whether a side has nothing but its king."""
    return chess.popcount(board.occupied_co[side]) == 1


def why_no_mate(board: chess.Board, side: chess.Color) -> str | None:
    """How it is proved that `side` cannot mate by any series of legal moves: a method of `quick`; None where it is not."""
    answer = quick(board, side)
    return answer.method if answer.verdict == "no" else None


def why_drawn_on_time(board: chess.Board, side: chess.Color, profile: Profile) -> str | None:
    """How it is proved that `side` does not win when the other oversteps the time; None where it is not.

    Where a rule asks for a forced win (uscf), only men that cannot mate at all are a proof.
    """
    if is_bare(board, side):
        return None if profile.flag_draw == "none" else "material"
    if profile.flag_draw == "no-mate":
        return why_no_mate(board, side)
    if profile.flag_draw in ("lichess", "uscf"):
        return "material" if board.has_insufficient_material(side) else None
    if profile.flag_draw == "chesscom":
        own = board.occupied_co[side] & ~board.kings
        minor = own & (board.knights | board.bishops)
        two_knights = profile.knn_flag_draw and not own & ~board.knights and chess.popcount(own) == 2
        return "material" if two_knights or (own == minor and chess.popcount(own) == 1) else None
    return None
