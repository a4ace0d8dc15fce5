"""Openings as an icicle: from the first move on the left to the names on the right, each as high as its share of the games.

Vega-Lite has no such plot, Vega has (the transforms stratify and partition). It was chosen over a sunburst because its labels
stand upright and can be read on a phone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from chesstools.report.theme import FONT, plot_config

STEPS = ["5% below White's average or more", "below average", "average, or too few games", "above average", "5% above or more"]
_WIDTH = "containerSize()[0] || 900"
LIMITS = (-0.05, -0.015, 0.015, 0.05)
"""Of White's score in a box less that in all games: where one step ends and the next begins."""
COLOURS = ["var(--low2)", "var(--low1)", "var(--mid)", "var(--high1)", "var(--high2)"]


def icicle(nodes: Sequence[Mapping[str, Any]], levels: int) -> dict[str, Any]:
    """The specification for Vega. Nodes have id, parent (None at the root), label, name, games, own (games of no child), score,
    and rank (the greatest stands on top).

    Colours tell White's score against that of all games, in five steps that the legend names.
    """
    tip = (
        "{'title': datum.name, 'Games': format(datum.games, ','), 'Share': format(datum.games / total, '.1%'), "
        "'White scores': datum.score == null ? '–' : format(datum.score, '.1%')}"
    )
    height = min(680, 60 + 26 * len(nodes))
    total = max((node["games"] for node in nodes), default=0)
    wide, high = "(datum.x1 - datum.x0)", "(datum.y1 - datum.y0)"
    return {
        "$schema": "https://vega.github.io/schema/vega/v6.json",
        "autosize": {"type": "none"},
        "background": None,
        "config": {key: plot_config()[key] for key in ("font", "legend")},
        "height": height + 52,
        "signals": [
            {
                "name": "width",
                "init": "containerSize()[0] || 900",
                "on": [{"events": "window:resize", "update": "containerSize()[0] || 900"}],
            },
            {"name": "total", "value": total},
            {"name": "levels", "value": levels},
            {"name": "average", "value": next((node["score"] for node in nodes if node["parent"] is None), None) or 0},
        ],
        "data": [
            {
                "name": "nodes",
                "values": [dict(node) for node in nodes],
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
                    {"type": "formula", "as": "step", "expr": _step("datum.score - average", "datum.games")},
                    {"type": "formula", "as": "word", "expr": _words()},
                ],
            }
        ],
        "scales": [{"name": "colour", "type": "ordinal", "domain": STEPS, "range": COLOURS}],
        "legends": [
            {
                "fill": "colour",
                "orient": "none",
                "legendX": 0,
                "legendY": height + 10,
                "direction": "horizontal",
                "columns": {"signal": "width < 800 ? 2 : 5"},
                "symbolType": "square",
                "labelLimit": 200,
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
                        "fontSize": {"value": 11},
                        "fill": {"value": "var(--ink)"},
                        "text": {"signal": f"{high} < 13 || {wide} < 24 ? '' : datum.label"},
                        "limit": {"signal": f"{wide} - 8"},
                    }
                },
            },
        ],
    }


def _step(difference: str, games: str) -> str:
    """Which of `STEPS`. Where chance alone makes such a difference in one of twenty openings, nothing is said."""
    steps = " + ".join(f"({difference} >= {limit} ? 1 : 0)" for limit in LIMITS)
    return f"abs({difference}) < 0.98 / sqrt({games}) ? 2 : {steps}"


def _words() -> str:
    return json.dumps(STEPS) + "[datum.step]"
