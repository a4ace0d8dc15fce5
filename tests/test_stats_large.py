"""Statistics and openings of ten million plies in bounded memory: CHESSTOOLS_FULL=1 runs it, which takes minutes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpora import FULL

from chesstools import Dataset, ingest

pytestmark = pytest.mark.skipif(not FULL or sys.platform == "win32", reason="takes minutes: set CHESSTOOLS_FULL=1")

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data" / "games" / "generated_mixed.pgn"
MOST_MB = 1_500
PLIES = 10_000_000

WRITTEN = {
    "statistics": "write_stats(*sys.argv[1:]).games",
    "openings": "sum(write_openings(*sys.argv[1:]).left_out.values())",
    "openings of single games": "sum(write_openings(*sys.argv[1:], min_games=1).left_out.values())",
}
"""What writes tables, and tells of how many games."""

MEASURED = """
import json, resource, sys
from chesstools.openings import write_openings
from chesstools.stats import write_stats
games = {written}
print(json.dumps([games, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def copies(text: bytes) -> Iterator[bytes]:
    """The games again and again, each time with other players and events."""
    for number in range(10_000):
        copy = text
        for tag in (b"White", b"Black", b"Event"):
            copy = copy.replace(b'[%s "' % tag, b'[%s "%d ' % (tag, number))
        yield copy


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Ten million plies."""
    folder = tmp_path_factory.mktemp("large")
    ingest(SAMPLE, folder / "one")
    one = Dataset.open(folder / "one").summary
    with open(folder / "games.pgn", "wb") as out:
        for _, copy in zip(range(PLIES // one.plies + 1), copies(SAMPLE.read_bytes()), strict=False):
            out.write(copy)
    summary = ingest(folder / "games.pgn", folder / "dataset", jobs=2)
    assert summary.plies >= PLIES
    return Dataset.open(folder / "dataset")


@pytest.mark.parametrize("name", WRITTEN)
def test_memory_does_not_grow_with_plies_games_players_and_events(dataset: Dataset, tmp_path: Path, name: str) -> None:
    command = [sys.executable, "-c", MEASURED.format(written=WRITTEN[name]), str(dataset.path), str(tmp_path / "tables")]
    games, megabytes = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert games == dataset.summary.games
    assert megabytes < MOST_MB
