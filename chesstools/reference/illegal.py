"""Why a move is not legal: the exact reason, in the order in which the Laws exclude it.

The order: wrong side, castling, no such man, own man on the target, the king taken, promotion, king left in check, and
last how the man moves. The first that applies is the reason.
"""

from __future__ import annotations

import chess

from chesstools.limits import MAX_ALTERNATIVES
from chesstools.reference.past import Past
from chesstools.reference.san import Ambiguous, Written, resolve, source_mask, standard_body
from chesstools.reference.setup_check import side_name

Reason = tuple[str, dict[str, object]]


def explain(board: chess.Board, written: Written, past: Past, ply: int, numbered: chess.Color | None) -> Reason:
    """Code and evidence for a token that means no legal move of `board`.

    `numbered` is the side that the move number before the token speaks of, None where it has none. FIDE 3.1-3.9;
    seed articles 4, 5, 9.
    """
    return (
        _wrong_side(board, written, numbered)
        or (_castling(board, written.castling == "O-O", past) if written.castling else None)
        or (_drop(board, written) if written.drop else None)
        or _no_such_man(board, written)
        or _target(board, written)
        or _promotion(board, written)
        or _king_left_in_check(board, written)
        or (_pawn(board, written, past, ply) if _role(board, written) == chess.PAWN else None)
        or _piece(board, written)
    )


def alternatives(board: chess.Board, written: Written | None, token: str) -> list[str]:
    """Legal moves that may have been meant: by the same man or to the same square, the most similar text first."""
    wanted = token.rstrip("+#!?")
    found = set()
    for move in board.legal_moves:
        if written is not None:
            same_role = written.role is not None and board.piece_type_at(move.from_square) == written.role
            if not same_role and (written.castling or move.to_square != written.to):
                continue
        found.add(standard_body(board, move))
    # Of promotions that are equally near, the one to a queen comes first.
    return sorted(found, key=lambda san: (_distance(san, wanted), not san.endswith("=Q"), san))[:MAX_ALTERNATIVES]


def _distance(one: str, other: str) -> int:
    """Edit distance of two short texts."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (left != right))
    return row[-1]


def _names(squares: chess.Bitboard) -> str | None:
    return ",".join(chess.square_name(square) for square in chess.scan_forward(squares)) or None


def _role(board: chess.Board, written: Written) -> chess.PieceType | None:
    if written.role is not None:
        return written.role
    mask = source_mask(board, written)
    return board.piece_type_at(chess.lsb(mask)) if mask else None


def _wrong_side(board: chess.Board, written: Written, numbered: chess.Color | None) -> Reason | None:
    if numbered is None or numbered == board.turn:
        return None
    other = board.copy(stack=False)
    other.turn = not board.turn
    other.ep_square = None
    if other.was_into_check():
        return None
    try:
        fits = resolve(other, written) is not None
    except Ambiguous:
        fits = True
    if not fits:
        return None
    return "M301", {"expected": side_name(board.turn), "found": side_name(numbered)}


def _castling(board: chess.Board, kingside: bool, past: Past) -> Reason:
    side = board.turn
    king = board.king(side)
    home, rook = past.kings.get(side), past.rooks.get((side, kingside))
    if home is not None and (loss := past.loss(home)):
        return "M321", {"first_ply": loss.ply, "reason": "moved"}
    if rook is not None and (loss := past.loss(rook)):
        return "M322", {"first_ply": loss.ply, "reason": loss.how}
    if king is None or rook is None or home is None:
        corner = chess.BB_RANK_1 if side else chess.BB_RANK_8
        corner &= chess.BB_FILE_H if kingside else chess.BB_FILE_A
        at_home = king == (chess.E1 if side else chess.E8)
        rook_at_home = board.pieces_mask(chess.ROOK, side) & corner
        return ("M322" if at_home and not rook_at_home else "M321"), {"reason": "start-position"}
    backrank = chess.square_rank(king)
    king_target = chess.square(6 if kingside else 2, backrank)
    rook_target = chess.square(5 if kingside else 3, backrank)
    crossed = (chess.between(king, king_target) | chess.BB_SQUARES[king_target]) & ~chess.BB_SQUARES[king]
    way = crossed | chess.between(rook, rook_target) | chess.BB_SQUARES[rook_target]
    blockers = board.occupied & way & ~chess.BB_SQUARES[king] & ~chess.BB_SQUARES[rook]
    if blockers:
        return "M326", {"blocker": _names(blockers)}
    if board.is_check():
        return "M323", {"attacker": _names(board.checkers_mask())}
    without_king = board.occupied & ~chess.BB_SQUARES[king]
    path = sorted(chess.scan_forward(crossed), key=lambda square: chess.square_distance(king, square))
    for square in path:
        attackers = board.attackers_mask(not side, square, without_king)
        if attackers:
            code = "M325" if square == king_target else "M324"
            return code, {"square": chess.square_name(square), "attacker": _names(attackers)}
    without_rook = without_king & ~chess.BB_SQUARES[rook]
    attackers = board.attackers_mask(not side, king_target, without_rook)
    return "M309", {"attacker": _names(attackers)}


def _drop(board: chess.Board, written: Written) -> Reason:
    in_hand = getattr(board, "pockets", None)
    if in_hand is None or written.role is None or not in_hand[board.turn].count(written.role):
        return "M302", {"reason": "no-man"}
    if board.occupied & chess.BB_SQUARES[written.to]:
        return "M305", {}
    if board.is_check():
        return "M310", {"checkers": _names(board.checkers_mask())}
    return "M303", {}


def _no_such_man(board: chess.Board, written: Written) -> Reason | None:
    if source_mask(board, written):
        return None
    role = written.role
    if role is None:
        square = chess.square(written.file or 0, written.rank or 0)
        other = board.occupied_co[not board.turn] & chess.BB_SQUARES[square]
        return "M302", {"reason": "only-other-colour" if other else "no-man"}
    if board.pieces_mask(role, board.turn):
        return "M302", {"reason": "wrong-file-or-rank"}
    other = board.pieces_mask(role, not board.turn)
    return "M302", {"reason": "only-other-colour" if other else "no-man"}


def _target(board: chess.Board, written: Written) -> Reason | None:
    target = chess.BB_SQUARES[written.to]
    if target & board.occupied_co[board.turn]:
        return "M305", {}
    if target & board.kings & board.occupied_co[not board.turn]:
        return "M311", {}
    return None


def _pseudo_legal(board: chess.Board, written: Written) -> list[chess.Move]:
    """Moves of the men meant to the target that break no rule but that of the king's safety, from a1 on. Castling is none."""
    moves = board.generate_pseudo_legal_moves(source_mask(board, written), chess.BB_SQUARES[written.to])
    return sorted((move for move in moves if not board.is_castling(move)), key=lambda move: move.from_square)


