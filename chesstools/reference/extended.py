"""Which extension of the 50-move rule fits a position: `chesstools.extensions` on a board."""

from __future__ import annotations

from collections.abc import Iterable

import chess

from chesstools.extensions import Extension

_ROLES = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)


def extension_for(board: chess.Board, extensions: Iterable[Extension]) -> Extension | None:
    """The first of `extensions` that fits the men and where they stand.

    >>> rook_and_bishop = Extension("KRBvKR", 75)
    >>> board = chess.Board("4k3/4r3/8/8/8/8/8/R3KB2 b - - 100 120")
    >>> extension_for(board, [rook_and_bishop]).moves
    75
    """
    men = [tuple(chess.popcount(board.pieces_mask(role, side)) for role in _ROLES) for side in (chess.WHITE, chess.BLACK)]
    for extension in extensions:
        for first in (chess.WHITE, chess.BLACK):
            fits = extension.sides == ((men[0], men[1]) if first else (men[1], men[0]))
            if fits and _stands_so(board, extension, first):
                return extension
    return None


def _stands_so(board: chess.Board, extension: Extension, first: chess.Color) -> bool:
    """Whether the condition holds where `first` has the men named first."""
    if extension.condition == "pawn-on-seventh":
        return bool(board.pawns & (chess.BB_RANK_7 & board.occupied_co[True] | chess.BB_RANK_2 & board.occupied_co[False]))
    if extension.condition == "pawn-blocked":
        return _is_blocked(board, extension.line)
    if extension.condition == "rook-pawns":
        return any(_rook_pawns(board, first, *squares) for squares in extension.pawns)
    return True


def _is_blocked(board: chess.Board, line: tuple[int, ...]) -> bool:
    """Whether the only pawn has not come too far, and before it stands a knight that the king cannot take."""
    pawn = chess.lsb(board.pawns)
    owner = board.color_at(pawn)
    other = not owner
    # As if the pawn were black: mirrored for a white one.
    rank = chess.square_rank(pawn) if owner == chess.BLACK else 7 - chess.square_rank(pawn)
    before = pawn - 8 if owner == chess.BLACK else pawn + 8
    if rank < line[chess.square_file(pawn)] or not board.pieces_mask(chess.KNIGHT, other) >> before & 1:
        return False
    can_take = bool(board.attackers_mask(bool(owner), before) & board.kings)
    return not can_take or bool(board.attackers_mask(other, before))


def _rook_pawns(board: chess.Board, first: chess.Color, own: chess.Square, other: chess.Square, light: bool) -> bool:
    if first == chess.BLACK:
        own, other, light = own ^ 56, other ^ 56, not light
    bishop_right = bool(board.bishops & (chess.BB_LIGHT_SQUARES if light else chess.BB_DARK_SQUARES))
    pawns_right = board.pieces_mask(chess.PAWN, first) >> own & 1 and board.pieces_mask(chess.PAWN, not first) >> other & 1
    return bool(pawns_right and bishop_right)
