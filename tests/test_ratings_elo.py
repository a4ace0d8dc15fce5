"""Elo: the formula, FIDE's table and coefficients, examples worked by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chesstools.errors import OptionError
from chesstools.ratings.elo import Rules, expected_score, factor

ratings = st.floats(-500, 4000, allow_nan=False)

TABLE = """
0-3 .50 | 4-10 .51 | 11-17 .52 | 18-25 .53 | 26-32 .54 | 33-39 .55 | 40-46 .56 | 47-53 .57 | 54-61 .58 | 62-68 .59 | 69-76 .60
77-83 .61 | 84-91 .62 | 92-98 .63 | 99-106 .64 | 107-113 .65 | 114-121 .66 | 122-129 .67 | 130-137 .68 | 138-145 .69 | 146-153 .70
154-162 .71 | 163-170 .72 | 171-179 .73 | 180-188 .74 | 189-197 .75 | 198-206 .76 | 207-215 .77 | 216-225 .78 | 226-235 .79
236-245 .80 | 246-256 .81 | 257-267 .82 | 268-278 .83 | 279-290 .84 | 291-302 .85 | 303-315 .86 | 316-328 .87 | 329-344 .88
345-357 .89 | 358-374 .90 | 375-391 .91 | 392-411 .92 | 412-432 .93 | 433-456 .94 | 457-484 .95 | 485-517 .96 | 518-559 .97
560-619 .98 | 620-735 .99 | 736-3000 1.00
"""
"""FIDE Handbook B.02, 8.1.2: differences and what the stronger player scores."""


def test_the_table_of_fide() -> None:
    rules = Rules(expectation="table", most_difference=None)
    rows = [row.split() for line in TABLE.strip().splitlines() for row in line.split(" | ")]
    assert len(rows) == 51
    for span, score in rows:
        first, last = map(int, span.split("-"))
        for difference in (first, last):
            assert expected_score(1500 + difference, 1500, rules) == float(score)
            assert expected_score(1500, 1500 + difference, rules) == round(1 - float(score), 2)


def test_differences_between_whole_points_are_rounded() -> None:
    rules = Rules(expectation="table")
    assert [expected_score(1500 + d, 1500, rules) for d in (3.4, 3.5, 10.49, 10.5)] == [0.5, 0.51, 0.51, 0.52]


@given(ratings, ratings)
def test_both_scores_are_one(one: float, other: float) -> None:
    for rules in (Rules(), Rules(expectation="table"), Rules(most_difference=None)):
        assert math.isclose(expected_score(one, other, rules) + expected_score(other, one, rules), 1)
        better, worse = max(one, other), min(one, other)
        assert expected_score(better, worse, rules) >= 0.5 >= expected_score(worse, better, rules)


def test_a_tenfold_chance_is_400_points() -> None:
    assert math.isclose(expected_score(1900, 1500), 10 / 11)
    assert math.isclose(expected_score(2300, 1500, Rules(most_difference=None)), 100 / 101)
    assert expected_score(2300, 1500) == expected_score(1900, 1500)  # the rule of 400 points
    assert expected_score(1e6, 0, Rules(most_difference=None)) == 1


@pytest.mark.parametrize(
    ("games", "reached", "in_period", "k"),
    [
        *[(0, 1500, 1, 40), (29, 2600, 1, 40), (30, 2399.9, 1, 20), (30, 2400, 1, 10), (500, 2400, 1, 10)],
        *[(0, 1500, 17, 40), (0, 1500, 18, 38), (40, 1500, 35, 20), (40, 1500, 36, 19), (40, 2500, 71, 9), (40, 1500, 800, 0)],
    ],
)
def test_coefficient_of_fide(games: int, reached: float, in_period: int, k: int) -> None:
    assert factor(Rules(), games, reached, in_period) == k
    assert factor(Rules(k=25), games, reached, in_period) == 25


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": "usual"}, {"k": 1e9}, {"expectation": "x"}, {"most_difference": 0}])
def test_options_that_mean_nothing(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        Rules(**wrong)  # type: ignore[arg-type]
