"""The plies of a dataset as numbers: blocks of whole games, one after the other, for statistics that follow games move by move.

What one query after the other over ten million rows would cost many times is done in one pass: each block is read once, in the
order in which it was written, and everything that counts plies looks at it. Memory is that of a block, whatever the size of
the dataset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chesstools.errors import DatasetError

if TYPE_CHECKING:
    import pyarrow as pa

Numbers: TypeAlias = NDArray[Any]

ROLES = ("pawn", "knight", "bishop", "rook", "queen", "king")
SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
SIDES = ("white", "black")
WINGS = ("kingside", "queenside")

USUAL_ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

NONE = 255
"""The number of no role, no square, no wing."""

BLOCK_ROWS = 400_000
"""Rows of a block, about: it ends with the game that reaches them. Measured: larger blocks fall out of the processor's caches."""

_ROLE_NUMBERS = {role: number for number, role in enumerate(ROLES)}
_SQUARE_NUMBERS = {square: number for number, square in enumerate(SQUARES)}
_WORDS: dict[str, Mapping[str, int]] = {
    "role": _ROLE_NUMBERS,
    "from_square": _SQUARE_NUMBERS,
    "to_square": _SQUARE_NUMBERS,
    "captured": _ROLE_NUMBERS,
    "promotion": _ROLE_NUMBERS,
    "castling": {wing: number for number, wing in enumerate(WINGS)},
}
_FLAGS = ("check", "mate", "en_passant")
_STATED = ("used_ms", "clock_ms", "eval_cp", "eval_mate")
_COLUMNS = ("source", "game_index", "ply", *_WORDS, *_FLAGS, *_STATED)


@dataclass(frozen=True, slots=True)
class Block:
    """The plies of some whole games that count, in the order of the games and of their plies.

    Attributes:
        games: for each game its number (see `Games`).
        first: for each game the row of its first ply.
        lengths: for each game how many plies it has, at least one.
        columns: see `__getitem__` and `stated`.
    """

    games: Numbers
    first: Numbers
    lengths: Numbers
    columns: Mapping[str, Numbers | None]

    def __getitem__(self, name: str) -> Numbers:
        """A column, with a value for each row.

        `place` is the place of its game in `games`, `ply` counts from 1, `side` is 0 where White moves and 1 for Black; `role`,
        `from_square`, `to_square`, `captured`, `promotion`, `castling` are places in `ROLES`, `SQUARES`, `WINGS`, and `NONE`
        for null; `check`, `mate`, `en_passant` are truth values.
        """
        return _there(self.columns[name])

    def stated(self, name: str) -> Numbers | None:
        """`used_ms`, `clock_ms`, `eval_cp` or `eval_mate` as floats, NaN for null; None where no row has a value."""
        return self.columns[name]


class Games:
    """The games that count, by number: their rowid in the table `all_games`. Games that do not count have numbers too.

    Attributes:
        size: how many numbers there are.
        result: for each number 0 where White won, 1 for a draw, 2 where Black won, 3 where the result is not known.
        from_array: whether the game begins with the usual array of standard chess.
        start: place of its start position in `starts`.
        starts: the start positions, as FEN; the first is the usual array.
        black_begins: whether Black is to move in the start position.
        table: all columns that were given.

    Args:
        table: `game` (the number), `source`, `game_index`, `points` (of White, or null), `from_array`, `other_start` (FEN of
            the start position where it is not the usual array, or null), and what else a tally asks for.
    """

    def __init__(self, table: pa.Table) -> None:
        self.table = table
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
        self.result = self.by_number(np.where(np.isnan(points), 3, 2 - 2 * np.nan_to_num(points)).astype(np.uint8))
        self.from_array = self.by_number(table["from_array"].fill_null(False).to_numpy(zero_copy_only=False))
        fens = table["other_start"].combine_chunks().dictionary_encode()
        self.starts = [USUAL_ARRAY, *fens.dictionary.to_pylist()]
        self.start = self.by_number(fens.indices.cast("int64").fill_null(-1).to_numpy() + 1)
        self.black_begins = np.array([" b " in fen for fen in self.starts])[self.start]

    def by_number(self, values: Numbers) -> Numbers:
        """Values of the rows of `table`, by the numbers of the games; 0 for those that do not count."""
        found = np.zeros(self.size, dtype=values.dtype)
        found[self.table["game"].to_numpy()] = values
        return found

    def numbers(self, source: str, indices: Numbers) -> Numbers:
        """The numbers of games of one source; -1 for those that do not count."""
        if source not in self._of_source:
            return np.full(len(indices), -1)
        known, numbers = self._of_source[source]
        places = np.minimum(np.searchsorted(known, indices), len(known) - 1)
        return np.where(known[places] == indices, numbers[places], -1)


