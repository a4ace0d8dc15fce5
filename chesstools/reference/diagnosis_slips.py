"""Moves that may have been meant in place of a written one: another man of the same kind, or one slip of the pen."""

from __future__ import annotations

from enum import Enum

import chess

from chesstools.reference.san import Written

_PROMOTIONS = {None: 0, chess.QUEEN: 0, chess.ROOK: 1, chess.BISHOP: 2, chess.KNIGHT: 3}
_LETTERS = {"Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT, "K": chess.KING, "P": chess.PAWN}
_B_FILE = 1


class Slip(Enum):
    """How a move that was meant differs from the written one."""

    OTHER_MAN = "other-man"
    """Another man of the same kind goes to the same square."""
    MISTYPED = "mistyped"
    """One sign is another one (kind of man, file or rank, promotion, the other castling), or the square is one step away."""


def in_order(board: chess.Board) -> list[chess.Move]:
    """All legal moves: by the square they come from, then by target (of castling as UCI writes it), queens first."""
    return sorted(board.generate_legal_moves(), key=lambda move: (move.from_square, move.to_square, _PROMOTIONS[move.promotion]))


def likelihood(board: chess.Board, written: Written, move: chess.Move) -> tuple[int, bool, int]:
    """A key by which moves are sorted that may have been meant: those first whose marks are right, then by their nearness."""
    marks = (written.mark in ("x", ":")) != board.is_capture(move)
    checks = bool(written.check) != board.gives_check(move)
    other_role = written.role is not None and written.role != board.piece_type_at(move.from_square)
    return marks + checks, other_role, chess.square_distance(written.to, move.to_square)


def slip(board: chess.Board, written: Written, move: chess.Move) -> Slip | None:
    """How the legal `move` differs from the written one; None where that is more than a slip.

    >>> from chesstools.reference.san import read
    >>> board = chess.Board()
    >>> [slip(board, read(text), chess.Move.from_uci("g1f3")) for text in ("Ndf3", "Bf3", "Ne2", "Qe2")]
    [<Slip.OTHER_MAN: 'other-man'>, <Slip.MISTYPED: 'mistyped'>, <Slip.MISTYPED: 'mistyped'>, None]
    """
    if written.drop:
        return None
    if board.is_castling(move):
        return Slip.MISTYPED if _is_castling_slip(board, written, move) else None
    if written.castling:
        return None
    role = board.piece_type_at(move.from_square)
    from_file, from_rank = chess.square_file(move.from_square), chess.square_rank(move.from_square)
    files = chess.square_file(move.to_square) - chess.square_file(written.to)
    ranks = chess.square_rank(move.to_square) - chess.square_rank(written.to)
    promotion = _LETTERS.get(written.promotion) != move.promotion
    source = (written.file is not None and written.file != from_file) + (written.rank is not None and written.rank != from_rank)
    other_role = written.role is not None and written.role != role
    same_target = files == 0 and ranks == 0
    if written.role is not None and same_target and not promotion:
        if not other_role:
            return Slip.OTHER_MAN
        if written.role == chess.PAWN and role == chess.BISHOP and written.file == _B_FILE and written.rank is None:
            return Slip.MISTYPED  # a capture with a small b
    if other_role + promotion + source + (files != 0) + (ranks != 0) == 1:
        return Slip.MISTYPED
    one_step = abs(files) == 1 and abs(ranks) == 1
    return Slip.MISTYPED if one_step and not (other_role or promotion or source) else None


def _is_castling_slip(board: chess.Board, written: Written, move: chess.Move) -> bool:
    """Castling on the other side was meant, or the move of the king is written alone."""
    if written.castling:
        return (written.castling == "O-O") != board.is_kingside_castling(move)
    king_target = chess.square(6 if board.is_kingside_castling(move) else 2, chess.square_rank(move.from_square))
    return written.role == chess.KING and written.to == king_target
