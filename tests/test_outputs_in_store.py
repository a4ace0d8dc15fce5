"""What commands write with -o into an object store is what they write to a disk; and no folder called s3: appears."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import Cli, command
from datasets import sentence
from s3_server import KEY, S3, SECRET, environment, in_environment

from chesstools import convert
from chesstools.errors import DatasetError, OutputError
from chesstools.folder import folder_at, part_name
from chesstools.lanes import Lane
from chesstools.parts import PartWriter, file_schemas
from chesstools.places import check, written
from chesstools.ratings.output import Folder
from chesstools.ratings.tables import GAMES, PLAYERS
from chesstools.schema import FINDINGS
from chesstools.store_object import Upload

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.fixture
def chesstools(s3: S3, archive: list[str], capsys: pytest.CaptureFixture[str]) -> Iterator[Cli]:
    """The command, in a folder with an archive and the same as a dataset, and with an empty bucket called out."""
    s3.bucket("out")
    yield command(capsys)
    assert sorted(os.listdir()) == sorted({*archive, *(name for name in ("local", "dataset") if Path(name).exists())})


def break_off(place: str) -> None:
    """Begin to write, and fail."""
    with suppress(ZeroDivisionError), written(place) as out:
        out.write(b"new" * 1000)
        raise ZeroDivisionError


FILES = {
    "validate": "validate a.pgn -o {}/findings.jsonl",
    "validate csv": "validate a.pgn -o {}/findings.csv",
    "validate parquet": "validate a.pgn -o {}/findings.parquet",
    "validate sarif": "validate a.pgn -o {}/findings.sarif",
    "convert": "convert a.pgn c.pgn.gz -o {}/games.pgn",
    "convert gz": "convert a.pgn -o {}/games.pgn.gz",
    "convert zst": "convert a.pgn -o {}/games.pgn.zst",
    "convert frames": "convert a.pgn -o {}/games.pgn.zst --frames 100",
    "convert parquet": "convert a.pgn -o {}/games.parquet",
    "convert arrow": "convert a.pgn -o {}/games.arrow",
    "convert csv": "convert a.pgn -o {}/games.csv",
    "convert jsonl": "convert a.pgn -o {}/games.jsonl",
    "query": "query a.pgn FROM\tgames -o {}/rows.csv",
    "query parquet": "query a.pgn FROM\tgames -o {}/rows.parquet",
    "query arrow": "query a.pgn FROM\tgames -o {}/rows.arrow",
    "find": "find a.pgn --material KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP -o {}/found.json",
    "find pgn": "find a.pgn --material KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP -o {}/found.pgn",
    "fen key": f"fen key {FEN.replace(' ', chr(9))} -o {{}}/keys.parquet",
    "fen render": f"fen render {FEN.replace(' ', chr(9))} -o {{}}/board.svg",
}


def content(name: str, data: bytes) -> object:
    """What can be compared: Arrow files have gaps, in which anything may stand."""
    return pa.ipc.open_file(data).read_all() if name.endswith(".arrow") else data


@pytest.mark.parametrize("line", FILES.values(), ids=FILES)
def test_files(chesstools: Cli, s3: S3, line: str) -> None:
    Path("local").mkdir()
    words = [word.replace("\t", " ") for word in line.split(" ")]
    name = words[words.index("-o") + 1].rpartition("/")[2]
    local = chesstools(*(word.format("local") for word in words), "--quiet") if words[0] != "fen" else None
    if local is None:
        assert chesstools(*(word.format("local") for word in words)).status == 0
    login = f"s3://{KEY}:{SECRET.replace('/', '%2F').replace('%T', '%25T')}@out"
    stored = chesstools(*(word.format("s3://out") for word in words))
    assert stored.status == (0 if local is None else local.status), stored.err
    assert content(name, s3.get(f"out/{name}")) == content(name, Path("local", name).read_bytes())
    with_login = [word.format(login) + ("?region=us-east-1" if "{}" in word else "") for word in words]
    again = chesstools(*with_login)
    assert again.status == stored.status, again.err
    assert SECRET not in again.out + again.err
    assert KEY not in again.out + again.err
    assert s3.keys("out") == [name]


FOLDERS = {
    "ingest": "ingest a.pgn -o {}",
    "convert": "convert a.pgn --to dataset -o {}",
    "stats": "stats a.pgn -o {} --tables outcomes,lengths,material_scores",
    "stats csv": "stats a.pgn -o {} --tables outcomes --format csv",
    "openings": "openings tree a.pgn -o {}",
    "ratings": "ratings a.pgn -o {} --method elo,glicko2",
}


@pytest.mark.parametrize("line", FOLDERS.values(), ids=FOLDERS)
def test_folders(chesstools: Cli, s3: S3, line: str) -> None:
    assert chesstools(*line.format("local").split()).status == 0
    done = chesstools(*line.format("s3://out/tables").split())
    assert done.status == 0, done.err
    files = sorted(path.relative_to("local").as_posix() for path in Path("local").rglob("*.*"))
    assert s3.keys("out/tables") == files
    for name in files:
        data = s3.get(f"out/tables/{name}")
        if name.endswith(".parquet"):
            assert pq.read_table(io.BytesIO(data)).equals(pq.ParquetFile(f"local/{name}").read()), name
        else:
            assert data == Path("local", name).read_bytes(), name
    refused = chesstools(*line.format("s3://out/tables").split())
    assert refused.status == 2
    assert "--overwrite" in refused.err
    assert chesstools(*line.format("s3://out/tables").split(), "--overwrite").status == 0
    assert s3.keys("out/tables") == files


def test_report(chesstools: Cli, s3: S3) -> None:
    pytest.importorskip("altair")
    done = chesstools("report", "a.pgn", "-o", "s3://out/pages/report.html.gz")
    assert done.status == 0, done.err
    assert "s3://out/pages/report.html.gz: " in done.err
    assert gzip.decompress(s3.get("out/pages/report.html.gz")).startswith(b"<!doctype html>")
    done = chesstools("report", "a.pgn", "-o", "s3://out/report.html", "--png", "s3://out/png")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "chesstools: s3://out/png is in an object store, where pictures cannot be written; write to a disk, and copy it there.\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "fix a.pgn -o s3://out/fixed.pgn",
        "fix a.pgn c.pgn.gz -o S3://out/fixed",
        "fix a.pgn -o - --report s3://out/report.jsonl",
        "ratings a.pgn --state s3://out/state.parquet",
    ],
)
def test_what_is_for_disks(chesstools: Cli, s3: S3, line: str) -> None:
    done = chesstools(*line.split())
    assert done.status == 2
    assert "is in an object store, where" in done.err
    assert done.err.count("\n") == 1
    assert s3.keys("out") == []


@pytest.mark.parametrize(("line", "what"), [("stats", "statistics"), ("ratings", "ratings"), ("openings tree", "openings")])
def test_an_object_is_no_folder(chesstools: Cli, s3: S3, line: str, what: str) -> None:
    s3.put("out/letter.txt", b"Dear reader")
    done = chesstools(*line.split(), "a.pgn", "-o", "s3://out/letter.txt", "--quiet")
    assert (done.status, done.err) == (
        2,
        f"chesstools: s3://out/letter.txt is a file; give the name of a folder for the {what}.\n",
    )
    assert s3.get("out/letter.txt") == b"Dear reader"


def test_ratings_that_another_run_came_to_replace_nothing_of_it(s3: S3) -> None:
    s3.bucket("two-runs")
    rows = Folder(
        folder_at("s3://two-runs/rated"), {"elo": GAMES["elo"]}, FINDINGS, counted=0, read=0, resumed=False, overwrite=True
    )
    s3.put("two-runs/rated/_chesstools.lock", b"another run")
    s3.put("two-runs/rated/elo/players.parquet", b"theirs")
    with pytest.raises(OutputError, match="Another run has begun to write to s3://two-runs/rated; "):
        rows.finish({"elo": PLAYERS["elo"].empty_table()})
    rows.abort()
    assert s3.keys("two-runs") == ["rated/_chesstools.lock", "rated/elo/players.parquet"]
    assert s3.get("two-runs/rated/elo/players.parquet") == b"theirs"


def test_a_part_is_not_put_in_place_of_that_of_another_run(s3: S3) -> None:
    s3.bucket("two-parts")
    folder = folder_at("s3://two-parts/ds")
    with folder.claim():
        writer = PartWriter(
            folder, part_name(0), file_schemas(["games"], tool_version="1", profile="auto"), {"games": Lane(has_thread=False)}
        )
        s3.put("two-parts/ds/_chesstools.lock", b"another run")
        s3.put("two-parts/ds/games/part-000000.parquet", b"theirs")
        with pytest.raises(DatasetError, match="Another run has begun to write"):
            writer.finish()
        writer.abort()
    assert s3.get("two-parts/ds/games/part-000000.parquet") == b"theirs"


def test_a_source_is_not_replaced(chesstools: Cli, s3: S3) -> None:
    assert chesstools("ingest", "a.pgn", "-o", "s3://out/dataset").status == 0
    before = s3.keys("out")
    for line in (
        "query s3://out/dataset FROM\tgames -o s3://out/dataset/games/part-000000.parquet",
        "stats s3://out/dataset -o s3://out/dataset",
    ):
        done = chesstools(*(word.replace("\t", " ") for word in line.split(" ")))
        assert done.status == 2
        assert "lies in the dataset s3://out/dataset, which is read; give --output another place." in done.err
    assert s3.keys("out") == before


def test_commands_over_a_dataset(chesstools: Cli, s3: S3) -> None:
    """What they print of a dataset in a store is what they print of the same on a disk."""
    games = Path("a.pgn").read_text().replace("[Result", '[White "A"]\n[Black "B"]\n[Result').replace("*", "1-0")
    Path("a.pgn").write_text(games)
    for place in ("dataset", "s3://out/dataset"):
        assert chesstools("ingest", "a.pgn", "-o", place).status == 0
    for line in (
        "ratings {}",
        "find {} --material KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP",
        "convert {} --to uci -o - --quiet",
        "openings explore {} 1.e4",
    ):
        of_disk, of_store = (chesstools(*line.format(place).split()) for place in ("dataset", "s3://out/dataset"))
        assert of_store == of_disk
        assert of_disk.status == 0


def test_no_permission(chesstools: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*path: object, **settings: object) -> None:
        raise OSError("When uploading key 'a' in bucket 'out': AWS Error ACCESS_DENIED during PutObject operation: Access Denied")

    class Refusing:
        type_name = "s3"
        open_output_stream = open_input_stream = open_input_file = get_file_info = staticmethod(refuse)

    for module in ("store_object", "store_folder", "places"):
        monkeypatch.setattr(f"chesstools.{module}.located", lambda uri: (Refusing(), "out/a"))
    for line in ("validate a.pgn -o s3://out/a.csv", "ingest a.pgn -o s3://out/a", "stats a.pgn -o s3://out/a"):
        done = chesstools(*line.split())
        assert (done.status, done.out) == (2, "")
        assert "is refused by the store; check the credentials and what they permit." in done.err
        assert done.err.count("\n") == 1


@pytest.mark.parametrize("memory", [0, 1 << 20])
def test_what_stood_there_stays(chesstools: Cli, s3: S3, monkeypatch: pytest.MonkeyPatch, memory: int) -> None:
    """Until the new object is complete; and an upload that is broken off or forgotten leaves nothing that can be seen."""
    monkeypatch.setattr("chesstools.store_object.MEMORY_BYTES", memory)
    s3.put("out/a.txt", b"old")
    break_off("s3://out/a.txt")
    upload = Upload("s3://out/b.txt")
    upload.write(b"new" * 1000)
    del upload
    assert s3.keys("out") == ["a.txt"]
    assert s3.get("out/a.txt") == b"old"
    with written("s3://out/a.txt") as out:
        out.write(b"new")
    assert s3.get("out/a.txt") == b"new"


def test_large_objects(chesstools: Cli, s3: S3) -> None:
    data = os.urandom(1 << 20)
    with written("s3://out/large") as out:
        for _ in range(21):
            out.write(data)
        assert out.tell() == 21 << 20
    assert s3.get("out/large") == data * 21


def test_what_goes_wrong(chesstools: Cli, s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chesstools.stores.filesystems.S3_ATTEMPTS", 1)
    lines = (
        "validate a.pgn -o {}/a.csv",
        "stats a.pgn -o {}/a",
        "convert a.pgn -o {}/a.pgn",
        "query a.pgn FROM\tgames -o {}/a.csv",
    )
    for line in lines:
        done = chesstools(*(word.replace("\t", " ").format("s3://nobody-has-it") for word in line.split(" ")))
        assert (done.status, done.out) == (2, "")
        assert "is in a bucket that does not exist; check its name." in done.err
        assert done.err.count("\n") == 1
    with in_environment(environment("127.0.0.1:1")):
        for line in lines:
            done = chesstools(*(word.replace("\t", " ").format("s3://out") for word in line.split(" ")))
            assert (done.status, done.out) == (2, "")
            assert "cannot be reached" in done.err
            assert done.err.count("\n") == 1
    with pytest.raises(OutputError) as error:
        check("s3://nobody-has-it/a.csv")
    assert sentence(error) == "s3://nobody-has-it/a.csv is in a bucket that does not exist; check its name."
    with pytest.raises(OutputError, match="is no path"):
        check(Path("s3://out/a.csv"))


def test_stores_with_names_that_change(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hadoop shows a file while it is written: there it has another name until it is complete. (A disk stands in for it.)"""
    from pyarrow.fs import LocalFileSystem

    disk = (LocalFileSystem(), str(here / "folder/a.txt"))
    monkeypatch.setattr("chesstools.store_object.located", lambda uri: disk)
    monkeypatch.setattr("chesstools.store_object.MEMORY_BYTES", 0)
    for text in (b"one", b"two"):
        with written("hdfs://host/folder/a.txt") as out:
            out.write(text)
            assert not Path("folder/a.txt").exists() or Path("folder/a.txt").read_bytes() == b"one"
        assert os.listdir("folder") == ["a.txt"]
        assert Path("folder/a.txt").read_bytes() == text
    break_off("hdfs://host/folder/a.txt")
    assert os.listdir("folder") == ["a.txt"]
    assert Path("folder/a.txt").read_bytes() == b"two"


def test_from_python(chesstools: Cli, s3: S3) -> None:
    convert("a.pgn", "s3://out/games.arrow")
    with pa.ipc.open_file(io.BytesIO(s3.get("out/games.arrow"))) as file:
        assert file.read_all().num_rows == 7
