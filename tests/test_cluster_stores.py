"""`ingest` on a cluster from an object store and into one: the workers read ranges and write parts by themselves."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from loop_cluster import LoopCluster
from s3_server import S3

from chesstools.cluster import Cluster, connected, travelling
from chesstools.dataset import Dataset, ingest
from chesstools.source import Source
from chesstools.validate import validate


def test_from_a_store_and_into_one(s3: S3) -> None:
    game = b'[Event "a"]\n[Site "b"]\n\n1. e4 e5 {one} 2. Nf3 *\n\n'
    bucket = s3.bucket("cluster")
    s3.put("cluster/in/a.pgn", game * 600)
    for number in range(3):
        s3.put(f"cluster/in/b{number}.pgn", game * number)
    ingest(f"{bucket}/in", f"{bucket}/one")
    with connected("local:1") as cluster:
        ingest(f"{bucket}/in", f"{bucket}/many", cluster=cluster, stretch_bytes=4_000)
    one, many = Dataset.open(f"{bucket}/one"), Dataset.open(f"{bucket}/many")
    assert many.manifest.state == "complete"
    assert many.summary.sources == one.summary.sources
    assert len(many.manifest.parts) > 6
    for table in ("games", "plies", "findings"):
        assert many._table(table).to_table().equals(one._table(table).to_table())
        names = {key.rpartition("/")[2] for key in s3.keys("cluster") if f"many/{table}/" in key}
        assert names == {part.name for part in many.manifest.parts}


def test_findings_pass_through_a_store(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are too much to travel. Nothing stays behind."""
    bucket = s3.bucket("scratch")
    source = Source.from_bytes(b"1. e4 e5 2. Ke3 {bad} *\n\n" * 500, "a.pgn")
    monkeypatch.setattr(travelling.Way, "__init__", with_little(travelling.Way.__init__))
    cluster = LoopCluster()
    seen: list[str] = []
    steps = travelling.Judged.steps

    def look(self: travelling.Judged) -> Any:
        seen.extend(name for name in s3.keys("scratch") if name.startswith("for/all/chesstools-"))
        return steps(self)

    monkeypatch.setattr(travelling.Judged, "steps", look)
    found = list(validate(source, cluster=cast("Cluster", cluster), scratch=f"{bucket}/for/all"))
    assert found == list(validate(source))
    assert cluster.keys == ["0-0-0"]
    assert {re.sub(r"for/all/chesstools-\w{8}-", "", name) for name in seen} == {
        "here",
        "0-0-0.players.arrows",
        "0-0-0.findings.arrows",
    }
    assert s3.keys("scratch") == []


def with_little(init: Any) -> Any:
    return lambda self, *args: init(self, *args, result_bytes=1)
