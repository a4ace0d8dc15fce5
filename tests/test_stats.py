"""The framework of statistics: what counts adds up, tables say what they are, folders are whole or are not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from statistics_page import page

import chesstools
from chesstools import Dataset, DatasetError, OptionError, OutputError, SourceError, ingest
from chesstools.source import Source
from chesstools.stats import stats, write_stats
from chesstools.stats.registry import FAMILIES, STATISTICS

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "sample_data" / "games"

ILLEGAL = '[Event "Bad"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n'
GOOD = '[Event "Good"]\n[Result "1-0"]\n[WhiteElo "2000"]\n[BlackElo "1900"]\n[Date "2001.01.02"]\n\n1. e4 e5 1-0\n\n'
OPEN = '[Event "Open"]\n[Result "*"]\n\n1. d4 *\n\n'


def source(text: str, name: str = "a.pgn") -> Source:
    return Source.from_bytes(text.encode(), name)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """All sample games."""
    folder = tmp_path_factory.mktemp("samples")
    ingest(SAMPLES, folder)
    return Dataset.open(folder)


def test_the_page_is_what_the_code_says() -> None:
    assert (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8") == page()


def test_names_are_told_once_and_meanings_are_sentences() -> None:
    assert len(STATISTICS) == sum(len(family) for family in FAMILIES.values())
    for statistic in STATISTICS.values():
        names = [column.name for column in statistic.columns]
        assert len(set(names)) == len(names), statistic.name
        for text in (statistic.meaning, *(column.meaning for column in statistic.columns)):
            assert text.endswith("."), (statistic.name, text)


@pytest.mark.parametrize("options", [{}, {"unique": True}, {"include_invalid": True}, {"unique": True, "include_invalid": True}])
def test_counted_and_left_out_add_up(samples: Dataset, options: dict[str, bool]) -> None:
    found = stats(samples, **options)
    assert found.games == samples.summary.games
    left_out = found.to_pandas("left_out")
    assert set(left_out["statistic"]) == set(STATISTICS)
    assert (left_out.groupby("statistic")["games"].sum() == found.games).all()
    for name, statistic in STATISTICS.items():
        told = json.loads(found[name].schema.metadata[b"left_out"])
        assert sum(told.values()) == found.games
        with_errors = options.get("include_invalid") or statistic.everything or statistic.with_errors
        assert ("errors" in told) == (not with_errors)
        assert ("repeated" in told) == (bool(options.get("unique")) and not statistic.everything)


@pytest.mark.parametrize(
    "text",
    ["", ILLEGAL, ILLEGAL + OPEN, OPEN, GOOD, GOOD * 2],
    ids=["empty", "invalid", "none counts", "open", "one", "two alike"],
)
def test_few_games_or_none(text: str) -> None:
    for options in ({}, {"include_invalid": True, "unique": True}):
        found = stats(source(text), **options)
        assert set(found) == {*STATISTICS, "left_out"}
        for name, statistic in STATISTICS.items():
            assert found[name].schema.equals(statistic.schema(), check_metadata=False)


def test_one_row_of_outcomes() -> None:
    found = stats(source(GOOD * 2 + ILLEGAL + OPEN), unique=True)
    (row,) = found["outcomes"].to_pylist()
    assert (row["games"], row["white_won"], row["score"], row["score_high"]) == (1, 1, 1.0, 1.0)
    assert row["score_low"] == pytest.approx(0.206549, abs=1e-6)
    assert row["white_performance"] is None
    assert json.loads(found["outcomes"].schema.metadata[b"left_out"]) == {
        "errors": 1,
        "repeated": 1,
        "unfinished": 1,
        "no result": 0,
        "counted": 1,
    }
    (row,) = stats(source(ILLEGAL))["outcomes"].to_pylist()
    assert row["games"] == 0
    assert row["score"] is row["score_low"] is row["white_share_high"] is row["score_error"] is None


def test_the_function_has_the_name_of_its_package() -> None:
    assert chesstools.stats is stats


def test_names_and_tables_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="There is no statistic outcome;"):
        stats(source(GOOD), tables=["outcome"])
    ingest(source(GOOD), tmp_path, tables=["findings"])
    with pytest.raises(DatasetError, match="has no table games, which statistics need"):
        stats(tmp_path)


def test_a_folder_of_statistics(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "statistics"
    written = write_stats(source(GOOD), folder)
    assert {path.stem for path in folder.glob("*.parquet")} == {*STATISTICS, "left_out"} == set(written.heads)
    document = json.loads((folder / "_statistics.json").read_text())
    assert document["complete"] is True
    assert document["games"] == 1
    table = pq.read_table(folder / "outcomes.parquet")
    assert table.to_pylist() == stats(source(GOOD))["outcomes"].to_pylist()
    assert table.schema.field("score").metadata[b"meaning"].startswith(b"Mean points of White")
    assert json.loads(table.schema.metadata[b"left_out"])["counted"] == 1
    with pytest.raises(OutputError, match=r"holds statistics; add --overwrite to replace them"):
        write_stats(source(GOOD), folder)
    write_stats(source(GOOD), folder, overwrite=True, form="csv", tables=["outcomes"])
    assert {path.name for path in folder.iterdir()} == {"_statistics.json", "outcomes.csv", "left_out.csv"}


def test_what_stands_there_stays_until_sources_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "statistics"
    write_stats(source(GOOD), folder, tables=["outcomes", "players"])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(SourceError):
        write_stats(tmp_path / "nothing.pgn", folder, overwrite=True)
    with pytest.raises(OptionError):
        write_stats(source(GOOD), folder, overwrite=True, tables=["outcome"])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_strangers_stay(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear …")
    for overwrite in (False, True):
        with pytest.raises(OutputError, match=r"holds files that are no statistics \(letter\.txt\)"):
            write_stats(source(GOOD), tmp_path, overwrite=overwrite)
    with pytest.raises(OutputError, match="is a file; give the name of a folder"):
        write_stats(source(GOOD), tmp_path / "letter.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_run_that_was_stopped_can_be_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*arguments: object) -> pa.Table:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["chesstools.stats"], "write_table", stop)
    with pytest.raises(KeyboardInterrupt):
        write_stats(source(GOOD), tmp_path)
    assert json.loads((tmp_path / "_statistics.json").read_text())["complete"] is False
    monkeypatch.undo()
    write_stats(source(GOOD), tmp_path, overwrite=True)
    assert json.loads((tmp_path / "_statistics.json").read_text())["complete"] is True
    monkeypatch.setattr(sys.modules["chesstools.stats"], "write_table", stop)
    with pytest.raises(KeyboardInterrupt):
        write_stats(source(GOOD), tmp_path, overwrite=True, tables=["outcomes"])
    monkeypatch.undo()
    assert (tmp_path / "players.parquet").exists()
    write_stats(source(GOOD), tmp_path, overwrite=True, tables=["outcomes"])
    assert {path.name for path in tmp_path.iterdir()} == {"_statistics.json", "outcomes.parquet", "left_out.parquet"}
    assert json.loads((tmp_path / "_statistics.json").read_text())["complete"] is True
