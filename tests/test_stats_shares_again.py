"""Statistics on a cluster that fail or are stopped: what is done is kept, and the same command again does what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from small_archive import timed_game

from chesstools.cluster import Done
from chesstools.dataset import Dataset, ingest
from chesstools.errors import ChesstoolsError
from chesstools.folder import folder_at
from chesstools.source import Source
from chesstools.stats import write_stats
from chesstools.stats.shares import on_cluster, place, spread
from chesstools.stats.shares.summing import Summing

GONE = "OSError: the disk is away; give the same command again when the cause is gone."
NAMES = ["outcomes", "players", "rating_tags", "findings_by_year"]


class Here:
    """In place of a cluster: does tasks in this process, and notes which."""

    workers = 1

    def __init__(self, failures: int = 0, fails: str = "", stops: int = 10**9) -> None:
        self.done: list[str] = []
        self.tried: Counter[str] = Counter()
        self._failures = failures
        self._fails = fails
        self._stops = stops

    def run(self, function: Callable[[Any], Any], items: Iterable[Any], *, key: Callable[[Any], str]) -> Iterator[Done[Any]]:
        for item in items:
            assert item is not None
            name = key(item)
            self.tried[name] += 1
            if self.tried[name] <= self._failures and self._fails in name:
                yield Done(item, error=GONE)
                continue
            if len(self.done) == self._stops:
                raise KeyboardInterrupt
            result = function(item)
            self.done.append(name)
            yield Done(item, result)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Seven sources, each a part; the last one holds games of the others again."""
    folder = tmp_path_factory.mktemp("again") / "dataset"
    texts = ["".join(map(timed_game, range(3 * start, 3 * start + 3))) for start in range(6)]
    sources = [Source.from_bytes(text.encode(), f"{number}.pgn") for number, text in enumerate([*texts, texts[1] + texts[4]])]
    ingest(sources, folder)
    return Dataset.open(folder)


@pytest.fixture(scope="module")
def expected(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("expected")
    write_stats(dataset, folder, tables=NAMES, unique=True)
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares of a part each, of which two are added up at a time."""
    monkeypatch.setattr(on_cluster, "MOST_GAMES", 3)
    monkeypatch.setattr(on_cluster, "spread", lambda *given, **named: spread.spread(*given, **named, fan=2))


def run(dataset: Dataset, folder: Path, cluster: Here, **options: Any) -> None:
    work: Any = cluster
    write_stats(dataset, folder, cluster=work, **{"tables": NAMES, "unique": True, **options})


def check_same(folder: Path, expected: Path) -> None:
    names = {path.name for path in expected.iterdir()}
    assert {path.name for path in folder.iterdir()} == names
    for name in names - {"_statistics.json"}:
        assert pq.read_table(folder / name).equals(pq.read_table(expected / name), check_metadata=True), name


def test_what_fails_for_a_while_is_done_again(dataset: Dataset, expected: Path, tmp_path: Path) -> None:
    cluster = Here(failures=2)
    run(dataset, tmp_path, cluster)
    assert set(cluster.tried.values()) == {3}
    check_same(tmp_path, expected)


def test_what_fails_for_good_is_named_and_the_rest_kept(dataset: Dataset, expected: Path, tmp_path: Path) -> None:
    cluster = Here(failures=3, fails="partial-0-000002")
    with pytest.raises(ChesstoolsError) as error:
        run(dataset, tmp_path, cluster)
    assert str(error.value) == f"{dataset.path} ({dataset.manifest.parts[2].name}) could not be counted: {GONE}"
    assert {"partial-0-000006", "partial-1-000000"} <= set(cluster.done)  # the rest went on
    again = Here()
    run(dataset, tmp_path, again)
    assert not set(again.done) & set(cluster.done)
    assert again.done[:2] == ["partial-0-000002", "partial-1-000001"]
    check_same(tmp_path, expected)


def test_when_much_fails_the_rest_is_left(dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_cluster, "MOST_FAILED", 2)
    cluster = Here(failures=3)
    with pytest.raises(ChesstoolsError, match=r"could not be counted: .* \(1 more could not be done\.\)$"):
        run(dataset, tmp_path, cluster)
    assert not cluster.done


def test_a_run_that_is_stopped_anywhere_goes_on(dataset: Dataset, expected: Path, tmp_path: Path) -> None:
    """Each run does some tasks more than the one before it, and is stopped then: none is ever done again."""
    whole, done = Here(), []
    run(dataset, tmp_path / "whole", whole)
    is_stopped = True
    while is_stopped:
        cluster = Here(stops=5)
        try:
            run(dataset, tmp_path / "parts", cluster)
            is_stopped = False
        except KeyboardInterrupt:
            assert len(cluster.done) == 5
        done += cluster.done
    assert sorted(done) == sorted(whole.done)
    assert len(done) > 40
    for name in ("whole", "parts"):
        check_same(tmp_path / name, expected)


def test_nothing_of_other_work_is_taken(dataset: Dataset, expected: Path, tmp_path: Path) -> None:
    def stopped(**options: Any) -> Here:
        cluster = Here(stops=6)
        with pytest.raises(KeyboardInterrupt):
            run(options.pop("of", dataset), tmp_path, cluster, **options)
        return cluster

    assert stopped().done == (first := stopped(include_invalid=True)).done  # began anew
    entries = [replace(entry, hash="another") for entry in dataset.manifest.sources]
    changed = Dataset(dataset.folder, replace(dataset.manifest, sources=entries))
    assert stopped(of=changed).done == first.done
    assert len(list((tmp_path / ".partial").iterdir())) == 1  # what cannot be of use is gone
    run(dataset, tmp_path, whole := Here())
    assert first.done[0] in whole.done
    check_same(tmp_path, expected)


def test_a_place_that_others_use_too(dataset: Dataset, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    for name in ("one", "other"):
        with pytest.raises(KeyboardInterrupt):
            run(dataset, tmp_path / name, Here(stops=6), scratch=str(scratch))
    (scratch / "somebody").mkdir()
    assert len(list(scratch.iterdir())) == 3
    run(dataset, tmp_path / "one", cluster := Here(), scratch=str(scratch))
    assert "games-0-000000-000000" not in cluster.done
    assert len(list(scratch.iterdir())) == 2


def test_a_folder_that_was_not_wholly_removed(tmp_path: Path) -> None:
    for name in (".partial", ".partial-gone", ".partial-gone-0123"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    place.Place(folder_at(tmp_path), None).clear()
    assert list(tmp_path.iterdir()) == []


def test_sums_of_sums() -> None:
    """Whatever is there already, each share is in the sums of the end once."""

    def worked(there: set[str]) -> tuple[set[str], dict[str, list[int]]]:
        summing = Summing("a", 11, 3, there)
        holds = {f"a-0-{number:06}": [number] for number in range(11)}
        made = set()
        while not summing.is_done:
            node = summing.next()
            assert node is not None
            name = summing.name(node)
            made.add(name)
            for part in map(summing.name, summing.parts(node)):
                assert part in made | there
                holds.setdefault(name, []).extend(holds.get(part) or [-1])
            list(summing.done(node))
        return made, {name: holds.get(name, [-1]) for name in summing.top}

    made, top = worked(set())
    assert sorted(number for numbers in top.values() for number in numbers) == list(range(11))
    assert len(made) == 11 + 4 + 2
    assert worked(made)[0] == set()
    assert worked({"a-1-000000"})[0] == made - {"a-0-000000", "a-0-000001", "a-0-000002", "a-1-000000"}
