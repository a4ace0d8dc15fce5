"""What is asked of an object store: how often, for what, and how much of it ahead."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from in_stores import LOREM, zipped
from s3_server import S3, Proxy, proxied
from sources import GAME, TEXT, read

from chesstools import ranged
from chesstools.convert import convert
from chesstools.dataset import ingest
from chesstools.errors import SourceError
from chesstools.found_object import FoundObject, Range
from chesstools.scan import games
from chesstools.source import Source, find_sources
from chesstools.sources import in_turn
from chesstools.stores import StoreError
from chesstools.validate import validate

OBJECTS = 12


@pytest.fixture(scope="module")
def small(s3: S3) -> str:
    bucket = s3.bucket("small")
    for number in range(OBJECTS):
        s3.put(f"small/a/{number:02}.pgn", GAME)
    return f"{bucket}/a"


@pytest.fixture
def proxy(s3: S3, small: str) -> Iterator[Proxy]:
    with proxied(s3) as between:
        yield between


def asked(proxy: Proxy) -> Counter[str]:
    """How many listings, states (HEAD) and ranges were asked for since the last time."""
    kinds = Counter("list" if "list-type" in path else {"HEAD": "state", "GET": "range"}[how] for how, path, _ in proxy.asked)
    proxy.asked.clear()
    return kinds


EACH = Counter(state=2 * OBJECTS, range=OBJECTS)
"""A small object costs a look before, its bytes, and a look behind."""

FINDING = Counter(list=2, state=1)
"""A folder costs one listing for each thousand objects, and two requests that tell that it is one."""


def test_what_small_objects_cost(proxy: Proxy, small: str, here: Path) -> None:
    find_sources(small)
    assert asked(proxy) == FINDING
    assert len(list(validate(small))) >= OBJECTS
    assert asked(proxy) == FINDING + EACH
    assert ingest(small, "ds").games == OBJECTS
    assert asked(proxy) == FINDING + EACH
    assert convert(small, "all.uci").games == OBJECTS
    assert asked(proxy) == FINDING + EACH
    assert len(list(games(small))) == OBJECTS
    assert asked(proxy) == FINDING + EACH


def test_what_one_object_costs(proxy: Proxy, small: str) -> None:
    assert list(validate(f"{small}/00.pgn"))
    assert asked(proxy) == Counter(state=3, range=1)


def test_an_archive_is_listed_with_one_range_and_its_members_come_together(s3: S3, proxy: Proxy) -> None:
    names = [f"{number:03}.pgn" for number in range(300)]
    s3.put("small/many.zip", zipped(dict.fromkeys(names, GAME)))
    asked(proxy)
    found = find_sources("s3://small/many.zip")
    assert asked(proxy) == Counter(state=3, range=1)
    assert [read(source) for source in in_turn.in_turn(found)] == [GAME] * 300
    assert asked(proxy) == Counter(state=2, range=1)


def test_a_large_directory_is_one_range_more(s3: S3, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranged, "LEAST_BYTES", 1000)
    names = [f"{number:03}.pgn" for number in range(300)]
    s3.put("small/many.zip", zipped(dict.fromkeys(names, GAME)))
    asked(proxy)
    assert [source.name for source in find_sources("s3://small/many.zip")] == [f"s3://small/many.zip/{name}" for name in names]
    assert asked(proxy) == Counter(state=4, range=2)


def test_an_archive_that_is_called_pgn_is_told_when_it_is_read(s3: S3, small: str) -> None:
    s3.bucket("odd")
    s3.put("odd/a.pgn", zipped({"b.pgn": GAME}))
    s3.put("odd/a.dat", zipped({"b.pgn": GAME}))
    assert [source.name for source in find_sources("s3://odd/a.dat")] == ["s3://odd/a.dat/b.pgn"]
    (source,) = find_sources("s3://odd")
    with pytest.raises(SourceError) as raised:
        read(source)
    assert str(raised.value) == "s3://odd/a.pgn is a zip archive by its content; give it a name that ends in .zip."


def test_every_place_can_be_sought(s3: S3, small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranged, "LEAST_BYTES", 1000)
    s3.put("small/large.pgn", LOREM)
    (source,) = find_sources("s3://small/large.pgn")
    assert source.object is not None
    size = len(LOREM)
    with source.object.open() as file:
        for place in (0, 999, 1000, 500, 5, size - 1500, size - 999, size - 10, size - 900, 50_000, size, size + 5, size - 22, 0):
            assert file.seek(place) == place
            for count in (10, 1, 2000, 30_000):
                assert file.read(count) == LOREM[place : place + count]
                place += count if place < size else 0
                file.seek(min(place, size))


# In turn


def found(number: int, size: int = 100) -> Source:
    return Source(f"s3://x/{number}", size, resumable=True, object=FoundObject(f"s3://x/{number}", size, None))


class Fetcher:
    """In place of the store: counts what is fetched and held."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fetched: list[tuple[str, int, int]] = []
        self.lock = threading.Lock()
        monkeypatch.setattr(FoundObject, "read_range", lambda stored, start, count: self.read_range(stored, start, count))

    def read_range(self, stored: FoundObject, start: int, count: int) -> Range:
        with self.lock:
            self.fetched.append((stored.uri, start, count))
        if stored.uri.endswith("/3"):
            raise StoreError("cannot be reached", "check the network")
        return Range(start, bytearray(b"x" * count), "state")


def test_no_more_is_fetched_ahead_than_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    fetcher = Fetcher(monkeypatch)
    sources = [found(number) for number in range(100)]
    turns = in_turn.in_turn(sources)
    for number in range(20):
        source = next(turns)
        assert source is sources[number]
        with fetcher.lock:
            assert len(fetcher.fetched) <= number + 1 + in_turn.AHEAD
        assert sum(one.begun is not None for one in sources) == 1
    turns.close()
    assert all(one.begun is None for one in sources)


def test_what_is_large_or_empty_is_not_fetched_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    fetcher = Fetcher(monkeypatch)
    sources = [found(0, in_turn.SMALL_BYTES + 1), found(1, 0), Source.from_bytes(b"1. e4 *"), found(2, in_turn.SMALL_BYTES)]
    begun = [source.begun for source in in_turn.in_turn(sources)]
    assert begun[:3] == [None] * 3
    assert isinstance(begun[3], Future)
    assert len(begun[3].result().data) == in_turn.SMALL_BYTES
    assert len(fetcher.fetched) == 1


def test_what_cannot_be_fetched_is_told_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    Fetcher(monkeypatch)
    told = []
    for source in in_turn.in_turn([found(number) for number in range(6)]):
        try:
            told.append(str(len(read(source))))
        except SourceError as error:
            told.append(str(error))
    says = "s3://x/3 could not be read to its end (it cannot be reached); the games up to there were read; check the network."
    assert told == ["100"] * 3 + [says] + ["100"] * 2


def test_an_object_that_changed_before_its_turn(s3: S3, small: str) -> None:
    s3.put("small/b/0.pgn", GAME)
    s3.put("small/b/1.pgn", GAME)
    sources = find_sources("s3://small/b")
    s3.put("small/b/1.pgn", TEXT)
    turns = in_turn.in_turn(sources)
    assert read(next(turns)) == GAME
    with pytest.raises(SourceError, match="it has changed since it was found"):
        read(next(turns))
