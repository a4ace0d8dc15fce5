"""The plies of a dataset in blocks of whole games, for statistics that follow games move by move.

What one query after the other over ten million rows would cost many times is done in one pass: each block is read once, in the
order in which it was written, and everything that counts plies looks at it. Memory is that of a block, whatever the size of the
dataset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chesstools.errors import DatasetError
from chesstools.stats.columns import NONE, Columns, Numbers, cut, pieces, there
from chesstools.stats.games import Games

if TYPE_CHECKING:
    from chesstools import _core
    from chesstools.folder import File

BLOCK_ROWS = 400_000
"""Rows of a block, about: it ends with the last whole game. Measured: larger blocks fall out of the caches."""


@dataclass(frozen=True)
class Block:
    """The plies of some whole games that count, in the order of the games and of their plies.

    Attributes:
        games: for each game its number (see `Games`).
        first: for each game the row of its first ply.
        lengths: for each game how many plies it has, at least one.
        black: for each game whether Black begins.
        columns: see `__getitem__` and `stated`.
    """

    games: Numbers
    first: Numbers
    lengths: Numbers
    black: Numbers
    columns: Mapping[str, Numbers | None]

    def __getitem__(self, name: str) -> Numbers:
        """A column, with a value for each row.

        `place` is the place of its game in `games`, `ply` counts from 1, `side` is 0 where White moves and 1 for Black; `role`,
        `captured`, `castling` are places in `ROLES` and `WINGS`, and `NONE` for null; `check`, `mate`, `en_passant` are truth
        values; of `move`, see `start`, `target` and `promoted`.
        """
        if name in ("place", "side"):  # made where they are asked for: the native core does without
            return self._place if name == "place" else self._side
        return there(self.columns[name])

    @cached_property
    def _place(self) -> Numbers:
        return np.repeat(np.arange(len(self.first), dtype=np.int32), self.lengths)

    @cached_property
    def _side(self) -> Numbers:
        side: Numbers = self["ply"].astype(np.uint8) & 1 ^ 1
        if self.black.any():
            side ^= self.black[self._place]
        return side

    def start(self, rows: Numbers) -> Numbers:
        """The squares from which these rows move; of null moves a1."""
        found: Numbers = self["move"][rows] & 63
        return found

    def target(self, rows: Numbers) -> Numbers:
        """The squares to which these rows move, of castling the king's; of null moves a1."""
        found: Numbers = self["move"][rows] >> 6 & 63
        return found

    def promoted(self, rows: Numbers) -> Numbers:
        """The roles to which these rows promote; `NONE` for other moves."""
        made = self["move"][rows] >> 12
        found: Numbers = np.where(made > 0, made, NONE).astype(np.uint8)
        return found

    def stated(self, name: str) -> Numbers | None:
        """`used_ms`, `clock_ms`, `eval_cp` or `eval_mate` as floats, NaN for null; None where no row has a value."""
        return self.columns[name]

    @cached_property
    def native(self) -> _core.Block:
        """The same plies in the native core, for tallies that it counts."""
        from chesstools._core import Block as Native

        facts = (self[name].view(np.uint8) for name in ("check", "mate", "en_passant"))
        columns = [self["role"], self["captured"], self["castling"], *facts]
        return Native(self["move"], columns, self.lengths.astype(np.int64), self.black.view(np.uint8))

    @cached_property
    def captures(self) -> Numbers:
        """The rows that capture."""
        return np.flatnonzero(self["captured"] != NONE)

    @cached_property
    def promotions(self) -> Numbers:
        """The rows that promote."""
        return np.flatnonzero(self["move"] >= 1 << 12)

    @cached_property
    def changes(self) -> Numbers:
        """The rows that capture or promote."""
        quiet = self.promotions[self["captured"][self.promotions] == NONE]
        return np.insert(self.captures, np.searchsorted(self.captures, quiet), quiet)


def blocks(files: Iterable[File], games: Games, *, block_rows: int = BLOCK_ROWS) -> Iterator[Block]:
    """The plies of the games that count, of part files of the table plies, in blocks of whole games.

    Raises DatasetError where the rows do not stand in the order in which they were played.
    """
    for file in files:
        for source, columns in pieces(file, block_rows):
            yield from _block(file, source, columns, games)


def _block(file: File, source: str, columns: Columns, games: Games) -> Iterator[Block]:
    """The block of these rows, or nothing where none of their games counts."""
    ply, index = there(columns["ply"]), there(columns["game_index"])
    first = np.flatnonzero(ply == 1)
    lengths = np.diff(np.append(first, len(ply)))
    last = first + lengths - 1
    if not (len(first) and first[0] == 0 and (ply[last] == lengths).all() and (index[first] == index[last]).all()):
        raise DatasetError(f"The rows of {file} do not stand in the order of play; ingest again with --overwrite.")
    nobody = there(columns["role"]) == NONE
    if nobody.any() and (there(columns["captured"])[nobody] != NONE).any():
        raise DatasetError(f"Rows of {file} say what is captured and not by what; ingest again with --overwrite.")
    numbers = games.numbers(source, index[first])
    if (numbers < 0).any():
        columns = cut(columns, np.repeat(numbers >= 0, lengths))
        numbers, lengths = numbers[numbers >= 0], lengths[numbers >= 0]
        first = np.cumsum(lengths) - lengths
    if not len(first):
        return
    yield Block(numbers, first, lengths, games.black_begins(numbers), columns)
