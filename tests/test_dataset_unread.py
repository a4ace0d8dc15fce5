"""Datasets of local files that the system did not give to their end: unfinished, until the same call is made again."""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from cluster_ingest import check_same, tables
from command_line import command
from datasets import Stop, manifest, pgn, sentence, stop_after
from loop_cluster import LoopCluster

from chesstools import native
from chesstools.cluster import Cluster
from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError, SourceError
from chesstools.source import Source, find_sources

NAMES = ["a.pgn", "b.pgn", "c.pgn"]
CHANGED = (
    "could not be read to its end (it has changed since it was found); the games up to there were read; give the command again "
    "when it is complete."
)
BREAKS_AT = 1500
"""Within a game of the second of them."""


@pytest.fixture
def archives(here: Path) -> list[str]:
    for number, name in enumerate(NAMES):
        Path(name).write_text(pgn(40 * number, 40 * number + 40))
    ingest(NAMES, "one", part_games=10)
    return NAMES


class Breaking(io.BytesIO):
    """Ends with an error of the system."""

    def __init__(self, data: bytes, number: int, at: int = BREAKS_AT, most: int = 100) -> None:
        super().__init__(data)
        self._number = number
        self._at = at
        self._most = most

    def read(self, count: int | None = -1, /) -> bytes:
        if self.tell() >= self._at:
            raise OSError(self._number, os.strerror(self._number))
        return super().read(min(self._most, count or 0))

    read1 = read


def fails(monkeypatch: pytest.MonkeyPatch, number: int, *, at_once: bool) -> None:
    """Reading b.pgn ends with an error, when it is opened or later."""
    opened = Source.open_stored

    def broken(source: Source) -> BinaryIO:
        if not source.name.endswith("b.pgn"):
            return opened(source)
        if at_once:
            raise OSError(number, os.strerror(number))
        return Breaking(Path("b.pgn").read_bytes(), number)

    monkeypatch.setattr(Source, "open_stored", broken)
    monkeypatch.setattr(native, "open_file", lambda *arguments, **options: None)  # as where the core comes to an error


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(
    ("number", "at_once", "why"),
    [
        (errno.ENOENT, True, "No such file or directory"),
        (errno.EACCES, True, "Permission denied"),
        (errno.EIO, False, "Input/output error"),
        (errno.ESTALE, False, "Stale file handle"),
    ],
)
def test_the_same_call_goes_on(
    archives: list[str], monkeypatch: pytest.MonkeyPatch, engine: str, number: int, at_once: bool, why: str
) -> None:
    with monkeypatch.context() as patch:
        fails(patch, number, at_once=at_once)
        with pytest.raises(SourceError) as raised:
            ingest(archives, "many", part_games=10, engine=engine, block_bytes=100)
    assert sentence(raised) == f"b.pgn could not be read to its end ({why}); the games up to there were read."
    dataset = Dataset.open("many")
    assert dataset.manifest.state == "running"
    assert [entry.done for entry in dataset.manifest.sources] == [True, False, True]
    assert [entry.summary.error for entry in dataset.manifest.sources] == [None, None, None]
    games = dataset.to_pandas("games")
    read = games["event"][games["source"] == "b.pgn"].tolist()
    assert read == [f"Cup {n}" for n in range(40, 40 + len(read))], "whole games only"
    if engine == "reference":  # the core reads a megabyte of text at a time
        assert bool(read) is not at_once
    summary = ingest(archives, "many", part_games=10, engine=engine, block_bytes=100)
    assert summary.sources == Dataset.open("one").summary.sources
    assert manifest("many")["state"] == "complete"
    assert tables("many") == tables("one")


