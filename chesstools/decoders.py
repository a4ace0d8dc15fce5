"""Decoders of one gzip member or zstd frame that give out a little at a time, as those of bzip2 and xz in the library do."""

from __future__ import annotations

import zlib
from collections.abc import Generator
from typing import Protocol

import zstandard

from chesstools.limits import MAX_ZSTD_WINDOW

INPUT_BYTES = 16 * 1024
"""Compressed bytes given to a decoder at a time."""

STEP_BYTES = 4 * 1024
"""Unpacked bytes asked from a decoder at a time: no more than this is lost in front of a damaged place."""

STRIDE_BYTES = 64 * 1024
"""Unpacked bytes asked from a decoder that can go back to where it was, when there is a damaged place among them."""

ZSTD_SKIPPABLE = b"\x2a\x4d\x18"
"""A skippable frame begins with a byte from 0x50 to 0x5f, and these."""


class Decoder(Protocol):
    """What `bz2.BZ2Decompressor` and `lzma.LZMADecompressor` offer, and the two classes below with them."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ...) -> bytes: ...


class Inflate:
    """zlib behind the interface of the other decoders. `wbits` is 31 for gzip and -15 for the bare data in a zip."""

    def __init__(self, wbits: int = 31) -> None:
        self._zlib = zlib.decompressobj(wbits)
        self._full = False
        self._strides = True

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._full and not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int = STEP_BYTES) -> bytes:
        if tail := self._zlib.unconsumed_tail:
            data = tail + data
        if self._strides:
            before = self._zlib.copy()
            try:
                return self._unpack(data, max(max_length, STRIDE_BYTES))
            except zlib.error:
                self._zlib, self._strides = before, False
        return self._unpack(data, max_length)

    def _unpack(self, data: bytes, most: int) -> bytes:
        out = self._zlib.decompress(data, most)
        self._full = len(out) == most  # zlib may hold more although it has taken all the input
        return out


class ZstdFrame:
    """One zstd frame, or one skippable frame.

    The decoder underneath unpacks all it is given, and four bytes can stand for 128 KB. So it is given one block at a
    time; a block never unpacks to more than 128 KB. The layout of a frame is that of RFC 8878, section 3.
    """

    def __init__(self) -> None:
        self.eof = False
        self.needs_input = True
        self._zstd = zstandard.ZstdDecompressor(max_window_size=MAX_ZSTD_WINDOW).decompressobj()
        self._buffer = bytearray()
        self._out = b""
        self._parts = self._read_parts()
        self._needed = next(self._parts)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._buffer) if self.eof else b""

    def decompress(self, data: bytes, max_length: int = 0) -> bytes:
        """Take `data` in; give back at most one unpacked block, whatever `max_length` says."""
        self._buffer += data
        while not self.eof and not self._out and len(self._buffer) >= self._needed:
            part = bytes(self._buffer[: self._needed])
            del self._buffer[: self._needed]
            try:
                self._needed = self._parts.send(part)
            except StopIteration:
                self.eof = True
        self.needs_input = not self.eof and len(self._buffer) < self._needed
        out, self._out = self._out, b""
        return out

    def _read_parts(self) -> Generator[int, bytes, None]:
        """Ask for the parts of the frame one after the other (the count is yielded, the bytes are sent)."""
        start = yield 5
        if start[1:4] == ZSTD_SKIPPABLE:
            left = int.from_bytes(start[4:] + (yield 3), "little")
            while left:
                left -= len((yield min(left, INPUT_BYTES)))
            return
        flags = start[4]
        single_segment = flags >> 5 & 1
        dictionary_id, content_size = (0, 1, 2, 4)[flags & 3], (single_segment, 2, 4, 8)[flags >> 6]
        rest = yield (1 - single_segment) + dictionary_id + content_size
        self._out += self._zstd.decompress(start + rest)
        last = 0
        while not last:
            header = yield 3
            fields = int.from_bytes(header, "little")
            last, kind, size = fields & 1, fields >> 1 & 3, fields >> 3
            content = yield 1 if kind == 1 else size  # kind 1: one byte, repeated `size` times
            self._out += self._zstd.decompress(header + content)
        if flags & 4:
            checksum = yield 4
            self._out += self._zstd.decompress(checksum)
        if not self._zstd.eof:
            raise zstandard.ZstdError("frame does not end where it should")
