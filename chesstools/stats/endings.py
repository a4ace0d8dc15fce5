"""Why games ended: what the board, the source or the clocks tell, and what is inferred where they tell nothing."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import POINTS
from chesstools.stats.statistic import Column, Statistic

INFERRED = "inferred"

_UNTOLD = "end_reason IS NULL AND ply_count > 0 AND final_status = 'none'"

REASON = f"CASE WHEN {_UNTOLD} THEN CASE WHEN drawn THEN 'agreement' ELSE 'resignation' END ELSE end_reason END"
BASIS = f"CASE WHEN {_UNTOLD} THEN '{INFERRED}' ELSE end_basis END"

MEANING = (
    "The reason is end_reason of games: mate, stalemate, a dead position, an automatic draw or a claim that the last position "
    "bears out (basis board), or what the source says (termination, comment), or the loser's clock (clock). Where none of "
    "these tells, a won game whose last position is not the end counts as resigned, and a drawn one as agreed, on the basis "
    "inferred: that is what such games mostly are, but losses on time, forfeits and adjudications that the source does not "
    "mention are among them. Reason and basis are null where there is no ground for that either, as for games without moves."
)

_KEYS = (
    Column(
        "reason",
        pa.string(),
        "checkmate, resignation, time, stalemate, dead_position, threefold, fivefold, fifty, seventyfive, agreement, "
        "adjudication, forfeit, abandoned and others; null where unknown.",
    ),
    Column("basis", pa.string(), "board, termination, comment, clock or inferred; null with the reason."),
)

_COUNTS = (
    Column("games", pa.int64(), "Games that ended so."),
    Column("share", pa.float64(), "Share of the games that count, 0 to 1."),
    Column("white_won", pa.int64(), "Of the games, won by White."),
    Column("drawn", pa.int64(), "Of the games, drawn."),
    Column("black_won", pa.int64(), "Of the games, won by Black."),
    Column("average_plies", pa.float64(), "Mean length of the games, in plies."),
)

_COUNTED = """count(*) AS games, count(*) FILTER (white_won) AS white_won, count(*) FILTER (drawn) AS drawn,
    count(*) FILTER (black_won) AS black_won, avg(ply_count) AS average_plies"""

REASONS = Statistic(
    name="end_reasons",
    title="Why games ended",
    meaning=MEANING,
    columns=(*_KEYS, *_COUNTS),
    query=f"""
        SELECT *, games / sum(games) OVER () AS share
        FROM (SELECT {REASON} AS reason, {BASIS} AS basis, {_COUNTED} FROM {{counted}} GROUP BY 1, 2)""",
    order="games DESC, reason, basis",
    leaves_out=POINTS,
)

BY_YEAR = Statistic(
    name="end_reasons_by_year",
    title="Why games ended, by year",
    meaning=f"{MEANING} The share is that among the games of the year.",
    columns=(Column("year", pa.int16(), "Year of the Date tag."), *_KEYS, *_COUNTS),
    query=f"""
        SELECT *, games / sum(games) OVER (PARTITION BY year) AS share
        FROM (SELECT year, {REASON} AS reason, {BASIS} AS basis, {_COUNTED} FROM {{counted}} GROUP BY 1, 2, 3)""",
    order="year, games DESC, reason, basis",
    leaves_out=(*POINTS, "no year"),
)

STATISTICS = (REASONS, BY_YEAR)
