"""One object in a store: read in pieces, or written as a whole."""

from __future__ import annotations

import ctypes
import io
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chesstools.errors import ChesstoolsError, DatasetError
from chesstools.stores import located, shown, take_apart, telling

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

MEMORY_BYTES = 8 << 20
"""So much of an object is held in memory before its upload begins; smaller ones are sent at once when they are complete."""

MOST_READINGS = 20
"""So often an object is read that is replaced each time meanwhile."""

WHOLE = ("s3", "gcs", "abfs")
"""Filesystems of Arrow in which an object appears when its upload is completed. Others have names that can be changed instead."""


@dataclass(frozen=True, slots=True)
class StoreObject:
    """The object of a URI. Shown and stored without what is secret in it; it can be pickled, with it."""

    uri: str = field(repr=False)

    def __str__(self) -> str:
        return shown(self.uri)

    @property
    def name(self) -> str:
        """What stands behind the last slash."""
        return take_apart(self.uri).key.rpartition("/")[2]

    def open(self) -> pa.NativeFile:
        """The object, to be read anywhere: each read fetches what is asked for."""
        filesystem, path = located(self.uri)
        return filesystem.open_input_file(path)


def read_whole(uri: str) -> bytes:
    """The bytes of an object as it was at some time, also while others replace it. Raises OSError.

    Arrow asks for the size first and then for so many bytes, which are those of another object where it was replaced in between:
    cut off if that is larger, and with whatever stands in memory behind them if it is smaller.
    """
    for _ in range(MOST_READINGS):
        file, before = _opened(uri)
        failure: OSError | None = None
        try:
            data = bytes(file.read_at(file.size(), 0))
        except OSError as error:
            failure = error
        if _opened(uri)[1] == before:
            if failure is not None:
                raise failure
            return data
    raise OSError(f"It was replaced {MOST_READINGS} times while it was read")


def _opened(uri: str) -> tuple[pa.NativeFile, object]:
    """An object, and what tells its state from any other: its size with its ETag, or its time where a store knows none."""
    filesystem, path = located(uri)
    file = filesystem.open_input_file(path)
    return file, (file.size(), (file.metadata() or {}).get("ETag") or filesystem.get_file_info(path).mtime_ns)


class Upload(io.BufferedIOBase):
    """An object while it is written. It is there when `commit` was called, as a whole, and else what was there before.

    Errors are raised as `raises`, of one sentence.
    """

    def __init__(self, uri: str, raises: type[ChesstoolsError] = DatasetError) -> None:
        self._uri = uri
        self._raises = raises
        self._waiting: list[bytes] = []
        self._size = 0
        self._stream: Any = None
        self._filesystem: FileSystem | None = None
        self._path = self._begun_at = ""

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._size

    def write(self, data: Any) -> int:
        """Take bytes in. What is sent meanwhile may fail at a later call."""
        view = memoryview(data).cast("B")
        self._size += view.nbytes
        if self._stream is None and self._size <= MEMORY_BYTES:
            self._waiting.append(bytes(view))
        else:
            with telling(self._uri, self._raises):
                self._begin()
                self._stream.write(view)
        return view.nbytes

    def commit(self) -> int:
        """Complete the object, in place of what was there before. Returns its size in bytes."""
        with telling(self._uri, self._raises):
            self._begin()
            self._stream.close()
            if self._begun_at != self._path:
                assert self._filesystem is not None
                self._filesystem.move(self._begun_at, self._path)
        _let_go(self._stream)
        self._stream = None
        return self._size

    def _begin(self) -> None:
        if self._stream is not None:
            return
        self._filesystem, self._path = located(self._uri)
        self._begun_at = self._path
        if self._filesystem.type_name not in WHOLE:
            parent, _, name = self._path.rpartition("/")
            self._filesystem.create_dir(parent)
            self._begun_at = f"{parent}/.{name}.{secrets.token_hex(4)}.tmp"
        self._stream = self._filesystem.open_output_stream(self._begun_at, compression=None)  # else a name in .gz packs
        _hold(self._stream)
        for data in self._waiting:
            self._stream.write(data)
        self._waiting.clear()

    def abort(self) -> None:
        """Write no more. What was sent stays invisible in the store, as after a process that was killed. Raises nothing."""
        self._waiting.clear()
        if self._begun_at != self._path and self._filesystem is not None:
            try:
                self._stream.close()
                self._filesystem.delete_file(self._begun_at)
            except OSError:
                pass


def _hold(stream: object) -> None:
    """Keep a stream alive to the end of the process: Arrow cannot break an upload off, it completes one that is forgotten."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(stream))


def _let_go(stream: object) -> None:
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(stream))
