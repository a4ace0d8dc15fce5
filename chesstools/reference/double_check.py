"""Whether one move can have given check with two men at once: one of them moved, and opened the line of the other."""

from __future__ import annotations

import chess


def explains_double_check(board: chess.Board, checkers: chess.Bitboard) -> bool:
    """Whether some move, looked at by itself, can have led to check by these two men. Castling gives no double check.

    >>> board = chess.Board("4k3/8/5N2/8/8/8/8/4RK2 b - - 0 1")
    >>> explains_double_check(board, board.checkers_mask())
    True
    """
    king = board.king(board.turn)
    first, second = chess.lsb(checkers), chess.msb(checkers)
    if king is None:
        return False
    return (
        _moved_away(board, first, chess.between(king, second))
        or _moved_away(board, second, chess.between(king, first))
        or _by_en_passant(board, chess.between(king, first), chess.between(king, second))
    )


def _moved_away(board: chess.Board, mover: chess.Square, line: chess.Bitboard) -> bool:
    """Whether the man on `mover` can have come from a square of `line`, all of which are empty."""
    role = board.piece_type_at(mover)
    side = not board.turn
    if role == chess.PAWN:
        return bool(_pawn_origins(board, mover) & line)
    origins = board.attacks_mask(mover)
    last = chess.BB_RANK_8 if side else chess.BB_RANK_1
    if chess.BB_SQUARES[mover] & last:
        behind = mover - 8 if side else mover + 8
        origins |= chess.BB_SQUARES[behind] | (chess.BB_KING_ATTACKS[behind] & chess.BB_RANKS[chess.square_rank(behind)])
    return bool(origins & line)


def _pawn_origins(board: chess.Board, pawn: chess.Square) -> chess.Bitboard:
    """Where a pawn can have come from by a step, a double step or a capture; the double step over an empty square."""
    side = not board.turn
    step, home, fourth = (-8, chess.BB_RANK_2, chess.BB_RANK_4) if side else (8, chess.BB_RANK_7, chess.BB_RANK_5)
    origins = chess.BB_PAWN_ATTACKS[not side][pawn] | chess.BB_SQUARES[pawn + step]
    if chess.BB_SQUARES[pawn] & fourth and not board.occupied & chess.BB_SQUARES[pawn + step]:
        origins |= chess.BB_SQUARES[pawn + 2 * step] & home
    return origins


def _by_en_passant(board: chess.Board, one: chess.Bitboard, other: chess.Bitboard) -> bool:
    """Whether a capture en passant can have opened these lines: two men left them, and the pawn may give check itself.

    A line that is empty of squares is that of a man beside the king: only the pawn that captured can stand there.
    """
    side = not board.turn
    king = board.king(board.turn)
    step, rank = (-8, chess.BB_RANK_6) if side else (8, chess.BB_RANK_3)
    for pawn in chess.scan_forward(board.pieces_mask(chess.PAWN, side) & rank):
        taken, home = chess.BB_SQUARES[pawn + step], chess.BB_SQUARES[pawn - step]
        if board.occupied & (taken | home):
            continue
        gives_check = king is not None and bool(chess.BB_PAWN_ATTACKS[side][pawn] & chess.BB_SQUARES[king])
        for origin in chess.scan_forward(chess.BB_PAWN_ATTACKS[not side][pawn] & ~board.occupied):
            gone = taken | chess.BB_SQUARES[origin]
            opened = bool(one & gone) + bool(other & gone)
            if opened + gives_check >= 2:
                return True
    return False
