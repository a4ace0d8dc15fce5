"""How many queens each side has, from one capture or promotion of a queen to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chesstools.stats.blocks import Block
from chesstools.stats.columns import ROLES, Numbers
from chesstools.stats.games import Games
from chesstools.stats.tally import running

_QUEEN = ROLES.index("queen")

NEVER = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class Queens:
    """Queens in the games of a block.

    Attributes:
        start: how many each side has at the start of each game: an array (side, game).
        place: for each change the place of its game in the block, in order.
        ply: for each change its ply.
        left: how many each side has after each change: an array (side, change).
    """

    start: Numbers
    place: Numbers
    ply: Numbers
    left: Numbers

    def gone(self, side: int) -> Numbers:
        """For each game the first ply after which a side had no queen: 0 where it had none at the start, else `NEVER`."""
        gone = np.where(self.start[side] > 0, NEVER, 0)
        none = np.flatnonzero(self.left[side] <= 0)[::-1]  # of several, the first is the one that is set last
        gone[self.place[none]] = np.minimum(gone[self.place[none]], self.ply[none])
        return gone

    def both(self) -> tuple[Numbers, Numbers, Numbers]:
        """Whether both sides have a queen: 1 or 0 at the start and at the end of each game, and what each change adds to it."""
        start = np.all(self.start, axis=0).astype(np.int64)
        after = np.all(self.left > 0, axis=0).astype(np.int64)
        first = np.flatnonzero(np.diff(self.place, prepend=-1))
        before = np.concatenate([[0], after[:-1]])[: len(after)]
        before[first] = start[self.place[first]]
        end = start.copy()
        end[self.place] = after  # of several, the last counts
        return start, end, after - before


class StartQueens:
    """Knows with how many queens games start."""

    def __init__(self, games: Games) -> None:
        fields = [fen.split(" ")[0] for fen in games.starts]
        self._counts = np.array([[field.count(letter) for field in fields] for letter in "Qq"])
        self._start = games.start

    def of(self, block: Block) -> Numbers:
        """How many each side has at the start of each game of a block: an array (side, game)."""
        found: Numbers = self._counts[:, self._start[block.games]]
        return found

    def follow(self, block: Block) -> Queens:
        """The queens of a block."""
        start = self.of(block)
        captured, promotion = block["captured"][block.changes], block.promoted(block.changes)
        chosen = np.flatnonzero((captured == _QUEEN) | (promotion == _QUEEN))
        rows = block.changes[chosen]
        place, white = block["place"][rows], block["side"][rows] == 0
        lost, won = captured[chosen] == _QUEEN, promotion[chosen] == _QUEEN
        first = np.flatnonzero(np.diff(place, prepend=-1))
        lengths = np.diff(np.append(first, len(place)))
        left = [
            running((won & own).astype(np.int64) - (lost & ~own), first, lengths) + start[side][place]
            for side, own in enumerate((white, ~white))
        ]
        return Queens(start, place, block["ply"][rows], np.array(left))
