"""What men were on the board of each game, from one capture or promotion to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chesstools.stats.blocks import NONE, Block, Games, Numbers
from chesstools.stats.tally import running

_BITS = 6
_MASK = (1 << _BITS) - 1


@dataclass(frozen=True, slots=True)
class States:
    """What men were on the board, from one capture or promotion to the next, of the games of a block, in order.

    Attributes:
        place: place of the game in the block.
        begins: the ply after which the state stood; 0 for the start.
        ends: the ply after which it did not stand any more; one more than the last ply of the game where nothing came after.
        men: how many men of each role from pawn to queen each side had: an array (side, role, state).
    """

    place: Numbers
    begins: Numbers
    ends: Numbers
    men: Numbers


class Materials:
    """Finds the states of material of a block from its captures and promotions."""

    def __init__(self, games: Games) -> None:
        self._games = games
        packed = []
        for fen in games.starts:
            pieces = fen.split(" ")[0]
            counts = [pieces.count(letter) for letter in "PNBRQpnbrq"]
            packed.append(sum(number << _BITS * at for at, number in enumerate(counts)))
        self._starts = np.array(packed, dtype=np.int64)

    def states(self, block: Block) -> States:
        """The states of the games of a block."""
        rows = np.flatnonzero((block["captured"] != NONE) | (block["promotion"] != NONE))
        captured, promotion, side = block["captured"][rows], block["promotion"][rows], block["side"][rows].astype(np.int64)
        own = side * 5 * _BITS
        change = -np.where(captured < 5, _one(captured) << (5 * _BITS - own), 0)
        change += np.where(promotion < 5, (_one(promotion) << own) - (np.int64(1) << own), 0)
        # The start of each game is a state too, before those that its captures and promotions lead to.
        games = np.arange(len(block.games), dtype=np.int64)
        place = np.concatenate([games, block["place"][rows]])
        order = np.argsort(place, kind="stable")
        place = place[order]
        change = np.concatenate([self._starts[self._games.start[block.games]], change])[order]
        begins = np.concatenate([np.zeros(len(games), dtype=np.int64), block["ply"][rows]])[order]
        ends = np.append(begins[1:], 0)
        last = np.append(place[1:] != place[:-1], True)
        ends[last] = block.lengths + 1
        packed = running(change, place)
        men = np.array([[packed >> _BITS * (5 * side + role) & _MASK for role in range(5)] for side in range(2)])
        return States(place, begins, ends, men)


def _one(roles: Numbers) -> Numbers:
    """A man of each role, as the packed number of White; of no meaning where there is none."""
    ones: Numbers = np.int64(1) << np.minimum(roles, 4).astype(np.int64) * _BITS
    return ones
