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
from collections.abc import Callable, Iterable, Iterator

import zstandard

from chesstools.decoders import INPUT_BYTES, STEP_BYTES, ZSTD_SKIPPABLE, Decoder, Inflate, ZstdFrame

HEAD_BYTES = 10
"""Bytes that `sniff` wants to see."""

_BZIP2 = [b"BZh%d%s" % (level, mark) for level in range(1, 10) for mark in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")]

MAGIC: dict[str, list[bytes]] = {
    "gzip": [b"\x1f\x8b"],
    "bzip2": _BZIP2,
    "xz": [b"\xfd7zXZ\x00"],
    "zstd": [b"\x28\xb5\x2f\xfd", *(bytes([low]) + ZSTD_SKIPPABLE for low in range(0x50, 0x60))],
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
