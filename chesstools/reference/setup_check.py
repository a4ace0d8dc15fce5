"""What is impossible about a position: each check is one function that says why, or None where it finds nothing.

They find what no game could have led to (FIDE 3.10.3) by counting and by looking at the last move, not by search.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

from chesstools.reference.double_check import explains_double_check

Problem = tuple[str, dict[str, object]]
"""A code and its evidence; among that `severity` where it is not that of the catalogue, `token` where it is not the FEN."""

_SIDES = (chess.WHITE, chess.BLACK)


def side_name(side: chess.Color) -> str:
    """``white`` or ``black``."""
    return "white" if side else "black"


def many(count: int, one: str, more: str = "") -> str:
    """``1 pawn``, ``2 pawns``."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def problems_of_men(board: chess.Board, chess960: bool) -> Iterator[Problem]:
    """Kings (F203), pawns on the first or last rank (F204), too many men (F205), too many promoted ones (F207)."""
    for side in _SIDES:
        name = side_name(side)
        kings = len(board.pieces(chess.KING, side))
        if kings != 1:
            yield "F203", {"side": name, "count": kings, "reason": f"{name.title()} has {many(kings, 'king')}"}
    if board.pawns & chess.BB_BACKRANKS:
        square = chess.square_name(chess.lsb(board.pawns & chess.BB_BACKRANKS))
        yield "F204", {"found": square, "reason": f"a pawn stands on {square}"}
    for side in _SIDES:
        name = side_name(side)
        pawns = len(board.pieces(chess.PAWN, side))
        men = chess.popcount(board.occupied_co[side])
        if pawns > 8 or men > 16:
            what = many(pawns, "pawn") if pawns > 8 else many(men, "man", "men")
            yield "F205", {"side": name, "count": pawns if pawns > 8 else men, "reason": f"{name.title()} has {what}"}
        elif (promoted := promoted_men(board, side, chess960)) + pawns > 8:
            yield (
                "F207",
                {
                    "side": name,
                    "count": promoted,
                    "reason": f"{name.title()} has {many(pawns, 'pawn')} and {many(promoted, 'promoted man', 'promoted men')}",
                },
            )


# Where each bishop of White comes from, with the squares of that colour and the pawns that have shut it in until they move.
_BISHOP_HOMES = [
    (chess.BB_C1, chess.BB_DARK_SQUARES, chess.BB_B2 | chess.BB_D2),
    (chess.BB_F1, chess.BB_LIGHT_SQUARES, chess.BB_E2 | chess.BB_G2),
]


def promoted_men(board: chess.Board, side: chess.Color, chess960: bool) -> int:
    """Men that must have been promoted: above one queen, two rooks, two knights, one bishop on each colour.

    A bishop that pawns have shut in never left its home, so that another one on its colour was promoted (not in Chess960,
    where bishops begin elsewhere).
    """
    counts = [
        (len(board.pieces(chess.QUEEN, side)), 1),
        (len(board.pieces(chess.ROOK, side)), 2),
        (len(board.pieces(chess.KNIGHT, side)), 2),
    ]
    for home, colour, pawns in _BISHOP_HOMES:
        if side == chess.BLACK:
            home, colour, pawns = chess.flip_vertical(home), chess.flip_vertical(colour), chess.flip_vertical(pawns)
        bishops = board.pieces_mask(chess.BISHOP, side) & colour
        shut_in = not chess960 and board.pieces_mask(chess.PAWN, side) & pawns == pawns
        counts.append((chess.popcount(bishops & ~home), 0) if shut_in else (chess.popcount(bishops), 1))
    return sum(max(0, count - usual) for count, usual in counts)


def problems_of_checks(board: chess.Board) -> Iterator[Problem]:
    """The side not to move in check (F206); checks that no single move can have given (F212), or hardly (F213)."""
    if board.was_into_check():
        name = side_name(not board.turn)
        yield "F206", {"side": name, "reason": f"{name.title()} is in check but it is not their move"}
        return
    checkers = board.checkers_mask()
    if not checkers:
        return
    status = board.status()
    steppers = chess.popcount(checkers & (board.pawns | board.knights))
    reason = None
    if status & chess.STATUS_TOO_MANY_CHECKERS:
        reason = "more than two men give check"
    elif steppers > 1:
        reason = "two knights or pawns give check at once"
    elif status & chess.STATUS_IMPOSSIBLE_CHECK:
        reason = "no last move can have given this check"
    if reason is not None:
        squares = ",".join(chess.square_name(square) for square in chess.scan_forward(checkers))
        yield "F212", {"side": side_name(board.turn), "found": squares, "reason": reason}
    elif not board.chess960 and chess.popcount(checkers) == 2 and not explains_double_check(board, checkers):
        men = [f"the {_name_at(board, square)} on {chess.square_name(square)}" for square in chess.scan_forward(checkers)]
        yield "F213", {"side": side_name(board.turn), "reason": f"{' and '.join(men)} give check at once"}


