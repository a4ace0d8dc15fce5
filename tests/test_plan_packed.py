"""Packed sources are cut where their members, streams or frames begin; what begins there need not be a game."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FULL, as_text, in_blocks
from test_plan import CRLF, ENGINES, GAME, HOSTILE, check, judged

from chesstools.convert import convert
from chesstools.errors import SourceError
from chesstools.plan import fold, plan, ranges, survey
from chesstools.source import Source, find_sources

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
        "write it with `chesstools convert … -o NAME.pgn.zst --frames` to have it cut."
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
