"""Games that one would tell of: upsets, the longest, the shortest."""

from __future__ import annotations

from chesstools.report.figures import Figures, Row
from chesstools.report.model import Column, Section, Table
from chesstools.report.text import plain

WANTED = ("remarkable_games",)

MOST_GAMES = 10
"""Games of each kind."""

KINDS = {
    "upset": (
        "The greatest upsets",
        "Won by the player of whom the ratings promised least; an error in a rating looks the same.",
    ),
    "drawn_upset": ("Draws against much stronger players", "Drawn where the ratings promised one of the players least."),
    "shortest_mate": ("The shortest mates", "With the fewest moves up to a mate on the board."),
    "shortest_won": ("The shortest wins", "With the fewest moves of all games that were won."),
    "longest": ("The longest games", "With the most moves."),
}
"""What each kind of the statistic is called, and what it holds, in the order of the page."""

_RATED = ("upset", "drawn_upset")


def section(figures: Figures) -> Section | None:
    """The part on remarkable games; None where there is none."""
    rows = figures.rows("remarkable_games")
    tables = [_table(kind, chosen, figures) for kind in KINDS if (chosen := [row for row in rows if row["kind"] == kind])]
    if not tables:
        return None
    intro = f"Each is worth a second look before it is told on. {figures.told('remarkable_games')}"
    return Section("remarkable", "Remarkable games", intro, (), tables)


def _table(kind: str, rows: list[Row], figures: Figures) -> Table:
    title, meaning = KINDS[kind]
    shown = [
        {
            **row,
            "white": _player(row["white"], row["white_elo"]),
            "black": _player(row["black"], row["black_elo"]),
            "moves": (row["plies"] + 1) // 2,
            "promised": _promised(row),
            "place": f"{figures.file(row['source'])}, line {row['line']:,}",
        }
        for row in rows[:MOST_GAMES]
    ]
    promised = Column("Promised", "promised", "share", meaning="Points that the ratings promised the player who did better")
    columns = [
        Column("White", "white"),
        Column("Black", "black"),
        Column("Result", "result"),
        *([promised] if kind in _RATED else []),
        Column("Moves", "moves", "count"),
        Column("Event", "event", minor=True),
        Column("Date", "date", minor=True),
        Column("Where", "place", minor=True, meaning="Source, and its line at which the game begins"),
    ]
    return Table(f"remarkable-{kind.replace('_', '-')}", title, columns, shown, meaning, searchable=False)


def _player(name: str | None, rating: int | None) -> str:
    """A name with its rating.

    >>> _player("A", 2400), _player(None, None)
    ('A (2400)', '?')
    """
    return f"{plain(name) or '?'}{'' if rating is None else f' ({rating})'}"


def _promised(row: Row) -> float | None:
    """What Elo's formula expected of the winner, or of the weaker player of a draw; None without ratings."""
    white: float | None = row["expected"]
    if white is None:
        return None
    if row["result"] == "1/2-1/2":
        return min(white, 1 - white)
    return white if row["result"] == "1-0" else 1 - white
