"""The games that count, as numbers, for tallies that look at plies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chesstools import usual_array
from chesstools.stats.columns import SIDES, Numbers
from chesstools.time_class import TIME_CLASSES

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

CLASSES = (*TIME_CLASSES, "")
"""Time classes by number; the last is for games whose time control does not tell."""

BAND = 200
"""Width of rating bands, in points."""

BANDS = 26
"""How many bands there are: the last but one holds all higher ratings too, the last those that are not known."""


def _band(side: str) -> str:
    # greatest and least pass over null, so it is looked at first
    elo = f"{side}_elo"
    return f"(CASE WHEN {elo} IS NULL THEN {BANDS - 1} ELSE least(greatest({elo}, 0) // {BAND}, {BANDS - 2}) END)::UTINYINT"


COLUMNS = f"""game, source, game_index, points, from_array, other_start, time_base_s,
    (coalesce(list_position({list(CLASSES[:-1])}, time_class), {len(CLASSES)}) - 1)::UTINYINT AS time_class,
    {_band("white")} AS white_band, {_band("black")} AS black_band"""
"""SQL of the columns that `Games` is made of, from `all_games`."""

_ROWS = 100_000
"""Rows that are read at a time."""


def rows_of_games(connection: duckdb.DuckDBPyConnection, relation: str) -> tuple[int, Iterator[pa.RecordBatch]]:
    """What `Games` is made of: how many numbers there are, and the games of a relation, some at a time."""
    ((size,),) = connection.sql(f"SELECT coalesce(max(game) + 1, 0) FROM {relation}").fetchall()
    return int(size), connection.sql(f"SELECT {COLUMNS} FROM {relation}").to_arrow_reader(_ROWS)


class Games:
    """The games that count, by number: `game` in the table `all_games`. Games that do not count have numbers too.

    About 20 bytes for each number are held.

    Attributes:
        size: how many numbers there are.
        result: for each number 0 where White won, 1 for a draw, 2 where Black won, 3 where the result is not known.
        from_array: whether the game begins with the usual array of standard chess.
        start: place of its start position in `starts`.
        starts: the start positions, as FEN; the first is the usual array.
        time_class: place in `CLASSES`.
        bands: an array (side, number): in which band the rating of the player is.
        timed, clocked, evaluated: whether a tally found a move time, a clock beside the time at the start, or an evaluation.

    Args:
        size: how many numbers there are.
        batches: `COLUMNS` of the games.
    """

    def __init__(self, size: int, batches: Iterable[pa.RecordBatch]) -> None:
        self.size = size
        self.result, self.time_class = np.zeros((2, size), dtype=np.uint8)
        self.bands = np.zeros((2, size), dtype=np.uint8)
        self.from_array, self.timed, self.clocked, self.evaluated = np.zeros((4, size), dtype=bool)
        starts, bases = Words(size, usual_array.FEN), Words(size, None)
        rows: dict[str, list[tuple[Numbers, Numbers]]] = {}
        for batch in batches:
            game = batch["game"].to_numpy()
            points = np.asarray(batch["points"].to_numpy(zero_copy_only=False), dtype=float)
            self.result[game] = np.where(np.isnan(points), 3, 2 - 2 * np.nan_to_num(points))
            self.from_array[game] = batch["from_array"].fill_null(False).to_numpy(zero_copy_only=False)
            self.time_class[game] = batch["time_class"].to_numpy()
            for side, name in enumerate(SIDES):
                self.bands[side, game] = batch[f"{name}_band"].to_numpy()
            starts.put(game, batch["other_start"])
            bases.put(game, batch["time_base_s"])
            sources, index = batch["source"].dictionary_encode(), batch["game_index"].to_numpy()
            which = sources.indices.to_numpy()
            order = np.argsort(which, kind="stable")
            ends = np.searchsorted(which[order], np.arange(len(sources.dictionary) + 1))
            for source, start, end in zip(sources.dictionary.to_pylist(), ends[:-1], ends[1:], strict=True):
                own = order[start:end]
                rows.setdefault(source, []).append((_compact(index[own]), _compact(game[own])))
        self.start, self.starts = starts.places, starts.words
        self._black_begins = np.array([" b " in fen for fen in self.starts])
        self._base, self._bases_ms = bases.places, np.array(bases.words, dtype=float) * 1000
        self._of_source = {source: _in_order(*zip(*rows.pop(source), strict=True)) for source in list(rows)}

    def black_begins(self, numbers: Numbers) -> Numbers:
        """Whether Black is to move in the start positions of these games."""
        found: Numbers = self._black_begins[self.start[numbers]]
        return found

    def base_ms(self, numbers: Numbers) -> Numbers:
        """The time at the start of these games, in milliseconds; NaN where it is not known."""
        found: Numbers = self._bases_ms[self._base[numbers]]
        return found

    def numbers(self, source: str, indices: Numbers) -> Numbers:
        """The numbers of games of one source; -1 for those that do not count."""
        if source not in self._of_source:
            return np.full(len(indices), -1)
        known, numbers = self._of_source[source]
        places = np.minimum(np.searchsorted(known, indices.astype(known.dtype)), len(known) - 1)
        return np.where(known[places] == indices, numbers[places].astype(np.int64), -1)


class Words:
    """A column of few different values: for each number of a game the place of its value in `words`; 0 for null."""

    def __init__(self, size: int, nothing: Any) -> None:
        self.words = [nothing]
        self.places = np.zeros(size, dtype=np.uint8)
        self._known: dict[Any, int] = {}

    def put(self, numbers: Numbers, values: pa.Array) -> None:
        """Note the values of games."""
        coded = values.dictionary_encode()
        for word in coded.dictionary.to_pylist():
            if word not in self._known:
                self._known[word] = len(self.words)
                self.words.append(word)
        if len(self.words) > np.iinfo(self.places.dtype).max:
            self.places = self.places.astype(np.min_scalar_type(2 * len(self.words)))
        of_batch = np.array([0, *(self._known[word] for word in coded.dictionary.to_pylist())])
        self.places[numbers] = of_batch[coded.indices.cast("int64").fill_null(-1).to_numpy() + 1]


def _compact(values: Numbers) -> Numbers:
    return values.astype(np.uint32) if values.max(initial=0) < 1 << 32 else values


def _in_order(indices: Sequence[Numbers], numbers: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """Indices of games in their source, ascending, and the numbers of these games."""
    index, game = np.concatenate(indices), np.concatenate(numbers)
    if (index[1:] < index[:-1]).any():
        order = np.argsort(index)
        index, game = index[order], game[order]
    return index, game
