"""The part of a byte stream that the lexer looks at: grows on demand, forgets what is done with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chesstools.errors import SourceError

LOOK_BEHIND = 256
"""Bytes before a place that may decide what a token there is. They are kept, so that it does not matter where reading began."""

_FORGET_AT = 1 << 20


class Window:
    """A growing view of a stream of byte blocks, addressed by offsets from the start of the stream.

    Blocks may have any size, one byte too: what is asked for is read until it is there or the stream has ended.

    >>> window = Window([b"1. e4", b" e5"])
    >>> window.reach(7)
    True
    >>> bytes(window.data)
    b'1. e4 e5'
    """

    def __init__(self, blocks: Iterable[bytes], offset: int = 0) -> None:
        self.data = bytearray()
        self.base = offset
        """Stream offset of ``data[0]``."""
        self.ended = False
        self.error: SourceError | None = None
        """Why the stream ended early, if it did."""
        self._blocks: Iterator[bytes] = iter(blocks)

    @property
    def end(self) -> int:
        """Stream offset behind the last byte read so far."""
        return self.base + len(self.data)

    def reach(self, offset: int) -> bool:
        """Read on until the byte at `offset` is there; False where the stream ends before it."""
        while self.end <= offset:
            if not self.more(offset - self.end + 1):
                return False
        return True

    def more(self, wanted: int = 1) -> bool:
        """Read at least `wanted` further bytes if there are any; False where nothing was added.

        Asking for as much again as is pending keeps a token that spans many blocks linear in its length.
        """
        added = 0
        while added < wanted and not self.ended:
            try:
                block = next(self._blocks, None)
            except SourceError as error:
                # What was read up to here is still worth reading; the error is raised after it.
                self.error = error
                block = None
            if block is None:
                self.ended = True
            else:
                self.data += block
                added += len(block)
        return added > 0

    def forget(self, offset: int) -> None:
        """Drop what stands before `offset`, but for the last `LOOK_BEHIND` bytes."""
        done = offset - self.base - LOOK_BEHIND
        if done >= _FORGET_AT:
            del self.data[:done]
            self.base += done

    def text(self, start: int, end: int) -> bytes:
        """The bytes from `start` to `end`, both stream offsets still in the window."""
        return bytes(self.data[start - self.base : end - self.base])
