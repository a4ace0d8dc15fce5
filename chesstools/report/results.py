"""What happened in the games: outcomes over the years and by rating, how long they were, and why they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chesstools.report import plots
from chesstools.report.figures import Figures, Row
from chesstools.report.model import Column, Fact, Plot, Section, Table
from chesstools.report.text import percent, points
from chesstools.report.years import outcome_spans

WANTED = (
    "outcomes",
    "outcomes_by_year",
    "outcomes_by_difference",
    "outcomes_by_rating",
    "outcomes_by_time_class",
    "outcomes_by_length",
    "lengths",
    "outcomes_by_event",
)

FEW = 10
"""Fewer games make no bar and no point in a curve: its interval would be as wide as the plot."""

COLUMN_MOVES = 5
LONGEST_MOVES = 150
"""Columns of the plot of lengths: of five moves, and one for all longer games."""

MOST_EVENTS = 300


def section(figures: Figures) -> Section:
    """The part on results."""
    outcomes = figures.one("outcomes")
    if not outcomes.get("games"):
        return Section("results", "Results", f"No game has a result that counts. {figures.told('outcomes')}")
    facts = [
        Fact(percent(outcomes["white_share"]), "White won"),
        Fact(percent(outcomes["draw_share"]), "drawn"),
        Fact(percent(outcomes["black_share"]), "Black won"),
        Fact(percent(outcomes["score"]), "White's score (a draw is half)"),
        Fact(f"{outcomes['average_plies'] / 2:.1f}", "moves in a game, on average"),
    ]
    if outcomes["rated_games"]:
        facts.append(Fact(f"{(outcomes['white_elo'] + outcomes['black_elo']) / 2:.0f}", "mean rating"))
    drawn = [_years(figures), _difference(figures), _ratings(figures), _times(figures), _lengths(figures), _by_length(figures)]
    items: list[Plot | Table] = [plot for plot in drawn if plot is not None]
    if events := figures.length("outcomes_by_event"):
        items.append(
            Table(
                "events",
                "Events",
                [
                    *outcome_columns(Column("Event", "event")),
                    Column("From", "first_year", "year", minor=True),
                    Column("To", "last_year", "year", minor=True),
                ],
                figures.rows("outcomes_by_event", MOST_EVENTS, by="games"),
                f"As the tag Event names them, those with the most games first. {figures.told('outcomes_by_event')}",
                events,
            )
        )
    return Section("results", "Results", figures.told("outcomes"), facts, items)


def outcome_columns(*first: Column) -> list[Column]:
    """The columns of a table of outcomes."""
    return [
        *first,
        Column("Games", "games", "count"),
        Column("White", "white_share", "share", meaning="Share of games that White won"),
        Column("Draw", "draw_share", "share", meaning="Share of games drawn"),
        Column("Black", "black_share", "share", meaning="Share of games that Black won"),
        Column("Score", "score", "share", meaning="White's points from each game, on average; a draw is half a point"),
        Column("at least", "score_low", "share", minor=True, meaning="Lower end of the 95% interval of the score"),
        Column("at most", "score_high", "share", minor=True, meaning="Upper end of the 95% interval of the score"),
    ]


def few_told(rows: Sequence[Row], drawn: Sequence[Row]) -> str:
    """A sentence on the bars that are not drawn, with a space behind it; nothing where all are.

    >>> few_told([{"games": 3}, {"games": 10}], [{"games": 10}])
    'Bars of fewer than 10 games are not drawn. '
    """
    return f"Bars of fewer than {FEW} games are not drawn. " if len(drawn) < len(rows) else ""


def _years(figures: Figures) -> Plot | None:
    rows = figures.rows("outcomes_by_year")
    span = outcome_spans(rows)
    drawn = [row for row in span.rows if row["games"] >= FEW]
    if len(drawn) < 2:
        return None
    first, last = drawn[0]["from_year"], drawn[-1]["from_year"] + span.years - 1
    return Plot(
        "outcomes-by-year",
        f"Who won, {span.title.lower()} by {span.title.lower()}",
        plots.outcome_years(drawn, "from_year", span.title, span.years),
        "From below: the share of games that White won, of draws, and of games that Black won. "
        f"{few_told(span.rows, drawn)}{figures.told('outcomes_by_year')}",
        f"Stacked columns: shares of White's wins, draws and Black's wins from {first} to {last}.",
        numbers=Table("outcomes-by-year-numbers", "Outcomes by year", outcome_columns(Column("Year", "year", "year")), rows),
    )


def _difference(figures: Figures) -> Plot | None:
    rows = [
        {**row, "expected": row["expected_score"], "middle": row["difference_from"] + 25}
        for row in figures.rows("outcomes_by_difference")
        if row["games"] >= FEW
    ]
    if len(rows) < 3:
        return None
    outcomes = figures.one("outcomes")
    above = outcomes["rated_score"] - outcomes["expected_score"]
    return Plot(
        "rating-difference",
        "What a rating difference is worth",
        plots.expectation(rows, "middle", "White's rating less Black's"),
        "The line is White's score in games of about that difference, the band its 95% interval, the dashed line what Elo's "
        f"formula expects. Over all games White scored {points(abs(above))} (of 100) {'more' if above >= 0 else 'less'} than the "
        f"ratings promise. {figures.told('outcomes_by_difference')} Differences with fewer than {FEW} games are not drawn.",
        "Curve: White's score over the rating difference, with its interval, and Elo's expectation.",
        numbers=Table(
            "rating-difference-numbers",
            "Score by rating difference",
            [*outcome_columns(Column("Difference", "middle", "signed")), Column("Elo expects", "expected", "share")],
            rows,
        ),
    )


def _ratings(figures: Figures) -> Plot | None:
    rows = [{**row, "band": f"{row['rating_from']}–{row['rating_to'] - 1}"} for row in figures.rows("outcomes_by_rating")]
    drawn = [row for row in rows if row["games"] >= FEW]
    if len(drawn) < 2:
        return None
    return Plot(
        "ratings",
        "By strength",
        plots.outcome_bars(drawn, "band", "Mean rating"),
        f"Outcomes by the mean rating of the two players, weakest on top. {few_told(rows, drawn)}"
        + figures.told("outcomes_by_rating"),
        "Stacked bars: shares of White's wins, draws and Black's wins by mean rating.",
        numbers=Table("ratings-numbers", "Outcomes by mean rating", outcome_columns(Column("Mean rating", "band")), rows),
        half=True,
    )


def _times(figures: Figures) -> Plot | None:
    rows = figures.rows("outcomes_by_time_class")
    drawn = [row for row in rows if row["games"] >= FEW]
    if not drawn:
        return None
    return Plot(
        "times",
        "By time control",
        plots.outcome_bars(drawn, "time_class", "Time control"),
        "Outcomes by the time that a player has for 40 moves: bullet below 3 minutes, blitz below 8, rapid below 25, else "
        f"classical. {few_told(rows, drawn)}{figures.told('outcomes_by_time_class')}",
        "Stacked bars: shares of White's wins, draws and Black's wins by class of time control.",
        numbers=Table("times-numbers", "Outcomes by time control", outcome_columns(Column("Time control", "time_class")), rows),
        half=True,
    )


def _lengths(figures: Figures) -> Plot | None:
    counts: Counter[int] = Counter()
    for row in figures.rows("lengths"):
        moves = min((row["plies"] + 1) // 2, LONGEST_MOVES + 1)
        counts[(moves - 1) // COLUMN_MOVES * COLUMN_MOVES if moves else 0] += row["games"]
    if sum(counts.values()) < FEW:
        return None
    rows: list[Row] = [
        {
            "from": first,
            "to": first + COLUMN_MOVES,
            "games": games,
            "moves": f"more than {LONGEST_MOVES}" if first >= LONGEST_MOVES else f"{first + 1} to {first + COLUMN_MOVES}",
        }
        for first, games in sorted(counts.items())
    ]
    most = max(rows, key=lambda row: row["games"])
    return Plot(
        "lengths",
        "How long games are",
        plots.columns(rows, "from", "to", "games", "Moves of each side", "Games", tip="moves"),
        f"Games by the number of moves; most have {most['moves']}. "
        + (f"The last column is of all games of more than {LONGEST_MOVES}. " if rows[-1]["from"] >= LONGEST_MOVES else "")
        + figures.told("lengths"),
        f"Columns: number of games by length, the most have {most['moves']} moves.",
        half=True,
        numbers=Table(
            "lengths-numbers",
            "Games by length",
            [Column("Moves", "moves"), Column("Games", "games", "count")],
            rows,
            searchable=False,
        ),
    )


def _by_length(figures: Figures) -> Plot | None:
    rows = [
        {**row, "first": (row["plies_from"] - 1) // 2, "moves": f"{(row['plies_from'] + 1) // 2}–{row['plies_to'] // 2}"}
        for row in figures.rows("outcomes_by_length")
    ]
    drawn = [row for row in rows if row["games"] >= FEW]
    if len(drawn) < 3:
        return None
    return Plot(
        "outcomes-by-length",
        "Short and long games",
        plots.outcome_spans(drawn, "first", "Moves of each side", 10),
        f"Outcomes by length, in steps of ten moves. {few_told(rows, drawn)}{figures.told('outcomes_by_length')}",
        "Stacked columns: shares of White's wins, draws and Black's wins by the number of moves.",
        half=True,
        numbers=Table("outcomes-by-length-numbers", "Outcomes by length", outcome_columns(Column("Moves", "moves")), rows),
    )
