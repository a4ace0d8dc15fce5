"""Objects of stores as they were when they were found, and ranges of them, each of one state of the object."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from chesstools.stores import StoreError, located, what_is_wrong

if TYPE_CHECKING:
    from collections.abc import Callable

    from chesstools.ranged import RangedFile

T = TypeVar("T")

NS = 1_000_000_000

_MARKS = (0xC1, 0xC0)
"""Bytes that stand in no text in UTF-8, so that only one packed range of 256 is fetched again in vain."""

_AGAIN = "give the command again when it is complete"


def whole_seconds(mtime_ns: int | None) -> int | None:
    """A time of last change as it is whichever way a store is asked: some list milliseconds, and tell only seconds of one object.

    >>> whole_seconds(1_795_000_000_789_000_000), whole_seconds(None)
    (1795000000000000000, None)
    """
    return None if mtime_ns is None else mtime_ns // NS * NS


class Range(NamedTuple):
    """Bytes of an object from `start` on, and the state that it was in before and after they were fetched."""

    start: int
    data: bytearray
    state: object


@dataclass(frozen=True, slots=True)
class FoundObject:
    """An object of a store as it was when it was found. It can be pickled; what reads it is made anew elsewhere.

    Attributes:
        uri: where it is; may hold credentials, so that it is never shown.
        size: bytes.
        mtime_ns: time of last change in nanoseconds, of which only the whole seconds are looked at.
    """

    uri: str = field(repr=False)
    size: int
    mtime_ns: int | None

    def open(self, begun: Future[Range] | None = None) -> RangedFile:
        """The object as a file, of which `begun` brings some bytes. It is asked for when the first bytes are wanted."""
        from chesstools.ranged import RangedFile

        return RangedFile(self, begun)

    def read_at(self, start: int, count: int) -> bytes:
        """The bytes from `start` on, at most `count`, in one request. Raises StoreError."""
        count = min(count, self.size - start)
        if count <= 0:
            return b""
        file, alone = _opened(self)
        with alone:
            return bytes(fetch(self, file, start, count))

    def read_range(self, start: int, count: int) -> Range:
        """The same, of one state of the object: a request before and one behind see to that."""
        file, state = look(self)
        data = fetch(self, file, start, count)
        look(self, state)
        return Range(start, data, state)


def look(stored: FoundObject, state: object = None) -> tuple[Any, object]:
    """Arrow's own file, and what tells the state of the object from any other.

    Raises StoreError if it is not the state in which the object was found, or `state`, if that is given.
    """
    file, now, mtime_ns = _ask(stored)
    if state is not None and now != state:
        raise StoreError("was changed while it was read", _AGAIN)
    if file.size() != stored.size or (stored.mtime_ns is not None and mtime_ns != whole_seconds(stored.mtime_ns)):
        raise StoreError("has changed since it was found", _AGAIN)
    return file, now


def fetch(stored: FoundObject, file: Any, start: int, count: int) -> bytearray:
    """Bytes of Arrow's own file, which nobody else may read meanwhile: all that were asked for, 1 at least. Raises StoreError.

    Arrow does not see where an answer is complete and has fewer bytes than were asked for; the others are then what stood in
    memory before. So the last byte is marked, and where the mark is still there, all is fetched again with another one.
    """
    for mark in _MARKS:
        data = _into(stored, file, start, count, mark)
        if data[-1] != mark:
            return data
    raise StoreError(f"came with less than the {count} bytes that were asked for", "give the command again")


def _into(stored: FoundObject, file: Any, start: int, count: int, mark: int) -> bytearray:
    buffer = bytearray(count)
    buffer[-1] = mark

    def ask() -> int:
        file.seek(start)
        return int(file.readinto(buffer))

    if _safely(stored, ask) != count:
        raise StoreError(f"came with less than the {count} bytes that were asked for", "give the command again")
    return buffer


@lru_cache(maxsize=32)
def _opened(stored: FoundObject) -> tuple[Any, Lock]:
    """Arrow's own file, which holds no connection, and what keeps it for one reader at a time."""
    return look(stored)[0], Lock()


def _ask(stored: FoundObject) -> tuple[Any, object, int | None]:
    """Arrow's own file, what tells its state, and its time of last change: one request, where the store tells all at once."""

    def ask() -> tuple[Any, object, int | None]:
        filesystem, path = located(stored.uri)
        file = filesystem.open_input_file(path)
        told = file.metadata() or {}
        mark, mtime_ns = told.get("ETag"), _nanoseconds(told.get("Last-Modified"))
        if mark is None or mtime_ns is None:
            mtime_ns = filesystem.get_file_info(path).mtime_ns
        return file, (file.size(), mtime_ns if mark is None else mark), whole_seconds(mtime_ns)

    return _safely(stored, ask)


def _nanoseconds(told: bytes | None) -> int | None:
    """A time as S3 tells it; None for one that is told in another way.

    >>> _nanoseconds(b"2026-11-30T17:58:10Z"), _nanoseconds(b"Mon, 30 Nov 2026 17:58:10 GMT")
    (1796061490000000000, None)
    """
    try:
        return int(datetime.fromisoformat((told or b"").decode()).timestamp()) * NS
    except ValueError:
        return None


def _safely(stored: FoundObject, ask: Callable[[], T]) -> T:
    """What `ask` gives; what it raises has nothing secret in it."""
    import pyarrow as pa

    try:
        return ask()
    except (OSError, pa.ArrowException) as error:
        raise StoreError(*what_is_wrong(stored.uri, error)) from None
