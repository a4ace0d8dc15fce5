"""Objects of stores as files: read by ranges, with what comes next fetched while the last is worked on."""

from __future__ import annotations

import io
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from chesstools.found_object import FoundObject, Range, fetch, look
from chesstools.stores import StoreError

LEAST_BYTES = 128 << 10
"""Bytes of the first range behind a place that was sought: often a head, or the directory of an archive."""

MOST_BYTES = 8 << 20
"""Bytes of a range while an object is read on: a request is then little beside what it brings."""

AHEAD = 2
"""Ranges that are fetched beyond the one that is worked on, at most: each over a connection of its own."""


class RangedFile(io.BufferedIOBase):
    """An object as a file that can be read anywhere. Nothing of it is kept but the ranges in hand.

    The more was read in one go, the larger the ranges become and the more of them are fetched ahead, so that whoever reads a
    little fetches little. Each range is of the object as it was when this was opened, or reading ends with a StoreError.
    """

    def __init__(self, stored: FoundObject, begun: Future[Range] | None = None) -> None:
        super().__init__()
        self._stored = stored
        self._begun = begun
        self._state: object = None
        """That in which the object was when it was asked for first."""
        self._files: list[Any] = []
        """Arrow's own files that nobody reads now."""
        self._held = Range(0, bytearray(), None)
        """What came last: any place in it can be sought without a request."""
        self._end = stored.size
        self._sought = self._at = self._asked = 0
        """The place that was sought last, the next byte to give, and the next one to ask for."""
        self._coming: deque[tuple[int, Future[Range]]] = deque()
        self._pool: ThreadPoolExecutor | None = None
        self.failure: StoreError | None = None
        """What ended reading: from then on nothing comes any more, as it would come from another place."""

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
        size, held = self._stored.size, self._held
        self._at = max(0, offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: size}[whence])
        end = held.start + len(held.data)
        wanted = end if held.start <= self._at < end else self._at
        if wanted != self._asked - sum(count for count, _ in self._coming):
            self._forget()
            self._sought, self._asked = self._at, wanted
            if wanted == self._at and self._end == size and size - LEAST_BYTES < wanted < size:
                self._asked = max(0, size - LEAST_BYTES)  # a directory at the end is read from its end
        return self._at

    def read1(self, size: int = -1) -> bytes:
        """What is in hand, or the next range; `size` bytes at most."""
        if not self._is_held() and not self._fetched(size):
            return b""
        start = self._at - self._held.start
        data = bytes(memoryview(self._held.data)[start : None if size < 0 else start + size])
        self._at += len(data)
        return data

    def read(self, size: int | None = -1) -> bytes:
        left = max(0, self._stored.size - self._at) if size is None or size < 0 else size
        blocks = []
        while left > 0 and (block := self.read1(left)):
            blocks.append(block)
            left -= len(block)
        return blocks[0] if len(blocks) == 1 else b"".join(blocks)

    def close(self) -> None:
        self._forget()
        if self._pool is not None:
            self._pool.shutdown(wait=False)
        super().close()

    def _is_held(self) -> bool:
        """Whether the next byte is in hand."""
        return 0 <= self._at - self._held.start < len(self._held.data)

    def _fetched(self, wanted: int) -> bool:
        """Take the next range in hand; False at the end. Raises StoreError, again and again where it did once."""
        if self.failure is not None:
            raise self.failure
        try:
            if self._begun is not None:
                self._held, self._begun = self._begun.result(), None
                if self._is_held():
                    self._asked = self._held.start + len(self._held.data)
                    return True
            if self._at >= self._stored.size:
                return False
            self._held = self._next(max(wanted, 0))
            return self._is_held()
        except StoreError as error:
            self.failure = error
            raise

    def _forget(self) -> None:
        """Ask for nothing more; what is under way is thrown away when it comes."""
        for _, coming in self._coming:
            coming.cancel()
        self._coming.clear()

    def _next(self, wanted: int) -> Range:
        """The next range, of `wanted` bytes if that is much."""
        if self._state is None:
            file, self._state = look(self._stored, self._held.state)
            self._files.append(file)
        read = self._at - self._sought
        if not self._coming:
            count = self._count(wanted)
            if read <= 0:  # where only a little is wanted, no thread is started
                self._asked += count
                return self._range(self._asked - count, count)
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
            return min(max(LEAST_BYTES, wanted, min(start - self._sought, MOST_BYTES)), self._end - start)
        return min(max(LEAST_BYTES, min(start - self._end, MOST_BYTES)), size - start)

    def _submit(self, count: int) -> None:
        self._pool = self._pool or ThreadPoolExecutor(AHEAD + 1, "range")
        self._coming.append((count, self._pool.submit(self._range, self._asked, count)))
        self._asked += count

    def _range(self, start: int, count: int) -> Range:
        try:
            file = self._files.pop()
        except IndexError:
            file, _ = look(self._stored, self._state)
        data = fetch(self._stored, file, start, count)
        again, _ = look(self._stored, self._state)
        self._files += (file, again)[: AHEAD + 1 - len(self._files)]  # one for each range that may be under way
        return Range(start, data, self._state)
