"""What fails for a reason that may pass, while `ingest` works on a cluster, is left for another run, which makes it whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from cluster_ingest import check_same
from datasets import Stop, manifest, pgn, sentence, stop_after
from full_disk import fill_up
from loop_cluster import LoopCluster

from chesstools.cluster import Cluster, Done, planning
from chesstools.dataset import Dataset, ingest
from chesstools.errors import ChesstoolsError, DatasetError, SourceError
from chesstools.source import find_sources


def spread(sources: Any, output: str, cluster: LoopCluster | None = None, **options: Any) -> list[str]:
    """Ingests on a loop in place of a cluster; returns the errors."""
    given = cast("Cluster", cluster or LoopCluster(1))
    summary = ingest(sources, output, cluster=given, stretch_bytes=500, engine="reference", raise_source_errors=False, **options)
    return [source.error for source in summary.sources if source.error]


def test_a_source_that_is_half_done_and_cannot_be_looked_at(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.pgn").write_text(pgn(0, 60))
    ingest("a.pgn", "one", engine="reference")
    with pytest.raises(Stop):
        spread("a.pgn", "many", progress=stop_after(4))
    before = Dataset.open("many").summary.games
    assert 0 < before < 60

    def refused(*arguments: object) -> object:
        raise SourceError("a.pgn cannot be read (connection reset).")

    with monkeypatch.context() as patch:
        patch.setattr(planning, "ranges", refused)
        assert spread("a.pgn", "many") == ["a.pgn could not be cut into stretches: it cannot be read (connection reset)."]
    dataset = Dataset.open("many")
    assert (dataset.manifest.state, dataset.summary.games) == ("running", before)
    assert spread("a.pgn", "many") == []
    check_same("many", "one")


def test_a_small_source_that_vanishes(here: Path) -> None:
    """It stands in one task with others, which are judged."""
    for number in range(3):
        Path(f"{number}.pgn").write_text(pgn(number, number + 1))
    sources = find_sources(["."])
    ingest(sources, "one", engine="reference")
    Path("1.pgn").rename("away")
    (error,) = spread(sources, "many")
    assert error.startswith("./1.pgn could not be judged: it could not be read to its end (No such file")
    assert [entry["done"] for entry in manifest("many")["sources"]] == [True, False, True]
    assert manifest("many")["state"] == "running"
    Path("away").rename("1.pgn")
    assert spread(sources, "many") == []
    check_same("many", "one")


class Watched(LoopCluster):
    """Leaves a part behind when the run is closed, as a worker may."""

    is_closed = False

    def run(self, function: Callable[[Any], object], items: Iterable[Any], **options: Any) -> Iterator[Any]:
        try:
            yield from super().run(function, items, **options)
        finally:
            self.is_closed = True
            (Path("many/games") / "part-0000000-000999-00000000.parquet").touch()


def test_what_is_stopped_is_dropped_before_files_are_removed(here: Path) -> None:
    """So that what workers finish until then is removed with the rest."""
    Path("a.pgn").write_text(pgn(0, 60))
    cluster = Watched(1)
    with pytest.raises(Stop) as stop:  # its traceback holds what was under way
        spread("a.pgn", "many", cluster, progress=stop_after(3))
    assert cluster.is_closed
    listed = {part.name for part in Dataset.open("many").manifest.parts}
    assert {path.name for path in Path("many/games").iterdir()} == listed
    assert stop.traceback


def test_a_worker_that_finds_another_folder(here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 60))

    class Elsewhere(LoopCluster):
        """Workers write to a folder that is not the one of the run."""

        def _done(self, function: Callable[[Any], object], key: Callable[[Any], str], item: Any) -> Any:
            done = super()._done(function, key, item)
            for path in Path("many").glob("*/part-*"):
                path.unlink()
            return done

    with pytest.raises(DatasetError, match=r"many/games/part-0000000-000000-.* is missing or has changed") as error:
        spread("a.pgn", "many", Elsewhere(1))
    sentence(error)
    assert manifest("many")["state"] == "running"


def test_a_worker_looks_for_the_mark_of_the_run(here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 2))
    tasks: list[Any] = []

    class Kept(LoopCluster):
        def _done(self, function: Callable[[Any], object], key: Callable[[Any], str], item: Any) -> Any:
            tasks.append(item)
            return super()._done(function, key, item)

    spread("a.pgn", "many", Kept(1))
    failed = tasks[0].work()  # the run is over: the folder is that of nobody
    assert failed.of_worker
    assert "finds another folder as" in failed.sentence


def test_what_fails_once_is_tried_again(here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 30))
    ingest("a.pgn", "one", engine="reference")

    class Shaky(LoopCluster):
        def _done(self, function: Callable[[Any], object], key: Callable[[Any], str], item: Any) -> Any:
            if self.keys.count(key(item)) == 1:
                return Done(item, error="a.pgn could not be read (connection reset).")
            return super()._done(function, key, item)

    assert spread("a.pgn", "many", Shaky(1, at_once=1)) == []
    check_same("many", "one")


def test_surveys_behind_one_that_fails_are_not_made(here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 300))

    class Broken(LoopCluster):
        def _done(self, function: Callable[[Any], object], key: Callable[[Any], str], item: Any) -> Any:
            if key(item) == "survey-0-500":
                return Done(item, error="a.pgn could not be read (connection reset).")
            return super()._done(function, key, item)

    cluster = Broken(1, at_once=1)
    (error,) = spread("a.pgn", "many", cluster)
    assert error.startswith("a.pgn could not be cut into stretches from byte 500 on: ")
    assert [key for key in cluster.keys if "survey" in key] == ["survey-0-0", *["survey-0-500"] * 3]


def test_a_full_disk_ends_the_run_and_is_told_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.pgn").write_text(pgn(0, 60))
    ingest("a.pgn", "one", engine="reference")
    told: list[str] = []
    with monkeypatch.context() as patch:
        fill_up(patch, "part-0000000-000003")
        with pytest.raises(
            ChesstoolsError, match=r"part-0000000-000003-\w+\.parquet cannot be written \(No space left on device\)"
        ):
            spread("a.pgn", "many", failed=told.append)
    assert told == []
    assert manifest("many")["state"] == "running"
    assert spread("a.pgn", "many") == []
    check_same("many", "one")


def test_a_folder_that_workers_cannot_write_ends_the_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would fail for every stretch of the source."""
    Path("a.pgn").write_text(pgn(0, 600))
    ingest("a.pgn", "one", engine="reference")
    tried: list[int] = []

    def refused(job: object, piece: Any) -> object:
        tried.append(piece.place)
        raise DatasetError("many cannot be reached; check the network.")

    with monkeypatch.context() as patch:
        patch.setattr("chesstools.cluster.stretches.judge", refused)
        with pytest.raises(DatasetError) as raised:
            spread("a.pgn", "many")
    assert str(raised.value) == "A worker tried 3 times and could not write: many cannot be reached; check the network."
    assert len(set(tried)) < 30
    assert spread("a.pgn", "many") == []
    assert len(Dataset.open("many").manifest.parts) > 60  # one a stretch
    check_same("many", "one")


def test_a_source_that_vanishes_is_told_once(here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 100))
    told: list[str] = []

    def vanish(stored: int, games: int) -> None:
        Path("a.pgn").unlink(missing_ok=True)

    (error,) = spread("a.pgn", "many", progress=vanish, failed=told.append)
    judged = [sentence for sentence in told if "could not be judged from line" in sentence]
    assert len(judged) == 1
    assert error in told
    assert manifest("many")["state"] == "running"
