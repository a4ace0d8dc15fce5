"""The walk through the plies: however the rows lie in files, whichever games count, and where there is little to count."""

from __future__ import annotations

import importlib
import shutil
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import FOLDER, FULL, needs_corpus
from small_archive import chess960_walk
from walks import pgn_of, random_walk, sans

from chesstools import Dataset, DatasetError, ingest
from chesstools.source import Source
from chesstools.stats import Statistics, stats
from chesstools.stats.blocks import blocks
from chesstools.stats.games import Games
from chesstools.stats.registry import STATISTICS
from chesstools.stats.tally import Tally

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data" / "games"
WALKED = [one.name for one in STATISTICS.values() if one.walked]
WALK = "chesstools.stats.walk"
"""The module by name: `chesstools.stats` is a function too."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Games with and without errors, clocks and evaluations, of two sources with the same games."""
    walks = b"".join(pgn_of(start, sans(start, moves)) for start, moves in (random_walk(seed, 40) for seed in range(30)))
    folder = tmp_path_factory.mktemp("archive")
    ingest([SAMPLES / "producers", Source.from_bytes(walks * 2, "walks.pgn")], folder, part_games=20)
    return Dataset.open(folder)


def check_equal(one: Statistics, other: Statistics) -> None:
    """The same rows; sums of floats may differ in their last digits, where they were added in another order."""
    for name in (*WALKED, "left_out"):
        pd.testing.assert_frame_equal(one.to_pandas(name), other.to_pandas(name), rtol=1e-12, obj=name)


def rewritten(archive: Dataset, folder: Path, rows: int, *, backwards: bool = False) -> Dataset:
    """The same dataset with row groups of so many plies, or with the plies of each part turned round."""
    shutil.copytree(archive.path, folder, dirs_exist_ok=True)
    for file in (folder / "plies").glob("*.parquet"):
        table = pq.read_table(file)
        table = table.take(np.arange(table.num_rows)[::-1]) if backwards else table
        pq.write_table(table, file, row_group_size=rows)
    written = Dataset.open(folder)
    for part in written.manifest.parts:  # else the file would be taken for a damaged one
        part.bytes["plies"] = (folder / "plies" / part.name).stat().st_size
    return written


@pytest.mark.parametrize("rows", [37, 100_000])
@pytest.mark.parametrize("block_rows", [1, 500])
def test_blocks_and_row_groups_do_not_matter(
    archive: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, block_rows: int
) -> None:
    expected = stats(archive, tables=WALKED)
    again = rewritten(archive, tmp_path, rows)
    monkeypatch.setattr(importlib.import_module(WALK), "blocks", partial(blocks, block_rows=block_rows))
    check_equal(stats(again, tables=WALKED), expected)


def test_rows_out_of_order_are_refused(archive: Dataset, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"do not stand in the order of play; ingest again with --overwrite\."):
        stats(rewritten(archive, tmp_path, 1000, backwards=True), tables=["captures"])


@pytest.mark.parametrize("options", [{}, {"include_invalid": True}, {"unique": True}, {"include_invalid": True, "unique": True}])
def test_the_games_that_count_are_walked_through(archive: Dataset, options: dict[str, bool]) -> None:
    found = stats(archive, tables=["piece_squares", "survival", "king_squares"], **options)
    games = archive.to_pandas("games").sort_values(["source", "game_index"])
    if not options.get("include_invalid"):
        games = games[games["errors"] == 0]
    if options.get("unique"):
        games = games[~games["game_id"].isin(games["game_id"][games["game_id"].duplicated()]) | ~games["game_id"].duplicated()]
    games = games[games["rules"].isin(["standard", "chess960"]) & (games["legal_ply_count"] > 0)]
    plies = archive.to_pandas("plies").merge(games[["source", "game_index"]], on=["source", "game_index"])
    assert found.to_pandas("piece_squares")["arrivals"].sum() == plies["role"].notna().sum()
    assert found.to_pandas("king_squares")["last"].sum() == 2 * len(games)
    survival = found.to_pandas("survival")
    assert (survival["captured"] + survival["survived"]).sum() == 32 * survival["games"].iloc[0]


