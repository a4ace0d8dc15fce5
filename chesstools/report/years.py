"""Years as they can be drawn: one by one, or by decades where they go back so far that a year would be a hair's breadth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from chesstools.report.figures import Row

MOST_YEARS = 90


class Span(NamedTuple):
    """Rows with the first year of their span as ``from_year``, how many years that is, and what it is called."""

    rows: list[Row]
    years: int
    title: str


def spans(rows: Sequence[Row], sums: Sequence[str], also: Sequence[str] = ()) -> Span:
    """Rows with a year, in order: as they are, or added up by decade; `sums` are the columns that are added, `also` more keys.

    >>> spans([{"year": 1851, "games": 1}, {"year": 1859, "games": 2}, {"year": 2020, "games": 3}], ["games"]).rows
    [{'from_year': 1850, 'games': 3}, {'from_year': 2020, 'games': 3}]
    """
    if not rows or rows[-1]["year"] - rows[0]["year"] < MOST_YEARS:
        return Span([{**row, "from_year": row["year"]} for row in rows], 1, "Year")
    totals: dict[tuple[object, ...], Row] = defaultdict(lambda: dict.fromkeys(sums, 0))
    for row in rows:
        total = totals[row["year"] // 10 * 10, *(row[key] for key in also)]
        for name in sums:
            total[name] += row[name]
    named = ("from_year", *also)
    return Span([{**dict(zip(named, key, strict=True)), **total} for key, total in sorted(totals.items())], 10, "Decade")


def outcome_spans(rows: Sequence[Row]) -> Span:
    """A table of outcomes by year; the shares of a decade are those of all its games."""
    span = spans(rows, ("games", "white_won", "drawn", "black_won"))
    for row in span.rows:
        for share, won in (("white", "white_won"), ("draw", "drawn"), ("black", "black_won")):
            row[f"{share}_share"] = row[won] / row["games"]
    return span
