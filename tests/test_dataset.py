"""The dataset on disk: what is written, what is told of sources that cannot be read, and how it is opened again."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest
from datasets import files, manifest, pgn, sentence

from chesstools import __version__
from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError, OptionError, SourceError
from chesstools.manifest import FILE_NAME
from chesstools.schema import GAMES, SCHEMAS, TABLES
from chesstools.source import Source

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
        "profile": "auto",
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
