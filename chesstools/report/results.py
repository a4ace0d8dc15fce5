"""What happened in the games: outcomes over the years and by rating, how long they were, and why they ended."""

from __future__ import annotations

from chesstools.report import plots
from chesstools.report.figures import Figures
from chesstools.report.model import Column, Fact, Note, Plot, Section, Table
from chesstools.report.text import percent
from chesstools.report.years import outcome_spans

WANTED = (
    "outcomes",
    "outcomes_by_year",
)


def sections(figures: Figures) -> list[Section]:
    """The part on results."""
    outcomes = figures.one("outcomes")
    if not outcomes.get("games"):
        return [Section("results", "Results", f"No game has a result that counts. {figures.told('outcomes')}")]
    facts = [
        Fact(percent(outcomes["white_share"]), "White won"),
        Fact(percent(outcomes["draw_share"]), "drawn"),
        Fact(percent(outcomes["black_share"]), "Black won"),
        Fact(percent(outcomes["score"]), "White's score (a draw is half)"),
        Fact(f"{outcomes['average_plies'] / 2:.1f}", "moves in a game, on average"),
    ]
    if outcomes["rated_games"]:
        facts.append(Fact(f"{(outcomes['white_elo'] + outcomes['black_elo']) / 2:.0f}", "mean rating"))
    items: list[Plot | Table | Note] = [plot for plot in [_years(figures)] if plot is not None]
    return [Section("results", "Results", figures.told("outcomes"), facts, items)]


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


def _years(figures: Figures) -> Plot | None:
    rows = figures.rows("outcomes_by_year")
    if len(rows) < 2:
        return None
    span = outcome_spans(rows)
    few = "Decades" if span.years > 1 else "Years"
    return Plot(
        "outcomes-by-year",
        f"Who won, {span.title.lower()} by {span.title.lower()}",
        plots.outcome_spans(span.rows, "from_year", span.title, span.years),
        f"From below: the share of games that White won, of draws, and of games that Black won. {few} of few games jump. "
        + figures.told("outcomes_by_year"),
        f"Stacked columns: shares of White's wins, draws and Black's wins from {rows[0]['year']} to {rows[-1]['year']}.",
        numbers=Table("outcomes-by-year-numbers", "Outcomes by year", outcome_columns(Column("Year", "year", "year")), rows),
    )
