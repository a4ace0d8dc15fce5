"""Folders of tables: one run at a time writes to each."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chesstools import ratings
from chesstools.errors import OutputError
from chesstools.folder import LOCK_NAME
from chesstools.local_folder import LocalFolder
from chesstools.openings import write_openings
from chesstools.source import Source
from chesstools.stats import write_stats
from chesstools.table_folder import TableFolder


def _games() -> Source:
    return Source.from_bytes(b'[White "Ann"]\n[Black "Bob"]\n[Date "2024.01.02"]\n\n1. e4 e5 1-0\n', "a.pgn")


def _write_ratings(given: Source, output: Path, **options: Any) -> object:
    return ratings(given, output=output, **options)


WRITERS = [write_stats, write_openings, _write_ratings]


@pytest.mark.parametrize("write", WRITERS)
def test_two_runs_at_once(write: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with LocalFolder(Path("out")).claim(), pytest.raises(OutputError) as error:
        write(_games(), Path("out"), overwrite=True)
    assert str(error.value) == (
        f"Another run (process {os.getpid()}) is writing to out; wait for it to end, or choose another folder."
    )
    assert os.listdir("out") == []
    write(_games(), Path("out"))
    assert LOCK_NAME not in os.listdir("out")


@pytest.mark.parametrize("write", WRITERS)
def test_a_lock_left_behind_does_not_lock(write: Callable[..., object], tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).write_text("1")
    write(_games(), tmp_path)
    assert LOCK_NAME not in os.listdir(tmp_path)


@pytest.mark.parametrize("write", WRITERS)
def test_a_folder_of_others_gets_no_lock(write: Callable[..., object], tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with LocalFolder(tmp_path).claim(), pytest.raises(OutputError, match=r"\(letter\.txt\)"):
        write(_games(), tmp_path, overwrite=True)


def test_a_run_that_came_to_its_end_in_between_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look is taken when the folder is ours."""
    write_stats(_games(), tmp_path, tables=["outcomes"])
    checked = TableFolder._check
    looks = []

    def late(self: TableFolder, overwrite: bool) -> None:
        looks.append((tmp_path / LOCK_NAME).exists())
        if len(looks) > 1:
            checked(self, overwrite)

    monkeypatch.setattr(TableFolder, "_check", late)
    with pytest.raises(OutputError, match="holds statistics"):
        write_stats(_games(), tmp_path, tables=["outcomes"])
    assert looks == [False, True]
