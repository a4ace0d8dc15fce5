"""A dataset of real archives opens in the readers that people use, with the same rows in each of them."""

from __future__ import annotations

from pathlib import Path

import corpora
import pandas as pd
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from corpora import GAMES, judged, needs_corpus

from chesstools.dataset import Dataset, ingest
from chesstools.schema import SCHEMAS, TABLES

pytestmark = needs_corpus

NAMES = ["lichess_db", "tcec_semicolon"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset in several part files."""
    place = tmp_path_factory.mktemp("dataset") / "chess"
    summary = ingest([corpora.path(name) for name in NAMES], place, part_games=200, jobs=2, profile="fide-2023")
    assert summary.games == sum(GAMES[name] for name in NAMES)
    return place


@pytest.fixture(scope="module")
def rows(folder: Path) -> dict[str, int]:
    """Rows of each table, as the part files themselves say."""
    return {table: sum(pq.read_metadata(file).num_rows for file in (folder / table).glob("*.parquet")) for table in TABLES}


def test_rows_are_those_of_a_scan(rows: dict[str, int]) -> None:
    scanned = [judged(name) for name in NAMES]
    assert rows == {table: sum(getattr(found, table).num_rows for found in scanned) for table in TABLES}


@pytest.mark.parametrize("table", TABLES)
def test_every_column_tells_its_meaning(folder: Path, table: str) -> None:
    for file in (folder / table).glob("*.parquet"):
        schema = pq.read_schema(file)
        assert schema.names == SCHEMAS[table].names
        assert all(field.metadata[b"meaning"] for field in schema)


def test_pandas(folder: Path, rows: dict[str, int]) -> None:
    frames = {table: pd.read_parquet(folder / table) for table in TABLES}
    assert {table: len(frame) for table, frame in frames.items()} == rows
    key = ["source", "game_index"]
    assert not frames["games"].duplicated(key).any()
    plies = frames["games"].merge(frames["plies"], on=key, suffixes=("", "_ply"))
    assert len(plies) == rows["plies"]
    assert len(frames["games"].merge(frames["findings"], on=key)) == rows["findings"]
    counted = plies.groupby(key, observed=True).size()
    stated = frames["games"].set_index(key)["legal_ply_count"]
    assert (counted.reindex(stated.index, fill_value=0) == stated).all()


def test_pandas_through_the_library(folder: Path, rows: dict[str, int]) -> None:
    dataset = Dataset.open(folder)
    games = dataset.to_pandas("games", columns=["white_elo", "unclaimed_draw"])
    assert games.dtypes.astype(str).tolist() == ["Int16", "boolean"]
    assert {table: len(dataset.to_pandas(table, columns=["game_index"])) for table in TABLES} == rows


def test_polars(folder: Path, rows: dict[str, int]) -> None:
    polars = pytest.importorskip("polars")
    frames = {table: polars.read_parquet(folder / table / "*.parquet") for table in TABLES}
    assert {table: frame.height for table, frame in frames.items()} == rows
    key = ["source", "game_index"]
    games, plies = frames["games"].select(*key, "legal_ply_count"), frames["plies"]
    assert plies.join(games, on=key).height == rows["plies"]
    counted = games.join(plies.group_by(key).len(), on=key, how="left").with_columns(polars.col("len").fill_null(0))
    assert counted.filter(polars.col("len") != polars.col("legal_ply_count")).height == 0
    assert frames["findings"].join(games, on=key).height == rows["findings"]


def test_duckdb(folder: Path, rows: dict[str, int]) -> None:
    duckdb = pytest.importorskip("duckdb")
    tables = {table: f"read_parquet('{(folder / table).as_posix()}/*.parquet')" for table in TABLES}
    with duckdb.connect() as base:

        def number(query: str) -> int:
            return int(base.execute(query.format(**tables)).fetchone()[0])

        assert {table: number(f"SELECT count(*) FROM {{{table}}}") for table in TABLES} == rows
        assert number("SELECT count(*) FROM {plies} JOIN {games} USING (source, game_index)") == rows["plies"]
        assert number("SELECT count(*) FROM {findings} JOIN {games} USING (source, game_index)") == rows["findings"]
        wrong = """
            SELECT count(*) FROM {games} AS games
            LEFT JOIN (SELECT source, game_index, count(*) AS n FROM {plies} GROUP BY ALL) USING (source, game_index)
            WHERE coalesce(n, 0) != legal_ply_count
        """
        assert number(wrong) == 0
        assert number("SELECT count(*) FROM {games} WHERE map_extract(tags, 'Result')[1] = result") == rows["games"]


def test_arrow_dataset(folder: Path, rows: dict[str, int]) -> None:
    assert {table: pads.dataset(folder / table).count_rows() for table in TABLES} == rows
    # Lost by a player who could have claimed a draw: seen in games as in findings.
    dataset = Dataset.open(folder)
    lost = dataset.games().to_table(columns=["source", "game_index"], filter=pads.field("unclaimed_draw"))
    claims = dataset.findings().to_table(
        columns=["source", "game_index"], filter=pads.field("effect") == "decisive_against_claimant"
    )
    assert {tuple(row.values()) for row in lost.to_pylist()} == {tuple(row.values()) for row in claims.to_pylist()} != set()
