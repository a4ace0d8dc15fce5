"""A share that fails on a cluster is tried again, and is named where it fails for good; what a run leaves behind is removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chesstools.cluster import Done
from chesstools.dataset import Dataset, ingest
from chesstools.errors import ChesstoolsError
from chesstools.local_folder import LocalFolder
from chesstools.source import Source
from chesstools.stats.run import computation
from chesstools.stats.shares import on_cluster
from chesstools.stats.statistic import Options

GONE = "OSError: the disk is away; give the same command again when the cause is gone."


class Failing:
    """In place of a cluster: the first attempts at each task fail."""

    workers = 1

    def __init__(self, failures: int) -> None:
        self._failures = failures
        self._tried: dict[str, int] = {}

    def run(self, function: Callable[[Any], Any], items: Iterable[Any], *, key: Callable[[Any], str]) -> Iterator[Done[Any]]:
        for item in items:
            assert item is not None
            tried = self._tried[key(item)] = self._tried.get(key(item), 0) + 1
            yield Done(item, error=GONE) if tried <= self._failures else Done(item, function(item))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("again") / "dataset"
    ingest(Source.from_bytes(b'[Result "1-0"]\n\n1. e4 e5 1-0\n' * 3, "a.pgn"), folder)
    return Dataset.open(folder)


def test_what_fails_for_a_while_is_done_again(dataset: Dataset, tmp_path: Path) -> None:
    cluster: Any = Failing(2)
    names = ["outcomes"]
    folder = LocalFolder(tmp_path)
    with on_cluster.computation_on_cluster(cluster, [dataset], Options(), names, folder) as work:
        found = [work.batches(one).read_all().to_pylist() for one in work.statistics]
    with computation([dataset], Options(), names) as work:
        assert found == [work.batches(one).read_all().to_pylist() for one in work.statistics]
    assert list(tmp_path.iterdir()) == []


def test_what_fails_for_good_is_named(dataset: Dataset, tmp_path: Path) -> None:
    cluster: Any = Failing(3)
    part = dataset.manifest.parts[0].name
    with (
        pytest.raises(ChesstoolsError) as error,
        on_cluster.computation_on_cluster(cluster, [dataset], Options(), ["outcomes"], LocalFolder(tmp_path)),
    ):
        raise AssertionError
    assert str(error.value) == f"{dataset.path} ({part}) could not be counted: {GONE}"


def test_a_folder_that_was_not_wholly_removed(tmp_path: Path) -> None:
    for name in (".partial", ".partial-gone", ".partial-gone-0123"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    on_cluster._remove(tmp_path / ".partial")
    assert list(tmp_path.iterdir()) == []
