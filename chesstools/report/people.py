"""The players."""

from __future__ import annotations

from chesstools.report.figures import Figures
from chesstools.report.model import Column, Section, Table
from chesstools.report.text import count, counted, plain

WANTED = ("players",)

MOST_PLAYERS = 400


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
    intro = f"{counted(total, 'name')} of players; {plain(rows[0]['player'])} has the most games, {count(rows[0]['games'])}."
    return Section("players", "Players", intro, (), [table])
