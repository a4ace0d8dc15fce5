"""Ten million plies in bounded memory, whatever is made of them: CHESSTOOLS_FULL=1 runs it, which takes a quarter of an hour."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from corpora import FULL

from chesstools import Dataset, ingest

pytestmark = pytest.mark.skipif(not FULL or sys.platform == "win32", reason="takes a quarter of an hour: set CHESSTOOLS_FULL=1")

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data" / "games" / "generated_mixed.pgn"
MOST_MB = 1_500
PLIES = 10_000_000

MADE = {
    "statistics": "write_stats(dataset, folder).games",
    "openings": "sum(write_openings(dataset, folder).left_out.values())",
    "openings of single games": "sum(write_openings(dataset, folder, min_games=1).left_out.values())",
    "find a position": "len(chesstools.find(dataset, fen=chess.STARTING_FEN))",
    "find a pattern": "len(chesstools.find(dataset, pattern='Kg1 kg8', either_wing=True))",
    "ratings": "chesstools.ratings(dataset, ['elo', 'glicko2', 'points'], output=folder).counts.games",
    "report": "number_of_games(chesstools.report(dataset))",
}
"""What is made of a dataset, and a number of games that it tells."""

MEASURED = """
import json, re, resource, sys
import chess, chesstools
from chesstools.openings import write_openings
from chesstools.stats import write_stats
_, dataset, folder = sys.argv

def number_of_games(report):
    assert len(report.html.encode()) < 6_000_000
    return int(re.match("([0-9,]+) games", report.page.lead)[1].replace(",", ""))

games = {made}
print(json.dumps([games, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


class Large(NamedTuple):
    """The games of the sample, and the same games so often that they have ten million plies."""

    one: Dataset
    copies: int
    dataset: Dataset


def copied(text: bytes, copies: int) -> Iterator[bytes]:
    """The games again and again, each time with other players and events."""
    for number in range(copies):
        copy = text
        for tag in (b"White", b"Black", b"Event"):
            copy = copy.replace(b'[%s "' % tag, b'[%s "%d ' % (tag, number))
        yield copy


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Large:
    """Ten million plies."""
    folder = tmp_path_factory.mktemp("large")
    one = ingest(SAMPLE, folder / "one")
    copies = PLIES // one.plies + 1
    with open(folder / "games.pgn", "wb") as out:
        out.writelines(copied(SAMPLE.read_bytes(), copies))
    summary = ingest(folder / "games.pgn", folder / "dataset", jobs=2)
    assert summary.plies == copies * one.plies >= PLIES
    return Large(Dataset.open(folder / "one"), copies, Dataset.open(folder / "dataset"))


def measured(name: str, dataset: Dataset, folder: Path) -> tuple[int, float]:
    """The number that it tells, and the most memory that the process took, in megabytes."""
    command = [sys.executable, "-c", MEASURED.format(made=MADE[name]), str(dataset.path), str(folder)]
    games, megabytes = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return games, megabytes


@pytest.mark.parametrize("name", MADE)
def test_memory_does_not_grow_with_plies_games_players_and_events(large: Large, tmp_path: Path, name: str) -> None:
    of_one, _ = measured(name, large.one, tmp_path / "one")
    games, megabytes = measured(name, large.dataset, tmp_path / "all")
    assert games == of_one * large.copies > 0
    assert megabytes < MOST_MB
