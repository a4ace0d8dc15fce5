"""tree() and write_openings(): the opening tree of archives, and the opening of every game, as tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from chesstools.errors import OptionError
from chesstools.folder import folder_at
from chesstools.frames import to_pandas
from chesstools.given import AnyGiven, opened
from chesstools.openings.computed import TABLES, Computed, computed
from chesstools.openings.outline import Branch
from chesstools.stats.files import write_table
from chesstools.stats.statistic import Options
from chesstools.table_folder import TableFolder

if TYPE_CHECKING:
    import pandas as pd

DEPTH = 30
"""Plies: where most games have left what was played before."""

MIN_GAMES = 2
"""Most positions of an archive stood in one game only; its moves are in the dataset."""


@dataclass(frozen=True, slots=True)
class Tree:
    """An opening tree and the openings of games.

    Attributes:
        positions, moves, games: the tables, with the columns of `chesstools.openings.columns`.
        left_out: how many games are no part of the tree, by reason; ``counted`` are.
    """

    positions: pa.Table
    moves: pa.Table
    games: pa.Table
    left_out: dict[str, int]

    def to_pandas(self, name: str) -> pd.DataFrame:
        """One of the three tables as a DataFrame, see `chesstools.frames.to_pandas`."""
        if name not in TABLES:
            raise OptionError(f"There is no table {name!r}; choose from {', '.join(TABLES)}.")
        return to_pandas(getattr(self, name))


@dataclass(frozen=True, slots=True)
class Written:
    """What `write_computed` wrote: how many rows each table has; the rest is that of `Tree` and of `Computed`."""

    rows: dict[str, int]
    left_out: dict[str, int]
    families: pa.Table
    outline: list[Branch]


def tree(
    given: AnyGiven,
    *,
    depth: int = DEPTH,
    min_games: int = MIN_GAMES,
    include_invalid: bool = False,
    unique: bool = False,
    engine: str | None = None,
    **judging: Any,
) -> Tree:
    """The opening tree of datasets, or of sources, which are judged first, and the opening of each of their games.

    A position is one row, however games came there, and a game counts once for it, even if it stood there twice. Its moves
    are those that games played when they first stood there. What the columns mean stands in the metadata of the tables.

    Args:
        given: datasets, paths of datasets, sources (see `chesstools.given.opened`).
        depth: positions after up to so many plies from the usual array, with the moves that were played in them.
        min_games: positions that fewer games passed are left out (never the array), but not the moves that lead there.
        include_invalid: count games with findings of severity error too, as far as their moves are legal.
        unique: count the same game (`game_id`) once.
        engine: as for `chesstools.scan.scan`; has no effect on the rows.
        judging: profile, profile_file, jobs, progress for sources, as for `chesstools.dataset.ingest`.

    Raises OptionError for a number that cannot be used, DatasetError where a dataset lacks the tables games or plies, SourceError
    for a source that cannot be read to its end.

    >>> from chesstools.source import Source
    >>> text = b"[Event \\"a\\"]\\n\\n1. d4 d5 2. c4 *\\n\\n[Event \\"b\\"]\\n\\n1. c4 d5 2. d4 *\\n"
    >>> found = tree(Source.from_bytes(text, "a.pgn"))
    >>> [(row["line"], row["opening"], row["games"]) for row in found.positions.to_pylist()]
    [('', None, 2), ('d4 d5 c4', "Queen's Gambit", 2)]
    """
    with opened(given, tables=("games", "plies"), engine=engine, **judging) as found:
        options = Options(include_invalid, unique)
        with computed(found.datasets, options, depth=depth, min_games=min_games, engine=engine) as work:
            tables = {name: work.batches(name).read_all() for name in TABLES}
    return Tree(**tables, left_out=work.left_out)


def write_openings(
    given: AnyGiven,
    output: str | os.PathLike[str],
    *,
    depth: int = DEPTH,
    min_games: int = MIN_GAMES,
    include_invalid: bool = False,
    unique: bool = False,
    overwrite: bool = False,
    engine: str | None = None,
    **judging: Any,
) -> Written:
    """Write positions.parquet, moves.parquet and games.parquet to the folder `output`: what `tree` returns, without holding it.

    The folder is made if need be; beside the tables stands `_openings.json`, which lists them. Raises what `tree` raises, and
    OutputError where it holds openings already, unless `overwrite`, or other files, or where it cannot be written.
    """
    folder = TableFolder(folder_at(output), "openings")
    options = Options(include_invalid, unique)
    with (
        folder.prepared(overwrite=overwrite),
        opened(given, tables=("games", "plies"), engine=engine, **judging) as found,
        computed(found.datasets, options, depth=depth, min_games=min_games, engine=engine) as work,
    ):
        return write_computed(work, folder)


def write_computed(work: Computed, folder: TableFolder) -> Written:
    """Write what was counted to a folder that is prepared. Each file appears when it is complete."""
    files = [f"{name}.parquet" for name in TABLES]
    folder.start(files)
    rows = {}
    for name in TABLES:
        counted = _Counted(work.batches(name))
        write_table(folder.folder, name, counted.reader, "parquet", 0)
        rows[name] = counted.rows
    folder.finish(files, {"rows": rows, "left_out": work.left_out})
    return Written(rows, work.left_out, work.families(), work.outline())


class _Counted:
    """A stream of batches whose rows are counted as they pass."""

    def __init__(self, batches: pa.RecordBatchReader) -> None:
        self.rows = 0
        self.reader = pa.RecordBatchReader.from_batches(batches.schema, self._passing(batches))

    def _passing(self, batches: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            self.rows += batch.num_rows
            yield batch
