"""Which man moves and which is taken at every ply, told apart by the square on which it stands at the start.

All games of a block are replayed at once: an array of boards says which man stands on each square, and ply by ply the men move
on all boards that still have one. A promoted pawn remains the man that it was; en passant takes a man from another square;
castling moves two; a null move none. The native core follows men in its own way (`_rust/src/men.rs`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chesstools.stats.blocks import Block
from chesstools.stats.columns import NONE, SQUARES, Numbers

NOBODY = 32
"""The number of no man. Men are numbered by their squares: 0 to 15 on a1 to h2, 16 to 31 on a7 to h8."""

ORIGINS = (*SQUARES[:16], *SQUARES[48:])
"""The square on which each man stands at the start."""

_ARRAY = np.full(64, NOBODY, dtype=np.uint8)
_ARRAY[[SQUARES.index(square) for square in ORIGINS]] = np.arange(32)

_ROOK = np.zeros((64, 2), dtype=np.intp)
"""By the square that a castling king goes to: where its rook comes from, and where it goes to."""
for _king, _from, _to in (("g1", "h1", "f1"), ("c1", "a1", "d1"), ("g8", "h8", "f8"), ("c8", "a8", "d8")):
    _ROOK[SQUARES.index(_king)] = SQUARES.index(_from), SQUARES.index(_to)


@dataclass(frozen=True, slots=True)
class Replay:
    """Men by ply: the man that moved and the man that was taken, `NOBODY` where there is none.

    They stand by ply and not by game, first those of all first plies, then those of all second ones; `at` tells where.
    """

    mover: Numbers
    taken: Numbers
    _starts: Numbers
    _slots: Numbers

    def at(self, place: Numbers, ply: Numbers) -> Numbers:
        """Where plies stand, of games at these places of the block."""
        found: Numbers = self._starts[ply - 1] + self._slots[place]
        return found


def replay(block: Block, chosen: Numbers) -> Replay:
    """Replay the games at the places `chosen` of a block, which begin with the usual array of standard chess."""
    order = chosen[np.argsort(-block.lengths[chosen], kind="stable")]  # the longest first: those that still go on stand in front
    lengths = block.lengths[order]
    going = np.searchsorted(-lengths, -np.arange(lengths[0] if len(order) else 0))  # how many games have more plies than that
    starts = np.concatenate([[0], np.cumsum(going)])
    slots = np.full(len(block.games), -1)
    slots[order] = np.arange(len(order))
    mover, taken = np.empty(starts[-1], np.uint8), np.empty(starts[-1], np.uint8)
    boards, corners = np.tile(_ARRAY, len(order)), np.arange(len(order)) * 64
    moves = block["move"] & 0xFFF  # a null move goes from a1 to a1, which leaves everything where it is
    specials = _Specials(block, slots, len(going))
    now = block.first[order]
    for ply, (start, games) in enumerate(zip(starts.tolist(), going.tolist(), strict=False)):
        move = moves.take(now[:games])
        now[:games] += 1
        place = corners[:games] + (move & 63)
        man = boards.take(place)
        boards[place] = NOBODY
        np.add(corners[:games], move >> 6, out=place)
        part = taken[start : start + games]
        boards.take(place, out=part, mode="clip")
        part[move == 0] = NOBODY
        boards[place] = man
        mover[start : start + games] = np.where(move > 0, man, NOBODY)
        specials.apply(ply, boards, part)
    return Replay(mover, taken, starts, slots)


class _Specials:
    """The moves that change more than two squares, by ply."""

    def __init__(self, block: Block, slots: Numbers, plies: int) -> None:
        rows = np.flatnonzero(((block["castling"] != NONE) | block["en_passant"]) & (block["move"] != 0))
        rows = rows[slots[block["place"][rows]] >= 0]
        rows = rows[np.argsort(block["ply"][rows], kind="stable")]
        self._slot = slots[block["place"][rows]]
        self._to, self._from = block.target(rows).astype(np.intp), block.start(rows).astype(np.intp)
        self._passing = block["en_passant"][rows]
        self._bounds = np.searchsorted(block["ply"][rows] - 1, np.arange(plies + 1)).tolist()

    def apply(self, ply: int, boards: Numbers, taken: Numbers) -> None:
        start, end = self._bounds[ply], self._bounds[ply + 1]
        if start == end:
            return
        slot, to, passing = self._slot[start:end], self._to[start:end], self._passing[start:end]
        if passing.any():
            which = slot[passing]
            place = which * 64 + (self._from[start:end][passing] & 56 | to[passing] & 7)
            taken[which] = boards[place]
            boards[place] = NOBODY
        if not passing.all():
            corner, rook = slot[~passing] * 64, _ROOK[to[~passing]]
            man = boards[corner + rook[:, 0]]
            boards[corner + rook[:, 0]] = NOBODY
            boards[corner + rook[:, 1]] = man
