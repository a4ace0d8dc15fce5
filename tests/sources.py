"""Texts, packed in every way, and what is read of a source."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from chesstools.errors import SourceError
from chesstools.source import Source, find_sources

GAME = b'[Event "Oak Cup"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n\n'
TEXT = b"".join(b'[Event "Oak Cup %d"]\n\n1. e4 e5 %d. Nf3 *\n\n' % (n, n * 7919 % 1000) for n in range(100))
SKIPPABLE = b"\x53\x2a\x4d\x18\x05\x00\x00\x00hello"


def zstd(data: bytes, **options: bool) -> bytes:
    return zstandard.ZstdCompressor(**options).compress(data)  # type: ignore[arg-type]


def zstd_streamed(data: bytes) -> bytes:
    """A frame of two blocks that does not tell its size, as a pipe into zstd makes it."""
    frame = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    middle = len(data) // 2
    parts = [frame.compress(data[:middle]), frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK), frame.compress(data[middle:])]
    return b"".join([*parts, frame.flush()])


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd,
    "zstd streamed": zstd_streamed,
}
KINDS = pytest.mark.parametrize("kind", COMPRESS)


def read(source: Source, block_bytes: int = 1 << 20) -> bytes:
    with source.open(block_bytes) as stream:
        return b"".join(stream)


def read_broken(source: Source, block_bytes: int = 1 << 20) -> tuple[bytes, str]:
    """What came out before the SourceError, and its sentence."""
    got = b""
    with pytest.raises(SourceError) as raised, source.open(block_bytes) as stream:  # noqa: PT012
        for block in stream:
            got += block
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)
    return got, str(raised.value)


def names(*args: str | os.PathLike[str]) -> list[str]:
    return [source.name for source in find_sources(args)]


def put(path: str, data: bytes = GAME) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def make_zip(path: str, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
