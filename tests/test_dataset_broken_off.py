"""Datasets of objects that a store did not give to their end: unfinished, and complete when the same call is made again."""

from __future__ import annotations

from pathlib import Path

import pytest
from cluster_ingest import tables
from datasets import pgn
from s3_server import S3

from chesstools import ranged
from chesstools.cluster.judging import Wanted
from chesstools.cluster.piece import Piece
from chesstools.cluster.stretches import Job, judge
from chesstools.dataset import Dataset, ingest
from chesstools.errors import SourceError
from chesstools.folder import folder_at
from chesstools.found_object import FoundObject
from chesstools.plan import Stretch
from chesstools.profile_choice import read_choice
from chesstools.rules import Selection
from chesstools.source import find_sources
from chesstools.sources import in_turn
from chesstools.step import Entry, Position
from chesstools.stores import StoreError

SOURCES = ["s3://breaking/a.pgn", "s3://breaking/b.pgn"]
CUT_AT = 1500
"""Within a game of the first of them."""


@pytest.fixture
def objects(s3: S3, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s3.bucket("breaking")
    s3.put("breaking/a.pgn", pgn(0, 60).encode())
    s3.put("breaking/b.pgn", pgn(60, 70).encode())
    monkeypatch.setattr(ranged, "LEAST_BYTES", 500)
    monkeypatch.setattr(in_turn, "SMALL_BYTES", 0)  # else they come whole or not at all
    ingest(SOURCES, "whole", part_games=7)


def break_off(monkeypatch: pytest.MonkeyPatch) -> None:
    fetch = ranged.fetch

    def fails(stored: FoundObject, file: object, start: int, count: int) -> bytearray:
        if stored.uri.endswith("a.pgn") and start + count > CUT_AT:
            raise StoreError("cannot be reached", "check the network")
        return fetch(stored, file, start, count)

    monkeypatch.setattr(ranged, "fetch", fails)


@pytest.mark.usefixtures("objects")
@pytest.mark.parametrize(("engine", "jobs", "part_games"), [("native", 1, 1), ("native", 2, 100), ("reference", 1, 7)])
def test_the_same_call_goes_on(monkeypatch: pytest.MonkeyPatch, engine: str, jobs: int, part_games: int) -> None:
    assert pgn(0, 60).encode()[CUT_AT - 1 : CUT_AT] not in b"\n[", "cut in the midst of a game"
    with monkeypatch.context() as broken:
        break_off(broken)
        with pytest.raises(SourceError) as raised:
            ingest(SOURCES, "ds", engine=engine, jobs=jobs, part_games=part_games, block_bytes=100)
    says = "s3://breaking/a.pgn could not be read to its end (it cannot be reached); the games up to there were read"
    assert str(raised.value) == f"{says}; check the network."
    unfinished = Dataset.open("ds").manifest
    assert unfinished.state == "running"
    assert [(entry.done, entry.hash is None, entry.summary.error) for entry in unfinished.sources] == [
        (False, True, None),
        (True, False, None),
    ]
    whole, read = tables("whole"), tables("ds")
    first = unfinished.sources[0].summary.games
    assert read["games"].num_rows == first + 10
    assert read["games"].slice(0, first).equals(whole["games"].slice(0, first)), "none that is cut"

    summary = ingest(SOURCES, "ds", engine=engine, jobs=jobs, part_games=part_games, block_bytes=100)
    assert summary.sources == Dataset.open("whole").summary.sources
    assert Dataset.open("ds").manifest.state == "complete"
    assert tables("ds") == whole


@pytest.mark.usefixtures("objects")
def test_a_worker_of_a_cluster_tells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the source is not done: another run tries it again."""
    break_off(monkeypatch)
    folder = folder_at("ds")
    job = Job(folder, "12345678", "1", Wanted(("games",), read_choice(), Selection(), None, "reference"))
    (source,) = find_sources(SOURCES[0])
    with folder.claim(), pytest.raises(SourceError, match="it cannot be reached"):
        judge(job, Piece(0, source, 0, Stretch(Position(), None, Entry()), 4000, is_whole=True))
    assert not list(Path("ds").rglob("*.parquet"))
