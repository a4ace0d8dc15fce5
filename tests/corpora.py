"""The shared test archives, read and judged once for all tests that look at them.

They are not part of the project; where they are absent the tests are skipped. By default only the first games of the large
ones are judged; with ``CHESSTOOLS_FULL=1`` in the environment all of them, and of `otb` as many as the facts about it cover.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import independent_replay
import pyarrow as pa
import pytest
from independent_replay import Verdict

from chesstools.scan import scan
from chesstools.source import Source, find_sources
from chesstools.summary import SourceSummary

FOLDER = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"
FULL = os.environ.get("CHESSTOOLS_FULL", "") not in ("", "0")

needs_corpus = pytest.mark.skipif(not FOLDER.is_dir(), reason="the shared test archives are not here")

GAMES = {
    "otb": 125_620,
    "lichess_clk": 2_110,
    "lichess_db": 438,
    "chesscom": 823,
    "tcec_chess960": 112,
    "tcec_semicolon": 56,
    "fastchess": 330,
    "fics_crazyhouse": 1_291,
}
"""Games in each archive."""

FIRST = {"otb": 20_000} if FULL else {"otb": 2_500, "lichess_clk": 500}
"""Where not all games are judged: how many of them."""

ARCHIVES = list(GAMES)
SMALL = [name for name in ARCHIVES if name != "otb"]


@dataclass(frozen=True)
class Judged:
    """What chesstools makes of an archive."""

    games: pa.Table
    plies: pa.Table
    findings: pa.Table
    summary: SourceSummary

    def column(self, name: str) -> list[Any]:
        """One column of games."""
        values: list[Any] = self.games[name].to_pylist()
        return values

    def rows(self, *names: str) -> list[dict[str, Any]]:
        """Rows of games with these columns only."""
        rows: list[dict[str, Any]] = self.games.select(names).to_pylist()
        return rows

    def plies_of_games(self, *names: str) -> list[list[tuple[Any, ...]]]:
        """These columns of plies, for every game the list of its plies."""
        found: list[list[tuple[Any, ...]]] = [[] for _ in range(self.games.num_rows)]
        columns = (self.plies[name].to_pylist() for name in ("game_index", *names))
        for index, *values in zip(*columns, strict=True):
            found[index].append(tuple(values))
        return found


def path(name: str) -> Path:
    """Where an archive stands, compressed as it is."""
    return FOLDER / f"{name}.pgn.zst"


@cache
def text(name: str) -> bytes:
    """The games of an archive that are judged, unpacked."""
    (source,) = find_sources(path(name))
    wanted = FIRST.get(name)
    if wanted is None:
        return b"".join(source.open())
    data = b""
    for block in source.open():
        data += block
        if len(games := independent_replay.split_games(data)) > wanted:
            return data[: games[wanted][0]]
    raise AssertionError(f"{name} has too few games")


@cache
def judged(name: str) -> Judged:
    """Those games, judged by chesstools on two processes."""
    return judge(Source.from_bytes(text(name), name) if name in FIRST else path(name))


def judge(source: Path | Source) -> Judged:
    """One source, judged on two processes."""
    scanning = scan(source, jobs=2, batch_games=100, profile="fide-2023")
    tables = scanning.to_tables()
    (summary,) = scanning.summary.sources
    return Judged(tables["games"], tables["plies"], tables["findings"], summary)


@cache
def verdicts(name: str) -> Sequence[Verdict]:
    """The independent verdict on each of those games, with details on all plies but for `otb`."""
    games = [game for _, game in independent_replay.split_games(text(name))]
    return independent_replay.replay_all(games, details=name != "otb")


@cache
def crazyhouse() -> tuple[Judged, Sequence[Verdict]]:
    """The crazyhouse games with the Variant tag that they lack, judged by chesstools and independently."""
    games = [game for _, game in independent_replay.split_games(text("fics_crazyhouse"))]
    games = [b'[Variant "Crazyhouse"]\n' + game for game in (games if FULL else games[:300])]
    found = judge(Source.from_bytes(b"".join(games), "crazyhouse"))
    return found, independent_replay.replay_all(games, details=True)
