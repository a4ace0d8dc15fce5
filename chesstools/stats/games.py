"""The games that count, as numbers, for tallies that look at plies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chesstools import usual_array
from chesstools.stats.columns import SIDES, Numbers

if TYPE_CHECKING:
    import pyarrow as pa

CLASSES = ("ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence", "unlimited", "")
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


class Games:
    """The games that count, by number: `game` in the table `all_games`. Games that do not count have numbers too.

    Attributes:
        size: how many numbers there are.
        result: for each number 0 where White won, 1 for a draw, 2 where Black won, 3 where the result is not known.
        from_array: whether the game begins with the usual array of standard chess.
        start: place of its start position in `starts`.
        starts: the start positions, as FEN; the first is the usual array.
        black_begins: whether Black is to move in the start position.
        base_ms: the time at the start, in milliseconds; NaN where it is not known.
        time_class: place in `CLASSES`.
        bands: an array (side, number): in which band the rating of the player is.
        timed, clocked, evaluated: whether a tally found a move time, a clock beside the time at the start, or an evaluation.

    Args:
        table: `COLUMNS` of the games.
    """

    def __init__(self, table: pa.Table) -> None:
        self._game = table["game"].to_numpy()
        game, index = table["game"].to_numpy(), table["game_index"].to_numpy()
        names = table["source"].combine_chunks().dictionary_encode()
        which = names.indices.to_numpy()
        order = np.lexsort((index, which))
        ends = np.searchsorted(which[order], np.arange(len(names.dictionary) + 1))
        self._of_source = {
            name: (index[order[start:end]], game[order[start:end]])
            for name, start, end in zip(names.dictionary.to_pylist(), ends[:-1], ends[1:], strict=True)
        }
        self.size = int(game.max()) + 1 if len(game) else 0
        points = np.asarray(table["points"].to_numpy(zero_copy_only=False), dtype=float)
        self.result = self._by_number(np.where(np.isnan(points), 3, 2 - 2 * np.nan_to_num(points)).astype(np.uint8))
        self.from_array = self._by_number(table["from_array"].fill_null(False).to_numpy(zero_copy_only=False))
        fens = table["other_start"].combine_chunks().dictionary_encode()
        self.starts = [usual_array.FEN, *fens.dictionary.to_pylist()]
        self.start = self._by_number(fens.indices.cast("int64").fill_null(-1).to_numpy() + 1)
        self.black_begins = np.array([" b " in fen for fen in self.starts])[self.start]

        self.base_ms = self._by_number(table["time_base_s"].cast("float64").to_numpy() * 1000)
        self.time_class = self._by_number(table["time_class"].to_numpy())
        self.bands = np.array([self._by_number(table[f"{side}_band"].to_numpy()) for side in SIDES])
        self.timed, self.clocked, self.evaluated = np.zeros((3, self.size), dtype=bool)

    def _by_number(self, values: Numbers) -> Numbers:
        """Values of the rows of the table, by the numbers of the games; 0 for those that do not count."""
        found = np.zeros(self.size, dtype=values.dtype)
        found[self._game] = values
        return found

    def numbers(self, source: str, indices: Numbers) -> Numbers:
        """The numbers of games of one source; -1 for those that do not count."""
        if source not in self._of_source:
            return np.full(len(indices), -1)
        known, numbers = self._of_source[source]
        places = np.minimum(np.searchsorted(known, indices), len(known) - 1)
        return np.where(known[places] == indices, numbers[places], -1)
