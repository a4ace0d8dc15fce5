"""The players."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow.compute as pc

from chesstools.report.figures import Figures, Row
from chesstools.report.model import Column, Section, Table
from chesstools.report.text import count, counted, enumeration, plain

WANTED = ("players",)

MOST_PLAYERS = 400

LEAST_GAMES = (100, 50, 20, 10)
"""How many games a player must have to stand among the best scores: the most for which `FEW_PLAYERS` are left."""

FEW_PLAYERS = 5
MOST_BEST = 20

MOST_LEADERS = 3
"""Players of equally many games who are named in the first sentence; of more none is."""


def section(figures: Figures) -> Section | None:
    """The part on players; None where no game has a name."""
    total = figures.length("players")
    if not total:
        return None
    rows = [
        {**row, "years": "–".join(dict.fromkeys(str(row[key]) for key in ("first_year", "last_year") if row[key] is not None))}
        for row in figures.rows("players", MOST_PLAYERS)
    ]
    columns = [
        Column("Player", "player"),
        Column("Title", "title", minor=True),
        Column("Games", "games", "count"),
        Column("Won", "won", "count", minor=True),
        Column("Drawn", "drawn", "count", minor=True),
        Column("Lost", "lost", "count", minor=True),
        Column("Score", "score", "share", meaning="Points from each game, on average; a draw is half a point"),
        Column("as White", "white_score", "share", minor=True),
        Column("as Black", "black_score", "share", minor=True),
        Column("Rating", "average_elo", "rating", meaning="Mean rating in these games"),
        Column("Perf.", "performance", "rating", meaning="Performance: the rating against which the score could be expected"),
        Column("Years", "years", minor=True),
    ]
    table = Table(
        "players-table",
        "Players",
        columns,
        rows,
        "Names as they are written; the same person under two spellings is two players here. " + figures.told("players"),
        total,
    )
    intro = f"{counted(total, 'name')} of players{_most(rows)}."
    best = _best(figures)
    return Section("players", "Players", intro, (), [best, table] if best else [table])


def _best(figures: Figures) -> Table | None:
    """Those who scored best, of players with enough games; None where too few have them."""
    table = figures.tables["players"]
    for least in LEAST_GAMES:
        found = table.filter(pc.field("games") >= least)
        if found.num_rows >= FEW_PLAYERS:
            break
    else:
        return None
    rows: list[Row] = found.sort_by([("score", "descending"), ("games", "descending")]).slice(0, MOST_BEST).to_pylist()
    return Table(
        "best-scores",
        f"Best scores (at least {least} games)",
        [
            Column("Player", "player"),
            Column("Games", "games", "count"),
            Column("Score", "score", "share", meaning="Points from each game, on average; a draw is half a point"),
            Column("at least", "score_low", "share", meaning="Lower end of the 95% interval of the score"),
            Column("at most", "score_high", "share", meaning="Upper end of the 95% interval of the score"),
            Column("Rating", "average_elo", "rating", minor=True, meaning="Mean rating in these games"),
            Column("Opponents", "average_opponent", "rating", minor=True, meaning="Mean rating of the opponents"),
        ],
        rows,
        f"Of the {counted(found.num_rows, 'player')} with so many games. Where intervals overlap, chance may have made the "
        "order; and who meets weaker players scores more.",
        found.num_rows,
    )


def _most(rows: Sequence[Row]) -> str:
    """Who has the most games, where somebody has more than one, and more than everybody else.

    >>> _most([{"player": "A", "games": 3}, {"player": "B", "games": 2}]), _most([{"player": "A", "games": 1}])
    ('; A has the most games, 3', '')
    >>> _most([{"player": "A", "games": 3}, {"player": "B", "games": 3}])
    '; nobody has more games than A and B, 3'
    """
    most = rows[0]["games"]
    leaders = [plain(row["player"]) for row in rows if row["games"] == most]
    if most == 1 or len(leaders) > MOST_LEADERS:
        return ""
    if len(leaders) == 1:
        return f"; {leaders[0]} has the most games, {count(most)}"
    return f"; nobody has more games than {enumeration(leaders)}, {count(most)}"
