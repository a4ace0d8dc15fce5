"""Sources in object stores: found and read there as on disk, by ranges, and told where something is wrong."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from in_stores import LOREM, framed, put_games, zipped
from s3_server import KEY, S3, SECRET, Proxy, proxied
from sources import GAME, TEXT, put, read

from chesstools import ranged
from chesstools.convert import convert
from chesstools.dataset import ingest
from chesstools.errors import DatasetError
from chesstools.plan import plan
from chesstools.scan import games, scan, scan_source
from chesstools.source import find_sources

ENGINES = pytest.mark.parametrize("engine", ["native", "reference"])


@pytest.fixture(scope="module")
def games_bucket(s3: S3) -> str:
    return put_games(s3)


@pytest.fixture
def proxy(s3: S3, games_bucket: str) -> Iterator[Proxy]:
    with proxied(s3) as between:
        yield between


def names(*args: str) -> list[str]:
    return [source.name for source in find_sources(args)]


def rows(source: object, engine: str = "native") -> pa.Table:
    table = scan(source, tables=["games"], engine=engine).to_tables()["games"]  # type: ignore[arg-type]
    return table.drop_columns("source")


# Finding


def test_a_folder_is_searched(s3: S3) -> None:
    bucket = s3.bucket("finding")
    for key in ["b.pgn", "a/c.PGN.zst", "a/.hidden.pgn", ".git/x.pgn", "a/d.txt", "a-b.pgn", "a/e/f.pgn.gz", "a.pgn/g.pgn"]:
        s3.put(f"finding/{key}", GAME)
    s3.put("finding/z.zip", zipped({"m.pgn": GAME, "n.pgn": GAME}))
    found = ["a/c.PGN.zst", "a/e/f.pgn.gz", "a-b.pgn", "a.pgn/g.pgn", "b.pgn", "z.zip/m.pgn", "z.zip/n.pgn"]
    assert names(bucket) == names(f"{bucket}/") == [f"{bucket}/{name}" for name in found]
    assert names(f"{bucket}/a") == names(f"{bucket}/a/") == [f"{bucket}/a/c.PGN.zst", f"{bucket}/a/e/f.pgn.gz"]
    assert names(f"{bucket}/a/d.txt") == [f"{bucket}/a/d.txt"]


PATTERNS = [
    "*",
    "*.pgn",
    "**/*.pgn",
    "**",
    "a/**",
    "**/a/*.pgn*",
    "a*/*/*.pgn",
    "?.pgn",
    "[a-b].pgn",
    "*/e/*.gz",
    "a/*",
    "a/.*",
    "**/*.txt",
    "**/e",
    "a/e/f.pgn.g*",
    "*/*",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_globs_find_what_they_find_on_disk(s3: S3, here: Path, pattern: str) -> None:
    s3.bucket("globbed")
    for key in ["b.pgn", "a/c.pgn.zst", "a/.h.pgn", ".git/x.pgn", "a/d.txt", "ab/a/g.pgn", "a/e/f.pgn.gz", "a/e/k.pgn"]:
        s3.put(f"globbed/{key}", GAME)
        put(f"globbed/{key}")
    assert names(f"s3://globbed/{pattern}") == [f"s3://{name}" for name in names(f"globbed/{pattern}")]


def test_an_object_that_is_reached_twice_is_listed_once(games_bucket: str) -> None:
    ways = ["s3://games/all/plain.pgn", "S3://games/all/plain%2Epgn", f"s3://{KEY}:a@games/all/plain.pgn", "s3://games/all/pl*n"]
    assert names(ways[0], ways[1], ways[3]) == ["s3://games/all/plain.pgn"]


@pytest.mark.parametrize(
    "key", ["odd name.pgn", "50%.pgn", "a%20b.pgn", "hash#1.pgn", "why?.pgn", "ü/ß♔.pgn", "st*r[1].pgn", "a+b&c=d.pgn"]
)
def test_odd_names(s3: S3, key: str) -> None:
    bucket = s3.bucket("odd-names")
    s3.put(f"odd-names/{key}", GAME)
    (source,) = find_sources(bucket)
    assert read(source) == GAME
    assert names(source.name) == [source.name]  # what tables say names it again
    assert read(pickle.loads(pickle.dumps(source))) == GAME


def test_size_and_time_are_those_of_the_store(s3: S3, games_bucket: str) -> None:
    (source,) = find_sources("s3://games/all/plain.pgn")
    assert (source.size, source.resumable, source.path) == (len(TEXT), True, None)
    assert source.mtime_ns is not None
    assert abs(source.mtime_ns / 1e9 - time.time()) < 3600


def test_datasets_are_sources_for_those_who_want_them(s3: S3, here: Path) -> None:
    from chesstools.readers import ANY, format_of

    s3.bucket("with-dataset")
    for key in ["x/_chesstools.json", "x/games/part-0.parquet", "y.pgn"]:
        s3.put(f"with-dataset/{key}", GAME)
    dataset, file = find_sources("s3://with-dataset", ANY)
    assert (dataset.name, dataset.dataset, format_of(dataset)) == ("s3://with-dataset/x", "s3://with-dataset/x", "dataset")
    assert file.name == "s3://with-dataset/y.pgn"
    assert [source.name for source in find_sources("s3://with-dataset/x", ANY)] == ["s3://with-dataset/x"]


def test_a_dataset_may_be_all_of_a_bucket(s3: S3, games_bucket: str, here: Path) -> None:
    from chesstools.readers import ANY

    bucket = s3.bucket("all-dataset")
    ingest(f"{games_bucket}/all/plain.pgn", bucket)
    assert [source.name for source in find_sources(bucket, ANY)] == [bucket]
    assert convert(bucket, "ds.uci").games == 100


def test_games_of_a_dataset_in_a_store_are_converted(s3: S3, games_bucket: str, here: Path) -> None:
    bucket = s3.bucket("converted")
    ingest(f"{games_bucket}/all/plain.pgn", f"{bucket}/x/ds")
    s3.put("converted/y.pgn", GAME)
    assert convert(f"{bucket}/x/ds", "ds.uci").games == 100
    assert convert(bucket, "all.uci").games == 101
    assert Path("all.uci").read_bytes() == Path("ds.uci").read_bytes() + b"e2e4 e7e5 g1f3\n"


def test_a_run_does_not_go_on_with_an_object_that_has_changed(s3: S3, here: Path) -> None:
    bucket = s3.bucket("resumed")
    s3.put("resumed/a.pgn", TEXT)
    ingest(bucket, "ds")
    manifest = Path("ds/_chesstools.json")
    running = json.loads(manifest.read_text()) | {"state": "running"}
    manifest.write_text(json.dumps(running))
    assert ingest(bucket, "ds").games == 100
    manifest.write_text(json.dumps(running))
    s3.put("resumed/a.pgn", TEXT + GAME)
    with pytest.raises(DatasetError, match=r"s3://resumed/a\.pgn"):
        ingest(bucket, "ds")


# Reading


@pytest.mark.parametrize(
    "name", ["plain.pgn", "zst.pgn.zst", "frames.pgn.zst", "gz.pgn.gz", "bz2.pgn.bz2", "xz.pgn.xz", "zip.zip"]
)
@ENGINES
def test_the_same_rows_as_from_a_file(s3: S3, games_bucket: str, here: Path, name: str, engine: str) -> None:
    Path(name).write_bytes(s3.get(f"games/all/{name}"))
    local, stored = find_sources(name), find_sources(f"{games_bucket}/all/{name}")
    assert [read(source) for source in stored] == [read(source) for source in local]
    assert [source.hash() for source in stored] == [source.hash() for source in local]
    assert stored[0].stored_bytes_read == local[0].stored_bytes_read
    assert rows(stored, engine).equals(rows(local, engine))
    assert rows(stored, engine).num_rows == 100


def test_games_are_read_too(games_bucket: str) -> None:
    assert next(games("s3://games/all/zst.pgn.zst")).tags["Event"] == "Oak Cup 0"


def test_a_dataset_tells_where_its_games_came_from_and_nothing_secret(games_bucket: str, here: Path) -> None:
    login = f"{KEY}:{SECRET.replace('/', '%2F').replace('+', '%2B').replace('%T', '%25T')}"
    ingest(f"s3://{login}@games/all/plain.pgn?region=us-east-1", "ds")
    told = Path("ds/_chesstools.json").read_text()
    assert '"s3://games/all/plain.pgn"' in told
    assert not [
        secret
        for secret in (KEY, SECRET, login)
        for file in Path("ds").rglob("*")
        if file.is_file() and secret.encode() in file.read_bytes()
    ]


def test_a_source_can_be_pickled_while_it_is_read(games_bucket: str) -> None:
    (source,) = find_sources("s3://games/large.pgn")
    with source.open() as stream:
        next(stream)
        again = pickle.loads(pickle.dumps(source))
        assert "s3://" not in repr(again).replace(again.name, "")
        assert read(again) == LOREM


@pytest.mark.parametrize("name", ["large.pgn", "large.pgn.zst"])
def test_a_plan_is_that_of_the_file(s3: S3, games_bucket: str, here: Path, name: str) -> None:
    Path(name).write_bytes(s3.get(f"games/{name}"))
    (local,), (stored,) = find_sources(name), find_sources(f"{games_bucket}/{name}")
    size = (local.size or 0) // 5
    stretches = plan(stored, size).stretches
    assert stretches == plan(local, size).stretches
    assert len(stretches) > 3
    steps = [
        step.batches["games"]
        for one in stretches
        for step in scan_source(
            pickle.loads(pickle.dumps(stored)), tables=["games"], start=one.start, stop=one.stop, entry=one.entry
        )
    ]
    assert pa.Table.from_batches(steps).drop_columns("source").unify_dictionaries().equals(rows(local).unify_dictionaries())


@pytest.mark.parametrize(
    ("engine", "name", "more"),
    [
        ("native", "huge.pgn", 1_200_000),  # so much it reads on before it cuts a chunk
        ("native", "huge.pgn.zst", 320_000),
        ("reference", "large.pgn", 40_000),
        ("reference", "large.pgn.zst", 60_000),
    ],
)
def test_a_stretch_reads_no_more_than_its_own_bytes(
    s3: S3, proxy: Proxy, monkeypatch: pytest.MonkeyPatch, engine: str, name: str, more: int
) -> None:
    monkeypatch.setattr(ranged, "LEAST_BYTES", 4 << 10)
    if name.startswith("huge"):
        s3.put(f"games/{name}", framed(8 * LOREM, 20_000) if name.endswith(".zst") else 8 * LOREM)
    (source,) = find_sources(f"s3://games/{name}")
    size = source.size or 0
    stretches = plan(source, size // 16).stretches
    one, after = stretches[7], stretches[8]
    proxy.asked.clear()
    list(scan_source(source, start=one.start, stop=one.stop, entry=one.entry, engine=engine, block_bytes=1 << 13))
    own = after.entry.stored - one.entry.stored
    assert own < size / 8
    assert own <= proxy.fetched < min(own + more, size / 2)
    assert all(count > 0 for method, _, count in proxy.asked if method == "GET")


def test_a_file_is_read_by_ranges_each_byte_once(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranged, "MOST_BYTES", 1 << 17)
    (source,) = find_sources("s3://games/large.pgn")
    proxy.asked.clear()
    assert read(source, 1000) == LOREM
    ranges = [count for method, _, count in proxy.asked if method == "GET"]
    assert sum(ranges) == len(LOREM)
    assert len(ranges) > 5
    assert max(ranges) <= ranged.MOST_BYTES
    proxy.asked.clear()
    assert source.read_at(1000, 50) == LOREM[1000:1050]
    assert proxy.fetched == 50


def test_a_member_of_an_archive_is_fetched_alone(s3: S3, proxy: Proxy) -> None:
    s3.bucket("members")
    s3.put("members/a.zip", zipped({"a.pgn": LOREM, "b.pgn": TEXT, "c.pgn": LOREM}))
    sources = find_sources("s3://members/a.zip")
    proxy.asked.clear()
    assert read(sources[1]) == TEXT
    assert (sources[1].size or 0) < proxy.fetched < (sources[1].size or 0) + 2000
    assert [read(sources[number]) for number in (0, 2)] == [LOREM, LOREM]


def test_a_reader_that_stops_fetches_little(proxy: Proxy) -> None:
    (source,) = find_sources("s3://games/large.pgn")
    proxy.asked.clear()
    with source.open(1000) as stream:
        assert next(stream) == LOREM[:1000]
    assert proxy.fetched == ranged.LEAST_BYTES


def test_an_object_that_is_empty(s3: S3) -> None:
    s3.bucket("empty-object")
    s3.put("empty-object/a.pgn", b"")
    (source,) = find_sources("s3://empty-object/a.pgn")
    assert read(source) == b""
    assert source.read_at(0, 10) == b""
    assert rows(source).num_rows == 0
