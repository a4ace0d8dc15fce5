"""An interrupt while the manifest is brought up to date: no row is listed twice, and none is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from cluster_ingest import check_same
from datasets import pgn
from interrupted import interrupted_at
from loop_cluster import LoopCluster

from chesstools.cluster import Cluster
from chesstools.cluster.cutting import Cutting
from chesstools.cluster.ingest import Spread
from chesstools.dataset import Dataset, ingest
from chesstools.run import Run
from chesstools.saving import Saver


def any_line(run: Callable[[], object], *functions: Callable[..., object]) -> None:
    """Interrupts `run` at one line after the other, and checks what that leaves, and what the same run makes of it then."""
    line = 0
    while True:
        shutil.rmtree("out", ignore_errors=True)
        with interrupted_at(line, *functions) as where:
            try:
                run()
            except KeyboardInterrupt:
                assert where
        if not where:
            break
        dataset = Dataset.open("out")
        assert dataset.summary.games == sum(part.rows["games"] for part in dataset.manifest.parts), where
        if dataset.manifest.state == "running":
            run()
        check_same("out", "one")
        line += 3
    assert line > 30


def test_on_one_machine(here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 5))
    Path("b.pgn").write_text(pgn(5, 6))

    def run() -> None:
        ingest(["a.pgn", "b.pgn"], "out", part_games=3, block_bytes=100, engine="reference")

    ingest(["a.pgn", "b.pgn"], "one", part_games=3, engine="reference")
    any_line(run, Run._commit, Saver.complete)


@pytest.mark.parametrize("stretch_bytes", [200, 100_000])
def test_on_a_cluster(here: Path, stretch_bytes: int) -> None:
    Path("a.pgn").write_text(pgn(0, 5))
    Path("b.pgn").write_text(pgn(5, 6))

    def run() -> None:
        cluster = cast("Cluster", LoopCluster(1))
        ingest(["a.pgn", "b.pgn"], "out", cluster=cluster, stretch_bytes=stretch_bytes, engine="reference")

    ingest(["a.pgn", "b.pgn"], "one", engine="reference")
    any_line(run, Spread._commit, Cutting.surveyed, Cutting.judged, Saver.complete)
