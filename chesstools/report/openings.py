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
from chesstools.report.results import FEW, few_told, outcome_columns
from chesstools.report.text import count, percent

WANTED = ("outcomes_by_first_move", "outcomes_by_opening", "outcomes_by_opening_family")

MOST_OPENINGS = 400
SMALLEST = {2: 0.01, 3: 0.006}
"""Families, and variations, with a smaller share of the games have no place of their own in the picture: a hair is no box."""

LEVELS = 3
VOLUMES = {
    "A": "flank openings",
    "B": "semi-open games",
    "C": "open games",
    "D": "closed games",
    "E": "Indian defences",
}
"""The volumes of the Encyclopaedia of Chess Openings, in a word each; a volume holds a few others too."""

OTHERS = "others"

MOST_FIRST_MOVES = 10


def section(figures: Figures) -> Section | None:
    """The part on openings; None where no game has a named one."""
    rows = figures.rows("outcomes_by_opening")
    items: list[Plot | Table] = []
    if named := [row for row in rows if row["opening"] is not None]:
        items.append(_picture(named, figures))
    if first := _first_moves(figures):
        items.append(first)
    if families := _families(figures):
        items.append(families)
    if named:
        items.append(
            Table(
                "openings-table",
                "All openings and variations",
                outcome_columns(Column("ECO", "eco"), Column("Opening", "opening")),
                named[:MOST_OPENINGS],
                "The commonest first. A game has the name of the last named position that stood in it, however it was reached.",
                len(named),
            )
        )
    if not items:
        return None
    return Section("openings", "Openings", "", (), items)


def _families(figures: Figures) -> Table | None:
    found = figures.rows("outcomes_by_opening_family")
    total = sum(row["games"] for row in found)
    rows = [{**row, "share": row["games"] / total} for row in found if row["family"] is not None]
    if not rows:
        return None
    opening, games, *outcomes = outcome_columns(Column("Opening", "family"))
    return Table(
        "families",
        "Openings, without their variations",
        [opening, games, Column("Share", "share", "share", meaning="Of the games that are counted"), *outcomes],
        rows[:MOST_OPENINGS],
        f"The commonest first. {figures.told('outcomes_by_opening_family')}",
        len(rows),
    )


def _picture(rows: Sequence[Row], figures: Figures) -> Plot:
    nodes = tree(rows)
    total = nodes[0]["games"]
    first = max((node for node in nodes if node["id"].count("/") == 2), key=lambda node: node["games"])
    return Plot(
        "openings-picture",
        "What was played",
        icicle(nodes, LEVELS),
        "From left to right volumes of ECO, openings, variations, each as high as its share of the games; an opening "
        "whose games have codes of two volumes has a box under each. The colour tells how White scored, against the average: "
        "percent less percent are points. Point at a box, or tap it, to see the numbers. Openings with less than "
        f"{percent(SMALLEST[2])} of the games, and variations with less than {percent(SMALLEST[3])}, are among the others. "
        + figures.told("outcomes_by_opening"),
        f"Icicle of openings: the commonest of {count(total)} games is {first['name']} with {percent(first['games'] / total)}.",
        raw=True,
    )


def tree(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Volumes of ECO, families of openings and their variations as a tree, for `icicle`.

    What is too small for a box of its own is among the others, one box beside those that are large enough.

    >>> rows = [{"eco": "B90", "opening": "S: B Variation, C", "family": "S", "games": 3, "white_won": 3, "drawn": 0}]
    >>> found = tree([*rows, {"eco": "B20", "opening": "S", "family": "S", "games": 1, "white_won": 0, "drawn": 1}])
    >>> [(node["name"], node["games"], node["own"], node["score"]) for node in found]
    [('All', 4, 0, 0.875), ('B: semi-open games', 4, 0, 0.875), ('S', 4, 0, 0.875), ('S: B', 3, 3, 1.0), ('S: others', 1, 1, 0.5)]
    """
    games: dict[tuple[str, ...], int] = defaultdict(int)
    points: dict[tuple[str, ...], float] = defaultdict(float)
    for row in rows:
        path = _path(row["eco"], row["family"], row["opening"])
        for length in range(len(path) + 1):
            games[path[:length]] += row["games"]
            points[path[:length]] += row["white_won"] + row["drawn"] / 2
    for depth, least in SMALLEST.items():
        kept = {path for path in games if len(path) == depth and games[path] >= least * games[()]}
        for parent in {path[:-1] for path in (kept if depth > 2 else games) if len(path) == depth}:
            # Beside boxes of their own, what is left is one more box; where no child has one, the parent is a box without any.
            others = games[parent] - sum(games[path] for path in kept if path[:-1] == parent)
            if others:
                games[*parent, OTHERS] = others
                points[*parent, OTHERS] = points[parent] - sum(points[path] for path in kept if path[:-1] == parent)
                kept.add((*parent, OTHERS))
        dropped = [path for path in games if len(path) >= depth and path[:depth] not in kept]
        for path in dropped:
            del games[path]
    below: dict[tuple[str, ...], int] = defaultdict(int)
    for path in games:
        if path:
            below[path[:-1]] += games[path]
    return [
        {
            "id": "/".join(("all", *path)),
            "parent": "/".join(("all", *path[:-1])) if path else None,
            "label": path[-1] if path else "",
            "name": ": ".join(path[1:] or path) if path else "All",
            "under": path[0][0] if len(path) > 1 and path[0] != OTHERS else None,
            "games": games[path],
            "own": games[path] - below[path],
            "rank": 0 if path[-1:] == (OTHERS,) else games[path],
            "score": round(points[path] / games[path], 4) if games[path] else None,
        }
        for path in sorted(games)
    ]


def _path(eco: str, family: str | None, name: str) -> tuple[str, ...]:
    """Volume, family and variation. Sources name one variation ``Berlin`` and ``Berlin Defense``, which is the same box.

    >>> _path("C65", "Ruy Lopez", "Spanish: Berlin Defense, 4.d3 Bc5, 5.c3")
    ('C: open games', 'Ruy Lopez', 'Berlin')
    """
    first, _, rest = name.partition(": ")
    variation = re.sub(r" (Defense|Variation|System|Line)$", "", rest.partition(", ")[0])
    return tuple(filter(None, [f"{eco[0]}: {VOLUMES[eco[0]]}", family or first, variation]))


def _first_moves(figures: Figures) -> Plot | None:
    rows = [row for row in figures.rows("outcomes_by_first_move") if row["first_move"] is not None]
    common = rows[:MOST_FIRST_MOVES]
    drawn = [row for row in common if row["games"] >= FEW]
    if len(drawn) < 2:
        return None
    return Plot(
        "first-moves",
        "The first move",
        outcome_bars(drawn, "first_move", "First move"),
        "Shares of outcomes by White's first move, the commonest on top. "
        f"{few_told(common, drawn)}{figures.told('outcomes_by_first_move')}",
        "Stacked bars: shares of White's wins, draws and Black's wins by first move.",
        numbers=Table(
            "first-moves-numbers", "Outcomes by first move", outcome_columns(Column("Move", "first_move")), rows, searchable=False
        ),
    )
