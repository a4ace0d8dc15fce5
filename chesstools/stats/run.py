"""Computing statistics over datasets, one after the other, as streams of Arrow batches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools import __version__
from chesstools.database import connect
from chesstools.dataset import Dataset
from chesstools.errors import DatasetError, OptionError
from chesstools.schema import TABLES
from chesstools.stats.counted import REASONS, count_left_out, count_repeats, counted, make_games, of_games, reasons_of
from chesstools.stats.partial import Partial
from chesstools.stats.registry import STATISTICS
from chesstools.stats.statistic import Base, Column, Options, Reason, Statistic, finished, typed
from chesstools.stats.together import together

if TYPE_CHECKING:
    import duckdb

    from chesstools.stats.tally import Tally

BATCH_ROWS = 100_000

LEFT_OUT = Statistic(
    name="left_out",
    title="Games that were left out, and why",
    meaning="For each statistic how many games of the datasets are counted, and how many are left out for each reason. A game "
    "that fulfils several reasons is told under the first of them, so the numbers of a statistic add up to the games of the "
    "datasets.",
    columns=(
        Column("statistic", pa.string(), "Name of the statistic."),
        Column("reason", pa.string(), "Why games are left out, or: counted."),
        Column("games", pa.int64(), "Games; reasons that no game fulfils are told too, with 0."),
        Column("meaning", pa.string(), "The reason in words; null for counted."),
    ),
    order="",
)
"""The table that goes with every set of statistics."""


@dataclass(frozen=True, slots=True)
class Computation:
    """Statistics that can be computed, over a connection that is open.

    Attributes:
        statistics: those that are wanted and can be made.
        skipped: names of those that cannot be made, and the table that a dataset lacks.
        left_out: for each statistic how many games each reason leaves out, and ``counted``.
        games: games of all datasets.
        repeats: how many of the games are repeats of earlier ones (`game_id`); 0 where they do not count, None where they were
            not looked for, as on a cluster.
        sources: names of the sources of all datasets.
        partials: relations of partial tables that were added up before, by statistic; others are made of the games.
    """

    connection: duckdb.DuckDBPyConnection
    options: Options
    statistics: list[Statistic]
    skipped: dict[str, str]
    left_out: dict[str, dict[str, int]]
    games: int
    repeats: int | None
    sources: list[str]
    partials: Mapping[str, str] = field(default_factory=dict)

    def batches(self, statistic: Statistic, cursor: duckdb.DuckDBPyConnection | None = None) -> pa.RecordBatchReader:
        """The rows of a statistic in their order; its schema says what was left out.

        Several threads may ask at a time. They may bring their cursor, by which the question can be interrupted.
        """
        schema = self.schema(statistic)
        if statistic is LEFT_OUT:
            return pa.RecordBatchReader.from_batches(schema, self._left_out_table().cast(schema).to_batches())
        cursor = cursor or self.connection.cursor()
        sql = statistic.query.replace("{games}", str(self.left_out[statistic.name]["counted"]))
        if statistic.partial is not None:
            partial = self.partials.get(statistic.name)
            if partial is None:
                partial = partial_table(cursor, statistic.partial, reasons_of(statistic, self.options))
            sql = sql.replace("{partial}", partial)
        reader = cursor.sql(typed(statistic, f"({sql})")).to_arrow_reader(BATCH_ROWS)
        return pa.RecordBatchReader.from_batches(schema, (finished(statistic, batch, schema) for batch in reader))

    def schema(self, statistic: Statistic) -> pa.Schema:
        """The schema of a statistic, with what tells of this computation in its metadata."""
        told = {
            "made_by": f"chesstools {__version__}",
            "sources": json.dumps(self.sources, ensure_ascii=False),
            "games": str(self.games),
            "include_invalid": json.dumps(self.options.include_invalid),
            "unique": json.dumps(self.options.unique),
        }
        if statistic.name in self.left_out:
            told["left_out"] = json.dumps(self.left_out[statistic.name])
        return statistic.schema(told)

    def _left_out_table(self) -> pa.Table:
        rows = [
            {
                "statistic": name,
                "reason": reason,
                "games": games,
                "meaning": REASONS[reason].meaning if reason in REASONS else None,
            }
            for name, counts in self.left_out.items()
            for reason, games in counts.items()
        ]
        return pa.Table.from_pylist(rows, schema=LEFT_OUT.schema())


def partial_table(connection: duckdb.DuckDBPyConnection, partial: Partial, reasons: list[Reason]) -> str:
    """The relation of a partial table over the games that the reasons leave."""
    if isinstance(partial.query, str):
        return f"({of_games(partial.query, reasons)})"
    connection.register("partial_table", partial.query(connection, counted(reasons)))
    return "partial_table"


@contextmanager
def computation(
    datasets: Sequence[Dataset], options: Options, names: Sequence[str] | None = None, threads: int | None = None
) -> Iterator[Computation]:
    """Get ready to compute statistics over `datasets`: those that are named, or all that their tables are there for.

    Raises OptionError for a name that is none, DatasetError where a dataset lacks a table that a named statistic needs.
    """
    chosen, skipped = choose_for(datasets, names)
    with connect(datasets, tables=tables_for(chosen), threads=threads) as connection:
        make_games(connection, options)
        walked(connection, datasets, chosen, options)
        for base in bases_of(chosen):
            if base.conclude is not None:
                base.conclude(connection)
        counts = count_left_out(connection, [[], *(reasons_of(one, options) for one in chosen)])
        left_out = {one.name: count for one, count in zip(chosen, counts[1:], strict=True)}
        repeats = 0 if options.unique else count_repeats(connection)
        yield Computation(
            connection, options, chosen, skipped, left_out, counts[0]["counted"], repeats, names_of_sources(datasets)
        )


def walked(
    connection: duckdb.DuckDBPyConnection, datasets: Sequence[Dataset], chosen: Sequence[Statistic], options: Options
) -> dict[str, Tally]:
    """Make the bases of statistics and walk through the plies for them, both at a time. Returns the tallies."""
    # The walk keeps one processor busy, mostly outside of the interpreter; what the database makes takes the others.
    with together(connection, 1) as beside:
        for base in bases_of(chosen):
            beside.submit(base.make, counted(reasons_of(base, options)))
        tallies: dict[str, Tally] = {}
        if names := {tally for one in chosen for tally in one.walked}:
            from chesstools.stats.walk import walk

            tallies = walk(connection, [file for dataset in datasets for file in dataset.files("plies")], options, names)
        beside.results()
    return tallies


def bases_of(chosen: Sequence[Statistic]) -> list[Base]:
    """The bases of statistics, each once."""
    return list({base.name: base for one in chosen for base in one.bases}.values())


def concluded_of(chosen: Sequence[Statistic]) -> list[str]:
    """The tables that their bases conclude, and that late partial tables are made of."""
    return [name for base in bases_of(chosen) for name in base.concluded]


def names_of_sources(datasets: Sequence[Dataset]) -> list[str]:
    """The names of all sources, in their order."""
    return [entry.name for dataset in datasets for entry in dataset.manifest.sources]


def tables_for(chosen: Sequence[Statistic]) -> list[str]:
    """The tables of a dataset that statistics are made of."""
    return [table for table in TABLES if table in {"games"}.union(*(one.needs for one in chosen))]


def choose_for(datasets: Sequence[Dataset], names: Sequence[str] | None) -> tuple[list[Statistic], dict[str, str]]:
    """The statistics that are wanted and can be made of datasets, and those that cannot, with the table that is missing.

    Raises OptionError and DatasetError as `computation`.
    """
    chosen = choose(names)
    there = {table for table in TABLES if all(table in dataset.manifest.tables for dataset in datasets)}
    skipped = {one.name: min(one.needs - there) for one in chosen if one.needs - there}
    if "games" not in there or (names is not None and skipped):
        table = "games" if "games" not in there else min(skipped.values())
        path = next(dataset.path for dataset in datasets if table not in dataset.manifest.tables)
        raise DatasetError(f"{path} has no table {table}, which statistics need; ingest again with it.")
    return [one for one in chosen if one.name not in skipped], skipped


def choose(names: Sequence[str] | None) -> list[Statistic]:
    """The statistics of these names, in the order of the registry; all for None.

    >>> [one.name for one in choose(["outcomes"])]
    ['outcomes']
    """
    for name in names or ():
        if name not in STATISTICS:
            near = _near(name)
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            raise OptionError(f"There is no statistic {name}; {hint}'chesstools stats --list' names all of them.")
    return [one for one in STATISTICS.values() if names is None or one.name in names]


def _near(name: str) -> list[str]:
    """Names of statistics that may have been meant: those that hold the word, else those that are spelled like it.

    >>> _near("openings"), _near("plyers"), _near("xyz")
    (['outcomes_by_opening', 'outcomes_by_opening_family'], ['players'], [])
    """
    word = name.lower().replace("-", "_").removesuffix("s")
    holding = sorted((known for known in STATISTICS if len(word) > 2 and word in known), key=len)
    return (holding or get_close_matches(name.lower(), STATISTICS))[:3]


def tables_of(names: Sequence[str] | None) -> list[str]:
    """The tables of a dataset that these statistics need.

    >>> tables_of(["outcomes"])
    ['games']
    """
    return tables_for(choose(names))
