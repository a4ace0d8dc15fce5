"""The partial tables of a share, worked out by whoever has time for it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from chesstools.database import MEMORY_MB, connect, text
from chesstools.manifest import SourceEntry
from chesstools.stats.counted import count_left_out, make_games, of_games, reasons_of
from chesstools.stats.partial import SHARE
from chesstools.stats.run import bases_of, choose, concluded_of, partial_table, tables_for, walked
from chesstools.stats.shares.cut import Share
from chesstools.stats.shares.scratch import Scratch, relation
from chesstools.stats.shares.tables import LEFT_OUT, WALKED, types_of
from chesstools.stats.statistic import Options, Statistic
from chesstools.stats.tally import Tally

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File

ALL = ""
"""In the place of a statistic: no game is left out."""


@dataclass(frozen=True)
class Work:
    """What is to be worked out of a share.

    Attributes:
        statistics: names of those that are wanted.
        repeats: files that name the games that came before (`chesstools.stats.shares.repeats`), where they do not count.
        late: whether late partial tables are made, from the tables that bases conclude from all games; else all others are.
        scratch: where those files are, and where the partial tables go, a file for each in the folder `name`.
    """

    share: Share
    options: Options
    statistics: tuple[str, ...]
    repeats: tuple[str, ...]
    late: bool
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Work it out. Doing it again leaves the same behind. Raises DatasetError and OutputError."""
        self.share.check()
        chosen = [one for one in choose(self.statistics) if one.late or not self.late]
        datasets = [self.share.dataset]
        repeats = [self.scratch.file(name) for name in self.repeats]
        tables = {base: self.scratch.file(f"{base}.parquet") for base in concluded_of(chosen)} if self.late else {}
        further = [*repeats, *tables.values()]
        with connect(datasets, tables=tables_for(chosen), memory_mb=memory_mb(), threads=1, further=further) as connection:
            connection.execute(f"SET VARIABLE {SHARE} = {self.share.number}")
            make_games(connection, self.options, _own_repeats(repeats, datasets[0].manifest.sources))
            if self.late:
                for name, file in tables.items():
                    connection.execute(f"CREATE TABLE {name} AS FROM {relation([file])}")
            else:
                self._make_games_of_findings(connection)
                self._write_early(connection, chosen, walked(connection, datasets, chosen, self.options))
            for one in chosen:
                if one.partial is not None and one.late == self.late:
                    self._write(connection, one.name, partial_table(connection, one.partial, reasons_of(one, self.options)))
        return self.name

    def _make_games_of_findings(self, connection: duckdb.DuckDBPyConnection) -> None:
        """A table that stands in for `all_games` where findings stand apart from their games."""
        if self.share.others is not None and "findings" in self.share.dataset.manifest.tables:
            connection.register("games_of_others", self.share.others.games())
            connection.execute(
                f"""CREATE TABLE games_of_findings AS
                SELECT source, game_index, year FROM all_games
                WHERE source NOT IN ({_names(self.share.others.manifest.sources)})
                UNION ALL SELECT source, game_index, year FROM games_of_others
                SEMI JOIN findings USING (source, game_index)"""
            )

    def _write_early(
        self, connection: duckdb.DuckDBPyConnection, chosen: Sequence[Statistic], tallies: Mapping[str, Tally]
    ) -> None:
        for base in bases_of(chosen):
            assert isinstance(base.partial.query, str)
            self._write(connection, base.name, f"({of_games(base.partial.query, reasons_of(base, self.options))})")
        counts = count_left_out(connection, [[], *(reasons_of(one, self.options) for one in chosen)])
        rows = [
            {"statistic": name, "reason": reason, "games": games}
            for name, count in zip([ALL, *(one.name for one in chosen)], counts, strict=True)
            for reason, games in count.items()
        ]
        connection.register(LEFT_OUT, pa.Table.from_pylist(rows))
        self._write(connection, LEFT_OUT, LEFT_OUT)
        connection.register(WALKED, _sums(tallies))
        self._write(connection, WALKED, WALKED)

    def _write(self, connection: duckdb.DuckDBPyConnection, name: str, table: str) -> None:
        if wide := [column for column, kind in types_of(connection, table).items() if kind in ("HUGEINT", "UHUGEINT")]:
            raise TypeError(f"{wide[0]} of the partial table of {name} has no type that Parquet knows; give it one.")
        self.scratch.write(connection, f"FROM {table}", f"{self.name}/{name}.parquet")


def memory_mb() -> int:
    """What the database may take: on a worker of a cluster no more than half of what a task may."""
    if "distributed" not in sys.modules:
        return MEMORY_MB
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:  # this process is none
        return MEMORY_MB
    limit = worker.memory_manager.memory_limit
    return MEMORY_MB if not limit else max(100, min(MEMORY_MB, int(limit / worker.state.nthreads / 2_000_000)))


def _own_repeats(files: Sequence[File], sources: Sequence[SourceEntry]) -> str | None:
    """The games of some sources that came before."""
    if not files:
        return None
    return f"SELECT source, game_index FROM {relation(files)} WHERE source IN ({_names(sources)})"


def _names(sources: Sequence[SourceEntry]) -> str:
    """The names of sources as a list in SQL."""
    return ", ".join(text(source.name) for source in sources) or "NULL"


def _sums(tallies: Mapping[str, Tally]) -> pa.Table:
    """What tallies counted, as whole numbers by place."""
    schema = pa.schema([("tally", pa.string()), ("counts", pa.string()), ("place", pa.int64()), ("number", pa.int64())])
    tables = [schema.empty_table()]
    for tally, counted in tallies.items():
        for array, numbers in counted.sums().items():
            flat = numbers.ravel()
            place = np.flatnonzero(flat)
            columns = [pa.array([tally] * len(place), pa.string()), pa.array([array] * len(place), pa.string())]
            columns += [pa.array(place), pa.array(np.rint(flat[place]).astype(np.int64))]
            tables.append(pa.Table.from_arrays(columns, schema=schema))
    return pa.concat_tables(tables)
