"""Objects of stores, read by ranges: files that stay where they are, with what comes next fetched while the last is worked on."""

from __future__ import annotations

import io
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chesstools.stores import StoreError, located, what_is_wrong

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST_BYTES = 128 << 10
"""Bytes of the first range behind a place that was sought: often a head, or the directory of an archive."""

MOST_BYTES = 8 << 20
"""Bytes of a range while an object is read on: a request is then little beside what it brings."""

AHEAD = 2
"""Ranges that are fetched beyond the one that is worked on, at most: each over a connection of its own."""


NS = 1_000_000_000


def whole_seconds(mtime_ns: int | None) -> int | None:
    """A time of last change as it is whichever way a store is asked: some list milliseconds, and tell only seconds of one object.

    >>> whole_seconds(1_795_000_000_789_000_000), whole_seconds(None)
    (1795000000000000000, None)
    """
    return None if mtime_ns is None else mtime_ns // NS * NS


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

    def open(self) -> RangedFile:
        """The object as a file. Raises StoreError if it cannot be read or has changed."""
        return RangedFile(self)

    def read_at(self, start: int, count: int) -> bytes:
        """The bytes from `start` on, at most `count`, in one request. Raises StoreError."""
        count = min(count, self.size - start)
        return _fetch(self, _opened(self), start, count) if count > 0 else b""


def _safely(stored: FoundObject, ask: Callable[[], Any]) -> Any:
    """What `ask` gives; what it raises has nothing secret in it."""
    import pyarrow as pa

    try:
        return ask()
    except (OSError, pa.ArrowException) as error:
        raise StoreError(*what_is_wrong(stored.uri, error)) from None


def _fetch(stored: FoundObject, file: Any, start: int, count: int) -> bytes:
    data: bytes = _safely(stored, lambda: file.read_at(count, start))
    if len(data) != count:
        raise StoreError(f"came with {len(data)} bytes where {count} were asked for", "give the command again")
    return data


@lru_cache(maxsize=32)
def _opened(stored: FoundObject) -> Any:
    """Arrow's own file. It holds no connection."""
    return _open(stored)[0]


def _open(stored: FoundObject) -> tuple[Any, object]:
    """Arrow's own file and what tells the state of the object from any other. Raises StoreError if it was changed."""

    def ask() -> tuple[Any, object]:
        filesystem, path = located(stored.uri)
        file = filesystem.open_input_file(path)
        mark = (file.metadata() or {}).get("ETag")
        info = None if mark else filesystem.get_file_info(path)
        return file, (file.size(), mark if info is None else info.mtime_ns)

    file, state = _safely(stored, ask)
    if file.size() != stored.size:
        raise StoreError("has changed since it was found", "give the command again when it is complete")
    return file, state


class RangedFile(io.BufferedIOBase):
    """An object as a file that can be read anywhere. Nothing of it is kept but the ranges in hand.

    The more was read in one go, the larger the ranges become and the more of them are fetched ahead, so that whoever reads a
    little fetches little. Each range is of the object as it was when this was opened, or reading ends with a StoreError.
    """

    def __init__(self, stored: FoundObject) -> None:
        super().__init__()
        self._stored = stored
        self._file, self._state = _open(stored)
        self._check_time()
        self._end = stored.size
        self._begun = self._at = self._asked = 0
        """The place that was sought last, the next byte to give, and the next one to ask for."""
        self._block = memoryview(b"")
        self._coming: deque[tuple[int, Future[bytes]]] = deque()
        self._pool: ThreadPoolExecutor | None = None
        self.failure: StoreError | None = None
        """What ended reading: from then on nothing comes any more, as it would come from another place."""

    def _check_time(self) -> None:
        filesystem, path = located(self._stored.uri)
        info = _safely(self._stored, lambda: filesystem.get_file_info(path))
        if self._stored.mtime_ns is not None and whole_seconds(info.mtime_ns) != whole_seconds(self._stored.mtime_ns):
            raise StoreError("has changed since it was found", "give the command again when it is complete")

    def expect(self, end: int) -> None:
        """Fetch nothing ahead from `end` on, where reading will stop, most likely."""
        self._end = max(0, min(end, self._stored.size))

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        place = max(0, offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._stored.size}[whence])
        skipped = place - self._at
        if 0 <= skipped <= len(self._block):
            self._block = self._block[skipped:]
        else:
            self._forget()
            self._begun, self._asked, self._block = place, place, memoryview(b"")
        self._at = place
        return place

    def read1(self, size: int = -1) -> bytes:
        """What is in hand, or the next range; `size` bytes at most."""
        if not self._block:
            if self.failure is not None:
                raise self.failure
            try:
                self._block = memoryview(self._next(max(size, 0)))
            except StoreError as error:
                self.failure = error
                raise
        data = bytes(self._block if size < 0 else self._block[:size])
        self._block = self._block[len(data) :]
        self._at += len(data)
        return data

    def read(self, size: int | None = -1) -> bytes:
        left = self._stored.size - self._at if size is None or size < 0 else size
        blocks = []
        while left > 0 and (block := self.read1(left)):
            blocks.append(block)
            left -= len(block)
        return b"".join(blocks)

    def close(self) -> None:
        self._forget()
        if self._pool is not None:
            self._pool.shutdown(wait=False)
        super().close()

    def _forget(self) -> None:
        """Ask for nothing more; what is under way is thrown away when it comes."""
        for _, coming in self._coming:
            coming.cancel()
        self._coming.clear()

    def _next(self, wanted: int) -> bytes:
        """The next range, of `wanted` bytes if that is much; empty at the end."""
        read = self._at - self._begun
        if not self._coming:
            count = self._count(wanted)
            if not read or not count:  # where only a little is wanted, no thread is started
                self._asked += count
                return self._range(self._asked - count, count) if count else b""
            self._submit(count)
        # As much may be on the way as was read, so that no more than that is ever fetched in vain.
        while len(self._coming) <= AHEAD and self._asked < self._end:
            count = self._count(0)
            if sum(one for one, _ in self._coming) - self._coming[0][0] + count > read:
                break
            self._submit(count)
        return self._coming.popleft()[1].result()

    def _count(self, wanted: int) -> int:
        """How many bytes to ask for."""
        start, size = self._asked, self._stored.size
        if start < self._end:
            return min(max(LEAST_BYTES, wanted, min(start - self._begun, MOST_BYTES)), self._end - start)
        return min(max(LEAST_BYTES, min(start - self._end, MOST_BYTES)), size - start)

    def _submit(self, count: int) -> None:
        self._pool = self._pool or ThreadPoolExecutor(AHEAD + 1, "range")
        self._coming.append((count, self._pool.submit(self._range, self._asked, count)))
        self._asked += count

    def _range(self, start: int, count: int) -> bytes:
        data = _fetch(self._stored, self._file, start, count)
        if _open(self._stored)[1] != self._state:
            raise StoreError("was changed while it was read", "give the command again when it is complete")
        return data
