"""Outcomes: how games ended, of all games and by year, time class and ratings."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import POINTS
from chesstools.stats.outcome import OUTCOME_COLUMNS, by
from chesstools.stats.statistic import Column, Statistic

OUTCOMES = Statistic(
    name="outcomes",
    title="Outcomes of all games",
    meaning="One row: all games with a result, whatever rules they were played by and from whatever position. Games without "
    "moves count where they have a result.",
    columns=OUTCOME_COLUMNS,
    query=by({}),
    order="games",
    leaves_out=POINTS,
)

BY_YEAR = Statistic(
    name="outcomes_by_year",
    title="Outcomes by year",
    meaning="One row for each year of the Date tag that has games with a result.",
    columns=(Column("year", pa.int16(), "Year of the Date tag."), *OUTCOME_COLUMNS),
    query=by({"year": "year"}),
    order="year",
    leaves_out=(*POINTS, "no year"),
)

STATISTICS = (OUTCOMES, BY_YEAR)
