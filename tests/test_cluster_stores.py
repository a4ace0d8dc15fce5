"""`ingest` on a cluster from an object store and into one: the workers read ranges and write parts by themselves."""

from __future__ import annotations

from s3_server import S3

from chesstools.cluster import connected
from chesstools.dataset import Dataset, ingest


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
