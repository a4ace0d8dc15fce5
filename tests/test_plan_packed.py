"""Packed sources are cut where their members, streams or frames begin; what begins there need not be a game."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from loop_cluster import LoopCluster
from strategies import FULL, as_text, in_blocks
from test_plan import CRLF, ENGINES, GAME, HOSTILE, check, judged

from chesstools.cluster import Cluster
from chesstools.convert import convert
from chesstools.errors import SourceError
from chesstools.plan import fold, plan, ranges, survey
from chesstools.scan import scan_source
from chesstools.source import Source, find_sources
from chesstools.validate import validate
from chesstools.zstd_frames import FrameWriter

TEXT = b"".join(b'[Event "%d"]\n[Site "b"]\n\n1. e4 e5 {%d} 2. Nf3 *\n\n' % (n, n * n * 7919) for n in range(400))


def bgzip(data: bytes) -> bytes:
    """One member as bgzip writes it, with its size in the header."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(packed) + 25)
    return head + packed + struct.pack("<II", zlib.crc32(data), len(data))


PACK: dict[str, Callable[[bytes], bytes]] = {
    "zstd": zstandard.ZstdCompressor().compress,
    "gzip": gzip.compress,
    "bgzip": bgzip,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


def packed(kind: str, text: bytes, member_bytes: int) -> bytes:
    return b"".join(PACK[kind](block) for block in in_blocks(text, member_bytes) or [b""])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", PACK)
def test_members_are_entered(kind: str, engine: str) -> None:
    source = Source.from_bytes(packed(kind, TEXT, 1_000), "x")
    assert len(check(source, 2_000, engine)) > 2


@pytest.mark.parametrize("kind", PACK)
def test_files_too(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.packed"
    path.write_bytes(packed(kind, TEXT, 2_000))
    (source,) = find_sources(path)
    stretches = check(source, 500, ENGINES[0])
    assert len({one.entry.stored for one in stretches}) == len(stretches) > 2


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts(kind: str, name: str) -> None:
    source = Source.from_bytes(packed(kind, HOSTILE[name], 300), "x")
    check(source, 150, ENGINES[0])


@settings(max_examples=300 if FULL else 20)
@given(
    st.lists(st.one_of(as_text(), st.just(GAME * 4), st.just(CRLF * 3)), max_size=6),
    st.sampled_from(sorted(PACK)),
    st.sampled_from([40, 100, 1000]),
    st.sampled_from([1, 60, 200]),
)
def test_any_bytes(parts: list[bytes], kind: str, member_bytes: int, stretch_bytes: int) -> None:
    data = b"".join(parts)
    if ranges(Source.from_bytes(data), 1).why_whole is None:
        check(Source.from_bytes(packed(kind, data, member_bytes), "x"), stretch_bytes, ENGINES[0])


def test_frames_with_a_table(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.zst"
    convert(Source.from_bytes(TEXT * 200), path, frames=10_000)
    (source,) = find_sources(path)
    stretches = check(source, (source.size or 0) // 4, ENGINES[0])
    assert len(stretches) >= 2
    assert all(one.start.byte_offset - one.entry.offset < 1_000 for one in stretches)


def test_games_in_a_member_that_is_packed_in_another_are_none() -> None:
    """What stands unpacked inside of packed data looks like a member that begins there."""
    inner = gzip.compress(TEXT, 0)
    source = Source.from_bytes(gzip.compress(TEXT + inner + TEXT, 0) + gzip.compress(TEXT), "x")
    assert len(check(source, 5_000, ENGINES[0])) == 2


def test_what_has_one_member_is_told() -> None:
    found = plan(Source.from_bytes(gzip.compress(TEXT), "x.gz"), 100)
    assert found.stretches == fold([])
    assert found.why_whole == (
        "x.gz is gzip data that can only be read from its beginning; "
        "write it with `chesstools convert x.gz --to pgn.zst --frames -o NEW.pgn.zst` to have it cut."
    )
    utf16 = plan(Source.from_bytes(packed("gzip", TEXT.decode().encode("utf-16"), 1000), "x"), 100)
    assert utf16.why_whole == "x holds UTF-16 and is read as a whole; convert it to UTF-8 to have it cut."
    twice = plan(Source.from_bytes(gzip.compress(gzip.compress(TEXT)), "x"), 100)
    assert twice.why_whole == "x holds gzip data and is read as a whole; unpack it once to have it cut."


@pytest.mark.parametrize("kind", PACK)
def test_damaged_data_is_read_up_to_there(kind: str) -> None:
    data = bytearray(packed(kind, TEXT, 1_000))
    middle = len(data) // 2
    data[middle : middle + 200] = bytes(200)
    source = Source.from_bytes(bytes(data), "x")
    stretches = fold([survey(source, *one) for one in ranges(source, 200).ranges])
    assert len(stretches) > 1
    for one in (stretches, fold([])):
        with pytest.raises(SourceError):
            judged(source, one[-1:], ENGINES[0])
    before, _ = judged(source, stretches[:-1], ENGINES[0])
    assert before["games"].num_rows == stretches[-1].start.game_index > 20


def seekable(text: bytes, frame_bytes: int) -> bytes:
    """Frames with a table, of blocks of text as they come."""
    file = BytesIO()
    with FrameWriter(file, 1) as writer:
        for block in in_blocks(text, frame_bytes):
            writer.write(block)
    return file.getvalue()


def skippable(data: bytes) -> bytes:
    return b"\x50\x2a\x4d\x18" + struct.pack("<I", len(data)) + data


def pzstd(text: bytes, frame_bytes: int) -> bytes:
    """As pzstd writes: before each frame a skippable one that holds the size of it."""
    frames = [zstandard.ZstdCompressor().compress(block) for block in in_blocks(text, frame_bytes)]
    return b"".join(skippable(struct.pack("<I", len(frame))) + frame for frame in frames)


def stored_gzip(text: bytes) -> bytes:
    """Not packed at all, so that what looks like a member in the text does so in the file."""
    return gzip.compress(text, 0)


LYING = seekable(TEXT, 1_000)
_TABLE_BYTES = 8 * -(-len(TEXT) // 1_000) + 17
FRAMES = {
    "a table": LYING,
    "a table that lies about text": LYING[: 4 - _TABLE_BYTES + 8] + b"\xff\0\0\0" + LYING[8 - _TABLE_BYTES + 8 :],
    "a table that exchanges bytes of two frames": (
        LYING[: 8 - _TABLE_BYTES]
        + struct.pack("<I", struct.unpack("<I", LYING[8 - _TABLE_BYTES :][:4])[0] + 3)
        + LYING[12 - _TABLE_BYTES : 16 - _TABLE_BYTES]
        + struct.pack("<I", struct.unpack("<I", LYING[16 - _TABLE_BYTES :][:4])[0] - 3)
        + LYING[20 - _TABLE_BYTES :]
    ),
    "a table of another file": LYING[:3_000] + LYING[-_TABLE_BYTES:],
    "a table behind more frames": packed("zstd", TEXT, 1_000) + LYING,
    "pzstd": pzstd(TEXT, 1_000),
    "a frame of no text between": b"".join(
        zstandard.ZstdCompressor().compress(block) + zstandard.ZstdCompressor().compress(b"") for block in in_blocks(TEXT, 1_000)
    ),
    "a skippable frame that holds frames": packed("zstd", TEXT, 1_000)
    + skippable(packed("zstd", TEXT, 1_000))
    + packed("zstd", TEXT, 1_000),
    "the last frame cut": packed("zstd", TEXT, 1_000)[:-30],
    "garbage behind frames": packed("zstd", TEXT, 1_000) + b"garbage" * 50,
    "garbage behind members": packed("gzip", TEXT, 1_000) + b"garbage" * 50,
    "members behind garbage": packed("gzip", TEXT, 1_000) + b"garbage" * 50 + packed("gzip", TEXT, 1_000),
    "zeros between members": b"\0\0\0".join(gzip.compress(block) for block in in_blocks(TEXT, 1_000)),
    "members of no text between": b"".join(gzip.compress(block) + gzip.compress(b"") for block in in_blocks(TEXT, 1_000)),
    "bgzip with its end": packed("bgzip", TEXT, 1_000) + bgzip(b""),
    "streams with one of no text": packed("bzip2", TEXT, 2_000) + bz2.compress(b"") + packed("bzip2", TEXT, 2_000),
    "what looks like members in the text": stored_gzip(b"".join(GAME + b"\x1f\x8b\x08\x00 " for _ in range(300))) * 3,
}


@pytest.mark.parametrize("name", FRAMES)
def test_frames_of_every_kind(name: str) -> None:
    """Each is cut, gives the rows of the whole, and says the same where it breaks off."""
    source = Source.from_bytes(FRAMES[name], "x")
    try:
        stretches = check(source, 700, ENGINES[0])
        assert len(stretches) > 2
    except SourceError as error:
        assert name in ("the last frame cut", "garbage behind frames", "a table of another file")
        last = plan(source, 700).stretches[-1]
        with pytest.raises(SourceError, match=re.escape(str(error))):
            list(scan_source(source, start=last.start, entry=last.entry))
        runs: list[dict[str, Any]] = [{}, {"cluster": cast("Cluster", LoopCluster()), "stretch_bytes": 700}]
        wanted, found = (list(validate(replace(source), **options)) for options in runs)
        assert found == wanted
