"""The partial tables of a share, worked out by whoever has time for it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from chesstools.damage import reading
from chesstools.database import MEMORY_MB, connect
from chesstools.scratch import scratch_folder
from chesstools.stats.counted import count_left_out, make_games, of_games, reasons_of
from chesstools.stats.partial import SHARE
from chesstools.stats.run import bases_of, choose, concluded_of, partial_table, tables_for, walked
from chesstools.stats.shares.cut import Share
from chesstools.stats.shares.scratch import Scratch, copy, relation
from chesstools.stats.shares.tables import LEFT_OUT, WALKED, types_of
from chesstools.stats.statistic import Options, Statistic
from chesstools.stats.tally import Tally

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File

ALL = ""
"""In the place of a statistic: no game is left out."""


@dataclass(frozen=True, slots=True)
class Before:
    """Where the games of a share stand that came before: in a file of the scratch, under the place of the share among all."""

    file: str
    place: int


@dataclass(frozen=True)
class Work:
    """What is to be worked out of a share.

    Attributes:
        statistics: names of those that are wanted.
        before: where the games stand that came before (`chesstools.stats.shares.repeats`), where they do not count.
        late: whether late partial tables are made, from the tables that bases conclude from all games; else all others are.
        scratch: where those files are, and where the partial tables go, as one file, `name`.
    """

    share: Share
    options: Options
    statistics: tuple[str, ...]
    before: Before | None
    late: bool
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Work it out. Doing it again leaves the same behind. Raises DatasetError and OutputError."""
        self.share.check()
        chosen = [one for one in choose(self.statistics) if one.late or not self.late]
        datasets = [self.share.dataset]
        needed = tables_for(chosen)
        before = None if self.before is None else self.scratch.file(self.before.file)
        tables = {base: self.scratch.file(f"{base}.parquet") for base in concluded_of(chosen)} if self.late else {}
        apart = self._files_apart() if "findings" in needed else []
        further = [*tables.values(), *apart, *([] if before is None else [before])]
        with (
            scratch_folder() as made,
            connect(datasets, tables=needed, memory_mb=memory_mb(), threads=1, further=further) as connection,
            reading([] if self.share.others is None else [self.share.others]),
        ):
            if apart:
                self._sort_findings(connection, apart)
            connection.execute(f"SET VARIABLE {SHARE} = {self.share.number}")
            make_games(connection, self.options, _own_repeats(before, self.before))
            if self.late:
                for name, file in tables.items():
                    connection.execute(f"CREATE TABLE {name} AS FROM {relation([file])}")
            else:
                self._write_early(connection, made, chosen, walked(connection, datasets, chosen, self.options))
            for one in chosen:
                if one.partial is not None and one.late == self.late:
                    table = partial_table(connection, one.partial, reasons_of(one, self.options))
                    _write(connection, made, one.name, table)
            self.scratch.put(made, self.name)
        return self.name

    def _files_apart(self) -> list[File]:
        """The files of findings that stand apart from their games: those of this share and those of others."""
        own = [file for file in self.share.dataset.files("findings") if file.name in self.share.apart]
        return [*own, *([] if self.share.others is None else self.share.others.files("findings"))]

    def _sort_findings(self, connection: duckdb.DuckDBPyConnection, apart: Sequence[File]) -> None:
        """See that findings are counted where their games are: of files apart those of games of this share, and no others.

        What belongs to no game is counted where it stands.
        """
        own = [file for file in self.share.dataset.files("findings") if file.name not in self.share.apart]
        no_game = [file for file in self.share.dataset.files("findings") if file.name in self.share.apart]
        ((first, last),) = connection.execute("SELECT min(game_index), max(game_index) FROM games").fetchall()
        # The range spares reading the findings on most other games: files hold them in the order of games.
        parts = [
            *([f"FROM {relation(own)}"] if own else []),
            *([f"FROM {relation(no_game)} WHERE game_index IS NULL"] if no_game else []),
            f"""FROM {relation(apart)} SEMI JOIN (SELECT source, game_index FROM games) USING (source, game_index)
                WHERE game_index BETWEEN {first or 0} AND {last or 0}""",
        ]
        connection.execute(f"CREATE OR REPLACE VIEW findings AS {' UNION ALL BY NAME '.join(parts)}")

    def _write_early(
        self, connection: duckdb.DuckDBPyConnection, made: Path, chosen: Sequence[Statistic], tallies: Mapping[str, Tally]
    ) -> None:
        for base in bases_of(chosen):
            assert isinstance(base.partial.query, str)
            _write(connection, made, base.name, f"({of_games(base.partial.query, reasons_of(base, self.options))})")
        counts = count_left_out(connection, [[], *(reasons_of(one, self.options) for one in chosen)])
        rows = [
            {"statistic": name, "reason": reason, "games": games}
            for name, count in zip([ALL, *(one.name for one in chosen)], counts, strict=True)
            for reason, games in count.items()
        ]
        connection.register(LEFT_OUT, pa.Table.from_pylist(rows))
        _write(connection, made, LEFT_OUT, LEFT_OUT)
        connection.register(WALKED, _sums(tallies))
        _write(connection, made, WALKED, WALKED)


def _write(connection: duckdb.DuckDBPyConnection, folder: Path, name: str, table: str) -> None:
    if wide := [column for column, kind in types_of(connection, table).items() if kind in ("HUGEINT", "UHUGEINT")]:
        raise TypeError(f"{wide[0]} of the partial table of {name} has no type that Parquet knows; give it one.")
    copy(connection, f"FROM {table}", folder / f"{name}.parquet")


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


def _own_repeats(file: File | None, before: Before | None) -> str | None:
    """The games of the share that came before."""
    if file is None or before is None:
        return None
    return f"SELECT source, game_index FROM {relation([file])} WHERE slot = {before.place}"


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
