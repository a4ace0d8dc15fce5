"""What tests of clusters on stores share: an archive in a bucket, its dataset as one machine makes it, and who reads it."""

from __future__ import annotations

import gzip
import os
import random
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import corpora
import pyarrow as pa
import pyarrow.compute as pc
from cluster_ingest import check_same, tables
from datasets import pgn
from in_stores import framed, zipped
from s3_server import KEY, S3, SECRET, Proxy
from test_cluster_convert import plain

from chesstools.cluster import Cluster
from chesstools.dataset import Dataset, ingest

STRETCH = 10_000
"""Small sources are made of these: some have many stretches, and some cannot be cut."""


@dataclass(frozen=True)
class Bucket:
    """A bucket with an archive in it.

    Attributes:
        sources: the archive, in the order in which it is judged.
        one: its dataset, as one machine made it undisturbed.
        rows: the tables of that.
    """

    s3: S3
    name: str
    sources: list[str]
    one: str
    rows: dict[str, pa.Table]

    def direct(self, name: str) -> str:
        """Something in the bucket, asked for past every proxy."""
        login = f"{KEY}:{quote(SECRET, safe='')}"
        return f"s3://{login}@{self.name}/{name}?endpoint_override={self.s3.host}&scheme=http&region=us-east-1"

    def objects(self, name: str) -> dict[str, bytes]:
        """All objects of a folder."""
        return {key: self.s3.get(f"{self.name}/{key}") for key in self.s3.keys(self.name) if key.startswith(f"{name}/")}

    def check(self, name: str) -> None:
        """See that a dataset in the bucket is that of one machine, and that no object is there but what it lists."""
        dataset = Dataset.open(self.direct(name))
        listed = {f"{name}/{table}/{part.name}" for part in dataset.manifest.parts for table in part.rows}
        there = {key for key in self.s3.keys(self.name) if key.startswith(f"{name}/")}
        assert there == {*listed, f"{name}/_chesstools.json"}
        check_same(self.direct(name), self.one)

    def check_begun(self, name: str) -> Dataset:
        """See that what a reader finds of an unfinished dataset is whole stretches, and nothing else."""
        dataset = Dataset.open(self.direct(name))
        read = {table: plain(dataset._table(table).to_table()) for table in dataset.manifest.tables}
        games = _keys(read["games"])
        assert len(games) == dataset.summary.games == len(set(games.to_pylist()))
        for table, rows in read.items():
            wanted = self.rows[table]
            assert rows.equals(wanted.filter(pc.is_in(_keys(wanted), games))), table
        return dataset


def _keys(rows: pa.Table) -> pa.ChunkedArray:
    """The game that each row is of."""
    return pc.binary_join_element_wise(rows["source"], rows["game_index"].cast(pa.string()), "#")


def put_archive(s3: S3, name: str) -> Bucket:
    """Some hundred games in every packing: with stretches to be cut, and without; and small ones."""
    text = corpora.text("otb")[:250_000] if corpora.FOLDER.is_dir() else pgn(0, 4_000).encode()
    games = [b"[Event " + game for game in text.split(b"[Event ")[1:]]
    fifth = len(games) // 5
    a, b, c, d, e = (b"".join(games[n * fifth : (n + 1) * fifth]) for n in range(5))
    members = [d[n * len(d) // 4 : (n + 1) * len(d) // 4] for n in range(4)]
    bucket = s3.bucket(name)
    packed = {
        "a.pgn": a,
        "b.pgn.zst": framed(b, 3_000),
        "c.zip": zipped({"large.pgn": c, "small.pgn": games[0], "none.pgn": b""}),
        "d.pgn.gz": b"".join(map(gzip.compress, members)),
        "e.pgn.gz": gzip.compress(e),
        "f.pgn": games[1],
    }
    for key, data in packed.items():
        s3.put(f"{name}/in/{key}", data)
    one = f"{bucket}/one"
    ingest(f"{bucket}/in", one)
    return Bucket(s3, name, [f"{bucket}/in"], one, {table: plain(rows) for table, rows in tables(one).items()})


@contextmanager
def watching(bucket: Bucket, name: str) -> Iterator[None]:
    """Somebody reads a dataset again and again while it is written. What is wrong with it is raised at the end."""
    over = threading.Event()

    def look() -> None:
        is_over = False
        while not is_over:
            is_over = over.wait(0.05)
            if bucket.s3.keys(bucket.name).count(f"{name}/_chesstools.json"):
                bucket.check_begun(name)

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(look)
        try:
            yield
        finally:
            over.set()
        reading.result()


@contextmanager
def dropping(proxy: Proxy, every: int, most: int = 1000) -> Iterator[None]:
    """The store drops a connection each time that it has sent so many bytes of answers. Three times at most never end a run."""
    before = proxy.lost
    proxy.every, proxy.most = every, before + most
    try:
        yield
    finally:
        proxy.every = 0
    assert proxy.lost > before


class Killer:
    """A progress callback that ends workers, as the system does where memory ends, at some of its calls."""

    def __init__(self, cluster: Cluster, chance: random.Random, calls: list[int]) -> None:
        self._cluster = cluster
        self._chance = chance
        self._calls = calls
        self._count = 0
        self.killed: list[int] = []

    def __call__(self, stored: int, games: int) -> None:
        self._count += 1
        if self._count not in self._calls:
            return
        with suppress(Exception):  # another worker may be on its way out
            pids: dict[str, Any] = self._cluster.client.run(os.getpid, on_error="ignore")
            if pids:
                pid = self._chance.choice(sorted(pids.values()))
                os.kill(pid, signal.SIGKILL)
                self.killed.append(pid)
