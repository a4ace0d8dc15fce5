"""Whether a mate could be put together from the squares that men can get to.

For a mate on some square a man must give check there, and each square around it must be attacked by the winner, or taken up by
a man of the loser: a man of its own for each such square. Nothing else of a mate is asked for.
"""

from __future__ import annotations

import chess

from chesstools.reference.reach import Reach, around, knight, pawn_captures, slanted, steps, straight


def could_mate(board: chess.Board, winner: chess.Color) -> bool:
    """Whether `winner` could mate for all that can be said of where men can get to. If not, it cannot.

    Positions with castling rights are not asked about.

    >>> could_mate(chess.Board("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"), chess.WHITE)
    False
    """
    if board.clean_castling_rights() or chess.popcount(board.occupied) > 32:
        return True
    reach = Reach(board)
    while True:
        grew = reach.grow()
        if _is_possible(reach, winner):
            return True
        if not grew:
            return False


def _is_possible(reach: Reach, winner: chess.Color) -> bool:
    """Whether the squares that were found so far allow a mate by `winner`."""
    attack = _Attack(reach, winner)
    kings = {man.side: man.reach for man in reach.men if man.role == chess.KING}
    blockers = [man.reach for man in reach.men if man.side != winner and man.role != chess.KING]
    near = around(kings[winner]) | reach.stands()[not winner]
    for king in chess.scan_forward(kings[not winner] & attack.all):
        uncovered = chess.BB_KING_ATTACKS[king] & ~attack.around(king)
        if not uncovered & ~near and _can_close(king, uncovered, kings[winner], blockers):
            return True
    return False


def _can_close(king: chess.Square, uncovered: chess.Bitboard, own: chess.Bitboard, blockers: list[chess.Bitboard]) -> bool:
    """Whether the winner's king, from a square of `own`, and one blocker a square can deal with the squares around `king`."""
    if not uncovered or _can_block(uncovered, blockers):
        return True
    helpful = own & ~chess.BB_KING_ATTACKS[king] & ~chess.BB_SQUARES[king] & around(uncovered)
    return any(_can_block(uncovered & ~chess.BB_KING_ATTACKS[square], blockers) for square in chess.scan_forward(helpful))


def _can_block(uncovered: chess.Bitboard, blockers: list[chess.Bitboard]) -> bool:
    """Whether each of the squares can have a blocker of its own."""
    used: dict[int, chess.Square] = {}
    return all(_place(square, blockers, used, set()) for square in chess.scan_forward(uncovered))


def _place(square: chess.Square, blockers: list[chess.Bitboard], used: dict[int, chess.Square], tried: set[int]) -> bool:
    """Find a blocker for a square; others may have to change theirs."""
    for number, reach in enumerate(blockers):
        if not reach & chess.BB_SQUARES[square] or number in tried:
            continue
        tried.add(number)
        if number not in used or _place(used[number], blockers, used, tried):
            used[number] = square
            return True
    return False


class _Attack:
    """What the men of one side can ever attack, its king left aside."""

    def __init__(self, reach: Reach, side: chess.Color) -> None:
        self._straight = 0
        """Where men may stand that attack along ranks and files."""
        self._slanted = 0
        knights = pawns = 0
        for man in reach.men:
            if man.side != side:
                continue
            if man.role in (chess.ROOK, chess.QUEEN):
                self._straight |= man.squares
            if man.role in (chess.BISHOP, chess.QUEEN):
                self._slanted |= man.squares
            if man.role == chess.KNIGHT:
                knights |= man.squares
            if man.role == chess.PAWN:
                pawns |= man.squares
                knights |= man.promoted
                self._straight |= man.promoted
                self._slanted |= man.promoted
        # The squares that a slider passes are among those where it may stand, so single steps are enough.
        self.all = pawn_captures(pawns, side) | knight(knights) | straight(self._straight) | slanted(self._slanted)

    def around(self, king: chess.Square) -> chess.Bitboard:
        """What can be attacked while the other king stands on `king`: squares behind it too, as it gives no cover."""
        here = chess.BB_SQUARES[king]
        attacked = self.all
        for direction, (near, behind) in enumerate(zip(steps(self._straight), steps(here), strict=True)):
            if direction % 2 == 0 and near & here:
                attacked |= behind
        for direction, (near, behind) in enumerate(zip(steps(self._slanted), steps(here), strict=True)):
            if direction % 2 == 1 and near & here:
                attacked |= behind
        return attacked