CRAZYHOUSE = b'[Result "1-0"]\n[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 1-0\n\n'
NULL_MOVE = b'[Result "*"]\n\n1. e4 -- 2. Bc4 *\n\n'
ILLEGAL = b'[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n'


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (b"", 0),
        (ILLEGAL * 3, 0),
        (CRAZYHOUSE, 0),
        (b'[Result "1-0"]\n\n1-0\n\n', 0),
        (chess960_walk(5), 1),
        (b'[Result "1-0"]\n\n1. e4 1-0\n\n', 1),
    ],
    ids=["empty", "invalid", "crazyhouse", "no moves", "chess960", "one"],
)
def test_little_or_nothing(text: bytes, counted: int) -> None:
    found = stats(Source.from_bytes(text, "a.pgn"), tables=WALKED)
    left_out = found.to_pandas("left_out").set_index(["statistic", "reason"])["games"]
    assert left_out["piece_squares", "counted"] == counted
    assert left_out["survival", "counted"] == (counted if b"Chess960" not in text else 0)
    assert found.to_pandas("king_squares")["last"].sum() == 2 * counted
    assert found["piece_squares"].num_rows == 768
    assert found["survival"].num_rows == 32
    assert found["material_by_move"].num_rows > 0 if counted else found["material_by_move"].num_rows == 0
    if not counted:
        assert found.to_pandas("piece_activity")["moves_per_game"].isna().all()
        assert found.to_pandas("survival")["survival"].isna().all()


def test_null_moves_move_nobody() -> None:
    found = stats(Source.from_bytes(NULL_MOVE, "a.pgn"), tables=WALKED, include_invalid=True)
    if found.to_pandas("left_out").set_index(["statistic", "reason"])["games"]["piece_squares", "counted"]:
        squares = found.to_pandas("piece_squares")
        assert squares["arrivals"].sum() == squares["departures"].sum() <= 2


def test_a_game_longer_than_tables_tell_moves_apart() -> None:
    shuffle = " ".join(f"{2 * n + 1}. Nf3 Nf6 {2 * n + 2}. Ng1 Ng8" for n in range(200))
    found = stats(Source.from_bytes(f'[Result "1/2-1/2"]\n\n{shuffle} 1/2-1/2\n'.encode(), "a.pgn"), include_invalid=True)
    assert found.to_pandas("survival_by_move")["move"].max() == 300
    assert found.to_pandas("material_by_move")["move"].max() == 300
    assert found.to_pandas("piece_activity")["moves"].sum() == 800


def test_tables_are_columns_of_their_types() -> None:
    found = stats(Source.from_bytes(b'[Result "1-0"]\n\n1. e4 1-0\n\n', "a.pgn"), tables=WALKED)
    for name in WALKED:
        assert found[name].schema.equals(STATISTICS[name].schema(), check_metadata=False)
        assert not any(pa.types.is_null(field.type) for field in found[name].schema)


@needs_corpus
@pytest.mark.skipif(not FULL, reason="ten million plies")
def test_what_two_other_programs_count_in_an_archive(tmp_path: Path) -> None:
    """Mates and plies of `otb` as its README tells them, from replays by python-chess and another program."""
    ingest(FOLDER / "otb.pgn.zst", tmp_path)
    found = stats(tmp_path, tables=["piece_activity", "king_squares", "survival"], include_invalid=True)
    pieces, men = found.to_pandas("piece_activity"), found.to_pandas("survival")
    assert pieces["mates"].sum() == found.to_pandas("king_squares")["mated"].sum() == 1_244
    assert pieces["moves"].sum() == Dataset.open(tmp_path).summary.plies == 10_212_025
    assert men["captured"].sum() == pieces["captures"].sum()  # all games begin with the usual array
    assert (men["captured"] + men["survived"] == men["games"]).all()


def test_only_those_tallies_run_that_a_statistic_reads(archive: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    walk = importlib.import_module(WALK)
    made: list[str] = []

    def noted(name: str, games: Games, connection: duckdb.DuckDBPyConnection) -> Tally:
        made.append(name)
        tally: Tally = walk_tallies[name](games, connection)
        return tally

    walk_tallies = dict(walk.TALLIES)
    monkeypatch.setattr(walk, "TALLIES", {name: partial(noted, name) for name in walk_tallies})
    for name in ("outcomes", "piece_activity", "survival", "castling", "imbalances", "move_times", "evaluation_swings"):
        made.clear()
        assert stats(archive, tables=[name])[name].num_rows
        assert made == list(STATISTICS[name].walked)
    assert {name for one in STATISTICS.values() for name in one.walked} == set(walk_tallies)


def test_what_a_reason_rests_on_is_counted() -> None:
    for one in STATISTICS.values():
        assert ("clocks" in one.walked) == bool({"no clocks", "no move times"} & {*one.leaves_out})
        assert ("evaluations" in one.walked) == ("no evaluations" in one.leaves_out)
