"""How games came to their end: reasons over the years, and what the Laws say of draws that nobody claimed or saw."""

from __future__ import annotations

from collections import Counter
from typing import Any

from chesstools.report.figures import Figures, Row
from chesstools.report.model import Column, Fact, Plot, Section, Table
from chesstools.report.plots import bars, stacked_columns
from chesstools.report.text import count
from chesstools.report.years import spans

WANTED = ("end_reasons", "end_reasons_by_year", "draw_rules_by_event", "moves_after_draws", "unclaimed_draws")

FEW = 20
"""Of fewer games no shares are drawn year by year: they are counted all together."""

MOST_PARTS = 7
"""Reasons that have a colour of their own; all others are one part."""

OTHERS = "all others"

WORDS = {
    "dead_position": "dead position",
    "threefold": "threefold repetition",
    "fivefold": "fivefold repetition",
    "fifty": "50 moves",
    "seventyfive": "75 moves",
    "agreement": "draw agreed",
    "time": "lost on time",
    None: "not known",
}
"""Reasons that are called otherwise here than in the table."""

BASES = {
    "board": "the last position",
    "termination": "the tag Termination",
    "comment": "the last comment",
    "clock": "the clocks",
    "inferred": "inferred",
    None: "",
}


MOST_ROWS = 200

PLY = "Half-moves of both sides, counted from the start of the game"
"""What a ply is, where a column has one."""


def section(figures: Figures) -> Section | None:
    """The part on ends; None where no game counts."""
    reasons = figures.rows("end_reasons")
    if not reasons:
        return None
    items: list[Plot | Table] = [_over_time(figures) or _reasons_plot(reasons, figures), _reasons_table(reasons)]
    items += [table for table in (_events(figures), _played_on(figures), _unclaimed(figures)) if table is not None]
    facts = [
        Fact(count(many), label)
        for name, label in (
            ("past_seventyfive", "games broke the 75-move rule"),
            ("past_fivefold", "went on after a fivefold repetition"),
            ("past_dead_position", "went on in a dead position"),
            ("unclaimed_draws", "were lost with a draw to claim"),
        )
        if (many := figures.total("draw_rules_by_event", name))
    ]
    return Section("ends", "How games ended", "", facts, items)


def _word(reason: str | None) -> str:
    return WORDS.get(reason) or str(reason).replace("_", " ")


def _over_time(figures: Figures) -> Plot | None:
    rows = [{**row, "part": _word(row["reason"])} for row in figures.rows("end_reasons_by_year")]
    if len({row["year"] for row in rows}) < 2 or sum(row["games"] for row in rows) < FEW:
        return None
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["part"]] += row["games"]
    order = [part for part, _ in totals.most_common(MOST_PARTS)]
    rest = [part for part in totals if part not in order]
    parts = [*order, OTHERS] if rest else order
    span = spans([{**row, "part": row["part"] if row["part"] in order else OTHERS} for row in rows], ("games",), ("part",))
    games: Counter[int] = Counter()
    summed: Counter[tuple[int, str]] = Counter()
    for row in span.rows:
        games[row["from_year"]] += row["games"]
        summed[row["from_year"], row["part"]] += row["games"]
    shares: list[Row] = [
        {"from_year": year, "part": part, "games": many, "share": many / games[year]} for (year, part), many in summed.items()
    ]
    first, last = rows[0]["year"], rows[-1]["year"]
    return Plot(
        "end-reasons-by-year",
        f"Why games ended, {span.title.lower()} by {span.title.lower()}",
        stacked_columns(shares, "from_year", "part", parts, (span.title, "Reason"), span.years),
        "From below, the commonest first; shares of years with few games jump. Where neither the board nor the source tells, a "
        f"won game counts as resigned and a drawn one as agreed. {figures.told('end_reasons_by_year')}",
        f"Stacked columns: shares of reasons for the end of games from {first} to {last}; the commonest is {order[0]}.",
    )


def _reasons_plot(reasons: list[Row], figures: Figures) -> Plot:
    rows = [
        {"reason": f"{_word(row['reason'])}{' (inferred)' if row['basis'] == 'inferred' else ''}", **_numbers(row)}
        for row in reasons
    ]
    return Plot(
        "end-reasons-plot",
        "Why games ended",
        bars(rows, "reason", "games", "Reason", "Games"),
        "Where neither the board nor the source tells, a won game counts as resigned and a drawn one as agreed. "
        + figures.told("end_reasons"),
        f"Bars: games by the reason of their end; the commonest is {rows[0]['reason']}.",
    )