@pytest.mark.parametrize(("engine", "jobs", "games"), [("native", 1, 40_000), ("native", 3, 40_000), ("reference", 1, 600)])
def test_every_whole_game_before_the_end_is_kept(
    here: Path, monkeypatch: pytest.MonkeyPatch, engine: str, jobs: int, games: int
) -> None:
    """Also those of the step that breaks off, which has a megabyte of text; and none is read twice when it is tried again."""
    text = pgn(0, games)
    Path("b.pgn").write_text(text)
    at = len(text) * 9 // 10
    data = text.encode()[: text.index("[Event", at) + 20]  # the last is half a game
    monkeypatch.setattr(Source, "open_stored", lambda source: Breaking(data, errno.EIO, len(data), 1 << 16))
    monkeypatch.setattr(native, "open_file", lambda *arguments, **options: None)
    for _ in range(2):
        with pytest.raises(SourceError, match="Input/output error"):
            ingest("b.pgn", "many", tables=["games"], part_games=games // 5, engine=engine, jobs=jobs)
        events = Dataset.open("many").to_pandas("games")["event"].tolist()
        assert events == [f"Cup {n}" for n in range(data.count(b"[Event") - 1)]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("text", [pgn(0, 31), pgn(0, 40).replace("Cup", "Cut"), ""], ids=["shorter", "changed", "empty"])
def test_a_file_that_is_changed_while_it_is_read(archives: list[str], engine: str, text: str) -> None:
    """What is read of it after that may be anything: none of it is there, and the same call begins with it anew."""
    before = find_sources(archives)
    Path("b.pgn").write_text(text)
    os.utime("b.pgn", ns=(0, (before[1].mtime_ns or 0) + 2_000_000_000))
    with pytest.raises(SourceError) as raised:
        ingest(before, "many", part_games=10, engine=engine, block_bytes=100)
    assert sentence(raised) == f"b.pgn {CHANGED}"
    assert [(entry.done, entry.summary.games) for entry in Dataset.open("many").manifest.sources] == [
        (True, 40),
        (False, 0),
        (True, 40),
    ]
    assert ingest(archives, "many", part_games=10).games == 80 + text.count("Event")
    assert manifest("many")["state"] == "complete"


@pytest.mark.parametrize(("engine", "games"), [("native", 60_000), ("reference", 600)])
def test_a_file_that_is_cut_off_between_two_steps(here: Path, engine: str, games: int) -> None:
    Path("a.pgn").write_text(pgn(0, games))
    size = Path("a.pgn").stat().st_size

    def shorten(stored: int, judged: int) -> None:
        os.truncate("a.pgn", size // 2)

    with pytest.raises(SourceError, match=r"; give the command again with --overwrite when it is complete\.$"):
        ingest("a.pgn", "many", tables=["games"], part_games=games // 60, engine=engine, progress=shorten)
    dataset = Dataset.open("many")
    events = dataset.to_pandas("games")["event"].tolist()
    assert 0 < len(events) < games
    assert events == [f"Cup {n}" for n in range(len(events))]
    assert dataset.manifest.state == "running"


def test_nothing_is_kept_of_a_file_that_changes_before_its_first_part_is_full(archives: list[str]) -> None:
    """So the same call begins with it anew, and its parts get names that no other has."""
    Path("b.pgn").write_text(pgn(0, 600))  # a step has 250

    def grow(stored: int, judged: int) -> None:
        if judged == 290:
            with open("b.pgn", "a") as file:
                file.write(pgn(600, 601))

    options: dict[str, Any] = {"engine": "reference", "raise_source_errors": False, "tables": ["games"]}
    errors = [source.error for source in ingest(archives, "many", progress=grow, **options).sources]
    assert errors == [None, f"b.pgn {CHANGED}", None]
    assert [entry.summary.games for entry in Dataset.open("many").manifest.sources] == [40, 0, 40]
    assert ingest(archives, "many", **options).games == 681
    ingest(archives, "anew", **options)
    assert tables("many") == tables("anew")


def test_packed_data_that_ends_early_because_it_is_still_written(here: Path) -> None:
    """That is no damage."""
    packed = gzip.compress(pgn(0, 60).encode())
    Path("a.pgn.gz").write_bytes(packed)
    sources = find_sources("a.pgn.gz")
    Path("a.pgn.gz").write_bytes(packed[:-30])
    with pytest.raises(SourceError, match=re.escape(CHANGED)):
        ingest(sources, "many")
    assert manifest("many")["state"] == "running"


def test_members_of_an_archive_that_was_changed(here: Path) -> None:
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr("one.pgn", pgn(0, 3))
    sources = find_sources("a.zip")
    os.utime("a.zip", ns=(0, 0))
    with pytest.raises(SourceError, match=re.escape(f"a.zip/one.pgn {CHANGED}")):
        ingest(sources, "many")


def test_a_file_that_is_gone_when_it_was_opened_is_read(archives: list[str]) -> None:
    def remove(stored: int, games: int) -> None:
        Path("a.pgn").unlink(missing_ok=True)

    ingest(archives, "many", part_games=10, progress=remove, engine="reference", block_bytes=100)
    check_same("many", "one")


def test_damage_is_the_end_of_a_source(archives: list[str]) -> None:
    Path("b.pgn.gz").write_bytes(gzip.compress(pgn(0, 60).encode())[:-9])
    with pytest.raises(SourceError, match=r"^b\.pgn\.gz ends in the middle"):
        ingest(["a.pgn", "b.pgn.gz"], "many")
    assert manifest("many")["state"] == "complete"


def spread(sources: list[str], **options: Any) -> list[str | None]:
    cluster = cast("Cluster", LoopCluster(1))
    summary = ingest(
        sources, "many", cluster=cluster, stretch_bytes=1000, engine="reference", raise_source_errors=False, **options
    )
    return [source.error for source in summary.sources]


@pytest.mark.parametrize("on_cluster", [False, True])
def test_a_file_that_is_gone_for_good(archives: list[str], on_cluster: bool) -> None:
    """What was read of it stays, and that there is no more is told."""
    run: Callable[..., list[str | None]] = spread if on_cluster else alone
    with pytest.raises(Stop):
        run(archives, progress=stop_after(4 if on_cluster else 6))
    before = [entry.summary.games for entry in Dataset.open("many").manifest.sources]
    gone = next(name for name, games in zip(archives, before, strict=True) if games < 40)
    Path(gone).unlink()
    with pytest.raises(SourceError, match=f"^There is no file or folder {gone}; check the path"):
        run(archives)
    left = [name for name in archives if name != gone]
    with pytest.raises(DatasetError) as error:
        run(left)
    assert sentence(error) == (
        f"The folder many holds an unfinished dataset that was begun with {gone} too; give the same sources to go on, "
        "--without-missing to finish it without them, or --overwrite to start anew."
    )
    errors = run(left, without_missing=True)
    dataset = Dataset.open("many")
    assert dataset.manifest.state == "complete"
    number = archives.index(gone)
    games = before[number]
    wanted: list[str | None] = [None, None, None]
    were_read = "1 game of it was read" if games == 1 else f"{games} games of it were read"
    wanted[number] = f"{gone} was given up before its end, as it is missing; {were_read}."
    assert errors == wanted
    assert [entry.summary.games for entry in dataset.manifest.sources] == [40 if name != gone else games for name in archives]
    assert len(dataset.to_pandas("games")) == 80 + games


def alone(sources: list[str], **options: Any) -> list[str | None]:
    summary = ingest(sources, "many", part_games=10, engine="reference", block_bytes=100, raise_source_errors=False, **options)
    return [source.error for source in summary.sources]


def test_sources_that_are_missing_are_no_others(archives: list[str]) -> None:
    with pytest.raises(Stop):
        alone(archives, progress=stop_after(6))
    for sources in (["c.pgn", "a.pgn"], ["a.pgn", "d.pgn"]):
        Path("d.pgn").write_text(pgn(0, 1))
        with pytest.raises(DatasetError, match=r"that was made (from b\.pgn too|with the sources in another order); give --over"):
            alone(sources, without_missing=True)
    errors = alone(["a.pgn"], without_missing=True)
    assert [error is None for error in errors] == [True, False, False]


def test_the_command(archives: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cli = command(capsys)
    with monkeypatch.context() as patch:
        fails(patch, errno.EIO, at_once=False)
        run = cli("ingest", ".", "-o", "many", "-q", "--engine", "reference")
        assert (run.status, run.out) == (2, "")
        assert run.err == (
            "chesstools: ./b.pgn could not be read to its end (Input/output error); the games up to there were read.\n"
            "The dataset is not finished; the same command goes on where it stopped. What is gone for good can be given up: name "
            "the other sources and add --without-missing.\n"
        )
        Path("b.pgn").unlink()
    assert cli("ingest", ".", "-o", "many").status == 2
    run = cli("ingest", ".", "-o", "many", "-q", "--without-missing")
    assert run.status == 2
    assert re.fullmatch(
        r"chesstools: \./b\.pgn was given up before its end, as it is missing; \d+ games of it were read\.\n", run.err
    )
    run = cli("ingest", ".", "-o", "many")
    assert "holds a complete dataset" in run.err
