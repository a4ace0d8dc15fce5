"""Where rows go: tables in memory, or the folder that a run writes and a later one adds to.

In the folder stand ``METHOD/games/*.parquet``, ``METHOD/players.parquet`` and ``findings/*.parquet``. A run that goes on from a
state adds files, named by the number of their first game, so that all files of a folder together are what one run would have
written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from chesstools.errors import OutputError
from chesstools.folder import File
from chesstools.folder import Folder as Store
from chesstools.places import written
from chesstools.ratings.initial import METHODS
from chesstools.table_folder import claimed, look, telling, writing

BATCH_ROWS = 16_384

_PART = re.compile(r"from-(\d+)\.parquet")


class Rows:
    """Rows of one table, as a table in the end."""

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema
        self._waiting: list[Sequence[Any]] = []
        self._batches: list[pa.RecordBatch] = []

    def add(self, row: Sequence[Any]) -> None:
        """Take a row in."""
        self._waiting.append(row)
        if len(self._waiting) >= BATCH_ROWS:
            self._flush()

    def table(self) -> pa.Table:
        """All rows."""
        self._flush()
        return pa.Table.from_batches(self._batches, self.schema)

    def _flush(self) -> None:
        if self._waiting:
            columns = zip(*self._waiting, strict=True)
            arrays = [pa.array(list(column), field.type) for column, field in zip(columns, self.schema, strict=True)]
            self._waiting = []
            self._take(pa.RecordBatch.from_arrays(arrays, schema=self.schema))

    def _take(self, batch: pa.RecordBatch) -> None:
        self._batches.append(batch)


class FileRows(Rows):
    """Rows of one table, as a Parquet file that takes its name when `finish` is called."""

    def __init__(self, schema: pa.Schema, file: File) -> None:
        super().__init__(schema)
        self._file = file
        self._place = ExitStack()
        try:
            out = self._place.enter_context(written(file, folders=True))
            with writing(file):
                self._writer = pq.ParquetWriter(out, schema, compression="zstd")
        except BaseException:
            self._leave()
            raise

    def close(self) -> None:
        """Write what is left; the file is whole, but under another name."""
        self._flush()
        with writing(self._file):
            self._writer.close()

    def finish(self) -> None:
        """Give the file its name."""
        with writing(self._file):
            self._place.close()

    def abort(self) -> None:
        """Leave nothing behind. Does nothing after `finish`."""
        self._writer.is_open = False  # or it would try to write its footer when it is collected
        self._leave()

    def _leave(self) -> None:
        with suppress(_Left, OSError), self._place:
            raise _Left

    def _take(self, batch: pa.RecordBatch) -> None:
        with writing(self._file):
            self._writer.write_batch(batch)


class _Left(Exception):
    """A file is not to appear."""


class Output(Protocol):
    """Where the rows of a run go."""

    def games(self, method: str) -> Rows:
        """The rows of games of a method."""

    def findings(self) -> Rows:
        """The findings."""

    def finish(self, players: dict[str, pa.Table]) -> None:
        """All rows are there, and these are the tables of players."""

    def abort(self) -> None:
        """The end: leave nothing of this run behind that `finish` has not completed."""


class NoRows(Rows):
    """Rows that nobody asks for."""

    def add(self, row: Sequence[Any]) -> None:
        pass


class Tables:
    """Everything in memory; or, without `keep`, nothing."""

    def __init__(self, games: dict[str, pa.Schema], findings: pa.Schema, *, keep: bool) -> None:
        kind = Rows if keep else NoRows
        self._games = {method: kind(schema) for method, schema in games.items()}
        self._findings = kind(findings)

    def games(self, method: str) -> Rows:
        return self._games[method]

    def findings(self) -> Rows:
        return self._findings

    def finish(self, players: dict[str, pa.Table]) -> None:
        pass

    def abort(self) -> None:
        pass


class Folder:
    """A folder of Parquet files; see the module.

    Args:
        counted, read: games before this run, counted and all.
        resumed: whether a state was taken up: then files of earlier runs may stand there.
        overwrite: whether what stands there may be replaced.

    Other runs are kept out of it until `abort`. Raises OutputError where something stands there that this run does not go on
    with, where another run writes to it, or where it cannot be written.
    """

    def __init__(
        self,
        folder: Store,
        games: dict[str, pa.Schema],
        findings: pa.Schema,
        *,
        counted: int,
        read: int,
        resumed: bool,
        overwrite: bool,
    ) -> None:
        self._folder = folder
        self._overwrite = overwrite
        self._claim = ExitStack()
        self._first = dict.fromkeys(games, counted + 1) | {"findings": read + 1}
        self._files: dict[str, FileRows] = {}
        _look(folder, resumed=resumed, overwrite=overwrite)  # a folder of others does not even get a lock
        self._claim.enter_context(claimed(folder, "ratings"))
        try:
            _look(folder, resumed=resumed, overwrite=overwrite)  # another run may have come to its end in between
            for method, schema in games.items():
                self._files[method] = FileRows(schema, self._part(self._place(method), counted + 1))
            self._files["findings"] = FileRows(findings, self._part(self._place("findings"), read + 1))
        except BaseException:
            self.abort()
            raise

    def games(self, method: str) -> Rows:
        return self._files[method]

    def findings(self) -> Rows:
        return self._files["findings"]

    def finish(self, players: dict[str, pa.Table]) -> None:
        tables = [FileRows(table.schema, self._folder.file(f"{method}/players.parquet")) for method, table in players.items()]
        try:
            for file, table in zip(tables, players.values(), strict=True):
                for batch in table.to_batches():
                    file._take(batch)
            for file in (*self._files.values(), *tables):
                file.close()
            with telling():
                self._folder.check_claim()
            for name, first in self._first.items():
                self._remove_later(self._place(name), first)
            for file in (*self._files.values(), *tables):
                file.finish()
            if self._overwrite:
                for method in METHODS:
                    if method not in players:
                        self._remove_method(method)
        finally:
            for file in tables:
                file.abort()

    def abort(self) -> None:
        for file in self._files.values():
            file.abort()
        self._claim.close()

    @staticmethod
    def _place(name: str) -> str:
        return name if name == "findings" else f"{name}/games"

    def _part(self, place: str, first: int) -> File:
        return self._folder.file(f"{place}/from-{first:012}.parquet")

    def _remove_later(self, place: str, first: int) -> None:
        """Files of games that this run, or one after it, counts anew."""
        with telling():
            for name in self._folder.names(place) or ():
                match = _PART.fullmatch(name)
                if match and int(match[1]) >= first:
                    self._folder.remove(f"{place}/{name}")

    def _remove_method(self, method: str) -> None:
        """What an earlier run wrote of a method that is not asked for now. Files of others stay, and the folder with them."""
        self._remove_later(self._place(method), 0)
        with telling():
            self._folder.remove(f"{method}/players.parquet")
            for place in (self._place(method), method):
                self._folder.remove_if_empty(place)


def _look(folder: Store, *, resumed: bool, overwrite: bool) -> None:
    if look(folder, {*METHODS, "findings"}, "ratings") and not (resumed or overwrite):
        raise OutputError(
            f"The folder {folder} holds ratings; give --overwrite to replace them, --state to go on, or choose another."
        )