def _numbers(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("games", "share", "white_won", "drawn", "black_won")}


def _reasons_table(reasons: list[Row]) -> Table:
    rows = [
        {
            **_numbers(row),
            "reason": _word(row["reason"]),
            "basis": BASES.get(row["basis"], row["basis"]),
            "moves": row["average_plies"] / 2,
        }
        for row in reasons
    ]
    return Table(
        "end-reasons",
        "Reasons, and what tells them",
        [
            Column("Reason", "reason"),
            Column("Told by", "basis"),
            Column("Games", "games", "count"),
            Column("Share", "share", "share"),
            Column("White won", "white_won", "count", minor=True),
            Column("Drawn", "drawn", "count", minor=True),
            Column("Black won", "black_won", "count", minor=True),
            Column("Moves", "moves", "number", minor=True, meaning="Mean length, in moves of each side"),
        ],
        rows,
        searchable=False,
    )


def _events(figures: Figures) -> Table | None:
    rows = figures.rows("draw_rules_by_event", MOST_ROWS)
    if not rows:
        return None
    return Table(
        "draw-rules",
        "Events in which draw rules were broken, or draws not claimed",
        [
            Column("Event", "event"),
            Column("Year", "year", "year", minor=True),
            Column("Games", "games", "count"),
            Column("Past 75 moves", "past_seventyfive", "count", meaning="Went on after 75 moves had ended them"),
            Column("Past fivefold", "past_fivefold", "count", meaning="Went on after a fivefold repetition"),
            Column("Past dead position", "past_dead_position", "count", minor=True),
            Column(
                "Won after a draw", "decided_after_draw", "count", minor=True, meaning="With a winner although the game was drawn"
            ),
            Column("Not claimed, lost", "unclaimed_draws", "count", meaning="Lost by a player who could have claimed a draw"),
            Column("50 moves reached", "reached_fifty", "count", minor=True),
        ],
        rows,
        "All games are counted here, also those with errors. By the edition of the Laws in force on the date of each game.",
        figures.length("draw_rules_by_event"),
    )


_GAME = (
    Column("White", "white"),
    Column("Black", "black"),
    Column("Result", "result"),
    Column("Event", "event", minor=True),
    Column("Date", "date", minor=True),
    Column("Line", "line", "count", minor=True, meaning="Line of the source at which the game begins"),
)


def _rule(name: str, moves: int) -> str:
    return f"{moves} moves" if name == "moves_without_progress" else name.replace("_", " ")


def _at(move: int | None, side: str | None) -> str:
    """A move as players tell of it.

    >>> _at(47, "white"), _at(None, None)
    ('move 47 of White', 'the start')
    """
    return "the start" if move is None or side is None else f"move {move} of {side.title()}"


def _played_on(figures: Figures) -> Table | None:
    rows = figures.rows("moves_after_draws", MOST_ROWS)
    if not rows:
        return None
    return Table(
        "played-on",
        "Games played on after they were drawn",
        [
            Column("Drawn by", "rule"),
            Column("with", "at"),
            Column("Ply", "drawn_ply", "count", minor=True, meaning=PLY),
            Column("Half-moves after", "plies_past", "count", meaning="Plies: moves of one side"),
            *_GAME,
        ],
        [
            {**row, "rule": _rule(row["rule"], row["limit"] or 75), "at": _at(row["drawn_move"], row["drawn_side"])}
            for row in rows
        ],
        "75 moves, a fivefold repetition or a dead position had ended these games by the Laws in force.",
        figures.length("moves_after_draws"),
    )


def _unclaimed(figures: Figures) -> Table | None:
    rows = figures.rows("unclaimed_draws", MOST_ROWS)
    if not rows:
        return None
    return Table(
        "unclaimed",
        "Draws that could have been claimed by the player who lost",
        [
            Column("Claim by", "rule"),
            Column("Who", "side"),
            Column("First at move", "first_move", "count", meaning="The move that this side had to make there"),
            Column("Ply", "first_ply", "count", minor=True, meaning=PLY),
            *_GAME,
        ],
        [{**row, "rule": _rule(row["rule"], 50)} for row in rows],
        "A claim was open to a player at the move that is told, it was not made, and the game was lost.",
        figures.length("unclaimed_draws"),
    )
