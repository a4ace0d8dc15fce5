"""validate, convert and stats on real workers, of which one is killed: what comes out is that of one machine."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from cluster_ingest import killing, write_archive
from test_cluster_convert import plain, told
from test_cluster_validate import result

from chesstools.cluster import Cluster, connected
from chesstools.convert import convert
from chesstools.dataset import ingest
from chesstools.stats import write_stats
from chesstools.validate import validate

TABLES = ["outcomes_by_year", "players", "king_squares", "findings_by_year"]
"""Some statistics: of games, of players, of plies and of findings."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("killed") / "games.pgn"
    write_archive(path)
    return path


@pytest.fixture(scope="module")
def joined() -> Iterator[Cluster]:
    with connected("local:2") as cluster:
        yield cluster


def test_validate(archive: Path, cluster: Cluster) -> None:
    wanted = result(validate(archive, also="A860"))
    with killing(cluster, 1, random.Random(1)) as killed:
        found = result(validate(archive, also="A860", cluster=cluster, stretch_bytes=20_000))
    assert found == wanted
    assert len(killed) == 1


def test_convert(archive: Path, cluster: Cluster, tmp_path: Path) -> None:
    one, many = tmp_path / "one.parquet", tmp_path / "many.parquet"
    wanted = told(convert(archive, one, table="plies"))
    with killing(cluster, 1, random.Random(2)) as killed:
        conversion = convert(archive, many, table="plies", cluster=cluster, stretch_bytes=20_000)
    assert told(conversion) == wanted
    assert plain(pq.read_table(many)).equals(plain(pq.read_table(one)))
    assert sorted(os.listdir(many))[-1] == f"part-{len(os.listdir(many)) - 1:06}.parquet"
    assert sorted(os.listdir(tmp_path)) == ["many.parquet", "one.parquet"]
    assert len(killed) == 1


def test_stats(archive: Path, cluster: Cluster, tmp_path: Path) -> None:
    dataset, one, many = tmp_path / "dataset", tmp_path / "one", tmp_path / "many"
    ingest(archive, dataset, part_games=150)
    write_stats(dataset, one, tables=TABLES)
    with killing(cluster, 1, random.Random(3)) as killed:
        write_stats(dataset, many, tables=TABLES, cluster=cluster)
    assert sorted(os.listdir(many)) == sorted(os.listdir(one))
    for path in one.glob("*.parquet"):
        assert pq.read_table(many / path.name).equals(pq.read_table(path), check_metadata=True), path.name
    assert len(killed) == 1
