"""Counts how long moves took and how little time was left, where the source tells."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from chesstools.stats.blocks import Block
from chesstools.stats.columns import SIDES, Numbers
from chesstools.stats.games import BANDS, CLASSES, Games
from chesstools.stats.tally import LAST_MOVE, RESULTS, add_exact, add_up, count, exact_sums, grid, places, total

LOW = 0.1
"""A clock is low with less than this share of the time at the start."""

_STEPS = ((100, 10_000), (1_000, 120_000), (5_000, 1_200_000), (60_000, 14_400_000), (3_600_000, 30 * 86_400_000))
"""Steps in which times are told apart for medians, and up to which time each is used; in milliseconds."""

_EDGES = np.concatenate(
    [np.arange(start, end, step) for (step, end), start in zip(_STEPS, [0, *(end for _, end in _STEPS)], strict=False)]
)
"""The least time of each step."""


_UNIT = 100
_HOURS = 14_400_000
_STEP_OF = np.searchsorted(_EDGES, np.arange(0, _HOURS, _UNIT), side="right").astype(np.int16) - 1
"""The step of each time below four hours, in units of which all edges are multiples: a look-up is ten times a search."""


def _step(times: Numbers) -> Numbers:
    """In which step times are, in milliseconds."""
    step: Numbers = _STEP_OF.take((times // _UNIT).astype(np.int64), mode="clip").astype(np.int64)
    long = np.flatnonzero(times >= _HOURS)
    step[long] = np.searchsorted(_EDGES, times[long], side="right") - 1
    return step


class Clocks:
    """Adds up move times and clocks.

    Tables: `times_by_move`, a row for each time class and move number; `times_by_rating`, a row for each time class and rating
    band of the player; `clocks_by_side`, a row for each time class, side, whether its clock was low, and result.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._by_move = _Times((len(CLASSES), LAST_MOVE + 1))
        self._by_rating = _Times((len(CLASSES), BANDS))
        self._sides = np.zeros((len(CLASSES), 2, 2, len(RESULTS)), dtype=np.int64)

    def add(self, block: Block) -> None:
        """Add the times of a block."""
        used, clock = block.stated("used_ms"), block.stated("clock_ms")
        if used is not None:
            self._add_times(block, np.flatnonzero(~np.isnan(used)), used)
        if clock is not None:
            self._add_clocks(block, np.flatnonzero(~np.isnan(clock)), clock)

    def _add_times(self, block: Block, rows: Numbers, used: Numbers) -> None:
        place, side, used = block["place"][rows], block["side"][rows], used[rows]
        game = block.games[place]
        self._games.timed[game] = True
        base = self._games.base_ms(game)
        share = np.divide(used, base, out=np.full(len(used), np.nan), where=base > 0)  # 0+1 gives no time at the start
        kind, step = self._games.time_class[game], _step(used)
        self._by_move.add(used, step, share, kind, np.minimum((block["ply"][rows] + 1) // 2, LAST_MOVE))
        self._by_rating.add(used, step, share, kind, self._games.bands[side, game])

    def _add_clocks(self, block: Block, rows: Numbers, clock: Numbers) -> None:
        place, side = block["place"][rows], block["side"][rows]
        base = self._games.base_ms(block.games)
        told = ~np.isnan(base[place])
        rows, place, side = rows[told], place[told], side[told]
        low = clock[rows] < LOW * base[place]
        moves, lows = (np.zeros((2, len(base)), dtype=np.int64) for _ in range(2))
        count(moves, side, place)
        count(lows, side[low], place[low])
        side, place = np.nonzero(moves)
        game = block.games[place]
        self._games.clocked[game] = True
        was_low = (lows[side, place] > 0).astype(np.uint8)
        count(self._sides, self._games.time_class[game], side, was_low, self._games.result[game])

    def sums(self) -> dict[str, Numbers]:
        """What was added up."""
        return {**self._by_move.sums("move"), **self._by_rating.sums("rating"), "sides": self._sides}

    def tables(self) -> dict[str, pa.Table]:
        """The times and clocks."""
        kind, side, low, result = grid(CLASSES, SIDES, ("false", "true"), RESULTS)
        games = {"nth": np.arange(len(kind)), "time_class": kind, "side": side, "low": low == "true", "result": result}
        return {
            "times_by_move": self._by_move.table("move"),
            "times_by_rating": self._by_rating.table("band"),
            "clocks_by_side": pa.table({**games, "games": self._sides.ravel()}),
        }


class _Times:
    """Move times in groups of two keys: how many, their sum, their share of the time at the start, their median."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._moves = np.zeros(shape, dtype=np.int64)
        self._sum = np.zeros(shape)
        self._shares = exact_sums(shape)
        self._with_share = np.zeros(shape, dtype=np.int64)
        self._steps = np.zeros((*shape, len(_EDGES)), dtype=np.int64)

    def add(self, used: Numbers, step: Numbers, share: Numbers, *keys: Numbers) -> None:
        """Add times, the steps that they are in, and their shares of the time at the start (not finite where it is not known)."""
        where = places(self._moves, *keys)
        add_up(self._sum.reshape(-1), used, where)
        count(self._moves.reshape(-1), where)
        np.add.at(self._steps.reshape(-1), where * len(_EDGES) + step, 1)
        told = np.isfinite(share)
        if not told.all():
            where, share = where[told], share[told]
        add_exact(self._shares.reshape(2, -1), share, where)
        count(self._with_share.reshape(-1), where)

    def sums(self, name: str) -> dict[str, Numbers]:
        """As `Tally.sums`, under names that begin with this one."""
        own = {"moves": self._moves, "sum": self._sum, "shares": self._shares, "with_share": self._with_share}
        return {f"{name}.{word}": array for word, array in {**own, "steps": self._steps}.items()}

    def table(self, key: str) -> pa.Table:
        """A row for each pair of keys that has moves, the first named `time_class`."""
        kind, other = np.nonzero(self._moves)
        moves = self._moves[kind, other]
        sums = self._steps[kind, other].cumsum(axis=1)
        median = _EDGES[(sums < (moves[:, None] + 1) // 2).sum(axis=1)]
        with_share = self._with_share[kind, other]
        columns = {
            "nth": kind,
            "time_class": pa.array(np.array(CLASSES)[kind], pa.string()),
            key: other,
            "moves": moves,
            "mean_s": self._sum[kind, other] / moves / 1000,
            "median_s": median / 1000,
            "base_share": pa.array(total(self._shares)[kind, other] / np.maximum(with_share, 1), mask=with_share == 0),
        }
        return pa.table(columns)
