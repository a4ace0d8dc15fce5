"""Where along a game neither side could mate any more (FIDE 5.2.2).

Once dead, always dead: so the last position is asked first, and where that is dead, halving finds the first one.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess

from chesstools.reference.winnable import quick

FEW_MEN = 8
"""With at most so many men it is worth counting legal moves."""
FEW_MOVES = 3
"""With more legal moves than this, and no wall of pawns, a position is hardly ever dead."""

_METHODS = ("material", "terminal", "forced", "search", "semi-static")
"""In the order of how much they say."""


def first_dead(start: chess.Board, moves: Sequence[chess.Move], material: int | None) -> tuple[int, str] | None:
    """The first position after which neither side could mate, as far as that is proved, and what the proof rests on.

    `material` is the index of the first position that was dead for lack of men, None where none was.

    >>> start = chess.Board("8/8/8/8/8/k7/p7/K7 w - - 0 1")
    >>> first_dead(start, [], None)
    >>> first_dead(chess.Board("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"), [chess.Move.from_uci("e1e2")], None)
    (0, 'semi-static')
    """
    known = None if material is None else (material, "material")
    if material == 0:
        return known
    last = len(moves) if material is None else material - 1
    board = _at(start, moves, last)
    method = _is_dead(board) if may_be_dead(board) else None
    if method is None:
        return known
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        found = _is_dead(_at(start, moves, middle))
        if found is None:
            low = middle + 1
        else:
            high, method = middle, found
    return high, method


def may_be_dead(board: chess.Board) -> bool:
    """Whether it is worth asking: only bishops and pawns that block each other, or few men with few moves.

    Positions in which the game is over are not called dead.
    """
    white, black = (board.pieces_mask(chess.PAWN, side) for side in (chess.WHITE, chess.BLACK))
    if not board.knights | board.rooks | board.queens and white << 8 & black:
        return any(board.generate_legal_moves())
    if chess.popcount(board.occupied) > FEW_MEN:
        return False
    return 1 <= board.legal_moves.count() <= FEW_MOVES


def _is_dead(board: chess.Board) -> str | None:
    """If neither side can mate: the method of the two proofs that says more."""
    methods = []
    for side in (chess.WHITE, chess.BLACK):
        answer = quick(board, side)
        if answer.verdict != "no" or answer.method is None:
            return None
        methods.append(answer.method)
    return max(methods, key=_METHODS.index)


def _at(start: chess.Board, moves: Sequence[chess.Move], index: int) -> chess.Board:
    board = start.copy(stack=False)
    for move in moves[:index]:
        board.push(move)
    return board
