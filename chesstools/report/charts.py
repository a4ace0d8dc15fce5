"""What all plots share: their data, their axes, their size, and what comes up where one points.

All are as wide as the place they stand in. Colours are names of the style sheet (see `theme`). Whatever a colour says is also
said by the order of parts, a label, or the text that comes up where one points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import altair as alt

from chesstools.report.theme import plot_config

Rows: TypeAlias = Sequence[Mapping[str, Any]]

Told: TypeAlias = tuple[str, str, str | None]
"""A key, what it is called, and the format of its number (None: a text)."""

LABELS: Any = alt.ExprRef("(containerSize()[0] || 900) > 430 ? 230 : 150")
"""How wide the names at the left of bars may be, in pixels: on a phone the bars need the room."""

LEGEND_COLUMNS: Any = alt.ExprRef("(containerSize()[0] || 900) > 430 ? 4 : 2")
"""How many entries of a legend stand side by side, where they may be many."""

HEIGHT = 240
COUNTS = "datum.value == 0 ? '0' : format(datum.value, '~s')"
"""How counts are written along an axis: with k for thousands, but for 0."""

HEAD_ROOM = 1.05
"""How much longer than the greatest value the axis at the left is."""
BAR = 24
"""Pixels of a row of bars."""


def whole(chart: alt.Chart | alt.LayerChart | alt.FacetChart, height: float) -> dict[str, Any]:
    """The specification of a plot that is as wide as its place."""
    spec: dict[str, Any] = chart.properties(width="container", height=height).to_dict()
    return {**spec, "config": plot_config(), "autosize": {"type": "fit-x", "contains": "padding"}}


def of(rows: Rows) -> alt.Chart:
    """A plot of these rows."""
    return alt.Chart(alt.InlineData(values=[dict(row) for row in rows]))


def tooltip(fields: Sequence[Told]) -> list[alt.Tooltip]:
    """What comes up where one points."""
    return [
        alt.Tooltip(field=key, type="nominal", title=title)
        if form is None
        else alt.Tooltip(field=key, type="quantitative", title=title, format=form)
        for key, title, form in fields
    ]


def ticks(low: float, high: float, most: int = 12, least: int = 1) -> list[int]:
    """Round whole numbers for an axis from `low` to `high`: equally far from each other (`least` or more), about `most`.

    >>> ticks(1851, 1999, 6), ticks(-320, 300), ticks(3, 3)
    ([1900, 1950], [-300, -200, -100, 0, 100, 200, 300], [3])
    """
    steps = (part * 10**power for power in range(9) for part in (1, 2, 5))
    step = next((step for step in steps if step >= least and (high - low) / step <= most), 10**9)
    return list(range(math.ceil(low / step) * step, math.floor(high) + 1, step))


def along(field: str, title: str | None, values: Sequence[float], *, label: str = "datum.value", least: int = 1) -> alt.X:
    """An axis of numbers at the bottom, no longer than they go, with `ticks`; `label` is an expression for their texts."""
    scale = alt.Scale(zero=False, nice=False)
    found = ticks(min(values, default=0), max(values, default=0), least=least)
    axis = alt.Axis(values=found, labelOverlap="parity", labelExpr=label)
    return alt.X(field=field, type="quantitative", title=title, axis=axis, scale=scale)


def along_years(first: int, last: int, step: int, title: str) -> alt.X:
    """An axis at the bottom under columns of a year each, or of a decade; what a column is called stands below its middle.

    Rows have ``begin`` and ``finish`` (see `years_placed`); `first` and `last` are the years in which columns begin.
    """
    scale = alt.Scale(domain=[first - step / 2, last + step / 2], nice=False, zero=False)
    label = "datum.value + 's'" if step > 1 else "datum.value"
    values = [year for year in ticks(first, last) if year % step == 0] if step > 1 else ticks(first, last)
    axis = alt.Axis(values=values, labelOverlap="parity", labelExpr=label)
    return alt.X(field="begin", type="quantitative", title=title, axis=axis, scale=scale)


def years_placed(rows: Rows, key: str, step: int) -> list[dict[str, Any]]:
    """Rows with the place of their columns, which have the number that they are called by in their middle."""
    return [{**row, "begin": row[key] - step / 2, "finish": row[key] + step / 2} for row in rows]


def up(field: str, title: str | None, values: Sequence[float], form: str = "~s") -> alt.Y:
    """An axis of numbers at the left, from 0 to a little above the greatest; whole numbers, in the format of counts."""
    low, high = (HEAD_ROOM * edge for edge in (min((0, *values)), max((0, *values))))
    axis = alt.Axis(labelExpr=COUNTS, values=ticks(low, high, 5)) if form == "~s" else alt.Axis(format=form, tickCount=5)
    if form.startswith("+"):
        axis.labelExpr = f"datum.value == 0 ? '0' : format(datum.value, '{form}')"
    scale = alt.Scale(domain=[low, high if high > low else 1], nice=False)
    return alt.Y(field=field, type="quantitative", title=title, axis=axis, scale=scale)


def share(field: str, title: str | None = None) -> alt.Y:
    """An axis of shares at the left, from none to all."""
    axis = alt.Axis(format="%", tickCount=5)
    return alt.Y(field=field, type="quantitative", title=title, axis=axis, scale=alt.Scale(domain=[0, 1]))


def names(field: str) -> alt.Y:
    """Names at the left, in the order of the rows."""
    axis = alt.Axis(labelLimit=LABELS, ticks=False, domain=False)
    return alt.Y(field=field, type="nominal", sort=None, title=None, axis=axis)


def parts(field: str, domain: Sequence[str], colours: Sequence[str]) -> alt.Color:
    """Colours of parts that are told apart by name."""
    key = alt.Legend(title=None, symbolType="square", columns=LEGEND_COLUMNS)
    return alt.Color(field=field, type="nominal", scale=alt.Scale(domain=list(domain), range=list(colours)), legend=key)
