"""Statistics on a cluster of which a worker and then the run are ended without notice: the same again does the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from cluster_ingest import wait_for
from small_archive import timed_game

from chesstools.cluster import Cluster, Done, connected
from chesstools.dataset import ingest
from chesstools.source import Source
from chesstools.stats import write_stats

NAMES = ["outcomes", "players", "rating_tags"]
ENDS = """
import os, signal, sys
from chesstools.cluster import Cluster, connected
from chesstools.stats import write_stats

run = Cluster.run

def ending(self, function, items, *, key):
    for number, done in enumerate(run(self, function, items, key=key)):
        if "partial" in key(done.item) and number == 0:
            os.kill(min(self.client.run(os.getpid).values()), signal.SIGKILL)
        if "partial" in key(done.item) and number == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        yield done

Cluster.run = ending
with connected("local:2") as cluster:
    write_stats(sys.argv[1], sys.argv[2], cluster=cluster, unique=True, tables=sys.argv[3].split(","))
"""


class Noting:
    """A cluster, and what is asked of it."""

    def __init__(self, cluster: Cluster) -> None:
        self.workers = 5  # not as many as before: the shares are those of the first run all the same
        self.asked: set[str] = set()
        self._cluster = cluster

    def run(self, function: Callable[[Any], Any], items: Iterable[Any], *, key: Callable[[Any], str]) -> Iterator[Done[Any]]:
        def noted() -> Iterator[Any]:
            for item in items:
                if item is not None:
                    self.asked.add(key(item))
                yield item

        return self._cluster.run(function, noted(), key=key)


def test_the_run_and_its_workers(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    texts = ["".join(map(timed_game, range(start, start + 4))) for start in range(0, 30, 3)]
    ingest([Source.from_bytes(text.encode(), f"{number}.pgn") for number, text in enumerate(texts)], tmp_path / "dataset")
    write_stats(tmp_path / "dataset", tmp_path / "one", tables=NAMES, unique=True)
    words = [sys.executable, "-c", ENDS, str(tmp_path / "dataset"), str(tmp_path / "out"), ",".join(NAMES)]
    with subprocess.Popen(words, start_new_session=True) as process:
        assert process.wait(timeout=900) == -signal.SIGKILL
    wait_for(lambda: not _lives(process.pid), 300)
    (kept,) = (tmp_path / "out" / ".partial").iterdir()
    there = {path.name for path in kept.iterdir() if not path.name.startswith(".")}
    assert sum("partial" in name for name in there) >= 3
    with connected("local:1") as cluster:
        again: Any = Noting(cluster)
        write_stats(tmp_path / "dataset", tmp_path / "out", cluster=again, unique=True, tables=NAMES)
    assert again.asked
    assert not again.asked & there
    for path in (tmp_path / "one").glob("*.parquet"):
        assert pq.read_table(tmp_path / "out" / path.name).equals(pq.read_table(path), check_metadata=True)
    assert not list((tmp_path / "out").glob(".partial*"))


def _lives(group: int) -> bool:
    with suppress(ProcessLookupError):
        os.killpg(group, 0)
        return True
    return False