def blocks(files: Iterable[Path], games: Games, *, block_rows: int = BLOCK_ROWS) -> Iterator[Block]:
    """The plies of the games that count, of part files of the table plies, in blocks of whole games.

    Raises DatasetError where the rows do not stand in the order in which they were played.
    """
    for file in files:  # a part holds whole games
        waiting: list[_Columns] = []
        for piece in _pieces(file, games):
            waiting.append(piece)
            if sum(len(_there(one["ply"])) for one in waiting) >= block_rows:
                joined = _joined(waiting)
                last = int(np.flatnonzero(_there(joined["ply"]) == 1)[-1:].sum())  # it may go on in the next piece
                if last:
                    yield from _block(file, games, _cut(joined, slice(last)))
                waiting = [_cut(joined, slice(last, None))]
        if waiting:
            yield from _block(file, games, _joined(waiting))


_Columns: TypeAlias = dict[str, "Numbers | None"]


def _pieces(file: Path, games: Games) -> Iterator[_Columns]:
    """The row groups of a part as numbers, with `game`: the number of the game, -1 where it does not count."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(file, read_dictionary=["source", *_WORDS]) as parquet:
        for group in range(parquet.num_row_groups):
            table = parquet.read_row_group(group, columns=list(_COLUMNS), use_threads=False)
            piece: _Columns = {name: _of_words(table[name], words) for name, words in _WORDS.items()}
            piece |= {name: table[name].to_numpy() for name in ("ply", *_FLAGS)}
            piece |= {name: _floats(table[name]) for name in _STATED}
            piece["game"] = _games_of_rows(table, games)
            yield piece


def _games_of_rows(table: pa.Table, games: Games) -> Numbers:
    """The number of the game of each row. Rows of a game stand together: only the first of each is looked up."""
    sources, indices = table["source"].combine_chunks(), table["game_index"].to_numpy()
    which = sources.indices.to_numpy()
    first = np.flatnonzero(_changes(indices) | _changes(which))
    numbers = np.empty(len(first), dtype=np.int64)
    for number, source in enumerate(sources.dictionary.to_pylist()):
        mine = which[first] == number
        numbers[mine] = games.numbers(source, indices[first[mine]])
    return np.repeat(numbers, np.diff(np.append(first, len(indices))))


def _changes(values: Numbers) -> Numbers:
    """Whether a value differs from the one before; the first does."""
    return np.concatenate([np.ones(min(1, len(values)), dtype=bool), values[1:] != values[:-1]])


def _of_words(column: pa.ChunkedArray, words: Mapping[str, int]) -> Numbers:
    found = [np.empty(0, dtype=np.uint8)]
    for chunk in column.chunks:
        if chunk.null_count == len(chunk):
            found.append(np.full(len(chunk), NONE, dtype=np.uint8))
            continue
        numbers = np.array([*(words.get(word, NONE) for word in chunk.dictionary.to_pylist()), NONE], dtype=np.uint8)
        places = chunk.indices.fill_null(len(numbers) - 1) if chunk.null_count else chunk.indices
        found.append(numbers.take(places.to_numpy()))
    return found[1] if len(found) == 2 else np.concatenate(found)


def _floats(column: pa.ChunkedArray) -> Numbers | None:
    if column.null_count == len(column):
        return None
    return np.asarray(column.cast("float64").to_numpy())


def _joined(pieces: Sequence[_Columns]) -> _Columns:
    if len(pieces) == 1:
        return pieces[0]
    joined: _Columns = {}
    for name in pieces[0]:
        columns = [piece[name] for piece in pieces]
        if any(column is not None for column in columns):
            rows = [len(_there(piece["ply"])) for piece in pieces]
            filled = [np.full(size, np.nan) if one is None else one for one, size in zip(columns, rows, strict=True)]
            joined[name] = np.concatenate(filled)
        else:
            joined[name] = None
    return joined


def _cut(columns: _Columns, rows: Any) -> _Columns:
    return {name: None if column is None else column[rows] for name, column in columns.items()}


def _there(column: Numbers | None) -> Numbers:
    assert column is not None
    return column


def _block(file: Path, games: Games, columns: _Columns) -> Iterator[Block]:
    """The block of these rows, or nothing where none of their games counts."""
    ply, game = _there(columns["ply"]), _there(columns["game"])
    begins = ply == 1
    in_order = np.where(begins[1:], True, (ply[1:] == ply[:-1] + 1) & (game[1:] == game[:-1]))
    if len(ply) and not (begins[0] and in_order.all()):
        raise DatasetError(f"The rows of {file} do not stand in the order of play; ingest again with --overwrite.")
    if (game < 0).any():
        columns = _cut(columns, game >= 0)
        ply, game = _there(columns["ply"]), _there(columns["game"])
    first = np.flatnonzero(ply == 1)
    if not len(first):
        return
    numbers, lengths = game[first], np.diff(np.append(first, len(ply)))
    place = np.repeat(np.arange(len(first), dtype=np.int32), lengths)
    side = ((ply - 1) & 1).astype(np.uint8)
    if (black := games.black_begins[numbers]).any():
        side ^= black[place]
    yield Block(numbers, first, lengths, {**columns, "place": place, "side": side})
