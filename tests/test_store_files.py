"""What DuckDB is handed of an object store: the files that were named, to be read, and nothing else."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import sentence
from pyarrow.fs import LocalFileSystem
from s3_server import S3, SECRET

from chesstools import Dataset, ingest, query, store_files
from chesstools.errors import DatasetError, OptionError
from chesstools.folder import folder_at
from chesstools.manifest import FILE_NAME
from chesstools.sql.running import answer
from chesstools.store_object import StoreObject

PLACE, PATH = "s3://games/a dataset/100%25 [1]", "games/a dataset/100% [1]"
"""The same: as a URI, and as Arrow names it."""


@pytest.fixture
def bucket(s3: S3, archive: list[str]) -> list[str]:
    """The bucket of `PLACE` is empty; the working folder has an archive, whose files these are."""
    s3.bucket("games")
    return archive


OTHERS = [
    "FROM read_parquet('store://s3/games/secret.parquet')",
    "FROM read_text('s3://games/secret.txt')",
    "FROM read_blob('store://s3/games/*')",
    "FROM glob('store://*')",
    "FROM glob('store://s3/games/a dataset/100%25 [[]1]/games/*')",
    "FROM read_parquet('store://s3/games/a dataset/100%25 [1]/games/../../../secret.parquet')",
    "FROM read_text('store://s3/games/a dataset/100%25 [1]/_chesstools.json')",
    "FROM read_parquet('store://s3/games/a dataset/100%25 [1]/games/part-000099.parquet')",
    "COPY games TO 'store://s3/games/new.parquet'",
    "COPY games TO 'store://s3/games/a dataset/100%25 [1]/games/part-000000.parquet'",
    "ATTACH 'store://s3/games/new.db'",
    "EXPORT DATABASE 'store://s3/games/new'",
    "FROM read_text('/etc/passwd')",
    "FROM read_text('{here}/a.pgn')",
    "FROM read_text('http://{host}/games/secret.txt')",
    "FROM 'http://{host}/games/secret.parquet'",
    "INSTALL httpfs",
    "LOAD httpfs",
]


def test_sql_sees_nothing_else(s3: S3, bucket: list[str], here: Path) -> None:
    """Neither other objects of the bucket nor files nor the network; and it writes nothing anywhere."""
    ingest(bucket, PLACE)
    s3.put("games/secret.parquet", s3.get(f"{PATH}/games/part-000000.parquet"))
    s3.put("games/secret.txt", b"private")
    s3.put(f"{PATH}/games/part-000099.parquet", s3.get(f"{PATH}/games/part-000000.parquet"))
    before = {key: s3.get(f"games/{key}") for key in s3.keys("games")}
    dataset = Dataset.open(PLACE)
    assert query(dataset, "SELECT count(*) AS n FROM games").n.tolist() == [11]
    for sql in OTHERS:
        with pytest.raises(OptionError) as error:
            query(dataset, sql.format(here=here, host=s3.host))
        assert SECRET not in str(error.value)
        assert "private" not in str(error.value)
    assert {key: s3.get(f"games/{key}") for key in s3.keys("games")} == before
    with answer(
        [dataset], "FROM duckdb_settings() WHERE name IN ('enable_external_access', 'autoinstall_known_extensions')"
    ) as found:
        assert {row["value"] for row in found.table().to_pylist()} == {"false"}


def test_the_filesystem_itself_is_closed(s3: S3, bucket: list[str]) -> None:
    """Also where DuckDB would let it through: it knows the files that it was made for, and none of its ways writes."""
    ingest(bucket, PLACE)
    file, other, *_ = [*Dataset.open(PLACE).files("games"), folder_at(PLACE).file(FILE_NAME)]
    files = store_files._filesystem({store_files.name_of(file): file})  # type: ignore[dict-item]
    assert files.open(store_files.name_of(file)).read(4) == b"PAR1"
    for ask in (files.open, files.info, files.modified):
        with pytest.raises(FileNotFoundError):
            ask(store_files.name_of(other))
    assert files.glob("store://**") == []
    for mode in ("wb", "ab", "r+b", "xb"):
        with pytest.raises(PermissionError):
            files.open(store_files.name_of(file), mode)
    for write in (
        lambda: files.rm(store_files.name_of(file)),
        lambda: files.mv(store_files.name_of(file), "x"),
        lambda: files.touch(store_files.name_of(file)),
    ):
        with pytest.raises((NotImplementedError, PermissionError, OSError)):
            write()
    assert s3.get(f"{PATH}/games/{file.name}")[:4] == b"PAR1"


def test_several_threads_read_one_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB goes to a place and reads there in two steps, in several threads. (A disk stands in for the store.)"""
    numbers = np.arange(400_000)
    table = pa.table({"n": numbers, "text": [f"{n * 7919 % 10_007}" for n in numbers]})
    pq.write_table(table, "a.parquet", row_group_size=4_000)
    monkeypatch.setattr("chesstools.store_object.located", lambda uri: (LocalFileSystem(), str(here / "a.parquet")))
    stored = StoreObject("s3://games/a.parquet")
    sql = "SELECT sum(n), sum(hash(n, text)) FROM read_parquet('{}') WHERE text <> '1'"
    with duckdb.connect(config={"threads": 4}) as connection:
        store_files.register(connection, [stored])
        wanted = connection.execute(sql.format(here / "a.parquet")).fetchall()
        for _ in range(10):
            assert connection.execute(sql.format(store_files.name_of(stored))).fetchall() == wanted
    data = Path("a.parquet").read_bytes()
    file = store_files._filesystem({"x": stored}).open("x")

    def read(place: int) -> bool:
        file.seek(place)
        time.sleep(0)
        return bool(file.read(100) == data[place : place + 100] and file.tell() == min(place + 100, len(data)))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(read, np.random.default_rng(1).integers(0, len(data), 2_000).tolist()))
    assert file.seek(-10, 2) == len(data) - 10
    assert file.seek(4, 1) == len(data) - 6
    assert file.read() == data[-6:]


class Failing:
    """An object that cannot be read to its end."""

    def __init__(self, file: pa.NativeFile) -> None:
        self._file = file
        self._reads = 0

    def size(self) -> int:
        return int(self._file.size())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Failing:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def read_at(self, count: int, place: int) -> bytes:
        self._reads += 1
        if self._reads > 1:
            raise OSError("AWS Error NETWORK_CONNECTION during GetObject operation: curlCode: 7, Couldn't connect to server")
        return bytes(self._file.read_at(count, place))


def test_what_goes_wrong_is_told_as_what_it_is(s3: S3, bucket: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What SQL does wrong is not taken for the store's, nor the other way round; nor is the dataset fetched to find out."""
    ingest(bucket, PLACE)
    dataset = Dataset.open(PLACE)
    monkeypatch.setattr("chesstools.damage.damaged", lambda datasets: pytest.fail("everything was read"))
    for sql, wrong in (("SELECT event::INT FROM games", "Could not convert"), ("SELECT error('sorry') FROM games", "sorry")):
        with pytest.raises(OptionError, match=wrong) as said:
            query(dataset, sql)
        assert "s3://" not in str(said.value)
    opened = StoreObject.open
    monkeypatch.setattr(StoreObject, "open", lambda stored: Failing(opened(stored)))
    with pytest.raises(DatasetError) as error:
        query(dataset, "SELECT max(san), max(comment) FROM plies")
    told = " cannot be reached; check the network and the address of the store, and give the command again."
    assert sentence(error) in [f"{PLACE}/{table}/part-000000.parquet{told}" for table in ("games", "plies")]
