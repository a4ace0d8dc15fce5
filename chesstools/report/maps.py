"""Heat maps: a chessboard, each square the darker the higher its value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from chesstools.report.charts import Rows, Told, of, tooltip, whole

SIDE = 264
"""Pixels of a side of a chessboard, which is as wide as high on a phone too."""


def board_map(
    rows: Rows, value: str, value_title: str, form: str = ",", *, written: str | None = None, more: Sequence[Told] = ()
) -> dict[str, Any]:
    """A chessboard with White below. Rows have square (such as e4) and `value`, which is written on the squares in the format
    `written`; None leaves them plain."""
    placed = [{**row, "file": row["square"][0], "rank": row["square"][1]} for row in rows]
    base = of(placed).encode(
        x=alt.X("file:N", title=None, scale=alt.Scale(domain=list("abcdefgh")), axis=_plain()),
        y=alt.Y("rank:N", title=None, scale=alt.Scale(domain=list("87654321")), axis=_plain()),
        tooltip=tooltip([("square", "Square", None), *more, (value, value_title, form)]),
    )
    shaded = base.mark_rect(fill="var(--accent)", stroke="var(--line)", strokeWidth=1).encode(
        fillOpacity=_depth(rows, value, 0.88 if written is None else 0.5)  # what is written must be read
    )
    if written is not None:
        numbers = base.mark_text(fontSize=10).encode(text=alt.Text(field=value, type="quantitative", format=written))
        return {**whole(shaded + numbers, SIDE), "width": SIDE, "autosize": {"type": "pad"}}
    return {**whole(shaded, SIDE), "width": SIDE, "autosize": {"type": "pad"}}


def _plain() -> alt.Axis:
    return alt.Axis(labelAngle=0, labelLimit=110, ticks=False, domain=False)


def _depth(rows: Rows, value: str, darkest: float = 0.88) -> alt.FillOpacity:
    """How dark: by opacity, so that it is right on a light and on a dark page."""
    most = max((row[value] or 0 for row in rows), default=0) or 1
    return alt.FillOpacity(
        field=value, type="quantitative", scale=alt.Scale(domain=[0, most], range=[0.02, darkest]), legend=None
    )
