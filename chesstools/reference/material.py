"""Positions that are dead for lack of material, by the rule of a profile."""

from __future__ import annotations

import chess


def is_dead(board: chess.Board, rule: str) -> bool:
    """Whether the men that are left end the game. `rule` is a value of `Profile.dead_position`.

    any-series, lichess: neither side can mate whatever the other does, as far as the men and the colours of bishops' squares
    tell. three-cases, uscf: king against king, perhaps with one bishop or knight, or with a bishop each on squares of one
    colour. chesscom: no side has more than one bishop or knight, or two knights stand against a bare king.

    >>> two_knights = chess.Board("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1")
    >>> [rule for rule in ("three-cases", "any-series", "chesscom") if is_dead(two_knights, rule)]
    ['chesscom']
    """
    if board.pawns | board.rooks | board.queens:
        return False
    if rule in ("any-series", "lichess"):
        return board.is_insufficient_material()
    minor = board.knights | board.bishops
    white, black = (chess.popcount(minor & board.occupied_co[side]) for side in (chess.WHITE, chess.BLACK))
    if rule == "chesscom":
        knights = not board.bishops and (white, black) in ((2, 0), (0, 2))
        return knights or (white <= 1 and black <= 1)
    one_colour = not (board.bishops & chess.BB_LIGHT_SQUARES and board.bishops & chess.BB_DARK_SQUARES)
    return white + black <= 1 or (white == black == 1 and not board.knights and one_colour)