def _promotion(board: chess.Board, written: Written) -> Reason | None:
    moves = _pseudo_legal(board, written)
    if not moves:
        return None
    letter = written.promotion
    if moves[0].promotion is not None:
        if letter in ("", "="):
            return "M341", {}
        return None if letter in "NBRQ" else ("M342", {"found": letter})
    return None if letter in ("", "=") else ("M343", {})


def _king_left_in_check(board: chess.Board, written: Written) -> Reason | None:
    moves = _pseudo_legal(board, written)
    if not moves:
        return None
    move = moves[0]
    king = board.king(board.turn)
    after = board.copy(stack=False)
    after.push(move)
    target = after.king(board.turn)
    attackers = after.attackers_mask(not board.turn, target) if target is not None else chess.BB_EMPTY
    if not attackers:
        return "M303", {}  # only a variant's own rules can forbid it
    if move.from_square == king:
        return "M308", {"attacker": _names(attackers)}
    if board.is_check():
        return "M310", {"checkers": _names(board.checkers_mask())}
    if board.is_pinned(board.turn, move.from_square):
        return "M307", {"attacker": _names(attackers)}
    return ("M336" if board.is_en_passant(move) else "M309"), {"attacker": _names(attackers)}


def _pawn(board: chess.Board, written: Written, past: Past, ply: int) -> Reason:
    side, target = board.turn, written.to
    forward = 8 if side else -8
    mask = source_mask(board, written)
    if written.mark in ("x", ":") or not mask & chess.BB_FILES[chess.square_file(target)]:
        return _pawn_capture(board, mask, target, forward, past, ply)
    files = sorted(
        chess.scan_forward(mask & chess.BB_FILES[chess.square_file(target)]), key=lambda square: -square if side else square
    )
    behind = [square for square in files if (target - square) * forward > 0]
    if not behind:
        return "M331", {}
    steps = (target - behind[0]) // forward
    way = chess.between(behind[0], target) | chess.BB_SQUARES[target]
    blockers = board.occupied & way
    if steps <= 2 and blockers:
        return "M332", {"blocker": _names(blockers)}
    return ("M333" if steps == 2 else "M303"), {}


def _pawn_capture(board: chess.Board, mask: chess.Bitboard, target: chess.Square, forward: int, past: Past, ply: int) -> Reason:
    near = mask & chess.BB_PAWN_ATTACKS[not board.turn][target]
    if not near:
        return "M303", {}
    passed = target - forward
    if (
        chess.square_rank(target) == (5 if board.turn else 2)
        and board.pieces_mask(chess.PAWN, not board.turn) & chess.BB_SQUARES[passed]
    ):
        first = past.double_step(passed)
        return "M335", {"first_ply": first, "count": None if first is None else ply - first - 1}
    return "M334", {}


_SLIDES = {chess.BISHOP: (True, False), chess.ROOK: (False, True), chess.QUEEN: (True, True)}


def _piece(board: chess.Board, written: Written) -> Reason:
    role = _role(board, written)
    if role in _SLIDES:
        diagonal, straight = _SLIDES[role]
        for square in chess.scan_forward(source_mask(board, written)):
            files = abs(chess.square_file(square) - chess.square_file(written.to))
            ranks = abs(chess.square_rank(square) - chess.square_rank(written.to))
            if (diagonal and files == ranks) or (straight and 0 in (files, ranks)):
                return "M306", {"blocker": _names(board.occupied & chess.between(square, written.to))}
    return "M303", {}
