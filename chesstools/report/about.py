"""The first part of the page: what the archive is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from chesstools.report.figures import Figures, Row
from chesstools.report.model import Column, Fact, Plot, Section, Table
from chesstools.report.plots import year_columns
from chesstools.report.text import count, counted, percent, plain
from chesstools.report.years import spans
from chesstools.summary import SourceSummary, Summary

WANTED = ("outcomes", "draw_rules_by_year", "outcomes_by_event", "players")


def title_of(sources: Sequence[SourceSummary]) -> str:
    """The heading where nobody gave one: the name of the source, or how many there are."""
    if len(sources) == 1:
        return plain(PurePath(sources[0].name).name or sources[0].name)
    return f"{len(sources):,} sources" if sources else "Nothing"


def lead(summaries: Sequence[Summary], figures: Figures) -> str:
    """The archive in one or two sentences."""
    if not figures.games:
        return "There is no game in it."
    plies = sum(summary.plies for summary in summaries)
    sentence = f"{counted(figures.games, 'game')} with {counted(plies, 'half-move (ply)', 'half-moves (plies)')}"
    years = [row["year"] for row in _years(figures)]
    if years:
        sentence += f", played {f'from {years[0]} to {years[-1]}' if years[0] < years[-1] else f'in {years[0]}'}"
    outcomes = figures.one("outcomes")
    if outcomes.get("games"):
        shares = [percent(outcomes[f"{name}_share"]) for name in ("white", "draw", "black")]
        sentence += f". White won {shares[0]}, {shares[1]} were drawn, Black won {shares[2]}"
    if figures.repeats:
        sentence += f". {_repeats(figures.repeats)}"
    return f"{sentence}."


def _repeats(repeats: int) -> str:
    one = repeats == 1
    return (
        f"{counted(repeats, 'game')} {'is a repeat of an earlier one' if one else 'are repeats of earlier ones'} (the same "
        f"names, date and moves) and {'counts' if one else 'count'} again; with --unique each game counts once"
    )


def _years(figures: Figures) -> list[Row]:
    """All games by year, whatever their results, but for those whose year is not known."""
    return [row for row in figures.rows("draw_rules_by_year") if row["year"] is not None]


def section(summaries: Sequence[Summary], figures: Figures) -> Section:
    """What there is: numbers, sources, games by year."""
    sources = [source for summary in summaries for source in summary.sources]
    facts = [
        Fact(count(figures.games), "game" if figures.games == 1 else "games"),
        Fact(count(sum(summary.plies for summary in summaries)), "half-moves (plies) replayed"),
        Fact(count(len(sources)), "source" if len(sources) == 1 else "sources"),
    ]
    years = _years(figures)
    if years:
        first, last = years[0]["year"], years[-1]["year"]
        facts.append(Fact(f"{first}–{last}", "years") if first < last else Fact(str(first), "year"))
    for name, one, many in (("players", "name of a player", "names of players"), ("outcomes_by_event", "event", "events")):
        if found := figures.length(name):
            facts.append(Fact(count(found), one if found == 1 else many))
    items: list[Plot | Table] = []
    if len(years) > 1:
        items.append(_by_year(years, figures))
    items.append(_sources(sources, figures))
    return Section("archive", "The archive", "", facts, items)


def _by_year(years: Sequence[Row], figures: Figures) -> Plot:
    span = spans(years, ("games",))
    known = sum(row["games"] for row in years)
    unknown = figures.counted("draw_rules_by_year") - known
    most = max(years, key=lambda row: row["games"])
    first, last = years[0]["year"], years[-1]["year"]
    return Plot(
        "games-by-year",
        f"Games by {span.title.lower()}",
        year_columns(span.rows, "from_year", "games", (span.title, "Games"), span.years),
        f"All games whose year is known, also unfinished ones and those with errors: {count(known)}, the most of {most['year']} "
        f"({count(most['games'])})." + (f" The year of {counted(unknown, 'game')} is not known." if unknown else ""),
        f"Columns: games by {span.title.lower()}, from {first} to {last}.",
    )


def _sources(sources: Sequence[SourceSummary], figures: Figures) -> Table:
    rows: list[Row] = []
    for source in sources:
        severities: Counter[str] = Counter(source.severities)
        rows.append(
            {
                "name": figures.file(source.name),
                "games": source.games,
                "plies": source.plies,
                "bytes": source.bytes,
                **{f"{word}s": severities[word] for word in ("error", "warning", "info")},
                "regions": source.quarantined_regions,
                "note": (source.error or "").replace(source.name, figures.file(source.name)),
            }
        )
    columns = [
        Column("Source", "name"),
        Column("Games", "games", "count"),
        Column("Plies", "plies", "count", minor=True),
        Column("Size", "bytes", "size", minor=True, meaning="When unpacked"),
        Column("Errors", "errors", "count", meaning="Findings of severity error"),
        Column("Warnings", "warnings", "count", meaning="Findings of severity warning"),
        Column("Infos", "infos", "count", minor=True, meaning="Findings of severity info"),
        Column("Unread", "regions", "count", minor=True, meaning="Stretches of text that belong to no game"),
    ]
    if any(row["note"] for row in rows):
        columns.append(Column("What was wrong", "note"))
    shown = sorted(rows, key=lambda row: -row["games"])[:200]
    return Table("sources", "Sources", columns, shown, "Each file that was read, the largest first.", len(rows))
