"""Kinds of plots, made with Altair: each takes rows and names of their keys, and gives a Vega-Lite specification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from chesstools.report.charts import (
    BAR,
    COUNTS,
    HEIGHT,
    LEGEND_COLUMNS,
    Rows,
    Told,
    along,
    along_years,
    names,
    of,
    parts,
    share,
    ticks,
    tooltip,
    up,
    whole,
    years_placed,
)
from chesstools.report.text import signed

OUTCOMES = ("White wins", "Draw", "Black wins")
OUTCOME_COLOURS = ("var(--white)", "var(--draw)", "var(--black)")

PART_COLOURS = tuple(f"var(--{name})" for name in ("accent", "draw", "white", "high1", "second", "black", "low1", "mid"))
"""Colours of parts that are told apart by name, beginning with the largest."""

LINE_COLOURS = tuple(f"var(--{name})" for name in ("accent", "second", "muted", "low2", "high2", "edge"))
DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2], [10, 4], [1, 3])


def outcome_bars(rows: Rows, label: str, title: str) -> dict[str, Any]:
    """Shares of White's wins, draws and Black's wins, a bar for each row, in the order of the rows.

    Rows have `label`, games, white_share, draw_share, black_share.
    """
    axis = alt.Axis(format="%", tickCount=5)
    chart = (
        of(_outcome_rows(rows, label))
        .mark_bar(stroke="var(--edge)", strokeWidth=0.6, height=BAR - 7)
        .encode(
            x=alt.X("from:Q", title=None, axis=axis, scale=alt.Scale(domain=[0, 1], nice=False)),
            x2="to:Q",
            y=names(label),
            color=parts("outcome", OUTCOMES, OUTCOME_COLOURS),
            tooltip=tooltip([(label, title, None), *_OUTCOME_TOLD]),
        )
    )
    return whole(chart, BAR * max(1, len(rows)))


def outcome_spans(rows: Rows, key: str, title: str, step: int = 1) -> dict[str, Any]:
    """Shares of outcomes over a whole number such as the year, each column `step` wide."""
    placed = [{**row, "next": row[key] + step} for row in _outcome_rows(rows, key)]
    chart = (
        of(placed)
        .mark_bar(stroke="var(--panel)", strokeWidth=0.5)
        .encode(
            x=along(key, title, [value for row in rows for value in (row[key], row[key] + step)]),
            x2="next:Q",
            y=share("from"),
            y2="to:Q",
            color=parts("outcome", OUTCOMES, OUTCOME_COLOURS),
            tooltip=tooltip([(key, title, "d"), *_OUTCOME_TOLD]),
        )
    )
    return whole(chart, HEIGHT)


def outcome_years(rows: Rows, key: str, title: str, step: int) -> dict[str, Any]:
    """Shares of outcomes over years, or decades: a column of `step` years for each row."""
    told = tooltip([(key, title, "d"), *_OUTCOME_TOLD])
    chart = (
        of(years_placed(_outcome_rows(rows, key), key, step))
        .mark_bar(stroke="var(--panel)", strokeWidth=0.5)
        .encode(
            x=along_years(rows[0][key], rows[-1][key], step, title),
            x2="finish:Q",
            y=share("from"),
            y2="to:Q",
            color=parts("outcome", OUTCOMES, OUTCOME_COLOURS),
            tooltip=told,
        )
    )
    return whole(chart, HEIGHT)


_OUTCOME_TOLD: tuple[Told, ...] = (("outcome", "Outcome", None), ("share", "Share", ".1%"), ("games", "Games", ","))


def _outcome_rows(rows: Rows, key: str) -> list[dict[str, Any]]:
    """A row for each outcome of each row, from where to where it goes."""
    found = []
    for row in rows:
        at = 0.0
        for outcome, name in zip(OUTCOMES, ("white", "draw", "black"), strict=True):
            part = float(row[f"{name}_share"] or 0)
            place = {"share": part, "from": at, "to": at + part}
            found.append({key: row[key], "games": row["games"], "outcome": outcome, **place})
            at += part
    return found


def columns(rows: Rows, start: str, end: str, value: str, title: str, value_title: str, tip: str | None = None) -> dict[str, Any]:
    """A histogram: a column from `start` to `end` for each row, as high as `value`. `tip` names the span where one points."""
    first: Told = (tip, title, None) if tip else (start, title, "d")
    chart = (
        of(rows)
        .mark_bar(stroke="var(--panel)", strokeWidth=0.5)
        .encode(
            x=along(start, title, [row[key] for row in rows for key in (start, end)]),
            x2=alt.X2(field=end),
            y=up(value, value_title, [row[value] for row in rows]),
            y2=alt.Y2Datum(0),
            tooltip=tooltip([first, (value, value_title, ",")]),
        )
    )
    return whole(chart, HEIGHT)


def year_columns(rows: Rows, key: str, value: str, titles: tuple[str, str], step: int) -> dict[str, Any]:
    """A column for each year, or decade of `step` years, as high as `value`; `titles` are those of `key` and `value`."""
    title, value_title = titles
    chart = (
        of(years_placed(rows, key, step))
        .mark_bar(stroke="var(--panel)", strokeWidth=0.5)
        .encode(
            x=along_years(rows[0][key], rows[-1][key], step, title),
            x2=alt.X2(field="finish"),
            y=up(value, value_title, [row[value] for row in rows]),
            y2=alt.Y2Datum(0),
            tooltip=tooltip([(key, title, "d"), (value, value_title, ",")]),
        )
    )
    return whole(chart, HEIGHT)


def bars(
    rows: Rows, label: str, value: str, title: str, value_title: str, form: str = ",", more: Sequence[Told] = ()
) -> dict[str, Any]:
    """A bar for each row, its value written at its end."""
    most = max((row[value] for row in rows), default=1) or 1
    axis = alt.Axis(values=ticks(0, most, 4), labelExpr=COUNTS) if form == "," else alt.Axis(tickCount=4, format=form)
    scale = alt.Scale(domain=[0, most * 1.22], nice=False)  # room for the numbers
    base = of(rows).encode(
        x=alt.X(field=value, type="quantitative", title=value_title, axis=axis, scale=scale),
        y=names(label),
        tooltip=tooltip([(label, title, None), (value, value_title, form), *more]),
    )
    written = base.mark_text(align="left", dx=5).encode(text=alt.Text(field=value, type="quantitative", format=form))
    return whole(base.mark_bar(height=BAR - 8) + written, BAR * max(1, len(rows)))


def stacked_columns(
    rows: Rows, key: str, part: str, order: Sequence[str], titles: tuple[str, str], step: int = 1
) -> dict[str, Any]:
    """Shares of the parts of a whole over years, or decades: each column is `step` years wide.

    Rows have `key`, `part`, games and share; `titles` are those of `key` and `part`.
    """
    title, part_title = titles
    at: dict[Any, float] = {}
    placed = []
    for row in sorted(rows, key=lambda row: (row[key], order.index(row[part]))):
        begin = at.get(row[key], 0.0)
        at[row[key]] = begin + row["share"]
        placed.append({**row, "from": begin, "to": at[row[key]]})
    chart = (
        of(years_placed(placed, key, step))
        .mark_bar(stroke="var(--panel)", strokeWidth=0.5)
        .encode(
            x=along_years(placed[0][key], placed[-1][key], step, title),
            x2="finish:Q",
            y=share("from"),
            y2="to:Q",
            color=parts(part, order, PART_COLOURS[: len(order)]),
            tooltip=tooltip([(key, title, "d"), (part, part_title, None), ("share", "Share", ".1%"), ("games", "Games", ",")]),
        )
    )
    return whole(chart, HEIGHT)


_SCORES = ("score", "expected")


def expectation(rows: Rows, x: str, title: str) -> dict[str, Any]:
    """White's score with its interval over the rating difference, and what Elo's formula expects as a dashed line.

    Rows have `x`, score, score_low, score_high, expected, games.
    """
    y_title = "White's score"
    told: list[Told] = [("difference", title, None), ("score", "Score", ".1%"), ("score_low", "at least", ".1%")]
    told += [("score_high", "at most", ".1%"), ("expected", "Elo expects", ".1%"), ("games", "Games", ",")]
    order = [y_title, "Elo expects"]
    drawn = [{x: row[x], "share": row[key], "line": name} for row in rows for name, key in zip(order, _SCORES, strict=True)]
    legend = alt.Legend(title=None, symbolType="stroke")
    colour = alt.Scale(domain=order, range=["var(--accent)", "var(--second)"])
    dash = alt.Scale(domain=order, range=[[1, 0], [6, 4]])
    axis = along(x, title, [row[x] for row in rows], least=50, label="(datum.value > 0 ? '+' : '') + format(datum.value, 'd')")
    both = (
        of(drawn)
        .mark_line()
        .encode(
            x=axis,
            y=share("share", y_title),
            color=alt.Color("line:N", scale=colour, legend=legend),
            strokeDash=alt.StrokeDash("line:N", scale=dash, legend=legend),
        )
    )
    base = of([{**row, "difference": signed(row[x], 0)} for row in rows]).encode(x=axis)
    band = base.mark_area(opacity=0.22).encode(y=share("score_low", y_title), y2="score_high:Q")
    points = base.mark_point(opacity=1).encode(y=share("score", y_title), tooltip=tooltip(told))
    return whole(band + both + points, HEIGHT + 40)


def lines(rows: Rows, x: str, y: str, part: str, order: Sequence[str], titles: tuple[str, str, str], form: str) -> dict[str, Any]:
    """A line for each part, told apart by colour and by dashes; `titles` are those of `x`, `y` and `part`."""
    title, y_title, part_title = titles
    domain = list(order)
    legend = alt.Legend(title=None, symbolType="stroke", columns=LEGEND_COLUMNS) if len(domain) > 1 else None
    colour, dash = (
        alt.Scale(domain=domain, range=list(wanted[: len(domain)])) for wanted in (LINE_COLOURS, DASHES)
    )  # fmt: skip
    chart = (
        of(rows)
        .mark_line(point=alt.OverlayMarkDef(size=14))
        .encode(
            x=along(x, title, [row[x] for row in rows]),
            y=up(y, y_title, [row[y] for row in rows], form),
            color=alt.Color(field=part, type="nominal", scale=colour, legend=legend),
            strokeDash=alt.StrokeDash(field=part, type="nominal", scale=dash, legend=legend),
            tooltip=tooltip([(part, part_title, None), (x, title, "d"), (y, y_title, form)]),
        )
    )
    return whole(chart, HEIGHT)
