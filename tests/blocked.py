"""Positions in which some pawns block each other and few men are left: where it is hard to tell whether a side can mate."""

from __future__ import annotations

import chess
from hypothesis import strategies as st

ROLES = (chess.PAWN, chess.PAWN, chess.BISHOP, chess.BISHOP, chess.KNIGHT, chess.ROOK, chess.QUEEN)


@st.composite
def blocked_positions(draw: st.DrawFn) -> chess.Board:
    """A playable position without castling rights: a wall of pawns, two kings, and up to six other men."""
    board = chess.Board(None)
    for file in draw(st.lists(st.integers(0, 7), max_size=8, unique=True)):
        rank = draw(st.integers(1, 5))
        board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
        board.set_piece_at(chess.square(file, rank + 1), chess.Piece(chess.PAWN, chess.BLACK))
    free = draw(st.permutations([square for square in chess.SQUARES if board.piece_at(square) is None]))
    board.set_piece_at(free[0], chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(free[1], chess.Piece(chess.KING, chess.BLACK))
    for square in free[2 : 2 + draw(st.integers(0, 6))]:
        role, side = draw(st.sampled_from(ROLES)), draw(st.booleans())
        if role != chess.PAWN or chess.BB_SQUARES[square] & ~chess.BB_BACKRANKS:
            board.set_piece_at(square, chess.Piece(role, side))
    board.turn = draw(st.booleans())
    if board.was_into_check():
        board.turn = not board.turn
    if board.was_into_check():  # both kings in check
        board = chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    return board
