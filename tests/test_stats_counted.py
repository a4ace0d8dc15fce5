"""Games that statistics of all kinds have to get along with: which of them count, and what they may hold."""

from __future__ import annotations

import pytest

from chesstools.openings import tree
from chesstools.source import Source
from chesstools.stats import stats

KING_MADE = '[SetUp "1"]\n[FEN "7r/P7/8/8/8/8/8/1R6 w - - 0 1"]\n[Variant "Antichess"]\n[Result "*"]\n\n1. a8=K *\n\n'
CLEAN = '[Event "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
DOUBTED = CLEAN.replace("Nf3 1-0", "Nf3 0-1")
"""The same game, whose moves end with another result than its tag says."""


def source(text: str) -> Source:
    return Source.from_bytes(text.encode(), "a.pgn")


def test_a_promotion_to_a_king_stops_no_statistic() -> None:
    found = stats(source(KING_MADE + CLEAN))
    assert found.games == 2
    assert found.to_pandas("outcomes")["games"].tolist() == [1]
    left_out = found.to_pandas("left_out").set_index(["statistic", "reason"])["games"]
    assert left_out["captures", "other rules"] == left_out["captures", "counted"] == 1


def test_a_clock_that_begins_with_nothing_but_the_increment() -> None:
    timed = '[TimeControl "0+1"]\n[Result "*"]\n\n1. e4 {[%clk 0:00:01][%emt 0:00:01]} e5 {[%clk 0:00:01][%emt 0:00:00]} *\n\n'
    found = stats(source(timed), tables=["move_times", "move_times_by_rating", "time_trouble"])
    (row,) = found.to_pandas("move_times").to_dict("records")
    assert (row["moves"], row["base_share"] is None or row["base_share"] != row["base_share"]) == (2, True)


@pytest.mark.parametrize("copies", [DOUBTED + CLEAN, CLEAN + DOUBTED, DOUBTED + CLEAN + CLEAN])
def test_of_copies_one_without_errors_counts(copies: str) -> None:
    found = stats(source(copies), tables=["outcomes"], unique=True)
    assert found.to_pandas("outcomes")[["games", "white_won"]].values.tolist() == [[1, 1]]
    told = found.to_pandas("left_out").set_index("reason")["games"]
    assert told["counted"] == told["errors"] == 1
    grown = tree(source(copies), unique=True, min_games=1)
    assert grown.left_out["counted"] == 1
    assert grown.positions["games"].to_pylist() == [1, 1, 1, 1]
