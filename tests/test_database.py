"""Datasets as views of an embedded database, and sources that become datasets for the time being."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import chess
import pytest

from chesstools import Dataset, DatasetError, OptionError, SourceError, find, ingest
from chesstools.database import connect, text
from chesstools.given import opened
from chesstools.schema import SCHEMAS, TABLES
from chesstools.source import Source

PGN = b'[Event "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n[Event "B"]\n[Result "*"]\n\n1. d4 *\n'
COUNTS = "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM plies), (SELECT count(*) > 0 FROM findings)"


def dataset(folder: Path, name: str = "a.pgn", text: bytes = PGN) -> Dataset:
    ingest(Source.from_bytes(text, name), folder)
    return Dataset.open(folder)


def test_views_have_all_rows_of_all_datasets(tmp_path: Path) -> None:
    datasets = [dataset(tmp_path / "it's [1]*"), dataset(tmp_path / "b", "b.pgn")]
    with connect(datasets) as connection:
        assert connection.sql(COUNTS).fetchall() == [(4, 6, True)]
        for table in TABLES:
            assert [row[0] for row in connection.sql(f"DESCRIBE {table}").fetchall()] == SCHEMAS[table].names


def test_no_dataset_and_no_game(tmp_path: Path) -> None:
    for given in ([], [dataset(tmp_path, text=b"")]):
        with connect(given) as connection:
            assert connection.sql(COUNTS).fetchall() == [(0, 0, False)]
            assert [row[0] for row in connection.sql("DESCRIBE plies").fetchall()] == SCHEMAS["plies"].names


def test_the_same_source_twice(tmp_path: Path) -> None:
    datasets = [dataset(tmp_path / "a"), dataset(tmp_path / "b")]
    for twice in (datasets, datasets[:1] * 2):
        with pytest.raises(DatasetError, match=r"both hold the source a\.pgn; give one of them only"), connect(twice):
            pass
    with pytest.raises(DatasetError, match=r"both hold the source a\.pgn; give one of them only"), opened(datasets):
        pass
    beside = Source.from_bytes(PGN, "a.pgn")
    with pytest.raises(DatasetError, match=r"a holds the source a\.pgn already"), opened([beside, datasets[0]]):
        pass


def test_a_dataset_that_is_given_twice_counts_once(tmp_path: Path) -> None:
    first = dataset(tmp_path / "a")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    with opened([first, tmp_path / "link", str(tmp_path / "a")]) as given:
        assert given.datasets == [first]
    found = find([tmp_path / "a", tmp_path / "link"], fen=chess.STARTING_FEN, arrow=True)
    assert found["game_index"].to_pylist() == [0, 1]


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    ingest(Source.from_bytes(PGN, "a.pgn"), tmp_path, tables=["games"])
    with connect([Dataset.open(tmp_path)], tables=["games"]) as connection:
        assert connection.sql("SELECT count(*) FROM games").fetchall() == [(2,)]
    with pytest.raises(DatasetError, match="has no table plies"), connect([Dataset.open(tmp_path)]):
        pass


def test_nothing_is_fetched() -> None:
    with connect([]) as connection:
        for setting in ("autoinstall_known_extensions", "autoload_known_extensions"):
            assert connection.sql(f"SELECT current_setting({text(setting)})").fetchall() == [(False,)]


def test_datasets_and_sources_together(tmp_path: Path) -> None:
    dataset(tmp_path / "made")
    file = tmp_path / "b.pgn"
    file.write_bytes(PGN)
    with opened([tmp_path / "made", file, Dataset.open(tmp_path / "made")]) as given:
        assert [one.summary.games for one in given.datasets] == [2, 2]
        scratch = given.datasets[-1].path
        with connect(given.datasets) as connection:
            assert connection.sql(COUNTS).fetchall() == [(4, 6, True)]
    assert not scratch.exists()


def test_a_source_that_cannot_be_read_to_its_end(tmp_path: Path) -> None:
    import gzip

    file = tmp_path / "a.pgn.gz"
    file.write_bytes(gzip.compress(PGN)[:-9])
    with pytest.raises(SourceError, match=r"a\.pgn\.gz"), opened(file):
        pass
    with opened(file, raise_source_errors=False) as given:
        assert len(given.errors) == 1
        assert given.datasets[0].summary.games >= 1


def test_nothing_given() -> None:
    with pytest.raises(OptionError, match="Name at least one source or dataset"), opened([]):
        pass


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_while_the_database_works_is_one() -> None:
    code = """
import os, signal, threading
from chesstools.database import connect
with connect([], threads=1) as connection:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    connection.execute("SELECT sum(hash(range)) FROM range(1000000000000)").fetchall()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.stderr.splitlines()[-1] == "KeyboardInterrupt"
