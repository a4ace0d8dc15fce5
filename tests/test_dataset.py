"""The dataset on disk: whole parts, resumed to the same bytes after any stop, and one sentence for all that can go wrong."""

from __future__ import annotations

import errno
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest

from chesstools import __version__
from chesstools.dataset import Dataset, ingest
from chesstools.errors import ChesstoolsError, DatasetError, OptionError, SourceError
from chesstools.folder import LOCK_NAME, claim
from chesstools.manifest import FILE_NAME
from chesstools.schema import GAMES, SCHEMAS, TABLES
from chesstools.source import Source

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and limits")


def pgn(first: int, last: int) -> str:
    """Games that differ in their Event, each with four plies and a finding (the roster is not complete)."""
    return "".join(f'[Event "Cup {n}"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n' for n in range(first, last))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def archive(here: Path) -> list[str]:
    """Two files of seven and four games, and one without any between them."""
    Path("a.pgn").write_text(pgn(0, 7))
    Path("b.pgn").write_text("")
    Path("c.pgn.gz").write_bytes(gzip.compress(pgn(7, 11).encode()))
    return ["a.pgn", "b.pgn", "c.pgn.gz"]


def files(folder: str) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def manifest(folder: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(Path(folder, FILE_NAME).read_text(encoding="utf-8"))
    return document


class Stop(BaseException):
    """Raised from the progress callback in place of a signal."""


def stop_after(steps: int) -> Callable[[int, int], None]:
    """A progress callback that stops the run at its `steps`-th call."""
    calls: Iterator[int] = iter(range(1, 1_000_000))

    def progress(stored_bytes: int, games: int) -> None:
        if next(calls) == steps:
            raise Stop

    return progress


def sentence(error: pytest.ExceptionInfo[ChesstoolsError]) -> str:
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert text.count(". ") == 0
    return text


# --- what is written --------------------------------------------------------------------------------------------------


def test_parts_manifest_and_rows(archive: list[str]) -> None:
    summary = ingest(archive, "out", part_games=3)
    assert summary.games == 11
    assert sorted(files("out")) == sorted(
        [FILE_NAME, *(f"{table}/part-{number:06}.parquet" for table in TABLES for number in range(5))]
    )
    games = [pq.read_table(f"out/games/part-{number:06}.parquet").select(["source", "game_index"]) for number in range(5)]
    assert [list(zip(*table.to_pydict().values(), strict=True)) for table in games] == [
        [("a.pgn", 0), ("a.pgn", 1), ("a.pgn", 2)],
        [("a.pgn", 3), ("a.pgn", 4), ("a.pgn", 5)],
        [("a.pgn", 6)],
        [("c.pgn.gz", 0), ("c.pgn.gz", 1), ("c.pgn.gz", 2)],
        [("c.pgn.gz", 3)],
    ]
    document = manifest("out")
    assert {name: document[name] for name in ("state", "schema_version", "tool_version", "profile", "tables", "options")} == {
        "state": "complete",
        "schema_version": 1,
        "tool_version": __version__,
        "profile": "fide-2023",
        "tables": ["games", "plies", "findings"],
        "options": {"part_games": 3},
    }
    first, empty, last = document["sources"]
    assert first["name"] == "a.pgn"
    assert first["size"] == Path("a.pgn").stat().st_size
    assert first["mtime_ns"] == Path("a.pgn").stat().st_mtime_ns
    assert len(first["hash"]) == 32
    assert first["position"]["game_index"] == 7
    assert [part["rows"]["games"] for part in first["parts"]] == [3, 3, 1]
    assert first["summary"]["games"] == 7
    assert (empty["done"], empty["parts"]) == (True, [])
    assert last["position"]["byte_offset"] == len(pgn(7, 11))


def test_the_same_input_gives_the_same_bytes(archive: list[str]) -> None:
    ingest(archive, "one", part_games=3)
    ingest(archive, "two", part_games=3, block_bytes=7, jobs=2)
    assert files("one") == files("two")


def test_files_carry_schema_meaning_and_version(archive: list[str]) -> None:
    ingest(archive, "out")
    for table in TABLES:
        file = pq.ParquetFile(f"out/{table}/part-000000.parquet")
        with file:
            schema = file.schema_arrow
            assert schema.equals(SCHEMAS[table], check_metadata=False)
            assert [field.metadata[b"meaning"] for field in schema] == [field.metadata[b"meaning"] for field in SCHEMAS[table]]
            assert schema.metadata[b"chesstools.version"].decode() == __version__
            assert schema.metadata[b"chesstools.schema_version"] == b"1"
            assert schema.metadata[b"chesstools.table"].decode() == table
            source = file.metadata.row_group(0).column(0)
            assert source.compression != "UNCOMPRESSED"
            assert any("DICTIONARY" in encoding for encoding in source.encodings)


def test_other_readers(archive: list[str]) -> None:
    ingest(archive, "out", part_games=3)
    counted = duckdb.execute("SELECT source, count(*) FROM 'out/games/*.parquet' GROUP BY source ORDER BY source")
    assert counted.fetchall() == [("a.pgn", 7), ("c.pgn.gz", 4)]
    assert pd.read_parquet("out/games")["event"].tolist() == [f"Cup {n}" for n in range(11)]


def test_only_the_tables_asked_for(archive: list[str]) -> None:
    ingest(archive, "out", tables=["findings", "games"])
    assert sorted(files("out")) == [
        FILE_NAME,
        "findings/part-000000.parquet",
        "findings/part-000001.parquet",
        "games/part-000000.parquet",
        "games/part-000001.parquet",
    ]
    assert manifest("out")["tables"] == ["games", "findings"]
    with pytest.raises(DatasetError) as error:
        Dataset.open("out").plies()
    assert sentence(error) == "The dataset in out has no table plies; ingest again with --tables plies among them."


def test_no_games_at_all_is_a_dataset_with_columns(here: Path) -> None:
    for name in ("a.pgn", "b.pgn"):
        Path(name).write_text("")
    assert ingest(["a.pgn", "b.pgn"], "out").games == 0
    assert manifest("out")["state"] == "complete"
    dataset = Dataset.open("out")
    for table in TABLES:
        assert dataset.to_pandas(table).columns.tolist() == SCHEMAS[table].names
        assert len(dataset.to_pandas(table)) == 0
    assert pd.read_parquet("out/games").columns.tolist() == GAMES.names


def test_text_without_a_game_keeps_its_findings(here: Path) -> None:
    Path("a.pgn").write_text("this is a letter, not a game of chess\n")
    summary = ingest("a.pgn", "out", tables=["findings"])
    assert summary.games == 0
    assert len(Dataset.open("out").to_pandas("findings")) == sum(summary.findings.values()) > 0


def test_progress(archive: list[str]) -> None:
    told: list[tuple[int, int]] = []
    ingest(archive, "out", part_games=3, progress=lambda stored, games: told.append((stored, games)))
    assert told == sorted(told)
    assert told[-1] == (sum(Path(name).stat().st_size for name in archive), 11)
    assert {games for _, games in told} >= {3, 6, 7, 10, 11}


def test_the_output_may_be_a_folder_that_is_there_or_has_to_be_made(archive: list[str]) -> None:
    Path("empty").mkdir()
    Path("empty/.gitkeep").touch()
    ingest(archive, "empty")
    ingest(archive, "new/and/deep")
    assert Dataset.open("new/and/deep").summary.games == 11


# --- a source that cannot be read to its end --------------------------------------------------------------------------


def test_a_cut_archive_is_kept_told_and_raised_last(archive: list[str]) -> None:
    whole = gzip.compress(pgn(0, 5).encode())
    Path("a.pgn.gz").write_bytes(whole[:-6])
    sources = ["a.pgn.gz", "c.pgn.gz"]
    with pytest.raises(SourceError) as error:
        ingest(sources, "out", part_games=2)
    assert sentence(error) == "a.pgn.gz ends in the middle of its gzip data; the games up to there were read."
    document = manifest("out")
    assert document["state"] == "complete"
    assert [source["summary"]["error"] for source in document["sources"]] == [str(error.value), None]
    dataset = Dataset.open("out")
    assert dataset.to_pandas("games")["event"].tolist() == [f"Cup {n}" for n in [*range(5), *range(7, 11)]]
    assert dataset.summary.games == 9
    summary = ingest(sources, "out2", part_games=2, raise_source_errors=False)
    assert [source.error for source in summary.sources] == [str(error.value), None]


def test_several_cut_archives(archive: list[str]) -> None:
    for name in ("x.pgn.gz", "y.pgn.gz", "z.pgn.gz"):
        Path(name).write_bytes(gzip.compress(pgn(0, 5).encode())[:-6])
    with pytest.raises(SourceError) as error:
        ingest("*.gz", "out")
    assert sentence(error) == (
        "x.pgn.gz ends in the middle of its gzip data; the games up to there were read; "
        "2 more sources could not be read to the end."
    )
    assert Dataset.open("out").summary.games == 19


def test_a_source_that_is_not_there_leaves_no_folder(here: Path) -> None:
    with pytest.raises(SourceError):
        ingest("missing.pgn", "out")
    assert not Path("out").exists()


# --- stopped and resumed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5])
def test_an_interrupt_leaves_a_readable_dataset_and_is_resumed(archive: list[str], steps: int, jobs: int) -> None:
    ingest(archive, "whole", part_games=3)
    with pytest.raises(Stop):
        ingest(archive, "out", part_games=3, progress=stop_after(steps), jobs=jobs)
    assert manifest("out")["state"] == "running"
    assert not [name for name in files("out") if "tmp" in name or "lock" in name]
    dataset = Dataset.open("out")
    read = dataset.to_pandas("games")
    assert len(read) == dataset.summary.games
    assert read["event"].tolist() == [f"Cup {n}" for n in range(len(read))]
    told: list[tuple[int, int]] = []
    summary = ingest(archive, "out", part_games=3, progress=lambda stored, games: told.append((stored, games)))
    assert summary.games == 11
    assert all(games > len(read) or games == 11 for _, games in told)  # nothing is judged again
    assert files("out") == files("whole")


@POSIX
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_is_answered_at_once(here: Path, jobs: int) -> None:
    Path("a.pgn").write_text(pgn(0, 20_000))
    program = """
    import sys
    from chesstools.dataset import ingest
    def tell(stored, games):
        print(games, flush=True)
    while True:
        ingest("a.pgn", "out", part_games=500, jobs=int(sys.argv[1]), overwrite=True, progress=tell)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(jobs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        _, errors = process.communicate(timeout=20)
        assert time.monotonic() - started < 5  # one second on a machine with nothing else to do
    assert b"KeyboardInterrupt" in errors
    assert not [name for name in files("out") if "tmp" in name or "lock" in name]
    dataset = Dataset.open("out")
    assert dataset.to_pandas("games")["event"].tolist() == [f"Cup {n}" for n in range(dataset.summary.games)]


def test_a_resumed_run_keeps_the_error_of_a_cut_source(archive: list[str]) -> None:
    Path("a.pgn.gz").write_bytes(gzip.compress(pgn(0, 5).encode())[:-6])
    with pytest.raises(Stop):
        ingest(["a.pgn.gz", "c.pgn.gz"], "out", part_games=2, progress=stop_after(4))
    with pytest.raises(SourceError, match=r"^a\.pgn\.gz ends in the middle"):
        ingest(["a.pgn.gz", "c.pgn.gz"], "out", part_games=2)
    assert Dataset.open("out").summary.games == 9


CRASH = """
import os, sys
from pathlib import Path
from chesstools.dataset import ingest
import chesstools.run, pandas, pyarrow.compute  # once, not in every child

os.fsync = lambda descriptor: None  # it is counted, but a process that ends loses nothing

def run(out, crash_at):
    calls = 0
    def guarded(function):
        def call(*args, **kwargs):
            nonlocal calls
            calls += 1
            if calls == crash_at:
                os._exit(9)
            return function(*args, **kwargs)
        return call
    if crash_at:
        for name in ("replace", "fsync", "unlink"):
            setattr(os, name, guarded(getattr(os, name)))
    ingest(["a.pgn", "b.pgn", "c.pgn.gz"], out, part_games=4, tables=["games", "findings"])

def child(*args):
    pid = os.fork()
    if not pid:
        try:
            run(*args)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

point = 1
while child(f"out{point}", point) == 9:
    manifest = Path(f"out{point}", "_chesstools.json")
    if not manifest.exists() or '"state": "running"' in manifest.read_text():
        assert child(f"out{point}", 0) == 0, point
    point += 1
print(point - 1)
"""


@POSIX
def test_a_crash_at_any_point_is_resumed_to_the_same_bytes(archive: list[str]) -> None:
    """The process ends on the spot, once before each call that changes the disk."""
    ingest(archive, "whole", part_games=4, tables=["games", "findings"])
    done = subprocess.run([sys.executable, "-c", CRASH], capture_output=True, text=True, check=True)
    points = int(done.stdout)
    assert points > 20
    whole = files("whole")
    for point in range(1, points + 1):
        left = files(f"out{point}")
        left.pop(LOCK_NAME, None)  # of a run that ended between its last word and its end
        assert left == whole, point


@POSIX
def test_kill_9_at_a_random_moment_is_resumed_to_the_same_rows(here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 150))
    Path("b.pgn").write_text(pgn(150, 200))
    program = "import sys; from chesstools.dataset import ingest; ingest(['a.pgn', 'b.pgn'], sys.argv[1], part_games=10)"
    ingest(["a.pgn", "b.pgn"], "whole", part_games=10)
    whole = files("whole")
    for seed in range(2):
        out = f"out{seed}"
        command = [sys.executable, "-c", program, out]
        process = subprocess.Popen(command)
        while not Path(out, FILE_NAME).exists():
            assert process.poll() is None
            time.sleep(0.005)
        time.sleep(random.Random(seed).uniform(0, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        dataset = Dataset.open(out)
        read = dataset.to_pandas("games")["event"].tolist()
        assert read == [f"Cup {n}" for n in range(len(read))]
        if dataset.manifest.state == "running":
            subprocess.run(command, check=True)
        left = files(out)
        left.pop(LOCK_NAME, None)
        assert left == whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"part_games": 4}, "made with part_games 3, not 4"),
        ({"tables": ["games"]}, "made with tables games,plies,findings, not games"),
        ({"sources": ["a.pgn"]}, "made from b.pgn too"),
        ({"sources": ["a.pgn", "b.pgn", "c.pgn.gz", "d.pgn"]}, "made without d.pgn"),
        ({"sources": ["b.pgn", "a.pgn", "c.pgn.gz"]}, "made with the sources in another order"),
    ],
)
def test_an_unfinished_dataset_of_another_job_is_left_alone(archive: list[str], change: dict[str, Any], words: str) -> None:
    Path("d.pgn").write_text(pgn(0, 1))
    with pytest.raises(Stop):
        ingest(archive, "out", part_games=3, progress=stop_after(2))
    before = files("out")
    options: dict[str, Any] = {"sources": archive, "part_games": 3, **change}
    with pytest.raises(DatasetError) as error:
        ingest(output="out", **options)
    assert sentence(error) == (
        f"The folder out holds an unfinished dataset that was {words}; give --overwrite to start anew, or choose another folder."
    )
    assert files("out") == before
    ingest(output="out", overwrite=True, **options)
    assert manifest("out")["state"] == "complete"


def test_a_changed_source_is_noticed(archive: list[str]) -> None:
    with pytest.raises(Stop):
        ingest(archive, "out", part_games=3, progress=stop_after(2))
    os.utime("a.pgn", ns=(0, 1))
    with pytest.raises(DatasetError, match=r"that was made before a\.pgn changed; give --overwrite to start anew"):
        ingest(archive, "out", part_games=3)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("tool_version", "9.9.9", f"made by chesstools 9.9.9, not {__version__}"),
        ("profile", "fide-1874", "made with profile fide-1874"),
    ],
)
def test_another_version_or_profile_is_noticed(archive: list[str], name: str, value: str, words: str) -> None:
    with pytest.raises(Stop):
        ingest(archive, "out", part_games=3, progress=stop_after(2))
    Path("out", FILE_NAME).write_text(json.dumps(manifest("out") | {name: value}))
    with pytest.raises(DatasetError, match=words):
        ingest(archive, "out", part_games=3)


def test_a_part_that_is_gone_is_noticed(archive: list[str]) -> None:
    with pytest.raises(Stop):
        ingest(archive, "out", part_games=3, progress=stop_after(2))
    Path("out/plies/part-000000.parquet").unlink()
    for call in (lambda: ingest(archive, "out", part_games=3), lambda: Dataset.open("out").plies()):
        with pytest.raises(DatasetError, match=r"^out/plies/part-000000\.parquet is missing.* --overwrite"):
            call()


def test_standard_input_cannot_be_resumed(archive: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with open("a.pgn") as file:
        monkeypatch.setattr("sys.stdin", file)
        with pytest.raises(Stop):
            ingest("-", "out", part_games=3, progress=stop_after(2))
    with open("a.pgn") as file:
        monkeypatch.setattr("sys.stdin", file)
        with pytest.raises(DatasetError) as error:
            ingest("-", "out", part_games=3)
        assert sentence(error) == (
            "The folder out holds an unfinished dataset, and - cannot be read again from where that run stopped; "
            "give --overwrite to start anew."
        )
        assert ingest("-", "out", part_games=3, overwrite=True).games == 7


# --- what else is in the folder ---------------------------------------------------------------------------------------


def test_a_complete_dataset_is_not_replaced_unless_asked(archive: list[str]) -> None:
    ingest(archive, "out", part_games=3)
    before = files("out")
    with pytest.raises(DatasetError) as error:
        ingest(archive, "out", part_games=3)
    assert sentence(error) == (
        "The folder out holds a complete dataset; give --overwrite to replace it, or choose another folder."
    )
    assert files("out") == before
    Path("out/notes.txt").write_text("mine")
    Path("out/games/.DS_Store").write_text("the system's")
    ingest("c.pgn.gz", "out", tables=["games"], overwrite=True)
    assert sorted(files("out")) == [FILE_NAME, "games/.DS_Store", "games/part-000000.parquet", "notes.txt"]
    assert sorted(path.name for path in Path("out").iterdir()) == [FILE_NAME, "games", "notes.txt"]
    assert Dataset.open("out").summary.games == 4


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("name", ["letter.txt", "games/part-000000.parquet", "plies/other.parquet", "findings"])
def test_a_folder_with_other_files_is_left_alone(archive: list[str], name: str, overwrite: bool) -> None:
    Path("out", name).parent.mkdir(parents=True)
    Path("out", name).write_text("mine")
    with pytest.raises(DatasetError) as error:
        ingest(archive, "out", overwrite=overwrite)
    assert sentence(error) == (
        f"The folder out holds files that are no part of a dataset ({name}); choose another folder, or move them away."
    )
    assert files("out") == {name: b"mine"}


def test_no_foreign_file_among_the_parts(archive: list[str]) -> None:
    ingest(archive, "out")
    Path("out/games/other.parquet").write_text("mine")
    with pytest.raises(DatasetError, match=r"no part of a dataset \(games/other\.parquet\)"):
        ingest(archive, "out", overwrite=True)
    assert Path("out/games/other.parquet").read_text() == "mine"


def test_two_runs_at_once(archive: list[str]) -> None:
    with claim(Path("out")), pytest.raises(DatasetError) as error:
        ingest(archive, "out")
    assert sentence(error) == (
        f"Another run (process {os.getpid()}) is writing to out; wait for it to end, or choose another folder."
    )
    assert not Path("out", LOCK_NAME).exists()
    ingest(archive, "out")


def test_a_lock_left_behind_does_not_lock(archive: list[str]) -> None:
    Path("out").mkdir()
    Path("out", LOCK_NAME).write_text("1")
    ingest(archive, "out")
    assert not Path("out", LOCK_NAME).exists()


# --- where nothing can be written -------------------------------------------------------------------------------------


def test_the_output_is_a_file_or_below_one(archive: list[str]) -> None:
    with pytest.raises(DatasetError) as error:
        ingest(archive, "a.pgn")
    assert sentence(error) == "a.pgn is a file; give the name of a folder for the dataset."
    with pytest.raises(DatasetError) as error:
        ingest(archive, "a.pgn/out")
    assert sentence(error).startswith("a.pgn/out cannot be written (Not a directory); choose another folder")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_the_output_cannot_be_made(archive: list[str]) -> None:
    with pytest.raises(DatasetError) as error:
        ingest(archive, "/proc/out")
    assert sentence(error).startswith("/proc/out cannot be written (No such file or directory); choose another folder")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission(archive: list[str]) -> None:
    Path("out").mkdir(mode=0o500)
    with pytest.raises(DatasetError) as error:
        ingest(archive, "out")
    assert sentence(error).startswith("out cannot be written (Permission denied); choose another folder")


@POSIX
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_may_grow_no_further(archive: list[str], jobs: int) -> None:
    """A limit on the size of files stands in for a full disk."""
    Path("big.pgn").write_text(pgn(0, 300))
    program = """
    import resource, sys
    from chesstools.dataset import ingest
    from chesstools.errors import DatasetError
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
    try:
        ingest("big.pgn", "out", part_games=100, jobs=int(sys.argv[1]))
    except DatasetError as error:
        print(error)
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program), str(jobs)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout == (
        "out/games/part-000000.parquet cannot be written (File too large); choose another folder, "
        "or give the same command again when the cause is gone.\n"
    )
    assert [name for name in files("out") if "tmp" in name] == []
    assert ingest("big.pgn", "out", part_games=100).games == 300


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("nth", [1, 2, 5, 8, 12, 16])
def test_a_full_disk(archive: list[str], monkeypatch: pytest.MonkeyPatch, nth: int, jobs: int) -> None:
    """Every wait for the disk may be the one that fails; the same command goes on when there is space again."""
    ingest(archive, "whole", part_games=3)
    calls: Iterator[int] = iter(range(1, 1_000_000))

    def fsync(descriptor: int) -> None:
        if next(calls) >= nth:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fsync)
        with pytest.raises(DatasetError) as error:
            ingest(archive, "out", part_games=3, jobs=jobs)
    assert " cannot be written (No space left on device); free some space, then give the same command again" in sentence(error)
    assert sentence(error).startswith("out/")
    assert [name for name in files("out") if "tmp" in name or "lock" in name] == []
    ingest(archive, "out", part_games=3)
    assert files("out") == files("whole")


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tables": ["moves"]}, "There is no table 'moves'; choose from games, plies, findings."),
        ({"tables": []}, "Name at least one table: games, plies, findings."),
        ({"part_games": 0}, "part_games must be 1 or more, not 0."),
        ({"jobs": 0}, "jobs must be 1 or more, not 0."),
        ({"block_bytes": 0}, "block_bytes must be 1 or more, not 0."),
    ],
)
def test_options_that_cannot_be_used(archive: list[str], options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError) as error:
        ingest(archive, "out", **options)
    assert sentence(error) == words
    assert not Path("out").exists()


