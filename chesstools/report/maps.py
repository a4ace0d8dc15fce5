"""Heat maps: a chessboard, and a table, each place the darker the higher its value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from chesstools.report.charts import Rows, of, tooltip, whole

SIDE = 264
"""Pixels of a side of a chessboard, which is as wide as high on a phone too."""


def board_map(rows: Rows, value: str, value_title: str, form: str = ",") -> dict[str, Any]:
    """A chessboard with White below. Rows have square (such as e4) and `value`."""
    placed = [{**row, "file": row["square"][0], "rank": row["square"][1]} for row in rows]
    chart = (
        of(placed)
        .mark_rect(fill="var(--accent)", stroke="var(--line)", strokeWidth=1)
        .encode(
            x=alt.X("file:N", title=None, scale=alt.Scale(domain=list("abcdefgh")), axis=_plain()),
            y=alt.Y("rank:N", title=None, scale=alt.Scale(domain=list("87654321")), axis=_plain()),
            fillOpacity=_depth(rows, value),
            tooltip=tooltip([("square", "Square", None), (value, value_title, form)]),
        )
    )
    return {**whole(chart, SIDE), "width": SIDE, "autosize": {"type": "pad"}}


def table_map(
    rows: Rows, x: str, y: str, value: str, titles: tuple[str, str, str], xs: Sequence[str], ys: Sequence[str], form: str = ","
) -> dict[str, Any]:
    """A table with names at the left and at the bottom; `titles` are those of `x`, `y` and `value`."""
    chart = (
        of(rows)
        .mark_rect(fill="var(--accent)", stroke="var(--line)")
        .encode(
            x=alt.X(field=x, type="ordinal", title=titles[0], scale=alt.Scale(domain=list(xs)), axis=_plain()),
            y=alt.Y(field=y, type="ordinal", title=titles[1], scale=alt.Scale(domain=list(ys)), axis=_plain()),
            fillOpacity=_depth(rows, value),
            tooltip=tooltip([(y, titles[1], None), (x, titles[0], None), (value, titles[2], form)]),
        )
    )
    return whole(chart, max(90, 30 * len(ys)))


def _plain() -> alt.Axis:
    return alt.Axis(labelAngle=0, labelLimit=110, ticks=False, domain=False)


def _depth(rows: Rows, value: str) -> alt.FillOpacity:
    """How dark: by opacity, so that it is right on a light and on a dark page."""
    most = max((row[value] or 0 for row in rows), default=0) or 1
    return alt.FillOpacity(field=value, type="quantitative", scale=alt.Scale(domain=[0, most], range=[0.02, 0.88]), legend=None)
