"""The bytes of a source while it is judged: kept until it is known which of them are changed."""

from __future__ import annotations

from chesstools.bytestream import ByteStream
from chesstools.source import BLOCK_BYTES, Source

_FORGET_AT = 4 << 20


class Held:
    """Bytes of a stream from some offset on.

    >>> held = Held()
    >>> held.add(b"1. e4 *")
    >>> held.bytes(3, 5), held.end
    (b'e4', 7)
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._base = 0

    @property
    def end(self) -> int:
        """Stream offset behind the last byte."""
        return self._base + len(self._data)

    def add(self, block: bytes) -> None:
        """Take in the next block."""
        self._data += block

    def bytes(self, start: int, end: int) -> bytes:
        """The bytes from `start` to `end`, as far as they are there."""
        return bytes(self._data[max(start - self._base, 0) : max(end - self._base, 0)])

    def forget(self, offset: int) -> None:
        """Drop what stands before `offset`."""
        if offset - self._base >= _FORGET_AT:
            del self._data[: offset - self._base]
            self._base = offset


class Heard(Source):
    """A source whose blocks are kept as they are read, so that it is read only once and judged and copied alike."""

    def __init__(self, source: Source, held: Held) -> None:
        super().__init__(source.name, source.size)
        self.of = source
        self.stream: ByteStream | None = None
        self._held = held

    def open(self, block_bytes: int = BLOCK_BYTES, seen: object = None, entry: int = 0, stop: int | None = None) -> ByteStream:
        self.stream = self.of.open(block_bytes, self._held.add)
        return self.stream
