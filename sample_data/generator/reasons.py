"""Why a move text is illegal in a position: the decision order that a validator has to follow, written down once more.

It serves to verify what is planted: a fault is only used if this function names the reason it was planted for, and
python-chess refuses the move.
"""

from __future__ import annotations

import re

import chess

CODES = frozenset(
    (
        *("M302", "M303", "M305", "M306", "M307", "M308", "M309", "M310", "M311"),
        *("M321", "M322", "M323", "M324", "M325", "M326"),
        *("M331", "M332", "M333", "M334", "M335", "M336", "M341", "M342", "M343"),
    )
)
"""The reasons that are told apart here, besides passes (M304) and ambiguity (N401)."""

_SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)(x?)([a-h][1-8])(?:=([A-Z]))?")
_ROLES = {"": chess.PAWN, "N": chess.KNIGHT, "B": chess.BISHOP, "R": chess.ROOK, "Q": chess.QUEEN, "K": chess.KING}


def illegal_reason(board: chess.Board, text: str) -> str:
    """The code for this text in this position; empty where the move is legal. The board must know the moves before.

    >>> illegal_reason(chess.Board(), "Ra3")
    'M306'
    >>> illegal_reason(chess.Board(), "Nf3")
    ''
    """
    text = text.rstrip("+#")
    if text == "--":
        return "M304"
    if text in ("O-O", "O-O-O"):
        return _castling(board, kingside=text == "O-O")
    if not any(board.generate_legal_moves()):
        return "E511" if board.is_check() else "E512"
    match = _SAN.fullmatch(text)
    if match is None:
        return "P110"
    letter, file, rank, capture, square, promotion = match.groups()
    role = _ROLES[letter]
    target = chess.parse_square(square)
    if role == chess.PAWN and not file:
        file = square[0]
    men = [
        man
        for man in board.pieces(role, board.turn)
        if (not file or chess.square_name(man)[0] == file) and (not rank or chess.square_name(man)[1] == rank)
    ]
    if not men:
        return "M302"
    if board.color_at(target) == board.turn:
        return "M305"
    if board.piece_type_at(target) == chess.KING:
        return "M311"
    pseudo = [move for move in board.pseudo_legal_moves if move.from_square in men and move.to_square == target]
    if pseudo:
        return _pseudo_legal(board, pseudo, role, target, promotion)
    if role == chess.PAWN:
        return _pawn(board, men, target, capture=bool(capture))
    blocked = any(target in _reach(role, man) for man in men)
    return "M306" if blocked else "M303"


def _castling(board: chess.Board, *, kingside: bool) -> str:
    turn = board.turn
    rank = 0 if turn else 7
    right = board.castling_rights & chess.BB_RANKS[rank]
    king = board.king(turn)
    assert king is not None
    rooks = [rook for rook in chess.SquareSet(right) if (rook > king) == kingside]
    if not rooks:
        moved = any(move.from_square == chess.square(4, rank) for move in board.move_stack)
        return "M321" if moved or king != chess.square(4, rank) else "M322"
    rook = rooks[0]
    king_to = chess.square(6 if kingside else 2, rank)
    rook_to = chess.square(5 if kingside else 3, rank)
    path = _span(king, king_to) | _span(rook, rook_to)
    if any(board.piece_at(square) for square in path - chess.SquareSet([king, rook])):
        return "M326"
    if board.is_check():
        return "M323"
    lone = board.copy(stack=False)
    lone.remove_piece_at(king)
    for square in _span(king, king_to) - chess.SquareSet([king, king_to]):
        if lone.is_attacked_by(not turn, square):
            return "M324"
    if lone.is_attacked_by(not turn, king_to):
        return "M325"
    lone.remove_piece_at(rook)
    lone.set_piece_at(rook_to, chess.Piece(chess.ROOK, turn))
    return "M309" if lone.is_attacked_by(not turn, king_to) else ""


def _span(one: chess.Square, other: chess.Square) -> chess.SquareSet:
    """The squares from one to the other on a rank, both included."""
    return chess.SquareSet(range(min(one, other), max(one, other) + 1))


def _pseudo_legal(board: chess.Board, pseudo: list[chess.Move], role: int, target: int, promotion: str | None) -> str:
    last_rank = role == chess.PAWN and chess.square_rank(target) in (0, 7)
    if last_rank and promotion is None:
        return "M341"
    if last_rank and promotion not in _ROLES:
        return "M342"
    if last_rank and promotion in ("", "K"):
        return "M342"
    if promotion is not None and not last_rank:
        return "M343"
    legal = {move.from_square for move in pseudo if board.is_legal(move)}
    if legal:
        return "N401" if len(legal) > 1 else ""
    if role == chess.KING:
        return "M308"
    if board.is_check():
        return "M310"
    move = pseudo[0]
    if board.is_pinned(board.turn, move.from_square):
        return "M307"
    return "M336" if board.is_en_passant(move) else "M309"


def _pawn(board: chess.Board, men: list[chess.Square], target: chess.Square, *, capture: bool) -> str:
    step = 8 if board.turn else -8
    if capture:
        if not any(chess.square_distance(man, target) == 1 and target - man in (step - 1, step + 1) for man in men):
            return "M303"
        enemy = board.piece_at(target - step) == chess.Piece(chess.PAWN, not board.turn)
        sixth = chess.square_rank(target) == (5 if board.turn else 2)
        return "M335" if enemy and sixth else "M334"
    for man in men:
        if man + step == target:
            return "M332"
        if man + 2 * step == target:
            return "M332" if board.piece_at(target) or board.piece_at(man + step) else "M333"
    return "M331" if any((man - target) * step > 0 for man in men) else "M303"


def _reach(role: int, man: chess.Square) -> chess.SquareSet:
    """Where a man of that role goes on an empty board; empty for those that cannot be blocked."""
    empty = chess.Board(None)
    if role not in (chess.BISHOP, chess.ROOK, chess.QUEEN):
        return chess.SquareSet()
    empty.set_piece_at(man, chess.Piece(role, chess.WHITE))
    return empty.attacks(man)
