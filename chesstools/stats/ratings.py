"""Outcomes by the ratings of the players, and what Elo's formula expects."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import POINTS
from chesstools.stats.outcome import OUTCOME_COLUMNS, by, outcomes
from chesstools.stats.statistic import Column, Statistic

RATED = (*POINTS, "no ratings")

EXPECTATION = (
    "What is expected is 1 / (1 + 10^((black_elo - white_elo) / 400)) for each game, and its mean here; the formula knows "
    "nothing of the advantage of White, nor of FIDE's limit of 400 points."
)

BY_RATING = Statistic(
    name="outcomes_by_rating",
    title="Outcomes by rating",
    meaning="Games by the mean of both ratings, in bands of 200 points.",
    columns=(
        Column("rating_from", pa.int32(), "Lowest mean rating of the band."),
        Column("rating_to", pa.int32(), "The band ends below this."),
        *OUTCOME_COLUMNS,
    ),
    partial=by(
        {"rating_from": "rating_from"}, more={"rating_to": "any_value(rating_from) + 200"}, how={"rating_to": "any_value"}
    ),
    finish=outcomes,
    order="rating_from",
    leaves_out=RATED,
)

BY_DIFFERENCE = Statistic(
    name="outcomes_by_difference",
    title="Outcomes by rating difference, against the expectation",
    meaning="Games by White's rating less Black's, in bands of 50 points around the multiples of 50; the curve of expected and "
    f"observed scores. {EXPECTATION}",
    columns=(
        Column("difference_from", pa.int32(), "Lowest difference of the band, in rating points."),
        Column("difference_to", pa.int32(), "Highest difference of the band."),
        Column("difference", pa.float64(), "Mean difference in these games."),
        *OUTCOME_COLUMNS,
    ),
    partial=by(
        {"difference_from": "difference_from"},
        more={"difference_to": "any_value(difference_from) + 49"},
        how={"difference_to": "any_value"},
    ),
    query="SELECT *, differences / games AS difference FROM {partial}",
    finish=outcomes,
    order="difference_from",
    leaves_out=RATED,
)

BY_BOTH = Statistic(
    name="outcomes_by_rating_and_difference",
    title="Outcomes by rating and rating difference",
    meaning=f"The bands of outcomes_by_rating, each split into those of outcomes_by_difference. {EXPECTATION}",
    columns=(
        Column("rating_from", pa.int32(), "Lowest mean rating of the band of 200 points."),
        Column("difference_from", pa.int32(), "Lowest difference of the band of 50 points."),
        *OUTCOME_COLUMNS,
    ),
    partial=by({"rating_from": "rating_from", "difference_from": "difference_from"}),
    finish=outcomes,
    order="rating_from, difference_from",
    leaves_out=RATED,
)

STATISTICS = (BY_RATING, BY_DIFFERENCE, BY_BOTH)
