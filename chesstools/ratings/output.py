"""Where rows go: tables in memory, or the folder that a run writes and a later one adds to.

In the folder stand ``METHOD/games/*.parquet``, ``METHOD/players.parquet`` and ``findings/*.parquet``. A run that goes on from a
state adds files, named by the number of their first game, so that all files of a folder together are what one run would have
written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from chesstools.errors import OutputError
from chesstools.places import Places, cannot_write
from chesstools.ratings.initial import METHODS
from chesstools.table_folder import claimed, look

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

    def __init__(self, schema: pa.Schema, path: Path) -> None:
        super().__init__(schema)
        self._path = path
        self._places = Places()
        try:
            self._writer = pq.ParquetWriter(self._places.part(path, folders=True), schema, compression="zstd")
        except OSError as error:
            self._places.discard()
            raise cannot_write(path, error) from None

    def close(self) -> None:
        """Write what is left; the file is whole, but under another name."""
        self._flush()
        try:
            self._writer.close()
        except OSError as error:
            raise cannot_write(self._path, error) from None

    def finish(self) -> None:
        """Give the file its name."""
        self._places.commit()

    def abort(self) -> None:
        """Leave nothing behind. Does nothing after `finish`."""
        with suppress(OSError):
            self._writer.close()
        with suppress(OSError):
            self._places.discard()

    def _take(self, batch: pa.RecordBatch) -> None:
        try:
            self._writer.write_batch(batch)
        except OSError as error:
            raise cannot_write(self._path, error) from None


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
        path: Path,
        games: dict[str, pa.Schema],
        findings: pa.Schema,
        *,
        counted: int,
        read: int,
        resumed: bool,
        overwrite: bool,
    ) -> None:
        self._path = path
        self._overwrite = overwrite
        self._claim = ExitStack()
        self._first = dict.fromkeys(games, counted + 1) | {"findings": read + 1}
        self._files: dict[str, FileRows] = {}
        _look(path, resumed=resumed, overwrite=overwrite)  # a folder of others does not even get a lock
        self._claim.enter_context(claimed(path))
        try:
            _look(path, resumed=resumed, overwrite=overwrite)  # another run may have come to its end in between
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
        tables = [FileRows(table.schema, self._path / method / "players.parquet") for method, table in players.items()]
        try:
            for file, table in zip(tables, players.values(), strict=True):
                for batch in table.to_batches():
                    file._take(batch)
            for file in (*self._files.values(), *tables):
                file.close()
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

    def _place(self, name: str) -> Path:
        return self._path / name if name == "findings" else self._path / name / "games"

    @staticmethod
    def _part(folder: Path, first: int) -> Path:
        return folder / f"from-{first:012}.parquet"

    @staticmethod
    def _remove_later(folder: Path, first: int) -> None:
        """Files of games that this run, or one after it, counts anew."""
        for file in folder.iterdir():
            match = _PART.fullmatch(file.name)
            if match and int(match[1]) >= first:
                file.unlink()

    def _remove_method(self, method: str) -> None:
        """What an earlier run wrote of a method that is not asked for now. Files of others stay, and the folder with them."""
        folder, games = self._path / method, self._place(method)
        try:
            if games.is_dir():
                self._remove_later(games, 0)
            (folder / "players.parquet").unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(folder, error) from None
        with suppress(OSError):  # not there, or not empty
            games.rmdir()
            folder.rmdir()


def _look(path: Path, *, resumed: bool, overwrite: bool) -> None:
    if look(path, {*METHODS, "findings"}, "ratings") and not (resumed or overwrite):
        raise OutputError(
            f"The folder {path} holds ratings; give --overwrite to replace them, --state to go on, or choose another."
        )
