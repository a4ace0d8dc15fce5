"""`stats` ends soon after Ctrl-C, whatever its threads are asking the database."""

from __future__ import annotations

import dataclasses
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from chesstools.database import connect
from chesstools.dataset import Dataset, ingest
from chesstools.source import Source
from chesstools.stats import write_stats
from chesstools.stats.run import computation
from chesstools.stats.statistic import Base, Options, Statistic
from chesstools.stats.together import Together

ENDLESS = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"
SOON = 5.0


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("interrupted") / "dataset"
    ingest(Source.from_bytes(b'[Result "1-0"]\n\n1. e4 e5 1-0\n', "a.pgn"), folder)
    return Dataset.open(folder)


def interrupt_soon() -> None:
    """Presses Ctrl-C a moment after a question is asked. Questions here never end of themselves."""
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()


def test_while_bases_are_made(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    run = import_module("chesstools.stats.run")
    bases_of = run.bases_of
    made = []

    def endless(base: Base) -> Base:
        def make(cursor: duckdb.DuckDBPyConnection, games: str) -> None:
            made.append(base.name)
            interrupt_soon()
            cursor.execute(ENDLESS)

        return dataclasses.replace(base, make=make)

    monkeypatch.setattr(import_module("chesstools.stats.walk"), "walk", lambda *_: {})  # what it imports must not be interrupted
    monkeypatch.setattr(run, "bases_of", lambda chosen: [endless(base) for base in bases_of(chosen)])
    with pytest.raises(KeyboardInterrupt), computation([dataset], Options()):
        raise AssertionError
    assert len(made) == 1


def test_while_tables_are_written(dataset: Dataset, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run = import_module("chesstools.stats.run")
    asked = []

    def endless(self: object, one: Statistic, cursor: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
        asked.append(one.name)
        if len(asked) == 2:
            interrupt_soon()
        return cursor.sql(ENDLESS).to_arrow_reader()

    monkeypatch.setattr(run.Computation, "batches", endless)
    with pytest.raises(KeyboardInterrupt):
        write_stats(dataset, tmp_path / "out")
    assert len(asked) == 2


def test_what_is_stopped_has_ended() -> None:
    asked = []

    def ask(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
        asked.append(sql)
        cursor.execute(sql)

    def steps(cursor: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(duckdb.InterruptException):
            cursor.execute(ENDLESS)
        cursor.execute(ENDLESS)

    with connect([]) as connection:
        asking = Together(connection, ThreadPoolExecutor(2))
        stepping = asking.submit(steps)
        asking.submit(ask, ENDLESS)
        never = asking.submit(ask, "SELECT 1")
        time.sleep(0.3)
        asking.stop()
    assert asked == [ENDLESS]
    assert never.cancelled()
    assert isinstance(stepping.exception(), duckdb.InterruptException)
