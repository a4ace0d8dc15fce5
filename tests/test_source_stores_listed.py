"""What is listed in object stores: times as some servers tell them, what is asked for, and how long it takes to sort it out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from in_stores import zipped
from pyarrow import fs
from s3_server import S3, proxied
from sources import GAME, TEXT, read

from chesstools import ranged
from chesstools.errors import SourceError
from chesstools.found_object import FoundObject
from chesstools.readers import ANY
from chesstools.source import find_sources
from chesstools.sources.objects import Finder
from chesstools.stores import StoreError


class Listing:
    """A filesystem that lists milliseconds, and tells only the seconds of one object, as MinIO, Ceph and others do."""

    def __init__(self, filesystem: fs.FileSystem) -> None:
        self._filesystem = filesystem

    def __getattr__(self, name: str) -> Any:
        return getattr(self._filesystem, name)

    def get_file_info(self, asked: Any) -> Any:
        found = self._filesystem.get_file_info(asked)
        if not isinstance(found, list):
            return found
        return [self._with_milliseconds(info) for info in found]

    def _with_milliseconds(self, info: fs.FileInfo) -> SimpleNamespace:
        told = {name: getattr(info, name) for name in ("path", "base_name", "is_file", "size", "type")}
        return SimpleNamespace(mtime_ns=info.mtime_ns and info.mtime_ns // 10**9 * 10**9 + 789_000_000, **told)


def test_milliseconds_that_only_the_listing_tells(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    from chesstools.sources import objects

    s3.bucket("listed")
    s3.put("listed/a.pgn", TEXT)
    (by_name,) = find_sources("s3://listed/a.pgn")
    located = objects.located

    def listing(uri: str) -> tuple[Any, str]:
        filesystem, path = located(uri)
        return Listing(filesystem), path

    monkeypatch.setattr(objects, "located", listing)
    for uri in ("s3://listed", "s3://listed/*.pgn"):
        (source,) = find_sources(uri)
        assert read(source) == TEXT
        assert source.mtime_ns == by_name.mtime_ns, "a run that goes on compares them"


def test_a_dataset_that_was_begun_with_milliseconds(s3: S3) -> None:
    """Objects that were found by an earlier version are still the same."""
    s3.bucket("listed")
    s3.put("listed/a.pgn", TEXT)
    (source,) = find_sources("s3://listed/a.pgn")
    assert source.object is not None
    assert source.object.mtime_ns is not None
    found = FoundObject(source.object.uri, source.object.size, source.object.mtime_ns + 789_000_000)
    with found.open() as file:
        assert file.read() == TEXT


@pytest.mark.parametrize("pattern", ["s3://listed/arch/**/*.pgn", "s3://listed/ar*h/**/*.pgn"])
def test_only_below_what_is_named_before_two_stars_is_all_listed(s3: S3, pattern: str) -> None:
    s3.bucket("listed")
    for key in ("arch/a.pgn", "arch/x/y/b.pgn", "arch/.x/c.pgn", "other/x/d.pgn", "e.pgn"):
        s3.put(f"listed/{key}", GAME)
    with proxied(s3) as proxy:
        assert [one.name for one in find_sources(pattern)] == ["s3://listed/arch/a.pgn", "s3://listed/arch/x/y/b.pgn"]
    listed = [path for method, path, _ in proxy.asked if "list-type" in path]
    assert all("prefix=arch" in path or "delimiter=" in path for path in listed), listed


@pytest.fixture
def lost(s3: S3, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A zip archive whose first bytes come, and nothing else."""
    monkeypatch.setattr(ranged, "LEAST_BYTES", 500)
    s3.bucket("listed")
    s3.put("listed/z.zip", zipped({"a.pgn": TEXT * 100, "b.pgn": TEXT}))
    fetch = ranged.fetch

    def fails(stored: FoundObject, file: object, start: int, count: int) -> bytearray:
        if start:
            raise StoreError("cannot be reached", "check the network")
        return fetch(stored, file, start, count)

    with monkeypatch.context() as broken:
        broken.setattr(ranged, "fetch", fails)
        yield


@pytest.mark.usefixtures("lost")
def test_a_lost_connection_is_no_damaged_archive() -> None:
    with pytest.raises(SourceError) as raised:
        find_sources("s3://listed/z.zip")
    assert str(raised.value) == "s3://listed/z.zip cannot be reached; check the network."


def test_what_failed_stays_failed(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the next range would come in place of the one that did not."""
    monkeypatch.setattr(ranged, "LEAST_BYTES", 1000)
    s3.bucket("listed")
    s3.put("listed/a.pgn", TEXT)
    (source,) = find_sources("s3://listed/a.pgn")
    assert source.object is not None
    fetch, fails = ranged.fetch, iter([False, True, False, False, False])

    def once(stored: FoundObject, file: object, start: int, count: int) -> bytearray:
        if next(fails):
            raise StoreError("cannot be reached", "check the network")
        return fetch(stored, file, start, count)

    monkeypatch.setattr(ranged, "fetch", once)
    with source.object.open() as file:
        assert file.read1() == TEXT[:1000]
        for _ in range(2):
            with pytest.raises(StoreError, match="cannot be reached"):
                file.read1()


def test_many_datasets_below_one_prefix(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time grows with the files, not with files times datasets."""
    s3.bucket("listed")
    finder = Finder("s3://listed/x", ANY)
    names = ["_chesstools.json", *(f"{table}/part-{number:06}.parquet" for table in ("games", "plies") for number in range(10))]
    paths = [f"listed/x/ds{one:04}/{name}" for one in range(2000) for name in names]
    paths.append("listed/x/ds0000/inner/_chesstools.json")
    infos = [SimpleNamespace(path=path, base_name=path.rpartition("/")[2], is_file=True) for path in paths]
    monkeypatch.setattr(finder, "_list", lambda *_, **__: infos)
    started = time.process_time()
    chosen = finder._in_folder("listed/x")
    assert time.process_time() - started < 5
    assert [info.path for info in chosen] == [f"listed/x/ds{one:04}/_chesstools.json" for one in range(2000)]
