"""The usual array: the position that games of standard chess begin with, and what White can do there."""

from __future__ import annotations

from functools import cache

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

KEY = 0x463B96181691FC9C
"""Its key (`chesstools.reference.position_key`)."""

_TOLD = " ".join(FEN.split(" ")[:4])

STARTS_SQL = f"starts_with(start_fen, '{_TOLD}')"
"""SQL: whether a game begins with it, whatever the counters are and by whatever rules; from games, null as `start_fen` is."""

STANDARD_SQL = f"(rules = 'standard' AND {STARTS_SQL})"
"""SQL: whether a game is one of standard chess from there."""


@cache
def first_moves() -> dict[int, str]:
    """White's twenty first moves in standard notation, by the keys of the positions after them.

    >>> len(first_moves()), "Nf3" in first_moves().values()
    (20, True)
    """
    import chess

    from chesstools.reference.position_key import position_key

    found = {}
    board = chess.Board()
    for move in list(board.legal_moves):
        san = board.san(move)
        board.push(move)
        found[position_key(board)] = san
        board.pop()
    return found
