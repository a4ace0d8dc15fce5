"""What tests of `ingest` on a cluster share: the same on one machine, row by row, and processes that end without notice."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import corpora
import pyarrow as pa
from datasets import pgn

from chesstools.cluster import Cluster
from chesstools.dataset import Dataset


def tables(folder: str | Path) -> dict[str, pa.Table]:
    """All rows of a dataset, in order."""
    dataset = Dataset.open(folder)
    wanted = dataset.manifest.tables
    return {name: dataset._table(name).to_table().unify_dictionaries().combine_chunks() for name in wanted}


def check_same(folder: str | Path, wanted: str | Path) -> None:
    """A dataset holds the rows of another one, the counts, and no file beside what its manifest lists."""
    mine, theirs = Dataset.open(folder), Dataset.open(wanted)
    assert mine.manifest.state == theirs.manifest.state == "complete"
    assert mine.summary.sources == theirs.summary.sources
    other = tables(wanted)
    for name, rows in tables(folder).items():
        assert rows.equals(other[name]), name
        listed = [part.name for part in mine.manifest.parts]
        assert listed == sorted(listed)
        assert mine.folder.names(name) == listed
    for entry, other_entry in zip(mine.manifest.sources, theirs.manifest.sources, strict=True):
        assert (entry.done, entry.position, entry.notes) == (True, other_entry.position, other_entry.notes)
        assert not entry.stretches
        assert entry.hash in (None, other_entry.hash)


def write_archive(path: Path) -> None:
    """Some hundred games: of the biggest test archive, where it is there."""
    path.write_bytes(corpora.text("otb")[:600_000] if corpora.FOLDER.is_dir() else pgn(0, 8_000).encode())


@contextmanager
def killing(cluster: Cluster, times: int, chance: random.Random) -> Iterator[list[int]]:
    """Ends workers as the system does where memory ends, now and then, while the block runs. Gives the list of their ids."""
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while len(killed) < times and not over.wait(chance.uniform(0.05, 0.6)):
            with suppress(Exception):  # another worker may be on its way out
                pids: dict[str, Any] = cluster.client.run(os.getpid)
                if len(pids) < 2:  # a new one takes a while to start
                    continue
                pid = chance.choice(sorted(pids.values()))
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def command(*arguments: object) -> list[str]:
    """`chesstools` as a process of its own."""
    return [sys.executable, "-c", "import sys; from chesstools.cli.main import main; sys.exit(main())", *map(str, arguments)]


def wait_for(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
