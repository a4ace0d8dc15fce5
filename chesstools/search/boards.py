"""The squares of men in all positions of a block, by running sums over the moves."""

from __future__ import annotations

from collections.abc import Sequence

import chess
import numpy as np

from chesstools.search.block import NONE, Block, Numbers

KING, PAWN, ROOK = 5, 0, 3
"""Places in `chesstools.search.block.ROLES`."""

_BIT = np.left_shift(np.uint64(1), np.arange(64, dtype=np.uint64))
_COUNT_BITS = 6
"""Bits of a packed count of men: no position has more than 63 of a kind besides its kings."""


class Boards:
    """What stands where in the positions of a block. Bitboards are 64-bit numbers, bit 0 is a1 and bit 63 is h8.

    Colours are 0 for White and 1 for Black, roles places in `chesstools.search.block.ROLES`.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        side = block["side"]
        self._mover = np.where(block["role"] == NONE, NONE, block["role"] + 6 * side).astype(np.uint8)
        self._taken = np.where(block["captured"] == NONE, NONE, block["captured"] + 6 * (1 - side)).astype(np.uint8)
        self._promotes = np.flatnonzero(block["promotion"] != NONE)
        self._castles = np.flatnonzero(block["castling"] != NONE)
        self._from = _BIT[block["from_square"] & 63]
        self._to = _BIT[block["to_square"] & 63]
        self._men: dict[tuple[int, int], Numbers] = {}

    def black_to_move(self) -> Numbers:
        """Whether it is Black's turn."""
        turn = self.block["side"] == 0
        turn[self.block.first] = [board.turn == chess.BLACK for board in self.block.starts]
        return np.asarray(turn)

    def men(self, color: int, role: int) -> Numbers:
        """The squares of the men of a colour and role."""
        if (color, role) not in self._men:
            self._men[color, role] = self._sums(
                self._steps(color, role), [squares_of(board, color, role) for board in self.block.starts]
            )
        return self._men[color, role]

    def material(self) -> Numbers:
        """The number of men of each colour and role but kings, packed into one number: see `packed_material`."""
        steps = np.zeros(self.block.rows, dtype=np.uint64)
        one = np.array([0 if code % 6 == KING else packed_one(code // 6, code % 6) for code in range(12)], dtype=np.uint64)
        rows = np.flatnonzero(self._taken < 12)
        steps[rows] -= one[self._taken[rows]]
        rows, color = self._promotes, self.block["side"][self._promotes]
        steps[rows] += one[self.block["promotion"][rows] + 6 * color] - one[6 * color]
        return self._sums(steps, [packed_material(board) for board in self.block.starts])

    def _steps(self, color: int, role: int) -> Numbers:
        """What each move adds to the squares of such men, and takes away; modulo 2 ** 64."""
        block, code = self.block, role + 6 * color
        steps = np.zeros(block.rows, dtype=np.uint64)
        rows = np.flatnonzero(self._mover == code)
        steps[rows] = self._to[rows] - self._from[rows]
        rows = np.flatnonzero(self._taken == code)
        steps[rows] -= self._captured_on(rows) if role == PAWN else self._to[rows]
        rows = self._promotes[block["side"][self._promotes] == color]
        if role == PAWN:
            steps[rows] -= self._to[rows]
        rows = rows[block["promotion"][rows] == role]
        steps[rows] += self._to[rows]
        if role == ROOK:
            rows = self._castles[block["side"][self._castles] == color]
            steps[rows] += self._rook_to(rows) - _BIT[block["rook_from"][rows]]
        return steps

    def _captured_on(self, rows: Numbers) -> Numbers:
        to, came = self.block["to_square"][rows], self.block["from_square"][rows]
        return _BIT[np.where(self.block["en_passant"][rows], (came & 56) | (to & 7), to)]

    def _rook_to(self, rows: Numbers) -> Numbers:
        kings = self.block["to_square"][rows]
        return _BIT[np.where(self.block["castling"][rows] == 0, kings - 1, kings + 1)]

    def _sums(self, steps: Numbers, at_start: Sequence[int]) -> Numbers:
        sums = np.cumsum(steps, dtype=np.uint64)
        return sums + np.repeat(np.array(at_start, dtype=np.uint64) - sums[self.block.first], self.block.lengths)


def packed_one(color: int, role: int) -> int:
    """One man in a packed count of material."""
    return 1 << _COUNT_BITS * (5 * color + role)


def packed_material(board: chess.Board) -> int:
    """The men of a position but its kings, packed as `Boards.material` packs them.

    >>> packed_material(chess.Board("4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1"))
    2
    """
    return sum(
        packed_one(color, role) * chess.popcount(squares_of(board, color, role)) for color in range(2) for role in range(5)
    )


def squares_of(board: chess.Board, color: int, role: int) -> int:
    """The squares of the men of a colour and role in one position."""
    return board.pieces_mask(role + 1, color == 0)
