"""Openings as an icicle: from the first move on the left to the names on the right, each as high as its share of the games.

Vega-Lite has no such plot, Vega has (the transforms stratify and partition). It was chosen over a sunburst because its labels
stand upright and can be read on a phone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from chesstools.report.text import counted, percent
from chesstools.report.theme import FONT, plot_config

STEPS = (
    "White scores 5 points or more below average",
    "less below",
    "about average, or too few games to tell",
    "less above",
    "5 points or more above average",
)

SHORT = {
    "Defense": "Def.",
    "Opening": "Op.",
    "Variation": "Var.",
    "Gambit": "Gbt.",
    "Attack": "Att.",
    "System": "Sys.",
    "Declined": "Decl.",
    "Accepted": "Acc.",
    "King's": "K.",
    "Queen's": "Q.",
}
"""Words of names of openings as they are written where a box is narrow."""

LOWEST = 10
"""Pixels of a box that a label has room in."""

SIGN = 6.2
"""Pixels of a letter, on average."""

LIMITS = (-0.05, -0.015, 0.015, 0.05)
"""Of White's score in a box less that in all games: where one step ends and the next begins."""
COLOURS = ("var(--low2)", "var(--low1)", "var(--mid)", "var(--high1)", "var(--high2)")


def icicle(nodes: Sequence[Mapping[str, Any]], levels: int) -> dict[str, Any]:
    """The specification for Vega. Nodes have id, parent (None at the root), label, name, games, own (games of no child), score,
    and rank (the greatest stands on top).

    Colours tell White's score against that of all games, in five steps that the legend names.
    """
    tip = (
        "{'title': datum.name + (datum.under ? ' (under ' + datum.under + ')' : ''), 'Games': format(datum.games, ','), "
        "'Share': format(datum.games / total, '.1%'), "
        "'White scores': datum.score == null ? '–' : format(datum.score, '.1%')}"
    )
    height = min(860, 60 + 26 * len(nodes))
    total = max((node["games"] for node in nodes), default=0)
    average = next((node["score"] for node in nodes if node["parent"] is None), None) or 0
    placed = [{**node, **_labels(node, total), "word": STEPS[_step(node, average)]} for node in nodes]
    used = {node["word"] for node in placed if node["parent"] is not None}
    shown = [(word, colour) for word, colour in zip(STEPS, COLOURS, strict=True) if word in used]
    wide, high = "(datum.x1 - datum.x0)", "(datum.y1 - datum.y0)"
    return {
        "$schema": "https://vega.github.io/schema/vega/v6.json",
        "autosize": {"type": "none"},
        "background": None,
        "config": {key: plot_config()[key] for key in ("font", "legend")},
        "signals": [
            {
                "name": "width",
                "init": "containerSize()[0] || 900",
                "on": [{"events": "window:resize", "update": "containerSize()[0] || 900"}],
            },
            {"name": "height", "update": f"{height} + (width < 700 ? {22 + 17 * len(shown)} : {22 + 17 * -(-len(shown) // 3)})"},
            {"name": "total", "value": total},
            {"name": "levels", "value": levels},
        ],
        "data": [
            {
                "name": "nodes",
                "values": placed,
                "transform": [
                    {"type": "stratify", "key": "id", "parentKey": "parent"},
                    {
                        "type": "partition",
                        "field": "own",
                        "sort": {"field": "data.rank", "order": "descending"},
                        "size": [{"signal": str(height)}, {"signal": "width"}],
                        "as": ["y0", "x0", "y1", "x1", "depth", "children"],
                    },
                    {"type": "filter", "expr": "datum.depth > 0"},
                    # The root says nothing: what is below it takes its place.
                    {"type": "formula", "as": "x0", "expr": "(datum.depth - 1) * width / levels"},
                    {"type": "formula", "as": "x1", "expr": "datum.depth * width / levels"},
                ],
            }
        ],
        "scales": [
            {"name": "colour", "type": "ordinal", "domain": [word for word, _ in shown], "range": [colour for _, colour in shown]}
        ],
        "legends": [
            {
                "fill": "colour",
                "orient": "none",
                "legendX": 0,
                "legendY": height + 10,
                "direction": "horizontal",
                "columns": {"signal": "width < 700 ? 1 : 3"},
                "symbolType": "square",
                "labelLimit": 340,
            }
        ],
        "marks": [
            {
                "type": "rect",
                "from": {"data": "nodes"},
                "encode": {
                    "enter": {"stroke": {"value": "var(--panel)"}, "strokeWidth": {"value": 1}},
                    "update": {
                        "x": {"field": "x0"},
                        "x2": {"field": "x1"},
                        "y": {"field": "y0"},
                        "y2": {"field": "y1"},
                        "fill": {"scale": "colour", "field": "word"},
                        "tooltip": {"signal": tip},
                        "fillOpacity": {"value": 1},
                    },
                    "hover": {"fillOpacity": {"value": 0.75}},
                },
            },
            {
                "type": "text",
                "from": {"data": "nodes"},
                "interactive": False,
                "encode": {
                    "update": {
                        "x": {"field": "x0", "offset": 5},
                        "y": {"signal": "datum.y0 + min(12, (datum.y1 - datum.y0) / 2)"},
                        "baseline": {"value": "middle"},
                        "font": {"value": FONT},
                        "fontSize": {"signal": f"{high} < {LOWEST + 3} ? 9 : 11"},
                        "fill": {"value": "var(--ink)"},
                        "text": {"signal": _text(wide, high)},
                        "limit": {"signal": f"{wide} - 8"},
                    }
                },
            },
        ],
    }


def _step(node: Mapping[str, Any], average: float) -> int:
    """Which of `STEPS`. Where chance alone makes such a difference in one of twenty openings, nothing is said.

    >>> _step({"score": 0.62, "games": 1000}, 0.54), _step({"score": 0.62, "games": 10}, 0.54)
    (4, 2)
    """
    if node["score"] is None:
        return 2
    difference = node["score"] - average
    if not node["games"] or abs(difference) < 0.98 / math.sqrt(node["games"]):
        return 2
    return sum(difference >= limit for limit in LIMITS)


def _labels(node: Mapping[str, Any], total: int) -> dict[str, str]:
    """What is written in a box: the more the wider it is."""
    name = node["label"]
    short = re.sub("|".join(SHORT), lambda found: SHORT[found[0]], name)
    share = percent(node["games"] / total) if total else ""
    return {
        "label": name,
        "short": short,
        "more": f"{name}  {share}",
        "most": f"{name}  {share}, {counted(node['games'], 'game')}",
    }


def _text(wide: str, high: str) -> str:
    """An expression: the longest label that there is room for."""
    room = f"({wide} - 10) / {SIGN}"
    return (
        f"{high} < {LOWEST} || {wide} < 24 ? '' : length(datum.most) < {room} ? datum.most : length(datum.more) < {room} ? "
        f"datum.more : length(datum.label) < {room} ? datum.label : datum.short"
    )
