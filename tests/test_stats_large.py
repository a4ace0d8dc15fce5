"""Statistics of ten million plies in bounded memory: CHESSTOOLS_FULL=1 runs it, which takes a minute."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpora import FULL

pytestmark = pytest.mark.skipif(not FULL or sys.platform == "win32", reason="takes a minute: set CHESSTOOLS_FULL=1")

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data" / "games" / "generated_mixed.pgn"
MOST_MB = 1_500
PLIES = 10_000_000

MEASURED = """
import json, resource, sys
from chesstools.stats import write_stats
written = write_stats(sys.argv[1], sys.argv[2])
print(json.dumps([written.games, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def copies(text: bytes) -> Iterator[bytes]:
    """The games again and again, each time with other players and events."""
    for number in range(10_000):
        copy = text
        for tag in (b"White", b"Black", b"Event"):
            copy = copy.replace(b'[%s "' % tag, b'[%s "%d ' % (tag, number))
        yield copy


def test_memory_does_not_grow_with_plies_games_players_and_events(tmp_path: Path) -> None:
    from chesstools import Dataset, ingest

    text = SAMPLE.read_bytes()
    file = tmp_path / "games.pgn"
    ingest(SAMPLE, tmp_path / "one")
    one = Dataset.open(tmp_path / "one").summary
    with open(file, "wb") as out:
        for _, copy in zip(range(PLIES // one.plies + 1), copies(text), strict=False):
            out.write(copy)
    summary = ingest(file, tmp_path / "dataset", jobs=2)
    assert summary.plies >= PLIES
    command = [sys.executable, "-c", MEASURED, str(tmp_path / "dataset"), str(tmp_path / "statistics")]
    games, megabytes = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert games == summary.games
    assert megabytes < MOST_MB
