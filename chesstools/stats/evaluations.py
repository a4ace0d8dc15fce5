"""Counts evaluations, and what moves lose by them, where the source gives evaluations."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from chesstools.stats.blocks import Block
from chesstools.stats.columns import SIDES, Numbers
from chesstools.stats.games import BANDS, Games
from chesstools.stats.tally import LAST_MOVE, RESULTS, add_exact, add_up, count, exact_sums, grid, places, total

CEILING = 1000
"""Evaluations are cut off at so many centipawns; a mate is worth as much."""

STEEPNESS = 0.00368208
"""Of the curve of winning percent, see `winning_percent`."""

JUDGEMENTS = {"inaccuracies": 5.0, "mistakes": 10.0, "blunders": 15.0}
"""Points of winning percent that a move loses at least to be called so."""

SWINGS = 100
"""How many of the biggest swings are told."""

POINTS = 5
"""Width of the bands of winning percent that evaluations are compared with scores in."""


def winning_percent(centipawns: Numbers) -> Numbers:
    """What White can expect of an evaluation, in percent of the points, as Lichess estimates it (lichess.org/page/accuracy).

    >>> winning_percent(np.array([0, 100, 300])).round(1).tolist()
    [50.0, 59.1, 75.1]
    """
    found: Numbers = 100 / (1 + np.exp(-STEEPNESS * centipawns))
    return found


class Evaluations:
    """Adds up what moves lose, and compares evaluations with results.

    Tables: `losses_by_side` (a row for each side and result), `losses_by_move`, `losses_by_rating`, `evaluated_positions` (a
    row for each band of winning percent and result), `swings` (the biggest losses).
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._by_side = _Losses((2, len(RESULTS)))
        self._by_move = _Losses((1, LAST_MOVE + 1))
        self._by_rating = _Losses((1, BANDS))
        self._positions = np.zeros((100 // POINTS, len(RESULTS)), dtype=np.int64)
        self._percents = exact_sums((100 // POINTS, len(RESULTS)))
        self._moves = np.zeros(LAST_MOVE + 1, dtype=np.int64)
        self._values = np.zeros(LAST_MOVE + 1)
        self._sizes = np.zeros(LAST_MOVE + 1)
        self._swings: list[dict[str, Numbers]] = []
        self._least = JUDGEMENTS["blunders"]  # what a swing has to lose to be one of the biggest

    def add(self, block: Block) -> None:
        """Add the evaluations of a block."""
        cp, mate = (block.stated(name) for name in ("eval_cp", "eval_mate"))
        if cp is None and mate is None:
            return
        nothing = np.full(len(block["ply"]), np.nan)
        cp, mate = (nothing if one is None else one for one in (cp, mate))
        value = np.where(mate == 0, np.nan, np.sign(mate) * CEILING)
        value = np.where(np.isnan(cp), value, np.clip(cp, -CEILING, CEILING))
        percent = winning_percent(value)
        self._add_positions(block, np.flatnonzero(~np.isnan(value)), value, percent)
        # A move is judged by the evaluations before and after it: none is made up for the start of a game.
        rows = np.flatnonzero(~np.isnan(value[1:]) & ~np.isnan(value[:-1]) & (block["ply"][1:] > 1)) + 1
        side, game = block["side"][rows], block.games[block["place"][rows]]
        sign = np.where(side == 0, 1, -1)
        loss = np.maximum((percent[rows - 1] - percent[rows]) * sign, 0)
        lost_cp = np.maximum((value[rows - 1] - value[rows]) * sign, 0)
        zero = np.zeros(len(rows), dtype=np.uint8)
        self._by_side.add(lost_cp, loss, side, self._games.result[game])
        self._by_move.add(lost_cp, loss, zero, np.minimum((block["ply"][rows] + 1) // 2, LAST_MOVE))
        self._by_rating.add(lost_cp, loss, zero, self._games.bands[side, game])
        big = np.flatnonzero(loss >= self._least)
        big = big[_biggest(loss[big])]
        at = rows[big]
        self._keep(
            {
                "game": game[big],
                "ply": block["ply"][at],
                "side": side[big],
                "loss": loss[big],
                "cp_before": cp[at - 1],
                "mate_before": mate[at - 1],
                "cp_after": cp[at],
                "mate_after": mate[at],
            }
        )

    def _add_positions(self, block: Block, rows: Numbers, value: Numbers, percent: Numbers) -> None:
        move = np.minimum((block["ply"][rows] + 1) // 2, LAST_MOVE)
        count(self._moves, move)
        add_up(self._values, value[rows], move)
        add_up(self._sizes, np.abs(value[rows]), move)
        band = np.minimum(percent[rows] // POINTS, 100 // POINTS - 1)
        game = block.games[block["place"][rows]]
        self._games.evaluated[game] = True
        result = self._games.result[game]
        count(self._positions, band, result)
        add_exact(self._percents, percent[rows], band, result)

    def _keep(self, swings: dict[str, Numbers]) -> None:
        """Keep the biggest swings so far; of equal ones those that come first."""
        self._swings.append(swings)
        joined = {name: np.concatenate([one[name] for one in self._swings]) for name in swings}
        order = _biggest(joined["loss"])
        self._swings = [{name: column[order] for name, column in joined.items()}]
        if len(order) == SWINGS:
            self._least = max(self._least, self._swings[0]["loss"][-1])

    def sums(self) -> dict[str, Numbers]:
        """What was added up, but for the swings."""
        own = {"positions": self._positions, "percents": self._percents}
        own |= {"moves": self._moves, "values": self._values, "sizes": self._sizes}
        groups = {"side": self._by_side, "move": self._by_move, "rating": self._by_rating}
        return own | {key: array for name, group in groups.items() for key, array in group.sums(name).items()}

    def tables(self) -> dict[str, pa.Table]:
        """What was added up."""
        side, result = grid(SIDES, RESULTS)
        band, of_band = grid([str(start) for start in range(0, 100, POINTS)], RESULTS)
        positions = {
            "percent_from": band.astype(np.int64),
            "result": of_band,
            "positions": self._positions.ravel(),
            "percents": total(self._percents).ravel(),
        }
        moves = {"evaluations": self._moves, "values": self._values, "sizes": self._sizes}
        return {
            "losses_by_side": pa.table({"side": side, "result": result, **self._by_side.columns()}),
            "losses_by_move": pa.table({"move": np.arange(LAST_MOVE + 1), **self._by_move.columns(), **moves}),
            "losses_by_rating": pa.table({"band": np.arange(BANDS), **self._by_rating.columns()}),
            "evaluated_positions": pa.table(positions),
            "swings": self._swings_table(),
        }

    def _swings_table(self) -> pa.Table:
        kinds = {"game": pa.int64(), "ply": pa.int32(), "side": pa.string(), "loss": pa.float64()}
        kinds |= {f"{kind}_{when}": pa.int32() for when in ("before", "after") for kind in ("cp", "mate")}
        schema = pa.schema([("nth", pa.int64()), ("rounded", pa.float64()), *kinds.items()])
        if not self._swings:
            return schema.empty_table()
        (swings,) = self._swings
        columns = [pa.array(np.arange(len(swings["game"])) + 1), pa.array(_rounded(swings["loss"]))]
        for name, kind in kinds.items():
            values = np.array(SIDES)[swings[name]] if name == "side" else swings[name]
            columns.append(pa.array(values, from_pandas=True).cast(kind))
        return pa.table(columns, schema=schema)


def _biggest(losses: Numbers) -> Numbers:
    """Where the biggest losses stand; of equal ones, but for what computers round, those that come first."""
    order: Numbers = np.argsort(-_rounded(losses), kind="stable")[:SWINGS]
    return order


def _rounded(losses: Numbers) -> Numbers:
    return losses.round(6)


class _Losses:
    """What moves lose, in groups of two keys."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._moves = np.zeros(shape, dtype=np.int64)
        self._cp = np.zeros(shape)
        self._percent = exact_sums(shape)
        self._judged = {name: np.zeros(shape, dtype=np.int64) for name in JUDGEMENTS}

    def add(self, cp: Numbers, percent: Numbers, *keys: Numbers) -> None:
        where = places(self._moves, *keys)
        count(self._moves.reshape(-1), where)
        add_up(self._cp.reshape(-1), cp, where)
        add_exact(self._percent.reshape(2, -1), percent, where)
        for name, least in JUDGEMENTS.items():
            count(self._judged[name].reshape(-1), where[percent >= least])

    def columns(self) -> dict[str, Numbers]:
        sums = {"moves": self._moves, "cp": self._cp, "percent": total(self._percent), **self._judged}
        return {name: array.ravel() for name, array in sums.items()}

    def sums(self, name: str) -> dict[str, Numbers]:
        """As `Tally.sums`, under names that begin with this one."""
        own = {"moves": self._moves, "cp": self._cp, "percent": self._percent, **self._judged}
        return {f"{name}.{word}": array for word, array in own.items()}
