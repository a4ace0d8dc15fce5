"""Columns of what one side scored, whichever colour it had: beside those of outcomes, which are White's."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.outcome import wilson_high, wilson_low
from chesstools.stats.statistic import Column

SCORE_COLUMNS = (
    Column("won", pa.int64(), "Of these, games that the side won."),
    Column("drawn", pa.int64(), "Of these, games that were drawn."),
    Column("lost", pa.int64(), "Of these, games that the side lost."),
    Column("score", pa.float64(), "Mean points of the side in won, drawn and lost games, 0 to 1; null where there are none."),
    Column("score_low", pa.float64(), "Lower end of the 95 % interval of the score (Wilson)."),
    Column("score_high", pa.float64(), "Upper end of the 95 % interval of the score (Wilson)."),
)
"""Games whose result is not known are counted as games, but are neither won nor drawn nor lost."""

_POINTS, _GAMES = "(won + drawn / 2)", "(won + drawn + lost)"

SCORES = f"""won, drawn, lost, {_POINTS} / nullif({_GAMES}, 0) AS score,
    {wilson_low(_POINTS, _GAMES)} AS score_low, {wilson_high(_POINTS, _GAMES)} AS score_high"""
"""SQL of these columns, from won, drawn and lost."""

OWN = """count(*) AS games, count(*) FILTER (outcome = 'won') AS won, count(*) FILTER (outcome = 'drawn') AS drawn,
    count(*) FILTER (outcome = 'lost') AS lost"""
"""SQL of games, won, drawn and lost, of rows with an outcome."""
