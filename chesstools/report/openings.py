"""The openings: a picture of all of them, the first moves, and a table to search."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from chesstools.report.figures import Figures, Row
from chesstools.report.icicle import icicle
from chesstools.report.model import Column, Plot, Section, Table
from chesstools.report.plots import outcome_bars
from chesstools.report.results import outcome_columns
from chesstools.report.text import count, percent

WANTED = ("outcomes_by_first_move", "outcomes_by_opening")

MOST_OPENINGS = 400
SMALLEST = 0.004
"""Openings with a smaller share of the games have no place of their own in the picture: their name could not be read."""

LEVELS = 3
MOST_FIRST_MOVES = 10


def section(figures: Figures) -> Section | None:
    """The part on openings; None where no game has a named one."""
    rows = figures.rows("outcomes_by_opening")
    items: list[Plot | Table] = []
    if named := [row for row in rows if row["opening"] is not None]:
        items.append(_picture(named, figures))
    if first := _first_moves(figures):
        items.append(first)
    if named:
        items.append(
            Table(
                "openings-table",
                "All openings",
                outcome_columns(Column("ECO", "eco"), Column("Opening", "opening")),
                named[:MOST_OPENINGS],
                "The commonest first. A game has the name of the last named position that stood in it, however it was reached.",
                len(named),
            )
        )
    if not items:
        return None
    return Section("openings", "Openings", "", (), items)


def _picture(rows: Sequence[Row], figures: Figures) -> Plot:
    nodes = tree(rows)
    total = nodes[0]["games"]
    first = max((node for node in nodes if node["parent"] == "all"), key=lambda node: node["games"])
    return Plot(
        "openings-picture",
        "What was played",
        icicle(nodes, LEVELS),
        "Each box is an opening, as high as its share of the games; to its right are its variations. The colour tells how White "
        "scored. Point at a box, or tap it, to see the numbers. Openings with less than "
        f"{percent(SMALLEST)} of the games have no box of their own. {figures.told('outcomes_by_opening')}",
        f"Icicle of openings: the commonest of {count(total)} games is {first['name']} with {percent(first['games'] / total)}.",
        raw=True,
    )


def tree(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Names such as ``Sicilian Defense: Najdorf Variation, English Attack`` as a tree of three levels, for `icicle`.

    >>> rows = [{"opening": "A: B Variation, C", "family": "A", "games": 3, "white_won": 3, "drawn": 0}]
    >>> found = tree([*rows, {"opening": "A", "family": "A", "games": 1, "white_won": 0, "drawn": 1}])
    >>> [(node["name"], node["games"], node["own"], node["score"]) for node in found]
    [('All', 4, 0, 0.875), ('A', 4, 1, 0.875), ('A: B', 3, 0, 1.0), ('A: B, C', 3, 3, 1.0)]
    """
    games: dict[tuple[str, ...], int] = defaultdict(int)
    points: dict[tuple[str, ...], float] = defaultdict(float)
    for row in rows:
        path = _path(row["family"], row["opening"])
        for length in range(len(path) + 1):
            games[path[:length]] += row["games"]
            points[path[:length]] += row["white_won"] + row["drawn"] / 2
    total = games[()]
    kept = {path for path in games if games[path] >= SMALLEST * total}
    own = {path: games[path] - sum(games[child] for child in kept if child[:-1] == path and child != path) for path in kept}
    own[()] = 0  # what has no box of its own would else be an empty box beside all others
    return [
        {
            "id": _id(path),
            "parent": _id(path[:-1]) if path else None,
            "label": path[-1] if path else "",
            "name": _name(path),
            "games": games[path],
            "own": own[path],
            "score": round(points[path] / games[path], 4) if games[path] else None,
        }
        for path in sorted(kept)
    ]


def _path(family: str | None, name: str) -> tuple[str, ...]:
    """Family and variations. Sources name one variation ``Najdorf`` and ``Najdorf Variation``, which is the same box.

    >>> _path("Ruy Lopez", "Spanish: Berlin Defense, 4.d3 Bc5, 5.c3")
    ('Ruy Lopez', 'Berlin', '4.d3 Bc5, 5.c3')
    """
    first, _, rest = name.partition(": ")
    parts = [re.sub(r" (Defense|Variation|System|Line)$", "", part) for part in rest.split(", ", LEVELS - 2)]
    return tuple(filter(None, [family or first, *parts]))


def _id(path: tuple[str, ...]) -> str:
    return "/".join(("all", *path)) if path else "all"


def _name(path: tuple[str, ...]) -> str:
    return f"{path[0]}{': ' if path[1:] else ''}{', '.join(path[1:])}" if path else "All"


def _first_moves(figures: Figures) -> Plot | None:
    rows = [row for row in figures.rows("outcomes_by_first_move") if row["first_move"] is not None]
    if len(rows) < 2:
        return None
    return Plot(
        "first-moves",
        "The first move",
        outcome_bars(rows[:MOST_FIRST_MOVES], "first_move", "First move"),
        f"Shares of outcomes by White's first move, the commonest on top. {figures.told('outcomes_by_first_move')}",
        "Stacked bars: shares of White's wins, draws and Black's wins by first move.",
        numbers=Table(
            "first-moves-numbers", "Outcomes by first move", outcome_columns(Column("Move", "first_move")), rows, searchable=False
        ),
    )
