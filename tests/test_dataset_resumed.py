"""Datasets whose run was stopped, however hard: readable at once, and resumed to the same bytes."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from datasets import POSIX, Stop, files, manifest, pgn, sentence, stop_after

from chesstools import __version__
from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError, SourceError
from chesstools.folder import LOCK_NAME
from chesstools.manifest import FILE_NAME


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
def test_ctrl_c_ends_a_run(here: Path, jobs: int) -> None:
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
        _, errors = process.communicate(timeout=600)  # without the signal it never ends
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
        ({"sources": ["a.pgn", "d.pgn"]}, "made from b.pgn too"),
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
