"""A 64-bit key of a position: the Polyglot hash, but with en passant only where the capture is legal.

So two positions of one game have the same key if they are the same under FIDE 9.2.3. Polyglot itself counts en passant
where a pawn stands ready to capture, legal or not. Equal keys do not prove equal positions; verdicts never rest on them.
"""

from __future__ import annotations

import chess
from chess.polyglot import POLYGLOT_RANDOM_ARRAY as RANDOM

_CASTLING = 768
_EN_PASSANT = 772
_TURN = 780


def position_key(board: chess.Board) -> int:
    """The key of a position of standard chess or Chess960.

    >>> hex(position_key(chess.Board()))
    '0x463b96181691fc9c'
    """
    key = 0
    for side in (chess.BLACK, chess.WHITE):
        own = board.occupied_co[side]
        for role, men in enumerate((board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)):
            offset = 64 * (2 * role + side)
            for square in chess.scan_forward(men & own):
                key ^= RANDOM[offset + square]
    if board.has_kingside_castling_rights(chess.WHITE):
        key ^= RANDOM[_CASTLING]
    if board.has_queenside_castling_rights(chess.WHITE):
        key ^= RANDOM[_CASTLING + 1]
    if board.has_kingside_castling_rights(chess.BLACK):
        key ^= RANDOM[_CASTLING + 2]
    if board.has_queenside_castling_rights(chess.BLACK):
        key ^= RANDOM[_CASTLING + 3]
    if board.ep_square is not None and board.has_legal_en_passant():
        key ^= RANDOM[_EN_PASSANT + chess.square_file(board.ep_square)]
    if board.turn == chess.WHITE:
        key ^= RANDOM[_TURN]
    return key
