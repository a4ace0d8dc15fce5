"""Where partial tables stand until they are added up: Parquet files in a folder, on a disk or in a store, that all can reach."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from chesstools import store_files
from chesstools.database import text
from chesstools.folder import Folder
from chesstools.places import complete
from chesstools.table_folder import writing

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File

GROUP_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Scratch:
    """A folder, and how names in it begin that belong to this run. It can be sent to whoever does a task."""

    folder: Folder
    prefix: str = ""

    def file(self, name: str) -> File:
        """The file of a name, which may have one slash."""
        return self.folder.file(self.prefix + name)

    def write(self, connection: duckdb.DuckDBPyConnection, sql: str, name: str) -> None:
        """Write what SQL gives as it comes. The file is there when it is complete, and may be written again.

        Raises OutputError or DatasetError where it cannot be written.
        """
        place = self.file(name)
        if isinstance(place, Path):
            with writing(place):
                if "/" in name:  # the folder itself is not made again by a task that nobody waits for any more
                    place.parent.mkdir(exist_ok=True)
            with complete(place) as beside:
                connection.execute(
                    f"COPY ({sql}) TO {text(beside)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {GROUP_ROWS})"
                )
            return
        new = self.folder.create(self.prefix + name)
        try:
            reader = connection.sql(sql).to_arrow_reader(GROUP_ROWS)
            with new.telling(), pq.ParquetWriter(new.out, reader.schema, compression="zstd") as writer:
                for batch in reader:
                    writer.write_batch(batch)
            new.close()
            new.publish()
        except BaseException:
            new.abort()
            raise

    def remove(self, name: str) -> None:
        """Remove a file or a folder of files, as far as that can be done."""
        with contextlib.suppress(Exception):  # what stays behind is in nobody's way
            files = self.folder.names(self.prefix + name)
            for file in files or ():
                self.folder.remove(f"{self.prefix}{name}/{file}")
            if files is None:
                self.folder.remove(self.prefix + name)
            else:
                self.folder.remove_if_empty(self.prefix + name)

    def clear(self) -> None:
        """Remove all that belongs to this run."""
        with contextlib.suppress(Exception):
            for name in self.folder.names() or ():
                if name.startswith(self.prefix):
                    self.remove(name.removeprefix(self.prefix))


def relation(files: Sequence[File]) -> str:
    """The rows of Parquet files, in SQL."""
    return f"read_parquet([{', '.join(text(store_files.name_of(file)) for file in files)}])"


def reach(connection: duckdb.DuckDBPyConnection, files: Sequence[File]) -> None:
    """Make files in stores known to a connection, in place of those that were."""
    if connection.filesystem_is_registered(store_files.PROTOCOL):
        connection.unregister_filesystem(store_files.PROTOCOL)
    store_files.register(connection, files)
