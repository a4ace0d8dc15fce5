"""The folder of a dataset: what else is in it, and where nothing can be written."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import permissions
import pytest
from datasets import POSIX, files, pgn, sentence

from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError
from chesstools.folder import LOCK_NAME
from chesstools.local_folder import LocalFolder
from chesstools.manifest import FILE_NAME

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
    with LocalFolder(Path("out")).claim(), pytest.raises(DatasetError) as error:
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


@pytest.mark.skipif(not permissions.CAN_BE_TESTED, reason="root may write everywhere")
def test_no_permission(archive: list[str]) -> None:
    Path("out").mkdir(mode=0o500)
    with permissions.obeyed(), pytest.raises(DatasetError) as error:
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
