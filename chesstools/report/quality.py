"""The quality of the archive: what was found, rule by rule, and games with findings on boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from chesstools.report.charts import Told
from chesstools.report.figures import Figures
from chesstools.report.model import Board, Column, Explanation, Fact, Note, Plot, Section, Table
from chesstools.report.plots import bars, lines
from chesstools.report.text import count, counted, percent, size
from chesstools.report.years import spans
from chesstools.rules import explain, get_rule
from chesstools.summary import Summary

WANTED = ("sources", "findings_by_year", "draw_rules_by_year")

MOST_BARS = 15
MOST_SOURCES = 200

FEW = 50
"""Fewer games of a year make no point in a curve."""

FEW_FINDINGS = 20
"""Of fewer errors and warnings no curve is drawn: it would show chance."""

SEVERITIES = ("error", "warning", "info")


def found(summaries: Sequence[Summary], games: int) -> list[dict[str, Any]]:
    """A row for each rule and severity that was found: the gravest first, and of these the commonest."""
    counts: Counter[tuple[str, str]] = Counter()
    for summary in summaries:
        for code, many in summary.findings.items():
            rule, others = get_rule(code), summary.other_severity[code]
            counts[code, rule.severity.value] += many - others
            if others and rule.severity_note:  # the note begins with the severity that the rule has otherwise
                counts[code, rule.severity_note.split()[0]] += others
    rows = [
        {
            "code": code,
            "name": get_rule(code).name,
            "label": f"{code} {get_rule(code).name.replace('-', ' ')}",
            "severity": severity,
            "findings": many,
            "rate": 1000 * many / games if games else None,
            "checks": get_rule(code).summary,
        }
        for (code, severity), many in counts.items()
        if many
    ]
    return sorted(rows, key=lambda row: (SEVERITIES.index(row["severity"]), -row["findings"], row["code"]))


def section(summaries: Sequence[Summary], figures: Figures) -> Section:
    """Counts, the commonest rules, all rules, sources."""
    rows = found(summaries, figures.games)
    if not rows:
        intro = "Nothing was found: no rule that was worked out has anything to say about these games." if figures.games else ""
        return Section("quality", "Its quality", intro, _facts(summaries, figures), [])
    intro = (
        "Every game was replayed and judged by the Laws in force on its date and by the PGN standard. An error puts in doubt "
        "what was played or how it ended; a warning is a departure that leaves the game readable; an info is worth knowing, "
        "such as a draw that could have been claimed."
    )
    items: list[Plot | Table | Note] = []
    for severity in SEVERITIES:
        if chosen := [row for row in rows if row["severity"] == severity]:
            items.append(_plot(chosen, severity, figures.games))
    if trend := _trend(figures):
        items.append(trend)
    items.append(
        Table(
            "rules-found",
            "Findings by rule",
            [
                Column("Rule", "code", "code"),
                Column("Name", "name"),
                Column("Severity", "severity", "severity"),
                Column("Findings", "findings", "count"),
                Column("Per 1,000 games", "rate", "number"),
                Column("What it checks", "checks", minor=True),
            ],
            rows,
            "A click on a code leads to what the rule says, why it matters and what to do. A game may have several findings.",
        )
    )
    items.append(_score_card(figures))
    return Section("quality", "Its quality", intro, _facts(summaries, figures), items)


def _facts(summaries: Sequence[Summary], figures: Figures) -> list[Fact]:
    severities: Counter[str] = Counter()
    for summary in summaries:
        severities.update(summary.severities)
    clean = sum(row["clean_games"] for row in figures.rows("sources"))
    facts = [Fact(percent(clean / figures.games), "of games without errors and warnings")] if figures.games else []
    facts += [Fact(count(severities[word]), word if severities[word] == 1 else f"{word}s") for word in SEVERITIES]
    unread = sum(source.quarantined_bytes for summary in summaries for source in summary.sources)
    facts.append(Fact(size(unread), "of text that belongs to no game"))
    return facts


def _plot(rows: Sequence[dict[str, Any]], severity: str, games: int) -> Plot:
    shown = list(rows[:MOST_BARS])
    more = f" The {count(MOST_BARS)} commonest of {count(len(rows))} rules." if len(rows) > len(shown) else ""
    total = sum(row["findings"] for row in rows)
    told: list[Told] = [("checks", "Checks", None), ("rate", "Per 1,000 games", ",.3~g")]
    return Plot(
        f"findings-{severity}",
        f"{severity.capitalize()}s by rule",
        bars(shown, "label", "findings", "Rule", "Findings", more=told),
        f"{counted(total, severity)} in {counted(games, 'game')}.{more}",
        f"Bars: number of {severity}s for each rule, the commonest is {shown[0]['label']} with {count(shown[0]['findings'])}.",
        half=severity != "info",
    )


def _trend(figures: Figures) -> Plot | None:
    """Errors and warnings for a thousand games, by year."""
    years = [row for row in figures.rows("draw_rules_by_year") if row["year"] is not None]  # all games, also those with errors
    found = [row for row in figures.rows("findings_by_year") if row["year"] is not None]
    span = spans(years, ("games",))
    games = {row["from_year"]: row["games"] for row in span.rows if row["games"] >= FEW}
    totals: Counter[tuple[int, str]] = Counter()
    for row in found:
        totals[row["year"] // span.years * span.years, row["severity"]] += row["findings"]
    order = [severity for severity in SEVERITIES[:2] if any(totals[year, severity] for year in games)]
    if len(games) < 3 or sum(totals[year, severity] for year in games for severity in order) < FEW_FINDINGS:
        return None
    rows = [
        {"year": year, "severity": severity, "rate": 1000 * totals[year, severity] / many}
        for year, many in games.items()
        for severity in order
    ]
    return Plot(
        "findings-by-year",
        f"Errors and warnings by {span.title.lower()}",
        lines(rows, "year", "rate", "severity", order, (span.title, "Findings for 1,000 games", "Severity"), ",.3~r"),
        f"Findings for 1,000 games. A {span.title.lower()} with fewer than {FEW} games is left out, and games without a year.",
        f"Lines: errors and warnings for 1,000 games, from {min(games)} to {max(games)}.",
    )


def _score_card(figures: Figures) -> Table:
    rows = [{**row, "file": figures.file(row["source"])} for row in figures.rows("sources", MOST_SOURCES)]
    total = figures.length("sources")
    return Table(
        "score-card",
        "Score card of the sources",
        [
            Column("Source", "file"),
            Column("Games", "games", "count"),
            Column("Score", "score", "number", meaning="0 to 100: all games without errors and warnings"),
            Column("Errors", "errors_per_1000_games", "number", meaning="Findings of severity error for 1,000 games"),
            Column("Warnings", "warnings_per_1000_games", "number", meaning="Findings of severity warning for 1,000 games"),
            Column("Full date", "with_date", "share", minor=True, meaning="Share of games with year, month and day"),
            Column("Names", "with_names", "share", minor=True, meaning="Share of games with the names of both players"),
            Column("Result", "with_result", "share", minor=True, meaning="Share of games with the result 1-0, 0-1 or 1/2-1/2"),
            Column("Ratings", "with_ratings", "share", minor=True, meaning="Share of games with both ratings"),
            Column("Time", "with_time_control", "share", minor=True, meaning="Share of games whose time control can be read"),
        ],
        rows,
        "The worst first. The score is 100 where no game has an error or a warning; a game with warnings only counts half. "
        "Errors and warnings are told for 1,000 games; the other columns say how much the tags tell.",
        total,
    )


def games_section(boards: Sequence[Board], note: str | None = None) -> Section:
    """Games with findings, on boards."""
    title = "Games to look at"
    intro = (
        "One game for each rule that found something, errors first, then a second one for each, until the place is full. The "
        "board shows the move at which it was found: squares are plain red for an error, striped for a warning or an info, which "
        "says nothing against the move itself. Step through the game with the buttons, or with the arrow keys once the game has "
        "the focus."
    )
    if not boards:
        return Section("games", title, note or "No game has an error or a warning.")
    return Section("games", title, intro, (), list(boards))


def rules_section(codes: Iterable[str]) -> Section | None:
    """What each rule says that the page names."""
    rules = [get_rule(code) for code in sorted(set(codes))]
    if not rules:
        return None
    items = [Explanation(rule.code, rule.name, rule.severity.value, explain(rule).split("\n\n", 1)[1]) for rule in rules]
    return Section(
        "rules", "The rules explained", "The rules that found something here, as 'chesstools rule CODE' tells them.", (), items
    )