# --- opened again -----------------------------------------------------------------------------------------------------


def test_open(archive: list[str]) -> None:
    ingest(archive, "out", part_games=3)
    dataset = Dataset.open(Path("out"))
    assert dataset.manifest.state == "complete"
    assert dataset.summary.games == 11
    assert dataset.games().schema.equals(GAMES, check_metadata=True)
    assert dataset.games().count_rows() == 11
    assert dataset.plies().count_rows() == 44
    assert dataset.findings().count_rows() == sum(dataset.summary.findings.values())
    games = dataset.to_pandas("games", ["source", "event", "white_elo", "unclaimed_draw"])
    assert games["source"].dtype == "category"
    assert games["event"].tolist() == [f"Cup {n}" for n in range(11)]
    assert games["white_elo"].dtype == pd.Int16Dtype()
    assert games["white_elo"].isna().all()
    keys = dataset.to_pandas("plies", columns=["position_key"])["position_key"]
    assert keys.dtype == pd.UInt64Dtype()


def test_what_cannot_be_opened(archive: list[str]) -> None:
    ingest(archive, "out")
    for path in ("a.pgn", "nowhere", "out/games"):
        with pytest.raises(DatasetError) as error:
            Dataset.open(path)
        assert sentence(error) == f"There is no dataset in {path} (no {FILE_NAME}); check the path, or make one with ingest."
    dataset = Dataset.open("out")
    with pytest.raises(OptionError, match=r"^There is no table 'moves'; choose from games, plies, findings\.$"):
        dataset.to_pandas("moves")
    with pytest.raises(OptionError, match=r"^The table games has no column 'elo'; it has source, game_index, "):
        dataset.to_pandas("games", ["elo"])
    for text in ("{", "[]", "{}", '{"schema_version": 1}', '{"schema_version": 1, "tool_version": "1", "sources": 3}'):
        Path("out", FILE_NAME).write_text(text)
        with pytest.raises(DatasetError, match=rf"^out/{FILE_NAME} is damaged \(.*\); ingest again with --overwrite\.$"):
            Dataset.open("out")
        with pytest.raises(DatasetError, match="is damaged"):
            ingest(archive, "out")
    Path("out", FILE_NAME).write_text('{"schema_version": 99, "tool_version": "9.9"}')
    with pytest.raises(DatasetError) as error:
        Dataset.open("out")
    assert sentence(error) == (
        f"out/{FILE_NAME} was made by chesstools 9.9 with tables of version 99, and this chesstools reads version 1; "
        "ingest again with --overwrite, or use that chesstools."
    )
    assert ingest(archive, "out", overwrite=True).games == 11


def test_a_source_in_memory(here: Path) -> None:
    assert ingest(Source.from_bytes(pgn(0, 3).encode(), "mine"), "out").games == 3
    assert Dataset.open("out").to_pandas("games")["source"].unique().tolist() == ["mine"]
