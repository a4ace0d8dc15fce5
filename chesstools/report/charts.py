"""What all plots share: their data, their axes, their size, and what comes up where one points.

All are as wide as the place they stand in. Colours are names of the style sheet (see `theme`). Whatever a colour says is also
said by the order of parts, a label, or the text that comes up where one points.
"""

from __future__ import annotations

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


def along(field: str, title: str | None, form: str = "d") -> alt.X:
    """An axis of numbers at the bottom, no longer than they go."""
    scale = alt.Scale(zero=False, nice=False)
    return alt.X(field=field, type="quantitative", title=title, axis=alt.Axis(format=form), scale=scale)


def up(field: str, title: str | None, form: str = "~s") -> alt.Y:
    """An axis of numbers at the left; whole numbers, in the format of counts."""
    axis = alt.Axis(format=form, tickCount=5, tickMinStep=1) if form == "~s" else alt.Axis(format=form, tickCount=5)
    return alt.Y(field=field, type="quantitative", title=title, axis=axis)


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
