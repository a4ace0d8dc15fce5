"""The tables of an opening tree as streams, from a database in which everything was counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools import __version__, usual_array
from chesstools.database import connect
from chesstools.errors import OptionError
from chesstools.openings import columns, counting, lines, told, walks
from chesstools.openings.outline import Branch, outline
from chesstools.stats.statistic import Column, Options

if TYPE_CHECKING:
    import duckdb

    from chesstools.dataset import Dataset

MAX_DEPTH = 250
"""Lines are as long as their positions are deep, so a limit keeps the tables in proportion to the games."""

MEMORY_MB = 700
"""For the database; sorting what is written, and the FENs, take as much again at most."""

TABLES = {"positions": columns.POSITIONS, "moves": columns.MOVES, "games": columns.GAMES}

OUTLINE_DEPTH = 4
OUTLINE_SHARE = 0.03


@dataclass(frozen=True, slots=True)
class Computed:
    """A database in which everything was counted.

    Attributes:
        left_out: how many games are no part of the tree, by reason; ``counted`` are.
        about: what the metadata of the tables say of how they were made.
        engine: what replays the lines of positions.
    """

    connection: duckdb.DuckDBPyConnection
    left_out: dict[str, int]
    about: dict[str, str]
    engine: str | None

    def batches(self, name: str) -> pa.RecordBatchReader:
        """The rows of one of `TABLES`, in their order."""
        if name == "positions":
            schema = self._schema(TABLES[name])
            return pa.RecordBatchReader.from_batches(schema, lines.position_batches(self.connection, schema, self.engine))
        sql = {"moves": counting.moves_sql, "games": told.games_sql}[name]()
        return self._rows(sql, TABLES[name])

    def families(self) -> pa.Table:
        """Results by family of openings, the commonest first: the columns of `chesstools.openings.columns.FAMILIES`."""
        return self._rows(counting.families_sql(), columns.FAMILIES).read_all()

    def outline(self) -> list[Branch]:
        """The commonest moves of the first plies."""
        least = max(1, round(OUTLINE_SHARE * self.left_out["counted"]))
        return outline(self.connection, usual_array.KEY, OUTLINE_DEPTH, least)

    def _rows(self, sql: str, wanted: Sequence[Column]) -> pa.RecordBatchReader:
        return columns.typed(self.connection.sql(sql), self._schema(wanted))

    def _schema(self, wanted: Sequence[Column]) -> pa.Schema:
        return columns.schema(wanted).with_metadata(self.about)


@contextmanager
def computed(
    datasets: Sequence[Dataset],
    options: Options,
    *,
    depth: int,
    min_games: int,
    engine: str | None = None,
    threads: int | None = None,
) -> Iterator[Computed]:
    """Count the positions and moves of the games of `datasets`.

    Raises OptionError for a number that cannot be used, DatasetError where a dataset lacks the tables games or plies.
    """
    if not 0 <= depth <= MAX_DEPTH:
        raise OptionError(f"depth must be 0 to {MAX_DEPTH:,} plies, not {depth}.")
    if min_games < 1:
        raise OptionError(f"min_games must be 1 or more, not {min_games}.")
    with connect(datasets, tables=("games", "plies"), memory_mb=MEMORY_MB, threads=threads) as connection:
        left_out = walks.make_all_games(connection, options)
        told.make_told(connection, engine)
        walks.make_walks(connection, options, depth)
        counting.make_positions(connection, usual_array.KEY, min_games)
        counting.make_moves(connection)
        lines.make_lines(connection)
        connection.execute("DROP TABLE tree_walks")  # the largest of all, and what is there fills the memory of the database
        about = {
            "made_by": f"chesstools {__version__}",
            "sources": json.dumps([entry.name for dataset in datasets for entry in dataset.manifest.sources], ensure_ascii=False),
            "depth": str(depth),
            "min_games": str(min_games),
            "include_invalid": json.dumps(options.include_invalid),
            "unique": json.dumps(options.unique),
            "left_out": json.dumps(left_out),
        }
        yield Computed(connection, left_out, about, engine)
