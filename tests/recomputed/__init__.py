"""Every statistic worked out a second time, in another way: with pandas from the tables, with python-chess from the moves.

Nothing here comes from the code of `chesstools.stats`: neither its SQL nor its arithmetic. What a column means is read in
`docs/statistics.md`, and worked out from that.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from recomputed import activity, draws, kings, left_out, material, men, openings, outcomes, players, quality, times
from recomputed.frames import Frames

FAMILIES = (outcomes, openings, draws, players, quality, activity, men, kings, material, times, left_out)

RECOMPUTED: dict[str, Callable[[Frames], pd.DataFrame]] = {
    name: function for family in FAMILIES for name, function in family.TABLES.items()
}
"""For each statistic what makes the same rows, in the same order, with all of its columns."""
