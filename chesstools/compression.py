"""gzip, bzip2, xz and zstd, told apart by their first bytes, unpacked block by block.

Every format may come as several members, streams or frames one after the other. Memory stays flat: a decoder is asked
for a few KB at a time, so a tiny file that unpacks to gigabytes is no danger. What could be unpacked is always handed on
before an error is raised.
"""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Protocol

import zstandard

from chesstools.limits import MAX_ZSTD_WINDOW

INPUT_BYTES = 16 * 1024
"""Compressed bytes given to a decoder at a time."""

STEP_BYTES = 4 * 1024
"""Unpacked bytes asked from a decoder at a time: no more than this is lost in front of a damaged place."""

STRIDE_BYTES = 64 * 1024
"""Unpacked bytes asked from a decoder that can go back to where it was, when there is a damaged place among them."""

HEAD_BYTES = 10
"""Bytes that `sniff` wants to see."""

_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"

_BZIP2 = [b"BZh%d%s" % (level, mark) for level in range(1, 10) for mark in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")]

MAGIC: dict[str, list[bytes]] = {
    "gzip": [b"\x1f\x8b"],
    "bzip2": _BZIP2,
    "xz": [b"\xfd7zXZ\x00"],
    "zstd": [b"\x28\xb5\x2f\xfd", *(bytes([low]) + _ZSTD_SKIPPABLE for low in range(0x50, 0x60))],
    "zip": [b"PK\x03\x04", b"PK\x05\x06"],
}

SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd", ".zip": "zip"}


class CompressionError(Exception):
    """The data is cut or damaged. The message goes on after the name of the source: "ends in the middle of …"."""


def cut(kind: str) -> CompressionError:
    """The error for data that stops too early."""
    return CompressionError(f"ends in the middle of its {kind} data")


def sniff(head: bytes) -> str | None:
    """The format that begins with these bytes, or None.

    >>> sniff(b"\\x1f\\x8b\\x08\\x00"), sniff(b'[Event "Oak Cup"]')
    ('gzip', None)
    """
    return next((kind for kind, magics in MAGIC.items() if head.startswith(tuple(magics))), None)


def is_cut_magic(head: bytes, kind: str) -> bool:
    """Whether `head`, which is all there is, breaks off inside the first bytes of `kind`."""
    return any(len(head) < len(magic) and magic.startswith(head) for magic in MAGIC[kind])


class Feed:
    """Bytes that can be looked at before they are taken.

    An error that is met while looking ahead is raised where it belongs: behind the bytes in front of it.
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._held = b""
        self.taken = 0
        """How many bytes were taken and not put back."""
        self._at = 0  # what is held in front of this is taken already
        self._error: Exception | None = None

    def take(self, count: int) -> bytes:
        """The next bytes, at most `count`; empty at the end."""
        if self._at == len(self._held):
            if self._error is not None:
                raise self._error
            self._held, self._at = next(self._blocks, b""), 0
        out = self._held[self._at : self._at + count]
        self._at += len(out)
        self.taken += len(out)
        return out

    def rest(self) -> Iterator[bytes]:
        """All that is still to come, in blocks as they are."""
        while block := self.take(sys.maxsize):
            yield block

    def peek(self, count: int) -> bytes:
        """The next bytes, exactly `count` of them unless the input ends before. They stay where they are."""
        while len(self._held) - self._at < count and self._error is None:
            try:
                block = next(self._blocks)
            except StopIteration:
                break
            except (CompressionError, OSError) as error:
                self._error = error
                break
            self._held, self._at = self._held[self._at :] + block, 0
        return self._held[self._at : self._at + count]

    def push_back(self, data: bytes) -> None:
        """Put bytes in front again that were taken."""
        self.taken -= len(data)
        start = self._at - len(data)
        if start >= 0 and self._held[start : self._at] == data:
            self._at = start
        else:
            self._held, self._at = data + self._held[self._at :], 0


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
        if start[1:4] == _ZSTD_SKIPPABLE:
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


_DECODERS: dict[str, Callable[[], Decoder]] = {
    "gzip": Inflate,
    "bzip2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ),
    "zstd": ZstdFrame,
}

_DECODER_ERRORS = (zlib.error, lzma.LZMAError, zstandard.ZstdError, OSError, EOFError, ValueError, MemoryError)


def run_decoder(decoder: Decoder, feed: Feed, kind: str, step_bytes: int = STEP_BYTES) -> Iterator[bytes]:
    """Unpack to the end of one member, about `step_bytes` at a time; what `feed` holds behind it is left there.

    Raises CompressionError where the data stops too early or is damaged.
    """
    while not decoder.eof:
        data = b""
        if decoder.needs_input:
            data = feed.take(INPUT_BYTES)
            if not data:
                raise cut(kind)
        try:
            out = decoder.decompress(data, step_bytes)
        except _DECODER_ERRORS as error:
            raise CompressionError(f"has damaged {kind} data ({error})") from error
        if out:
            yield out
    feed.push_back(decoder.unused_data)


def unpack(
    kind: str, feed: Feed, notes: list[str], began: Callable[[int], None] | None = None, step_bytes: int = STEP_BYTES
) -> Iterator[bytes]:
    """Unpack all members, streams or frames of `feed`, which begins with one of `kind`.

    Zeros between and behind them are skipped. Other bytes behind the last one are left alone after gzip and bzip2, as the
    tools of these names do, and "trailing-garbage" goes into `notes`; after xz and zstd they are an error. `began` is told where
    each member begins, as bytes taken from `feed`, when all text before it was given.
    """
    while True:
        if began is not None:
            began(feed.taken)
        yield from run_decoder(_DECODERS[kind](), feed, kind, step_bytes)
        while feed.peek(1) == b"\0":
            feed.push_back(feed.take(INPUT_BYTES).lstrip(b"\0"))
        head = feed.peek(HEAD_BYTES)
        if not head:
            return
        if sniff(head) == kind:
            continue
        if len(head) < HEAD_BYTES and is_cut_magic(head, kind):
            raise cut(kind)
        if kind in ("gzip", "bzip2"):
            notes.append("trailing-garbage")
            return
        raise CompressionError(f"has bytes behind its {kind} data that are not {kind} data")


def gather(blocks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """The same bytes in blocks of exactly `size` (the last one may be shorter); nothing is lost in front of an error."""
    pending = bytearray()
    failure: Exception | None = None
    while failure is None:
        try:
            block = next(blocks)
        except StopIteration:
            break
        except (CompressionError, OSError) as error:
            failure = error
            break
        at = 0
        while len(block) - at >= size - len(pending):
            start, at = at, at + size - len(pending)
            if pending:
                pending += block[start:at]
                yield bytes(pending)
                pending.clear()
            else:
                yield block[start:at]  # which is no copy where it is all of it
        pending += block[at:]
    if pending:
        yield bytes(pending)
    if failure is not None:
        raise failure
