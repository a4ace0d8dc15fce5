"""Statistics of games: tables with documented columns, computed over datasets by an embedded database.

`stats` returns them, `write_stats` writes them to a folder. What there is stands in `docs/statistics.md`, which is made from the
code.

How a statistic is added:

1. Write a `Statistic` (see there) into the file of its family in this package, and add it to the tuple STATISTICS of that file.
   It is worked out in two steps. Its partial table (`chesstools.stats.partial`) is SQL over ``{counted}``: the games that count,
   one row each, with the columns that `chesstools.stats.counted` tells of. ``{named}`` are the same games with the names beside
   (event, players, …). ``plies`` and ``findings`` are there too, if `tables` names them; they are joined by ``USING (source,
   game_index)``. So games that are left out cannot be counted by mistake. Partial tables of parts of a dataset are added up, so
   they hold sums, not means. The query makes the columns of it.
2. A new family is a new file, named in `chesstools.stats.registry`, the only list of all.
3. A new reason to leave games out is a line in `chesstools.stats.counted.REASONS`.
4. Work that several statistics share is a `Base`: a table that is made once, and can be added up as well.
   What follows games move by move is counted by a tally (`chesstools.stats.tally`) in the one walk through the plies
   (`chesstools.stats.walk`), whose tables a statistic reads that names it under `walked`.
5. ``python -m tests.statistics_page > docs/statistics.md``, and a test with an independent expression in pandas.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from chesstools.dataset import Dataset
from chesstools.folder import folder_at
from chesstools.frames import to_pandas
from chesstools.given import AnyGiven, opened
from chesstools.profile_choice import AUTO
from chesstools.stats.files import write_table
from chesstools.stats.run import LEFT_OUT, Computation, computation, tables_of
from chesstools.stats.statistic import Column, Options, Reason, Statistic
from chesstools.stats.together import together
from chesstools.table_folder import TableFolder

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

    from chesstools.cluster import Cluster
    from chesstools.profiles import Profile
    from chesstools.run import Progress
    from chesstools.stats.shares.place import Place

__all__ = ["Column", "Reason", "Statistic", "Statistics", "Written", "stats", "write_computed", "write_stats"]


@dataclass(frozen=True, slots=True, repr=False)
class Statistics(Mapping[str, pa.Table]):
    """Tables by name; ``left_out`` tells how many games each of them leaves out, and why.

    Attributes:
        games: games of the datasets.
        skipped: names of statistics that could not be made, and the table of a dataset that was missing.
    """

    tables: dict[str, pa.Table]
    games: int
    skipped: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> pa.Table:
        return self.tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __repr__(self) -> str:
        """Names and numbers of rows: the tables themselves would fill many screens."""
        rows = ", ".join(f"{name} ({table.num_rows:,})" for name, table in self.tables.items())
        return f"<Statistics of {self.games:,} games; tables (rows): {rows}>"

    def __len__(self) -> int:
        return len(self.tables)

    def to_pandas(self, name: str) -> pd.DataFrame:
        """A table as a DataFrame, see `chesstools.frames.to_pandas`."""
        return to_pandas(self.tables[name])


@dataclass(frozen=True, slots=True)
class Written:
    """What `write_stats` wrote: the first rows of each table by name, how many games there were, and what was skipped.

    `repeats` is how many of the games are repeats of earlier ones; 0 where they do not count again, None on a cluster, where
    they are looked for only if they must not count.
    """

    heads: dict[str, pa.Table]
    games: int
    repeats: int | None
    skipped: dict[str, str]


def stats(
    given: AnyGiven,
    *,
    tables: Sequence[str] | None = None,
    include_invalid: bool = False,
    unique: bool = False,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    engine: str | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """Statistics of datasets, or of sources, which are judged first.

    Args:
        given: datasets, paths of datasets, sources (see `chesstools.given.opened`).
        tables: names of the statistics that are wanted. Default: all that the tables of the datasets are there for.
        include_invalid: count games with findings of severity error too. They are left out by default.
        unique: count the same game (`game_id`) once: the first copy, of those without errors if games with errors are left out.
        profile, profile_file, jobs, engine, progress: as for `chesstools.dataset.ingest`, for sources.

    Raises OptionError for a name that is no statistic, DatasetError where a dataset lacks a table that a named statistic needs,
    SourceError for a source that cannot be read to its end.

    >>> from chesstools.source import Source
    >>> found = stats(Source.from_bytes(b'[Result "1-0"]\\n\\n1. e4 e5 1-0\\n', "a.pgn"), tables=["outcomes"])
    >>> found.to_pandas("outcomes")[["games", "white_won", "score"]].to_dict("records")
    [{'games': 1, 'white_won': 1, 'score': 1.0}]
    """
    options = Options(include_invalid, unique)
    judging: dict[str, Any] = {
        "profile": profile,
        "profile_file": profile_file,
        "jobs": jobs,
        "engine": engine,
        "progress": progress,
    }
    with (
        opened(given, tables=tables_of(tables), **judging) as found,
        computation(found.datasets, options, tables) as work,
    ):
        made = {one.name: work.batches(one).read_all() for one in [*work.statistics, LEFT_OUT]}
        return Statistics(made, work.games, work.skipped)


def write_stats(
    given: AnyGiven,
    output: str | os.PathLike[str],
    *,
    form: str = "parquet",
    overwrite: bool = False,
    tables: Sequence[str] | None = None,
    include_invalid: bool = False,
    unique: bool = False,
    cluster: Cluster | None = None,
    scratch: str | None = None,
    **judging: Any,
) -> Written:
    """Write statistics to the folder `output`, a file for each, as they are computed: memory does not grow with them.

    Args:
        output: the folder; it is made if need be.
        form: parquet or csv.
        overwrite: replace statistics that are there, as soon as the new ones are.
        cluster: whose workers judge sources and work the tables out (`chesstools.cluster.connected`). The tables are the same.
            All workers have to reach what is given and `scratch` under the same names.
        scratch: a folder, or its URI in a store, for the dataset of sources and what the workers pass on to each other: about a
            megabyte for each 50,000 games. It is gone at the end; what an error has left there the same call goes on with.
            Default: in `output`.

    The others are those of `stats`. Raises what it raises, and OutputError where the folder cannot be written or holds other
    files.
    """
    folder = TableFolder(folder_at(output), "statistics")
    with (
        folder.prepared(overwrite=overwrite),
        kept_for(folder, cluster, scratch) as place,
        opened(given, tables=tables_of(tables), cluster=cluster, room=None if place is None else place.room, **judging) as found,
        computation_for(found.datasets, Options(include_invalid, unique), tables, cluster, place) as work,
    ):
        return write_computed(work, folder, form)


def kept_for(folder: TableFolder, cluster: Cluster | None, scratch: str | None) -> AbstractContextManager[Place | None]:
    """Where a cluster keeps what is done of the statistics of a folder that is prepared; None without one.

    See `write_stats` for `scratch`.
    """
    if cluster is None:
        return nullcontext()
    from chesstools.stats.shares.place import kept

    return kept(folder.folder, scratch)


def computation_for(
    datasets: Sequence[Dataset],
    options: Options,
    names: Sequence[str] | None,
    cluster: Cluster | None,
    place: Place | None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> AbstractContextManager[Computation]:
    """Get ready to compute statistics, here, or on a cluster, at a place that `kept_for` gave.

    See `computation`. On a cluster, `progress` is told how many games are done, twice.
    """
    if cluster is None or place is None:
        return computation(datasets, options, names, threads)
    from chesstools.stats.shares.on_cluster import computation_on_cluster

    return computation_on_cluster(cluster, datasets, options, names, place, progress=progress)


def write_computed(work: Computation, folder: TableFolder, form: str, keep: int = 0) -> Written:
    """Write what can be computed to a folder that is prepared, and return the first `keep` rows of each table."""
    chosen = [*work.statistics, LEFT_OUT]
    files = [f"{one.name}.{form}" for one in chosen]
    folder.start(files)

    def write(cursor: duckdb.DuckDBPyConnection, one: Statistic) -> pa.Table:
        return write_table(folder.folder, one.name, work.batches(one, cursor), form, keep)

    # Most of the time goes by in the database, which does not use all processors for a small question.
    with together(work.connection, 2) as beside:
        for one in chosen:
            beside.submit(write, one)
        heads = dict(zip([one.name for one in chosen], beside.results(), strict=True))
    told = {
        "sources": work.sources,
        "games": work.games,
        "include_invalid": work.options.include_invalid,
        "unique": work.options.unique,
        "skipped": work.skipped,
    }
    folder.finish(files, told)
    return Written(heads, work.games, work.repeats, work.skipped)
