"""The colours of the page and of its plots, light and dark, in one place.

Plots name colours as ``var(--ink)``, which a browser looks up in the style sheet: so they follow the page from light to dark and
onto paper without being drawn again. A picture file has no style sheet; `resolved` puts the light colours in.

>>> resolved({"fill": "var(--ink)", "sizes": [1, 2]})
{'fill': '#1c2126', 'sizes': [1, 2]}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LIGHT: Mapping[str, str] = {
    "paper": "#faf8f4",
    "panel": "#ffffff",
    "ink": "#1c2126",
    "muted": "#565d64",
    "line": "#ddd8ce",
    "accent": "#1b6a87",
    "second": "#a2501a",
    "band": "#1b6a87",
    "white": "#ede3cc",
    "draw": "#9db4c0",
    "black": "#3c444c",
    "edge": "#8d8778",
    "error": "#b3261e",
    "warning": "#8a5300",
    "info": "#285f8f",
    "low2": "#6fa8dc",
    "low1": "#b9d6ee",
    "mid": "#e6e2da",
    "high1": "#f6d3b0",
    "high2": "#eb9d5a",
}
"""``white draw black`` are the shares of results, ``low2`` to ``high2`` five steps from Black's best to White's best."""

DARK: Mapping[str, str] = {
    "paper": "#14181c",
    "panel": "#1c2227",
    "ink": "#e9e6df",
    "muted": "#a9b0b6",
    "line": "#363d44",
    "accent": "#6fbdda",
    "second": "#eda36b",
    "band": "#6fbdda",
    "white": "#f0e8d5",
    "draw": "#7391a1",
    "black": "#454e57",
    "edge": "#7d858c",
    "error": "#ff8a80",
    "warning": "#f2b457",
    "info": "#8cc1ee",
    "low2": "#2a6296",
    "low1": "#274b6b",
    "mid": "#3a4148",
    "high1": "#6b4a2c",
    "high2": "#91531c",
}

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"


def style_variables(palette: Mapping[str, str]) -> str:
    """The colours as declarations of a style sheet."""
    return "".join(f"--{name}:{colour};" for name, colour in palette.items())


def plot_config() -> dict[str, Any]:
    """How all plots look: the same fonts and lines, no frame, grid lines only where a value is read off."""
    axis = {
        "labelColor": "var(--muted)",
        "titleColor": "var(--muted)",
        "labelFont": FONT,
        "titleFont": FONT,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "gridColor": "var(--line)",
        "labelOverlap": "greedy",
        "labelSeparation": 6,
        "labelFlush": False,
        "aria": False,
    }
    legend = {
        "labelColor": "var(--ink)",
        "titleColor": "var(--muted)",
        "labelFont": FONT,
        "titleFont": FONT,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "orient": "top",
        "symbolStrokeColor": "var(--edge)",
        "aria": False,
    }
    return {
        "background": None,
        "font": FONT,
        "view": {"stroke": None},
        "axis": axis,
        "axisX": {"grid": False},
        "legend": legend,
        "text": {"color": "var(--ink)", "font": FONT, "fontSize": 11},
        "bar": {"color": "var(--accent)"},
        "line": {"color": "var(--accent)", "strokeWidth": 2},
        "point": {"color": "var(--accent)", "filled": True, "size": 36},
        "area": {"color": "var(--band)"},
        "rule": {"color": "var(--muted)"},
        "mark": {"aria": False, "tooltip": True},
    }


def resolved(spec: Any, palette: Mapping[str, str] = LIGHT) -> Any:
    """A copy of a plot in which the names of colours are replaced by colours."""
    if isinstance(spec, str):
        return re.sub(r"var\(--(\w+)\)", lambda name: palette[name[1]], spec)
    if isinstance(spec, Mapping):
        return {key: resolved(value, palette) for key, value in spec.items()}
    if isinstance(spec, list):
        return [resolved(value, palette) for value in spec]
    return spec
