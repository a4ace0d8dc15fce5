"""Datasets in an object store: written, resumed, opened and asked as those on a disk."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from datasets import POSIX, Stop, pgn, sentence, stop_after
from s3_server import KEY, S3, SECRET, environment, in_environment, running

from chesstools import ChesstoolsError, Dataset, find, ingest, query, stats
from chesstools.errors import DatasetError
from chesstools.folder import LOCK_NAME
from chesstools.manifest import FILE_NAME
from chesstools.store_folder import StoreFolder
from chesstools.stores import take_apart

PLACE, PATH = "s3://games/a dataset/100%25 [1]", "games/a dataset/100% [1]"
"""The same: as a URI, and as Arrow names it."""


@pytest.fixture
def bucket(s3: S3, archive: list[str]) -> list[str]:
    """The bucket of `PLACE` is empty; the working folder has an archive, whose files these are."""
    s3.bucket("games")
    return archive


def rows(place: str) -> dict[str, list[dict[str, object]]]:
    dataset = Dataset.open(place)
    tables = {"games": dataset.games, "plies": dataset.plies, "findings": dataset.findings}
    return {table: tables[table]().to_table().to_pylist() for table in dataset.manifest.tables}


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_as_on_a_disk(s3: S3, bucket: list[str], jobs: int) -> None:
    ingest(bucket, "local", part_games=3, also=["A860"])
    assert ingest(bucket, PLACE, part_games=3, also=["A860"], jobs=jobs).games == 11
    assert rows(PLACE) == rows("local")
    assert s3.keys(PATH) == sorted(path.relative_to("local").as_posix() for path in Path("local").rglob("*.*"))
    assert json.loads(s3.get(f"{PATH}/{FILE_NAME}")) == json.loads(Path("local", FILE_NAME).read_text())
    assert str(Dataset.open(PLACE).path) == PLACE
    assert Dataset.open(PLACE).to_pandas("plies").equals(Dataset.open("local").to_pandas("plies"))
    assert not Path("s3:").exists()


def test_nothing_to_write(s3: S3, bucket: list[str]) -> None:
    assert ingest("b.pgn", PLACE).games == 0
    assert rows(PLACE) == {"games": [], "plies": [], "findings": []}


def test_a_whole_bucket(s3: S3, bucket: list[str]) -> None:
    ingest(bucket, "s3://games/", part_games=4)
    ingest(bucket, "local", part_games=4)
    assert rows("s3://games") == rows("local")
    with pytest.raises(DatasetError) as error:
        ingest(bucket, "s3://games")
    assert sentence(error).startswith("The folder s3://games holds a complete dataset; give --overwrite")


def test_large_parts_go_in_pieces(s3: S3, bucket: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chesstools.store_object.MEMORY_BYTES", 0)
    ingest(bucket, "local")
    ingest(bucket, PLACE)
    assert rows(PLACE) == rows("local")


@pytest.mark.parametrize("memory", [0, 1 << 20])
def test_stopped_and_resumed(s3: S3, bucket: list[str], monkeypatch: pytest.MonkeyPatch, memory: int) -> None:
    """At any step; what is there can be read meanwhile, and the end is that of an undisturbed run."""
    monkeypatch.setattr("chesstools.store_object.MEMORY_BYTES", memory)
    ingest(bucket, "whole", part_games=2, block_bytes=80)
    before = rows("whole")
    for steps in (1, 3, 4, 6):
        with pytest.raises(Stop):
            ingest(bucket, PLACE, part_games=2, block_bytes=80, progress=stop_after(steps), overwrite=True)
        assert LOCK_NAME not in s3.keys(PATH)
        read = rows(PLACE)
        assert all(read[table] == before[table][: len(read[table])] for table in read)
        ingest(bucket, PLACE, part_games=2, block_bytes=80)
        assert rows(PLACE) == before


@POSIX
def test_killed_and_resumed(s3: S3, bucket: list[str]) -> None:
    """A process that ends without a word, in the midst of a part, leaves nothing that a reader sees, and the next one goes on."""
    ingest(bucket, "whole", part_games=2, block_bytes=80)
    program = """
    import os, sys
    from chesstools import ingest, saving, store_object
    store_object.MEMORY_BYTES = 0
    saving.SAVE_SHARE = 0  # else it depends on the time how far the manifest has come
    calls = iter(range(1, 1000))
    def progress(stored, games):
        if next(calls) == int(sys.argv[2]):
            print("here", flush=True)
            import time; time.sleep(60)
    ingest(sys.argv[3:], sys.argv[1], part_games=2, block_bytes=80, progress=progress)
    """
    for steps in ("2", "3"):
        command = [sys.executable, "-c", textwrap.dedent(program), PLACE, steps, *bucket]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"here\n"
            process.send_signal(signal.SIGKILL)
        assert Dataset.open(PLACE).manifest.state == "running"
        assert 0 < len(rows(PLACE)["games"]) < 11
    s3.put(f"{PATH}/games/part-000099.parquet", b"what a run left behind")
    comes = len(Dataset.open(PLACE).manifest.parts)
    s3.put(f"{PATH}/plies/part-{comes:06}.parquet", b"the same, under a name that comes again")
    assert len(rows(PLACE)["games"]) < 11
    ingest(bucket, PLACE, part_games=2, block_bytes=80)
    assert rows(PLACE) == rows("whole")
    assert s3.keys(PATH) == sorted(path.relative_to("whole").as_posix() for path in Path("whole").rglob("*.*"))


def test_another_run_comes(s3: S3, bucket: list[str]) -> None:
    """The one that was there stops, and touches nothing of the other's."""
    begun = iter(range(100))

    def progress(stored: int, games: int) -> None:
        if next(begun) == 2:
            ingest(bucket, PLACE, part_games=2, overwrite=True)

    with pytest.raises(DatasetError) as error:
        ingest(bucket, PLACE, part_games=3, block_bytes=80, progress=progress)
    assert sentence(error) == f"Another run has begun to write to {PLACE}; wait for it to end, or choose another folder."
    assert Dataset.open(PLACE).manifest.options["part_games"] == 2


