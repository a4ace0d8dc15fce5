"""The members of a zip archive, read in place: nothing is ever unpacked to disk, and names are labels only."""

from __future__ import annotations

import bz2
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from chesstools.compression import CompressionError, Decoder, Feed, Inflate, ZstdFrame, cut, run_decoder

STORED, DEFLATED, BZIP2, LZMA, ZSTD, XZ = 0, 8, 12, 14, 93, 95
METHODS = (STORED, DEFLATED, BZIP2, LZMA, ZSTD, XZ)

_LOCAL_HEADER = 30
_LOCAL_MAGIC = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a zip archive: where its header stands, how it is packed (`method`), and what must come out of it."""

    name: str
    offset: int
    method: int
    packed_bytes: int
    bytes: int
    crc: int
    encrypted: bool = False


def list_members(path: str) -> list[Member]:
    """All files of the archive, sorted by name. Raises zipfile.BadZipFile and OSError."""
    with zipfile.ZipFile(path) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    members = [
        Member(
            name=info.filename.replace("\\", "/"),
            offset=info.header_offset,
            method=info.compress_type,
            packed_bytes=info.compress_size,
            bytes=info.file_size,
            crc=info.CRC,
            encrypted=bool(info.flag_bits & 1),
        )
        for info in infos
    ]
    return sorted(members, key=lambda member: (member.name, member.offset))


def read_member(file: BinaryIO, member: Member, read_bytes: int, count: Callable[[int], None]) -> Iterator[bytes]:
    """The bytes of one member. `count` is told of the packed bytes as they are read.

    Raises CompressionError where the archive is cut or damaged, after all that could be read.
    """
    file.seek(member.offset)
    header = file.read(_LOCAL_HEADER)
    if len(header) < _LOCAL_HEADER:
        raise cut("zip")
    if not header.startswith(_LOCAL_MAGIC):
        raise CompressionError("has damaged zip data (no member where the directory says)")
    file.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
    feed = Feed(_packed(file, member.packed_bytes, read_bytes, count))
    blocks = feed.rest() if member.method == STORED else run_decoder(_decoder(member.method, feed), feed, "zip")
    crc = length = 0
    for block in blocks:
        crc = zlib.crc32(block, crc)
        length += len(block)
        yield block
    if length < member.bytes and member.method == STORED:
        raise cut("zip")
    if (crc, length) != (member.crc, member.bytes):
        raise CompressionError("has damaged zip data (its checksum is wrong)")


def _packed(file: BinaryIO, left: int, read_bytes: int, count: Callable[[int], None]) -> Iterator[bytes]:
    while left and (block := file.read(min(left, read_bytes))):
        left -= len(block)
        count(len(block))
        yield block


def _decoder(method: int, feed: Feed) -> Decoder:
    if method == DEFLATED:
        return Inflate(-zlib.MAX_WBITS)
    if method == BZIP2:
        return bz2.BZ2Decompressor()
    if method == ZSTD:
        return ZstdFrame()
    if method == XZ:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ)
    start = b""
    while len(start) < 9 and (more := feed.take(9 - len(start))):  # version (2), length of properties (2), properties (5)
        start += more
    if len(start) < 9:
        raise cut("zip")
    packed, dictionary = start[4], int.from_bytes(start[5:9], "little")
    lc, lp, pb = packed % 9, packed // 9 % 5, packed // 45
    options = {"id": lzma.FILTER_LZMA1, "dict_size": dictionary, "lc": lc, "lp": lp, "pb": pb}
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[options])
