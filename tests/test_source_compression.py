"""Packed sources: whole, cut and damaged; and text in UTF-16."""

from __future__ import annotations

import bz2
import gzip
import os
import subprocess
import sys
import zlib

import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st
from sources import COMPRESS, GAME, KINDS, SKIPPABLE, TEXT, read, read_broken, zstd, zstd_streamed

from chesstools.compression import Feed, gather, unpack
from chesstools.decoders import STEP_BYTES
from chesstools.errors import SourceError
from chesstools.source import Source

# --- compression ------------------------------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("block_bytes", [1, 3, 1000, 1 << 20])
def test_many_members(kind: str, block_bytes: int) -> None:
    """Told by the bytes, not by the name; empty members and zeros behind members are nothing."""
    compress = COMPRESS[kind]
    stored = compress(TEXT) + compress(b"") + compress(GAME) + b"\0" * 8 + compress(TEXT) + b"\0" * 512
    with Source.from_bytes(stored, "games.txt").open(block_bytes) as stream:
        assert b"".join(stream) == TEXT + GAME + TEXT
        assert stream.notes == []
        assert stream.stored_bytes_read == len(stored)


@pytest.mark.parametrize("block_bytes", [1, 5, 1 << 20])
def test_zstd_with_skippable_frames_anywhere(block_bytes: int) -> None:
    empty = b"\x5f\x2a\x4d\x18\x00\x00\x00\x00"
    stored = SKIPPABLE + zstd(TEXT) + empty + SKIPPABLE + zstd_streamed(GAME) + SKIPPABLE
    assert read(Source.from_bytes(stored), block_bytes) == TEXT + GAME
    assert read(Source.from_bytes(SKIPPABLE), block_bytes) == b""


@pytest.mark.parametrize(
    "options", [{"write_checksum": True}, {"write_content_size": False}, {"write_checksum": True, "level": 19}]
)
def test_zstd_frames_of_all_shapes(options: dict[str, bool]) -> None:
    for data in (b"", b"x", TEXT, b"a" * 300_000, os.urandom(300_000), TEXT * 200):
        assert read(Source.from_bytes(zstd(data, **options) + zstd(data))) == data * 2


def test_zstd_with_a_window_as_large_as_they_get() -> None:
    header = b"\x28\xb5\x2f\xfd" + bytes([0x00, (31 - 10) << 3])  # no content size; window of 2 GB
    raw_block = (len(GAME) << 3 | 1).to_bytes(3, "little") + GAME
    assert read(Source.from_bytes(header + raw_block)) == GAME


@KINDS
@pytest.mark.parametrize("block_bytes", [1, 1 << 20])
def test_a_cut_archive_gives_what_can_be_read(kind: str, block_bytes: int) -> None:
    compress = COMPRESS[kind]
    first = compress(GAME)
    stored = first + compress(TEXT)
    for length in [*range(0, len(first)), *range(len(first) + 1, len(stored), 37), len(stored) - 1]:
        got, sentence = read_broken(Source.from_bytes(stored[:length], "x.pgn" + SUFFIX[kind.split()[0]]), block_bytes)
        assert (GAME + TEXT).startswith(got)
        assert got.startswith(GAME) or length < len(first)
        assert sentence == (
            f"x.pgn{SUFFIX[kind.split()[0]]} ends in the middle of its {kind.split()[0]} data; the games up to there were read."
        )
    assert read(Source.from_bytes(first)) == GAME


SUFFIX = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}


def test_what_zlib_can_read_of_a_cut_file_is_read() -> None:
    stored = gzip.compress(TEXT)
    for length in range(20, len(stored), 41):
        expected = zlib.decompressobj(31).decompress(stored[:length])
        assert read_broken(Source.from_bytes(stored[:length]))[0] == expected


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd streamed"])  # the other zstd frame has no checksum
def test_damaged_data(kind: str) -> None:
    text = os.urandom(3000).hex().encode() * 20
    good = COMPRESS[kind](text)
    for at in (len(good) // 2, len(good) - 30):
        bad = good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]
        got, sentence = read_broken(Source.from_bytes(bad + good, "x"))
        assert f"x has damaged {kind.split()[0]} data (" in sentence or "x ends in the middle" in sentence
        assert len(got) <= len(text) * 2
    bad = gzip.compress(text)[:-8] + b"\0" * 8
    got, sentence = read_broken(Source.from_bytes(bad, "x"))
    assert len(text) - len(got) <= STEP_BYTES
    assert sentence.startswith("x has damaged gzip data (")