@pytest.mark.parametrize("size", [1, 1000, 3000])
def test_what_is_replaced_while_it_is_read(s3: S3, bucket: list[str], monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """As a manifest is again and again: what is read is what was there before, or after, whichever of them is larger."""
    folder = StoreFolder(PLACE)
    s3.put(f"{PATH}/x", b"a" * 1000)
    later = [b"b" * size, b"c" * 1000]

    class Replacing:
        """A store in which the object is replaced when it was opened."""

        def open_input_file(self, path: str) -> object:
            file = s3.filesystem.open_input_file(path)
            if later:
                s3.put(path, later.pop(0))
            return file

    with monkeypatch.context() as patch:
        patch.setattr(
            "chesstools.store_object.located", lambda uri: (Replacing(), take_apart(uri).host + "/" + take_apart(uri).key)
        )
        assert folder.read("x") == b"c" * 1000
    s3.put(f"{PATH}/x", b"")
    assert folder.read("x") == b""
    assert folder.read("y") is None


def test_strangers(s3: S3, bucket: list[str]) -> None:
    s3.put(f"{PATH}/letter.txt", b"private")
    with pytest.raises(DatasetError) as error:
        ingest(bucket, PLACE, overwrite=True)
    assert sentence(error) == (
        f"The folder {PLACE} holds files that are no part of a dataset (letter.txt); choose another folder, or move them away."
    )
    with pytest.raises(DatasetError) as error:
        ingest(bucket, f"{PLACE}/letter.txt")
    assert sentence(error) == f"{PLACE}/letter.txt is a file; give the name of a folder for the dataset."
    assert s3.get(f"{PATH}/letter.txt") == b"private"


def test_asked(s3: S3, bucket: list[str]) -> None:
    ingest(bucket, "local", part_games=3)
    ingest(bucket, PLACE, part_games=3)
    sql = "SELECT event, count(*) AS plies, max(san) FROM games JOIN plies USING (source, game_index) GROUP BY ALL ORDER BY 1"
    assert query(PLACE, sql).equals(query("local", sql))
    assert query([PLACE], "SELECT event FROM games LIMIT 3").event.tolist() == ["Cup 0", "Cup 1", "Cup 2"]
    local, stored = stats("local"), stats(PLACE)
    assert list(local) == list(stored)
    for name in local:
        assert stored[name].to_pylist() == local[name].to_pylist()
    wanted = {"material": "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"}
    assert find(PLACE, **wanted).equals(find("local", **wanted))
    with pytest.raises(DatasetError) as error:
        query([PLACE, "local"], sql)
    assert sentence(error) == f"{PLACE} and local both hold the source a.pgn; give one of them only."
    assert len(query([PLACE, f"{PLACE}/"], "FROM games")) == 11


def test_damage(s3: S3, bucket: list[str]) -> None:
    ingest(bucket, PLACE, part_games=100)
    name = f"{PATH}/plies/part-000000.parquet"
    data = s3.get(name)
    s3.put(name, data[:-1])
    for ask in (lambda: query(PLACE, "FROM plies"), lambda: Dataset.open(PLACE).plies(), lambda: stats(PLACE)):
        with pytest.raises(DatasetError) as error:
            ask()
        assert sentence(error) == f"{PLACE}/plies/part-000000.parquet is damaged; ingest again with --overwrite."
    s3.put(name, data[:100] + bytes(len(data) - 108) + data[-8:])
    for ask in (lambda: query(PLACE, "FROM plies"), lambda: Dataset.open(PLACE).to_pandas("plies"), lambda: stats(PLACE)):
        with pytest.raises(DatasetError) as error:
            ask()
        assert sentence(error) == f"{PLACE}/plies/part-000000.parquet is damaged; ingest again with --overwrite."
    s3.filesystem.delete_file(name)
    with pytest.raises(DatasetError) as error:
        query(PLACE, "FROM plies")
    assert sentence(error) == f"{PLACE}/plies/part-000000.parquet is missing; ingest again with --overwrite."


def test_no_bucket_no_dataset(s3: S3, bucket: list[str]) -> None:
    with pytest.raises(DatasetError) as error:
        ingest(bucket, "s3://nobody-has-it/dataset")
    assert sentence(error) == "s3://nobody-has-it/dataset/_chesstools.lock is in a bucket that does not exist; check its name."
    for place in (PLACE, "s3://nobody-has-it/dataset"):
        with pytest.raises(DatasetError) as error:
            Dataset.open(place)
        assert sentence(error) == f"There is no dataset in {place} (no {FILE_NAME}); check the path, or make one with ingest."


def test_credentials_are_never_told(s3: S3, bucket: list[str]) -> None:
    from urllib.parse import quote

    login = f"{KEY}:{quote(SECRET, safe='')}@"
    place = f"s3://{login}games/x?endpoint_override={s3.host}&scheme=http&region=us-east-1"
    with in_environment({**environment("127.0.0.1:1"), "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}):
        ingest(bucket, place)
        dataset = Dataset.open(place)
        assert query(dataset, "SELECT count(*) AS n FROM games").n.tolist() == [11]
        told = [
            str(dataset.path),
            repr(dataset.folder),
            str(dataset.files("games")),
            query(dataset, "FROM duckdb_views()").to_csv(),
        ]
        with pytest.raises(ChesstoolsError) as error:
            ingest(bucket, place)
        told.append(str(error.value))
    told += [str(s3.get(f"games/{key}")) for key in s3.keys("games") if key.endswith(".json")]
    assert not [text for text in told if KEY in text or SECRET in text or quote(SECRET, safe="") in text]


def test_a_store_that_does_not_answer(s3: S3, bucket: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chesstools.stores.filesystems.S3_ATTEMPTS", 1)
    with in_environment(environment("127.0.0.1:1")):
        for ask in (lambda: ingest(bucket, PLACE), lambda: Dataset.open(PLACE), lambda: query(PLACE, "FROM games")):
            with pytest.raises(DatasetError) as error:
                ask()
            assert "cannot be reached" in sentence(error)


def test_a_store_that_ends_meanwhile(bucket: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads and reads that fail in the midst are told in a sentence, and not as damage."""
    monkeypatch.setattr("chesstools.stores.filesystems.S3_ATTEMPTS", 1)
    with running() as other:
        other.bucket("games")
        ingest(bucket, PLACE)
        dataset = Dataset.open(PLACE)
    with in_environment(environment("127.0.0.1:1")):
        for ask in (lambda: dataset.files("games"), lambda: dataset.to_pandas("games"), lambda: query(dataset, "FROM games")):
            with pytest.raises(DatasetError) as error:
                ask()
            assert "cannot be reached" in sentence(error)


def test_more_games_than_memory_holds(s3: S3, bucket: list[str]) -> None:
    Path("big.pgn").write_text(pgn(0, 2000))
    ingest("big.pgn", PLACE, part_games=500, jobs=2)
    assert query(PLACE, "SELECT count(*) AS n, sum(ply_count) AS plies FROM games").values.tolist() == [[2000, 8000]]
