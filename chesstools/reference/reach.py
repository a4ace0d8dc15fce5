"""Where each man can ever get to, whoever moves when: a set of squares that grows until it holds no more.

It may be too large, never too small. A man may step onto a square if what stands there now can move away or be taken. A pawn
that stays on its file cannot pass another one that does. A king keeps off what a man attacks that can neither move nor be
taken. All of this only ever allows more as the sets grow, so that the order of steps does not matter, and what is true of every
game is: by induction over its moves, each of them was allowed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess

_NOT_A, _NOT_H = chess.BB_ALL ^ chess.BB_FILE_A, chess.BB_ALL ^ chess.BB_FILE_H


@dataclass(slots=True)
class Man:
    """A man of the position, and what has been found of it so far. Squares are bitboards."""

    home: chess.Bitboard
    side: chess.Color
    role: chess.PieceType
    squares: chess.Bitboard
    """Where it may stand as what it is."""
    promoted: chess.Bitboard = 0
    """Where it may stand promoted."""
    taken: bool = False
    """Whether it may be taken."""

    @property
    def reach(self) -> chess.Bitboard:
        """Where it may stand."""
        return self.squares | self.promoted

    @property
    def is_fixed(self) -> bool:
        """Whether it stands where it stands to the end."""
        return not self.taken and self.reach == self.home


class Reach:
    """The men of a position. Call `grow` until it says that nothing changed, or until enough is known."""

    def __init__(self, board: chess.Board) -> None:
        self.men: list[Man] = []
        for square, piece in board.piece_map().items():
            home = chess.BB_SQUARES[square]
            self.men.append(Man(home, piece.color, piece.piece_type, home))
        if board.ep_square is not None and board.has_pseudo_legal_en_passant():
            self._en_passant(board, board.ep_square)

    def _en_passant(self, board: chess.Board, square: chess.Square) -> None:
        """The capture en passant that may be made at once: no pawn will stand on that square, and yet one is taken there."""
        capturers = sum(chess.BB_SQUARES[move.from_square] for move in board.generate_pseudo_legal_ep())
        for man in self.men:
            if man.home & capturers:
                man.squares |= chess.BB_SQUARES[square]
            elif man.home == chess.BB_SQUARES[square ^ 8]:
                man.taken = True

    def grow(self) -> bool:
        """Let every man go one round further. Tells whether anything changed."""
        grew = False
        stands = self.stands()
        takes = {chess.WHITE: 0, chess.BLACK: 0}
        for man in self.men:
            takes[man.side] |= man.promoted | _captures(man, stands[not man.side])
        held = 0
        homes = {chess.WHITE: 0, chess.BLACK: 0}
        guarded = {chess.WHITE: 0, chess.BLACK: 0}
        for man in self.men:
            if man.role != chess.KING:
                homes[man.side] |= man.home
                if not man.taken and man.reach & takes[not man.side]:
                    man.taken = grew = True
            if man.is_fixed:
                held |= man.home
                guarded[not man.side] |= _fixed_attacks(man)
        free = chess.BB_ALL & ~held
        for man in self.men:
            before = (man.squares, man.promoted)
            enter = free | homes[not man.side]
            if man.role == chess.PAWN:
                self._pawn(man, free, enter, stands[not man.side])
            elif man.role == chess.KING:
                man.squares = flood(man.squares, enter & ~guarded[man.side], around)
            else:
                man.squares = flood(man.squares, enter, _STEPS[man.role])
            grew |= before != (man.squares, man.promoted)
        return grew

    def stands(self) -> dict[chess.Color, chess.Bitboard]:
        """By colour, where men that can be taken may stand."""
        stands = {chess.WHITE: 0, chess.BLACK: 0}
        for man in self.men:
            if man.role != chess.KING:
                stands[man.side] |= man.reach
        return stands

    def _pawn(self, man: Man, free: chess.Bitboard, enter: chess.Bitboard, others: chess.Bitboard) -> None:
        pushes = free & self._open_squares(man)
        last = chess.BB_RANK_8 if man.side else chess.BB_RANK_1

        def spread(squares: chess.Bitboard) -> chess.Bitboard:
            return (pawn_push(squares, man.side) & pushes) | (pawn_captures(squares, man.side) & others)

        squares = flood(man.squares, chess.BB_ALL, spread)
        man.squares = squares & ~last
        man.promoted |= squares & last
        if man.promoted:
            man.promoted = flood(man.promoted, enter, lambda squares: around(squares) | knight(squares))

    def _open_squares(self, man: Man) -> chess.Bitboard:
        """The squares that no pawn bars to a pawn's pushes: another one on its file does while both keep to it."""
        file = chess.BB_FILES[chess.square_file(chess.lsb(man.home))]
        if man.squares & ~file:
            return chess.BB_ALL
        barred = 0
        before = file & _ahead(man.home, man.side)
        for other in self.men:
            if other.role != chess.PAWN or not other.home & before:
                continue
            if other.taken or other.promoted or other.squares & ~file:
                continue
            # An enemy pawn comes nearer; an own one makes way as far as it can itself.
            barrier = other.home if other.side != man.side else _farthest(other.squares, man.side)
            barred |= barrier | _ahead(barrier, man.side)
        return chess.BB_ALL & ~barred


