"""Workers with little memory: what they need does not grow with a source, cut or not, and the limit that Dask sets is kept."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import corpora
import pytest
from datasets import pgn
from strategies import FULL

from chesstools.cluster import Cluster, connected
from chesstools.convert import convert
from chesstools.dataset import ingest
from chesstools.validate import validate

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process has taken at most")

LIMIT = 512_000_000
"""That of a worker, as docs/cluster.md names it."""

TEXT_BYTES = 300_000_000 if FULL else 30_000_000
LONG_BYTES = 50_000_000 if FULL else 10_000_000


def most_memory() -> int:
    """The bytes that this process had at most."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


@pytest.fixture(scope="module")
def games() -> bytes:
    return corpora.text("otb") if corpora.FOLDER.is_dir() else pgn(0, 20_000).encode()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, games: bytes) -> Path:
    """What cannot be cut, and among other games one with a long comment, and one with many moves."""
    folder = tmp_path_factory.mktemp("large")
    with gzip.open(folder / "whole.pgn.gz", "wb", 1) as file:
        for _ in range(TEXT_BYTES // len(games)):
            file.write(games)
    some = games[:20_000].rpartition(b"[Event ")[0]
    lines = b"lorem ipsum dolor sit amet\n" * (LONG_BYTES // 27)
    (folder / "comment.pgn").write_bytes(some + b'[Event "a"]\n\n1. e4 {' + lines + b"} e5 *\n\n" + some)
    moves = b"".join(b"%d. %s\n" % (n + 1, b"Ng1 Ng8" if n % 2 else b"Nf3 Nf6") for n in range(LONG_BYTES // 15))
    (folder / "moves.pgn").write_bytes(some + b'[Event "a"]\n\n' + moves + b"*\n\n" + some)
    return folder


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr("distributed.system.MEMORY_LIMIT", LIMIT)
    with connected("local:1") as joined:
        yield joined


@pytest.mark.parametrize("work", ["ingest", "validate", "convert"])
def test_bounded(archive: Path, cluster: Cluster, tmp_path: Path, work: str) -> None:
    """One worker does all of it, and is never ended for what it takes."""
    info = cluster.client.scheduler_info()["workers"]
    assert [worker["memory_limit"] for worker in info.values()] == [LIMIT]
    before = cluster.client.run(os.getpid)
    source = [archive]
    if work == "ingest":
        summary = ingest(source, tmp_path / "dataset", cluster=cluster, stretch_bytes=1_000_000)
        assert [one.error for one in summary.sources] == [None] * 3
    elif work == "validate":
        validation = validate(source, cluster=cluster, stretch_bytes=1_000_000)
        assert sum(batch.num_rows for batch in validation.batches()) > 0
        assert [one.error for one in validation.summary.sources] == [None] * 3
    else:
        conversion = convert(source, tmp_path / "x.parquet", table="plies", cluster=cluster, stretch_bytes=1_000_000)
        assert conversion.errors == []
    assert cluster.client.run(os.getpid) == before
    (most,) = cluster.client.run(most_memory).values()
    assert most < 0.95 * LIMIT
