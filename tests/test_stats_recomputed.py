"""Every column of every statistic against what pandas and python-chess make of the same games (see `recomputed`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from corpora import needs_corpus
from recomputed import RECOMPUTED
from recomputed.archive import Archive
from recomputed.compare import differences
from recomputed.grouped import expectation, performance, wilson

from chesstools.stats import run
from chesstools.stats.registry import STATISTICS

TABLES = {**STATISTICS, "left_out": run.LEFT_OUT}

OF_GAMES = [name for name, one in STATISTICS.items() if not one.walked]
"""What is compared on many games too: python-chess needs no time for it."""

CASES = [*(("small", name) for name in TABLES), *(pytest.param("otb", name, marks=needs_corpus) for name in OF_GAMES)]

CONSTANT = {
    "outcomes": "has one row",
    "survival.games": "all men stand in the same games",
}
"""Columns with the same value in all rows of the small archive, as in all archives."""


def test_every_statistic_has_its_computation() -> None:
    assert set(RECOMPUTED) == set(TABLES)


@pytest.mark.parametrize(("archive", "name"), CASES)
def test_every_column_is_worked_out_again(request: pytest.FixtureRequest, archive: str, name: str) -> None:
    """The same rows in the same order, and no column more or less."""
    chosen: Archive = request.getfixturevalue(archive)
    theirs = chosen.expected(name)
    assert set(theirs.columns) == {column.name for column in TABLES[name].columns}
    assert differences(chosen.found[name], theirs) == {}


@pytest.mark.parametrize("name", TABLES)
def test_the_small_archive_has_something_in_every_column(small: Archive, name: str) -> None:
    table = small.found[name]
    for column in table.column_names:
        values = set(table[column].to_pylist())
        assert values - {None, 0, ""}, column
        assert len(values) > 1 or name in CONSTANT or f"{name}.{column}" in CONSTANT, column


@pytest.mark.parametrize("name", TABLES)
def test_a_wrong_value_in_any_column_is_found(small: Archive, name: str) -> None:
    """In each column: a value that is a little too large or another one, none where there is one, and two in the wrong order."""
    table, theirs = small.found[name], small.expected(name)
    for at, field in enumerate(table.schema):
        values = table[field.name].to_pylist()
        for first, wrong in disturbed(values):
            some = table.slice(first, len(wrong)).set_column(at, field, pa.array(wrong, field.type))
            found = differences(some, theirs.iloc[first : first + len(wrong)])
            assert list(found) == [field.name], wrong


def disturbed(values: list[Any]) -> Iterator[tuple[int, list[Any]]]:
    """Parts of a column from a row on, with something wrong in them."""
    row = next(row for row, value in enumerate(values) if value not in (None, 0, ""))
    value = values[row]
    for wrong in (not value if isinstance(value, bool) else value + "?" if isinstance(value, str) else value + 1, None):
        yield row, [wrong]
    if isinstance(value, float):
        yield row, [value + 1e-6 * max(1, abs(value))]
    empty = next((row for row, value in enumerate(values) if value is None), None)
    if empty is not None:
        yield empty, [value]
    swapped = next((row for row, (one, other) in enumerate(pairwise(values)) if one != other), None)
    if swapped is not None:
        yield swapped, [values[swapped + 1], values[swapped]]


def test_rows_that_lack_or_are_too_many_are_found(small: Archive) -> None:
    table, theirs = small.found["players"], small.expected("players")
    assert set(differences(table.slice(1), theirs)) == set(differences(table, theirs[1:])) == {"rows"}


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (5, 10, 0.236593090512564, 0.763406909487436),
        (1, 10, 0.0178762130950729, 0.404150026795238),
        (0, 10, 0, 0.277532799862889),
    ],
)
def test_intervals_are_those_of_the_textbook(won: int, games: int, low: float, high: float) -> None:
    """Numbers of another package (scipy, `binomtest(won, games).proportion_ci(method="wilson")`)."""
    assert wilson(won, games) == pytest.approx((low, high), abs=1e-12)
    assert wilson(games - won, games) == pytest.approx((1 - high, 1 - low), abs=1e-12)
    assert wilson(0, 0) == (None, None)


def test_performances_are_those_of_the_formula() -> None:
    """A share of 10 / 11 is 400 points above the other side, and nobody knows how far all of the points are."""
    assert performance([2000.0] * 11, [1.0] * 10 + [0.0]) == pytest.approx(2400)
    assert performance([2000.0, 2200.0], [1.0, 0.0]) == pytest.approx(2100)
    assert performance([2000.0], [1.0]) is performance([2000.0], [0.0]) is performance([], []) is None
    assert expectation(2000, 2400) == pytest.approx(1 / 11)
