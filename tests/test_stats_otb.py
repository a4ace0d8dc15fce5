"""Statistics of an archive of games over the board, against pgn-extract and python-chess."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections import Counter

import chess.pgn
import corpora
import pytest

from chesstools.source import Source
from chesstools.stats import Statistics, stats

pytestmark = corpora.needs_corpus

PROGRAM = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")

TABLES = ["outcomes", "end_reasons", "lengths", "outcomes_by_first_move", "players"]


@pytest.fixture(scope="module")
def found() -> Statistics:
    return stats(Source.from_bytes(corpora.text("otb"), "otb.pgn"), tables=TABLES, include_invalid=True)


@pytest.mark.skipif(PROGRAM is None, reason="pgn-extract is not installed")
@pytest.mark.parametrize(("option", "reason"), [("--checkmate", "checkmate"), ("--stalemate", "stalemate")])
def test_ends_that_pgn_extract_finds(found: Statistics, option: str, reason: str) -> None:
    assert PROGRAM is not None
    done = subprocess.run([PROGRAM, "-s", option], input=corpora.text("otb"), capture_output=True, timeout=120)
    theirs = len(re.findall(rb'^\[Result "(?!\*)', done.stdout, re.MULTILINE))
    ours = found.to_pandas("end_reasons")
    assert theirs > 0
    assert ours.loc[(ours["reason"] == reason) & (ours["basis"] == "board"), "games"].sum() == theirs


def test_what_python_chess_counts(found: Statistics) -> None:
    results: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    players: Counter[str] = Counter()
    # Two empty lines below the tags make two games of one for python-chess.
    text = io.StringIO(corpora.text("otb").decode("utf-8", "replace").replace("\n\n\n", "\n\n"))
    while (game := chess.pgn.read_game(text)) is not None:
        mainline = list(game.mainline_moves())
        result = game.headers["Result"]
        lengths[len(mainline)] += 1
        if result == "*":
            continue
        results[result] += 1
        players.update([game.headers["White"], game.headers["Black"]])
        if mainline:
            moves[chess.Board().san(mainline[0])] += 1
    (row,) = found["outcomes"].to_pylist()
    assert (row["white_won"], row["drawn"], row["black_won"]) == (results["1-0"], results["1/2-1/2"], results["0-1"])
    assert dict(zip(*(found["lengths"][name].to_pylist() for name in ("plies", "games")), strict=True)) == lengths
    assert (
        dict(zip(*(found["outcomes_by_first_move"][name].to_pylist() for name in ("first_move", "games")), strict=True)) == moves
    )
    assert dict(zip(*(found["players"][name].to_pylist() for name in ("player", "games")), strict=True)) == players
