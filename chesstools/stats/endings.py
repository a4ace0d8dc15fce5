"""Why games ended: what the board, the source or the clocks tell, and what is inferred where they tell nothing."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import POINTS
from chesstools.stats.outcome import OUTCOME_COLUMNS, by, outcomes
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

_SHARE = Column("share", pa.float64(), "Share of the games that count, 0 to 1.")
_SHARE_OF_YEAR = Column("share", pa.float64(), "Share of the games of the year that count, 0 to 1.")

REASONS = Statistic(
    name="end_reasons",
    title="Why games ended",
    meaning=MEANING,
    columns=(*_KEYS, _SHARE, *OUTCOME_COLUMNS),
    partial=by({"reason": REASON, "basis": BASIS}),
    query="SELECT *, games / sum(games) OVER () AS share FROM {partial}",
    finish=outcomes,
    order="games DESC, reason, basis",
    leaves_out=POINTS,
)

BY_YEAR = Statistic(
    name="end_reasons_by_year",
    title="Why games ended, by year",
    meaning=MEANING,
    columns=(Column("year", pa.int16(), "Year of the Date tag."), *_KEYS, _SHARE_OF_YEAR, *OUTCOME_COLUMNS),
    partial=by({"year": "year", "reason": REASON, "basis": BASIS}),
    query="SELECT *, games / sum(games) OVER (PARTITION BY year) AS share FROM {partial}",
    finish=outcomes,
    order="year, games DESC, reason, basis",
    leaves_out=(*POINTS, "no year"),
)

STATISTICS = (REASONS, BY_YEAR)
