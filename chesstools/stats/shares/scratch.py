"""Where partial tables stand until they are added up: files in a folder, on a disk or in a store, that all can reach."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile

from chesstools import store_files
from chesstools.database import text
from chesstools.errors import DatasetError
from chesstools.folder import Folder
from chesstools.local_folder import LocalFolder
from chesstools.places import cannot_write
from chesstools.scratch import scratch_folder, scratching
from chesstools.table_folder import telling

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File, NewFile

GROUP_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Scratch:
    """A folder of one run. It can be sent to whoever does a task.

    A file is there when it is complete, and whoever writes it again writes the same.
    """

    folder: Folder

    def file(self, name: str) -> File:
        """The file of a name."""
        return self.folder.file(name)

    def there(self) -> set[str]:
        """The names of all files."""
        return set(self.folder.names() or ())

    def write(self, connection: duckdb.DuckDBPyConnection, sql: str, name: str) -> None:
        """Write what SQL gives as it comes, as Parquet. Raises OutputError where it cannot be written."""
        with scratch_folder() as folder, self._new(name) as new:
            copy(connection, sql, folder / "rows")
            with open(folder / "rows", "rb") as rows:
                shutil.copyfileobj(rows, new.out)

    def write_bytes(self, data: bytes, name: str) -> None:
        """Write a small file. Raises OutputError where it cannot be written."""
        with self._new(name) as new:
            new.out.write(data)

    def read(self, name: str) -> bytes | None:
        """What stands in a small file; None where there is none."""
        return self.folder.read(name)

    def put(self, folder: Path, name: str) -> None:
        """Put all files of a folder on this machine into one. Raises OutputError where it cannot be written."""
        with self._new(name) as new, ZipFile(new.out, "w") as bundle:
            for file in sorted(folder.iterdir()):
                bundle.write(file, file.name)

    def fetch(self, name: str, folder: Path) -> Path:
        """Put the files that were made one into a folder of that name in a folder on this machine, and return it.

        Raises DatasetError where there is no such file.
        """
        place, target = self.file(name), folder / name
        try:
            if isinstance(place, Path):
                with ZipFile(place) as bundle:
                    bundle.extractall(target)
            else:
                with place.open() as stored, ZipFile(stored) as bundle:
                    bundle.extractall(target)
        except (OSError, BadZipFile) as error:
            if isinstance(error, BadZipFile):
                raise DatasetError(f"{place} is damaged; remove it, and give the same command again.") from None
            raise self.folder.error(error) from None
        return target

    def remove(self, name: str) -> None:
        """Remove a file, as far as that can be done."""
        with contextlib.suppress(Exception):  # what stays behind is in nobody's way
            self.folder.remove(name)

    @contextmanager
    def _new(self, name: str) -> Iterator[NewFile]:
        with telling(), scratching(Path(name)):
            if isinstance(self.folder, LocalFolder) and not self.folder.path.is_dir():
                # It is not made again by a task that nobody waits for any more.
                raise cannot_write(self.folder.file(name), FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
            new = self.folder.create(name)
            try:
                with new.telling():
                    yield new
                new.close()
                new.publish()
            except BaseException:
                new.abort()
                raise


def copy(connection: duckdb.DuckDBPyConnection, sql: str, file: Path) -> None:
    """Write what SQL gives as it comes to a Parquet file on this machine."""
    connection.execute(f"COPY ({sql}) TO {text(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {GROUP_ROWS})")


def relation(files: Sequence[File]) -> str:
    """The rows of Parquet files, in SQL."""
    return f"read_parquet([{', '.join(text(store_files.name_of(file)) for file in files)}])"
