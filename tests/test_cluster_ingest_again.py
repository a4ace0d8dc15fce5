"""What fails for a reason that may pass, while `ingest` works on a cluster, is left for another run, which makes it whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from cluster_ingest import check_same
from datasets import Stop, manifest, pgn, stop_after
from loop_cluster import LoopCluster

from chesstools.cluster import Cluster, planning
from chesstools.dataset import Dataset, ingest
from chesstools.errors import SourceError
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
        assert spread("a.pgn", "many") == ["a.pgn could not be cut into stretches: a.pgn cannot be read (connection reset)."]
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
    assert error.startswith("./1.pgn could not be judged: ./1.pgn could not be read to its end (No such file")
    assert [entry["done"] for entry in manifest("many")["sources"]] == [True, False, True]
    assert manifest("many")["state"] == "running"
    Path("away").rename("1.pgn")
    assert spread(sources, "many") == []
    check_same("many", "one")


class Watched(LoopCluster):
    """Notes what is in the folder when the run is closed."""

    def run(
        self, function: Callable[[Any], object], items: Iterable[Any], *, key: Callable[[Any], str], tell: object = None
    ) -> Iterator[Any]:
        try:
            yield from super().run(function, items, key=key)
        finally:
            (Path("many/games") / "part-0000000-000999-00000000.parquet").touch()


def test_what_is_stopped_is_dropped_before_files_are_removed(here: Path) -> None:
    """So that what workers finish until then is removed with the rest."""
    Path("a.pgn").write_text(pgn(0, 60))
    with pytest.raises(Stop) as stop:  # its traceback holds what was under way
        spread("a.pgn", "many", Watched(1), progress=stop_after(3))
    listed = {part.name for part in Dataset.open("many").manifest.parts}
    assert {path.name for path in Path("many/games").iterdir()} == listed
    assert stop.traceback
