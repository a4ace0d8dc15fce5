"""Files in object stores for DuckDB, which has no means of its own to read them here: it would have to fetch an extension.

DuckDB is handed a filesystem in Python. It knows the files that it was made for and no others, and can only read: whatever SQL
asks it for, nothing else in the store can be seen, and nothing is written.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chesstools.errors import DatasetError
from chesstools.stores import sentence

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File
    from chesstools.store_object import StoreObject

PROTOCOL = "store"


def name_of(file: File) -> str:
    """The name of a file in DuckDB: its path, or ``store://s3/bucket/key`` for ``s3://bucket/key``."""
    return str(file) if isinstance(file, Path) else f"{PROTOCOL}://{str(file).replace('://', '/', 1)}"


def register(connection: duckdb.DuckDBPyConnection, files: Sequence[File]) -> None:
    """Make those of `files` that are in stores known to a connection, by their names.

    Raises DatasetError where two objects in different places have the same name.
    """
    objects: dict[str, StoreObject] = {}
    for file in files:
        if not isinstance(file, Path) and objects.setdefault(name_of(file), file) != file:
            raise DatasetError(f"{file} is named in two different stores; ask one of them at a time.")
    if objects:
        connection.register_filesystem(_filesystem(objects))


_failures: dict[str, DatasetError] = {}
_FAILURE = re.compile(r"store failure ([0-9a-f]{16})")


@contextmanager
def _noting(stored: StoreObject) -> Iterator[None]:
    """Keep what goes wrong in a store as a sentence. DuckDB makes a text of what is raised, with all that Python says of it."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        number = secrets.token_hex(8)
        _failures[number] = DatasetError(sentence(stored.uri, error))
        raise OSError(f"store failure {number}") from None


def failure(error: Exception) -> DatasetError | None:
    """What went wrong in a store, where that is behind an error of DuckDB."""
    found = _FAILURE.search(str(error))
    return _failures.pop(found[1], None) if found else None


class _Handle:
    """An open file for several threads at once. DuckDB goes to a place and reads there in two calls, and another thread may come
    in between: so each thread has a place of its own.
    """

    def __init__(self, stored: StoreObject) -> None:
        self._stored = stored
        with _noting(stored):
            self._file = stored.open()
        self._here = threading.local()

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        before = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self._file.size()}
        self._here.place = before[whence] + place
        return self.tell()

    def tell(self) -> int:
        return int(getattr(self._here, "place", 0))

    def read(self, count: int = -1) -> bytes:
        place = self.tell()
        with _noting(self._stored):
            data = bytes(self._file.read_at(self._file.size() - place if count < 0 else count, place))
        self._here.place = place + len(data)
        return data

    def close(self) -> None:
        self._file.close()


def _filesystem(objects: dict[str, StoreObject]) -> Any:
    from datetime import UTC, datetime

    from fsspec import AbstractFileSystem

    class Objects(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no types; and its name is not known before
        """What DuckDB asks of a filesystem to read files: more it has none of."""

        protocol = PROTOCOL
        cachable = False

        def open(self, path: str, mode: str = "rb", **ignored: Any) -> Any:
            if mode != "rb":
                raise PermissionError(f"{path} can only be read.")
            return _Handle(self._object(path))

        def glob(self, path: str, **ignored: Any) -> list[str]:
            return [path] if path in objects else []

        def exists(self, path: str, **ignored: Any) -> bool:
            return path in objects

        isfile = exists

        def isdir(self, path: str) -> bool:
            return False

        def info(self, path: str, **ignored: Any) -> dict[str, Any]:
            return {"name": path, "size": self._size(path), "type": "file"}

        def modified(self, path: str) -> datetime:
            self._object(path)
            return datetime.fromtimestamp(0, UTC)

        def _size(self, path: str) -> int:
            stored = self._object(path)
            with _noting(stored), stored.open() as file:
                return int(file.size())

        def _object(self, path: str) -> StoreObject:
            if path not in objects:
                raise FileNotFoundError(f"There is no file {path}.")
            return objects[path]

    return Objects()
