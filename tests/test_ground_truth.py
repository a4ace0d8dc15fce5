"""The validator finds what the generator planted, all of it and nothing else.

Generated archives come with a table of every finding that they must give. For every planted kind, at any severity, and
for every error and warning, the findings and the table must be the same: code, game, ply, line and severity. The tables speak
of the Laws of 2023, whatever the dates of the games. 10,000 games are judged where the environment variable CHESSTOOLS_FULL
is 1, 1,500 otherwise.
"""

from __future__ import annotations

import csv
import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from chesstools.scan import scan

SAMPLE_DATA = Path(__file__).parent.parent / "sample_data"
sys.path.insert(0, str(SAMPLE_DATA))

from generator.archive import Options, write_archive  # noqa: E402
from generator.faults import TABLE  # noqa: E402

FULL = os.environ.get("CHESSTOOLS_FULL") == "1"
SEEDS = (101, 102, 103, 104, 105) if FULL else (101, 102, 103)
GAMES = 2000 if FULL else 500
PLANTED = {kind.code for kind in TABLE.values()} | {"M390"}

# game index (empty outside of any game), code, ply (empty where there is none), line, severity
Found = tuple[str, str, str, int, str]


def found(pgn: Path) -> tuple[Counter[Found], int]:
    """What the validator reports, as far as the truth speaks of it, and the number of games."""
    tables = scan([pgn], tables=("games", "findings"), profile="fide-2023", also="P112,T126,A860").to_tables()
    rows: Counter[Found] = Counter()
    for row in tables["findings"].select(["game_index", "code", "ply", "line", "severity"]).to_pylist():
        if row["code"] in PLANTED or row["severity"] != "info":
            game, ply = ("" if row[name] is None else str(row[name]) for name in ("game_index", "ply"))
            rows[game, row["code"], ply, row["line"], row["severity"]] += 1
    return rows, tables["games"].num_rows


def expected(truth: Path) -> Counter[Found]:
    """What the table says."""
    with truth.open(encoding="utf-8", newline="") as handle:
        rows = csv.DictReader(handle)
        return Counter((row["game_index"], row["code"], row["ply"], int(row["line"]), row["severity"]) for row in rows)


def assert_same(pgn: Path, truth: Path, games: int) -> None:
    rows, count = found(pgn)
    wanted = expected(truth)
    assert count == games
    missing, extra = wanted - rows, rows - wanted
    assert (sorted(missing)[:10], sorted(extra)[:10]) == ([], []), "missing and extra findings"


@pytest.mark.parametrize("seed", SEEDS)
def test_generated_archive_gives_exactly_the_findings_of_its_truth(seed: int, tmp_path: Path) -> None:
    pgn, truth = tmp_path / "games.pgn", tmp_path / "games.truth.csv"
    with pgn.open("wb") as games, truth.open("w", encoding="utf-8", newline="") as table:
        done = write_archive(Options(GAMES, seed, 0.5, plies=36), games, table)
    assert set(done.kinds) == set(TABLE), "every kind was planted"
    assert_same(pgn, truth, GAMES)


def test_committed_sample_gives_exactly_the_findings_of_its_truth() -> None:
    games = SAMPLE_DATA / "games"
    assert_same(games / "generated_mixed.pgn", games / "generated_mixed.truth.csv", 1000)
