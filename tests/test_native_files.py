"""Files that the core reads by itself: whole, cut, damaged and odd ones give what the readable engine makes of them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from native_diff import compare
from test_native_stream import CHUNKS, GAMES, rows, text

from chesstools.engines import why_not_native
from chesstools.errors import SourceError
from chesstools.scan import scan_source
from chesstools.source import Source, find_sources

pytestmark = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".pgn": bytes,
    ".pgn.gz": gzip.compress,
    ".pgn.bz2": bz2.compress,
    ".pgn.xz": lzma.compress,
    ".pgn.zst": zstandard.compress,
}
SKIPPABLE = b"\x50\x2a\x4d\x18\x05\x00\x00\x00hello"
SMALL = text(0.02)


def told(source: Source, engine: str, jobs: int = 1) -> tuple[object, ...]:
    """What is said of a source when it was read to its end."""
    error, end = None, 0
    try:
        for step in scan_source(source, engine=engine, jobs=jobs, with_hash=True):
            end = step.end.byte_offset
    except SourceError as problem:
        error = str(problem)
    return end, error, source.hash(), source.notes, source.stored_bytes_read


def check(path: Path) -> None:
    (source,) = find_sources(path)
    assert (difference := compare(source, jobs=1)) is None, str(difference)
    reference = told(source, "reference")
    assert told(source, "native") == reference
    assert told(source, "native", jobs=2) == reference


@pytest.fixture(params=list(PACK))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_whole_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{kind}"
    path.write_bytes(PACK[kind](SMALL))
    check(path)


def test_several_members(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{kind}"
    parts = [SMALL[:5000], b"", SMALL[5000:5001], SMALL[5001:]]
    path.write_bytes(b"".join(PACK[kind](part) for part in parts))
    check(path)


@pytest.mark.parametrize("behind", [b"\0", b"\0" * 512, b"garbage", b"\x1f\x8b", b"\x28\xb5\x2f", SKIPPABLE, b"BZh9", b"\n"])
def test_bytes_behind_the_data(kind: str, behind: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"a{kind}"
    path.write_bytes(PACK[kind](SMALL) + behind)
    check(path)


def test_cut_files(kind: str, tmp_path: Path) -> None:
    data = PACK[kind](SMALL)
    path = tmp_path / f"a{kind}"
    for length in [0, 1, 2, 5, 9, 10, 11, 13, len(data) // 3, len(data) // 2, *range(len(data) - 9, len(data), 2)]:
        path.write_bytes(data[:length])
        check(path)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files(kind: str, seed: int, tmp_path: Path) -> None:
    choose = random.Random(seed)
    path = tmp_path / f"a{kind}"
    data = bytearray(PACK[kind](CHUNKS[:100_000] + choose.randbytes(50_000) + CHUNKS[:100_000]))
    for _ in range(choose.randrange(1, 3)):
        data[choose.randrange(12, len(data))] ^= 1 << choose.randrange(8)
    path.write_bytes(data)
    check(path)


def test_odd_files(tmp_path: Path) -> None:
    odd = {
        "twice.pgn.gz": gzip.compress(gzip.compress(SMALL)),
        "utf16.pgn": SMALL.decode().encode("utf-16"),
        "utf16.pgn.zst": zstandard.compress(SMALL.decode().encode("utf-16")),
        "zip-in.pgn.xz": lzma.compress(b"PK\x03\x04" + SMALL),
        "empty.pgn": b"",
        "empty.pgn.zst": zstandard.compress(b""),
        "named-otherwise.pgn": zstandard.compress(SMALL),
        "not-packed.pgn.gz": SMALL,
        "skippable.pgn.zst": SKIPPABLE + zstandard.compress(SMALL[:999]) + SKIPPABLE + zstandard.compress(SMALL[999:]),
        "only-skippable.pgn.zst": SKIPPABLE,
        "bom.pgn": b"\xef\xbb\xbf" + SMALL,
    }
    for name, data in odd.items():
        (tmp_path / name).write_bytes(data)
        check(tmp_path / name)


def test_large_windows(tmp_path: Path) -> None:
    """As `zstd --long=31` asks for, which is more than decoders allow by default."""
    parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=28)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path = tmp_path / "a.pgn.zst"
    path.write_bytes(packer.compress(SMALL) + packer.flush())
    check(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_reading_goes_on_in_the_middle(kind: str, jobs: int, tmp_path: Path) -> None:
    path = tmp_path / f"a{kind}"
    path.write_bytes(PACK[kind](CHUNKS))
    (source,) = find_sources(path)
    steps = list(scan_source(source, engine="native", jobs=jobs, with_hash=True))
    hashed = source.hash()
    assert hashed is not None
    for number in (0, len(steps) // 2):
        rest = list(scan_source(source, engine="native", jobs=jobs, start=steps[number].end, with_hash=True))
        assert rows(rest) == rows(steps[number + 1 :])
        assert source.hash() == hashed


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(GAMES)
    (source,) = find_sources(path)
    path.unlink()
    with pytest.raises(SourceError, match="could not be read to its end"):
        list(scan_source(source, engine="native"))


def test_progress_is_told_while_reading(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(CHUNKS)
    (source,) = find_sources(path)
    seen = [source.stored_bytes_read for _ in scan_source(source, engine="native")]
    assert 0 < seen[0] < seen[-1] == len(CHUNKS)
    assert seen == sorted(seen)
