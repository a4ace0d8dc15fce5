"""The members of a zip archive, read in place: nothing is ever unpacked to disk, and names are labels only."""

from __future__ import annotations

import bz2
import lzma
import mmap
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from chesstools.compression import CompressionError, Feed, cut, run_decoder
from chesstools.decoders import Decoder, Inflate, ZstdFrame

STORED, DEFLATED, BZIP2, LZMA, ZSTD, XZ = 0, 8, 12, 14, 93, 95
METHODS = (STORED, DEFLATED, BZIP2, LZMA, ZSTD, XZ)

HEADER_BYTES = 512
"""Bytes before the data of a member, as a rule: they hold its name and little else."""

_LOCAL_MAGIC = b"PK\x03\x04"
_LOCAL = struct.Struct("<6xHH4xIIIHH")
_DESCRIPTOR_MAGIC = b"PK\x07\x08"
_DESCRIPTOR = struct.Struct("<4sIII")
_LARGE_DESCRIPTOR = struct.Struct("<4sIQQ")
_UNKNOWN = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a zip archive: where its header stands, how it is packed (`method`), and what must come out of it.

    `cut` marks the last member of an archive that breaks off: whatever follows it is lost.
    """

    name: str
    offset: int
    method: int
    packed_bytes: int
    bytes: int
    crc: int
    encrypted: bool = False
    cut: bool = False


def list_members(file: BinaryIO) -> list[Member]:
    """All files of the archive, sorted by name. Raises zipfile.BadZipFile and OSError.

    The directory of an archive stands at its end, so a cut one has none. What its members say of themselves is used
    then, if it is a file of this machine; they come in their own order, and the last one is marked `cut`.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except zipfile.BadZipFile:
        if _is_local(file) and file.seek(0, os.SEEK_END) > _LOCAL.size and (members := _walk(file)):
            return members
        raise
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


def _is_local(file: BinaryIO) -> bool:
    try:
        return file.fileno() >= 0
    except OSError:
        return False


def _walk(file: BinaryIO) -> list[Member]:
    """The members of an archive without a directory, from one header to the next."""
    members = []
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = 0
        while data[at : at + 4] == _LOCAL_MAGIC and at + _LOCAL.size <= len(data):
            flags, method, crc, packed, size, name_bytes, extra_bytes = _LOCAL.unpack_from(data, at)
            start = at + _LOCAL.size + name_bytes + extra_bytes
            raw_name = data[at + _LOCAL.size : at + _LOCAL.size + name_bytes]
            name = raw_name.decode("utf-8" if flags & 0x800 else "cp437", "replace").replace("\\", "/")
            if _UNKNOWN in (packed, size):  # a member of 4 GB or more: the sizes stand in the extra field
                size, packed = _large_sizes(data[start - extra_bytes : start], size, packed)
            end = start + packed
            if flags & 8:  # sizes and checksum stand behind the member
                end, crc, packed, size = _find_descriptor(data, start)
            if not name.endswith("/"):
                members.append(Member(name, at, method, packed, size, crc, bool(flags & 1)))
            at = end
    if members:
        members[-1] = replace(members[-1], cut=True)
    return members


def _large_sizes(extra: bytes, size: int, packed: int) -> tuple[int, int]:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == 1 and length >= 16:
            size, packed = struct.unpack_from("<QQ", extra, 4)
        extra = extra[4 + length :]
    return size, packed


def _find_descriptor(data: mmap.mmap, start: int) -> tuple[int, int, int, int]:
    """End, checksum, packed size and size of a member that tells them behind its data; all of the rest if it is cut."""
    at = data.find(_DESCRIPTOR_MAGIC, start)
    while at >= 0:
        for layout in (_DESCRIPTOR, _LARGE_DESCRIPTOR):
            if at + layout.size <= len(data):
                _, crc, packed, size = layout.unpack_from(data, at)
                if packed == at - start:
                    return at + layout.size, crc, packed, size
        at = data.find(_DESCRIPTOR_MAGIC, at + 1)
    at = data.rfind(_DESCRIPTOR_MAGIC, max(start, len(data) - _LARGE_DESCRIPTOR.size))
    return len(data), 0, (at if at >= 0 else len(data)) - start, 0


def read_member(file: BinaryIO, member: Member, read_bytes: int, count: Callable[[int], None]) -> Iterator[bytes]:
    """The bytes of one member. `count` is told of the packed bytes as they are read.

    Raises CompressionError where the archive is cut or damaged, after all that could be read.
    """
    file.seek(member.offset)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size:
        raise cut("zip")
    if not header.startswith(_LOCAL_MAGIC):
        raise CompressionError("has damaged zip data (no member where the directory says)")
    *_, name_bytes, extra_bytes = _LOCAL.unpack(header)
    file.seek(name_bytes + extra_bytes, os.SEEK_CUR)
    feed = Feed(_packed(file, member.packed_bytes, read_bytes, count))
    blocks = feed.rest() if member.method == STORED else run_decoder(_decoder(member.method, feed), feed, "zip")
    crc = length = 0
    for block in blocks:
        crc = zlib.crc32(block, crc)
        length += len(block)
        yield block
    if member.cut or (length < member.bytes and member.method == STORED):
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