def _name_at(board: chess.Board, square: chess.Square) -> str:
    return chess.piece_name(board.piece_type_at(square) or chess.PAWN)


def problems_of_counters(board: chess.Board) -> Iterator[Problem]:
    """A halfmove clock that the move number or the en passant square does not allow (F208)."""
    clock, number = board.halfmove_clock, board.fullmove_number
    played = 2 * (max(number, 1) - 1) + (0 if board.turn else 1)
    if number < 1:
        yield "F208", {"found": str(number), "reason": "the move number is below 1"}
    elif clock > played:
        reason = f"the halfmove clock is {clock} but only {many(played, 'ply', 'plies')} can have been played"
        yield "F208", {"found": f"{clock} {number}", "reason": reason}
    elif clock and board.ep_square is not None:
        reason = f"the halfmove clock is {clock} although a pawn has just moved two squares"
        yield "F208", {"found": f"{clock} {number}", "reason": reason}


# Squares of the first rank with the pawn squares that shut them in; c1 and f1 are where bishops come from.
_SHUT_IN = [
    (chess.A1, chess.BB_B2),
    (chess.B1, chess.BB_A2 | chess.BB_C2),
    (chess.D1, chess.BB_C2 | chess.BB_E2),
    (chess.E1, chess.BB_D2 | chess.BB_F2),
    (chess.G1, chess.BB_F2 | chess.BB_H2),
    (chess.H1, chess.BB_G2),
]


def problems_of_bishops(board: chess.Board) -> Iterator[Problem]:
    """A bishop behind own pawns that never moved, where it cannot have come (F214). Not for Chess960."""
    for side in _SIDES:
        for square, pawns in _SHUT_IN:
            if side == chess.BLACK:
                square, pawns = chess.square_mirror(square), chess.flip_vertical(pawns)
            bishop = board.pieces_mask(chess.BISHOP, side) & chess.BB_SQUARES[square]
            if bishop and board.pieces_mask(chess.PAWN, side) & pawns == pawns:
                name = chess.square_name(square)
                yield (
                    "F214",
                    {
                        "side": side_name(side),
                        "found": name,
                        "reason": f"the bishop on {name} cannot have got behind pawns that never moved",
                    },
                )


def problems_of_pawns(board: chess.Board) -> Iterator[Problem]:
    """Pawns that need more captures than the other side has lost men (F215)."""
    for side in _SIDES:
        # One on the first or last rank has come from nowhere; F204 has said so.
        pawns = list(chess.scan_forward(board.pieces_mask(chess.PAWN, side) & ~chess.BB_BACKRANKS))
        missing = 16 - chess.popcount(board.occupied_co[not side])
        if len(pawns) > 8 or missing < 0:
            continue  # F205 has said so
        needed = captures_needed(pawns, side)
        if needed is None or needed > missing:
            name = side_name(side)
            want = "more captures than pawns can make" if needed is None else many(needed, "capture")
            yield (
                "F215",
                {
                    "side": name,
                    "count": needed,
                    "limit": missing,
                    "reason": f"the pawns of {name.title()} need {want}, but the other side lacks {many(missing, 'man', 'men')}",
                },
            )


def captures_needed(pawns: list[chess.Square], side: chess.Color) -> int | None:
    """The least number of captures that brings pawns from eight home files to these squares; None if there is no way.

    A pawn changes its file by one with every capture and never more often than it steps forward.
    """
    best: dict[int, int] = {0: 0}  # home files used, as bits → captures
    for square in pawns:
        file = chess.square_file(square)
        rank = chess.square_rank(square)
        steps = rank - 1 if side == chess.WHITE else 6 - rank
        following: dict[int, int] = {}
        for used, captures in best.items():
            for home in range(max(0, file - steps), min(7, file + steps) + 1):
                if not used & 1 << home:
                    key = used | 1 << home
                    cost = captures + abs(file - home)
                    if cost < following.get(key, 99):
                        following[key] = cost
        best = following
    return min(best.values(), default=None)