def _captures(man: Man, others: chess.Bitboard) -> chess.Bitboard:
    """Where a man that has not been promoted may take one of those that stand on `others`."""
    return pawn_captures(man.squares, man.side) & others if man.role == chess.PAWN else man.squares


def _fixed_attacks(man: Man) -> chess.Bitboard:
    """What a man that does not move attacks for ever."""
    return pawn_captures(man.home, man.side) if man.role == chess.PAWN else _STEPS[man.role](man.home)


def _ahead(one: chess.Bitboard, side: chess.Color) -> chess.Bitboard:
    """All ranks beyond the square of `one`, as `side` moves."""
    rank = chess.lsb(one) & 56
    return (chess.BB_ALL << rank << 8) & chess.BB_ALL if side else (1 << rank) - 1


def _farthest(squares: chess.Bitboard, side: chess.Color) -> chess.Bitboard:
    """The square that lies farthest ahead."""
    return chess.BB_SQUARES[chess.msb(squares) if side else chess.lsb(squares)]


def flood(start: chess.Bitboard, enter: chess.Bitboard, step: Callable[[chess.Bitboard], chess.Bitboard]) -> chess.Bitboard:
    """`start` with all that is reached from it by steps onto squares of `enter`."""
    while True:
        more = start | (step(start) & enter)
        if more == start:
            return start
        start = more


# Sets of squares and their neighbours, many squares at a time. A step off the board leads nowhere.


def steps(squares: chess.Bitboard) -> Iterator[chess.Bitboard]:
    """One step in each of the eight directions: straight ones and slanted ones by turns."""
    right, left = squares & _NOT_H, squares & _NOT_A
    yield right << 1
    yield right << 9 & chess.BB_ALL
    yield squares << 8 & chess.BB_ALL
    yield left << 7 & chess.BB_ALL
    yield left >> 1
    yield left >> 9
    yield squares >> 8
    yield right >> 7


def straight(squares: chess.Bitboard) -> chess.Bitboard:
    """One step along ranks and files."""
    return (squares << 8 & chess.BB_ALL) | squares >> 8 | (squares & _NOT_H) << 1 | (squares & _NOT_A) >> 1


def slanted(squares: chess.Bitboard) -> chess.Bitboard:
    """One step along diagonals."""
    right, left = squares & _NOT_H, squares & _NOT_A
    return (right << 9 & chess.BB_ALL) | right >> 7 | (left << 7 & chess.BB_ALL) | left >> 9


def around(squares: chess.Bitboard) -> chess.Bitboard:
    """One step in any direction."""
    return straight(squares) | slanted(squares)


def knight(squares: chess.Bitboard) -> chess.Bitboard:
    """Jumps of knights."""
    right, left = (squares & _NOT_H) << 1, (squares & _NOT_A) >> 1
    near, far = right | left, (right & _NOT_H) << 1 | (left & _NOT_A) >> 1
    return (near << 16 & chess.BB_ALL) | near >> 16 | (far << 8 & chess.BB_ALL) | far >> 8


def pawn_captures(squares: chess.Bitboard, side: chess.Color) -> chess.Bitboard:
    """Where pawns capture."""
    right, left = squares & _NOT_H, squares & _NOT_A
    return (right << 9 | left << 7) & chess.BB_ALL if side else right >> 7 | left >> 9


def pawn_push(squares: chess.Bitboard, side: chess.Color) -> chess.Bitboard:
    """The squares before pawns."""
    return squares << 8 & chess.BB_ALL if side else squares >> 8


_STEPS = {chess.KNIGHT: knight, chess.BISHOP: slanted, chess.ROOK: straight, chess.QUEEN: around, chess.KING: around}