def test_other_bytes_behind_the_last_member() -> None:
    """Left out and noted after gzip and bzip2, as their tools do; an error after xz and zstd, as with theirs."""
    for kind in ("gzip", "bzip2"):
        stored = COMPRESS[kind](TEXT) + b"\0\0" + b"not compressed" * 100
        with Source.from_bytes(stored).open(50) as stream:
            assert b"".join(stream) == TEXT
            assert stream.notes == ["trailing-garbage"]
            assert stream.stored_bytes_read == len(stored)
            assert stream.hash() == xxhash.xxh3_128_hexdigest(stored)
    for kind in ("xz", "zstd"):
        got, sentence = read_broken(Source.from_bytes(COMPRESS[kind](TEXT) + b"not compressed", "x"))
        assert got == TEXT
        assert sentence == f"x has bytes behind its {kind} data that are not {kind} data; the games up to there were read."


def test_twice_compressed_is_told() -> None:
    for inner in ("gzip", "zstd"):
        _, sentence = read_broken(Source.from_bytes(bz2.compress(COMPRESS[inner](TEXT)), "x.gz"))
        assert sentence == f"x.gz is compressed twice ({inner} data inside bzip2 data); unpack it once and give the result."


def test_text_that_only_begins_like_a_magic_is_text() -> None:
    for text in (b"BZh", b"BZh9 is a name", b"(\xb5", b"P", b"PK", b"\xfd7z"):
        assert read(Source.from_bytes(text, "a.pgn")) == text


def test_memory_is_flat_whatever_the_ratio() -> None:
    """80 MB of zeros in each format."""
    program = """
import bz2, gzip, io, lzma, resource, sys, zlib, zstandard
from chesstools.source import Source
def squeeze(c):
    return b"".join([c.compress(bytes(1 << 20)) for _ in range(80)]) + c.flush()
gz, zst = zlib.compressobj(9, 8, 31), zstandard.ZstdCompressor(9).compressobj()
for c in (gz, bz2.BZ2Compressor(), lzma.LZMACompressor(preset=0), zst):
    stored = squeeze(c)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Source.from_bytes(stored).open() as stream:
        assert sum(map(len, stream)) == 80 << 20
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < 40, grown
"""
    pytest.importorskip("resource")
    subprocess.run([sys.executable, "-c", program], check=True)


@given(data=st.binary(max_size=300), cuts=st.lists(st.integers(1, 40), max_size=8), size=st.integers(1, 50))
def test_gather_and_feed_keep_every_byte(data: bytes, cuts: list[int], size: int) -> None:
    def blocks(feed: Feed) -> list[bytes]:
        out = []
        for cut in cuts:
            assert feed.peek(cut) == feed.peek(cut)
            if part := feed.take(cut):
                feed.push_back(part[len(part) // 2 :])
                out.append(part[: len(part) // 2])
        return [block for block in [*out, *feed.rest()] if block]

    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    gathered = list(gather(iter(blocks(Feed(pieces))), size))
    assert b"".join(gathered) == data
    assert [len(block) for block in gathered] == [len(piece) for piece in pieces]


@given(data=st.binary(max_size=200))
def test_any_bytes_behind_a_magic_raise_only_source_errors(data: bytes) -> None:
    for magic in (b"\x1f\x8b\x08\x00", b"BZh91AY&SY", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"):
        try:
            read(Source.from_bytes(magic + data), 16)
        except SourceError:
            continue


def test_unpack_stops_at_the_end_of_the_last_member() -> None:
    feed = Feed([gzip.compress(GAME) + b"rest"])
    assert b"".join(unpack("gzip", feed, [])) == GAME
    assert b"".join(feed.rest()) == b"rest"


# --- UTF-16 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("block_bytes", [1, 3, 1 << 20])
def test_utf16_comes_out_as_utf8(encoding: str, block_bytes: int) -> None:
    text = '[White "Jürgen 😀"]\n\n1. e4 *\n'
    stored = ("\ufeff" + text).encode(encoding)
    for data in (stored, gzip.compress(stored)):
        with Source.from_bytes(data).open(block_bytes) as stream:
            assert b"".join(stream).decode() == text
            assert stream.notes == ["utf-16"]
            assert stream.hash() == xxhash.xxh3_128_hexdigest(data)


def test_broken_utf16_is_read_on() -> None:
    stored = "\ufeffab".encode("utf-16-le") + b"\x00\xd8" + "cd".encode("utf-16-le") + b"e"
    assert read(Source.from_bytes(stored), 1).decode() == "ab\ufffdcd\ufffd"


def test_a_utf8_mark_is_left_for_the_reader() -> None:
    assert read(Source.from_bytes(b"\xef\xbb\xbf" + GAME)) == b"\xef\xbb\xbf" + GAME
