"""What a person is told at the end: the grouped summary of `validate` and the account that `ingest` gives of a dataset."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .terminal import duration, many, printable, show, size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, RenderableType

    from chesstools.summary import Summary

SEVERITIES = ("error", "warning", "info")
STYLES = {"error": "red", "warning": "yellow", "info": "cyan"}
RESULTS = {"1-0": "White won", "1/2-1/2": "drawn", "0-1": "Black won", "*": "unfinished", "?": "no result given"}
BAR_WIDTH = 30


def what_was_read(summary: Summary) -> str:
    """``1,000 games, 80,123 plies, 1.2 MB from 2 sources in 12.3 s (81 games/s)``."""
    stored = sum(source.bytes for source in summary.sources)
    speed = f" ({summary.games / summary.seconds:,.0f} games/s)" if summary.seconds >= 0.05 else ""
    return (
        f"{many(summary.games, 'game')}, {many(summary.plies, 'ply', 'plies')}, {size(stored)} "
        f"from {many(len(summary.sources), 'source')} in {duration(summary.seconds)}{speed}"
    )


def severity_counts(summary: Summary) -> str:
    """``3 errors, 17 warnings, 120 infos``, or ``nothing found``, or that there was nothing to judge."""
    told = [many(summary.severities[word], word) for word in SEVERITIES if summary.severities[word]]
    return ", ".join(told) or ("nothing found" if summary.games else "there are no games")


def findings_table(findings: Counter[str], indent: int = 0, most: int | None = None) -> RenderableType:
    """Rules by severity and count: severity, code, name, how often; the rest, beyond `most`, in one closing line."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from chesstools.rules import get_rule

    rows = [(get_rule(code), count) for code, count in findings.items()]
    rows.sort(key=lambda row: (-row[0].severity.rank, -row[1], row[0].code))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column("count", justify="right")
    for rule, count in rows[:most]:
        severity = rule.severity.value
        # The counts are by code; a few rules have one severity as a rule and another in cases that their note names.
        word = f"{severity} or {rule.severity_note.split()[0]}" if rule.severity_note else severity
        table.add_row(f"{count:,}", Text(word, style=STYLES[severity]), rule.code, rule.name)
    parts: list[RenderableType] = [table]
    left = rows[len(rows[:most]) :]
    if left:
        total = sum(count for _, count in left)
        parts.append(Text(f"… and {many(len(left), 'more rule')} with {many(total, 'finding')}", style="dim"))
    return Padding(Group(*parts), (0, 0, 0, indent), expand=False)


def unread(summary: Summary) -> Iterable[str]:
    """What of the sources is in no game: one line a source that has quarantined text."""
    for source in summary.sources:
        if source.quarantined_regions:
            regions = many(source.quarantined_regions, "region")
            yield f"{printable(source.name)}: {regions} outside of any game, {size(source.quarantined_bytes)}"


def validation_summary(screen: Console, summary: Summary, hidden: int) -> None:
    """The grouped summary at the end of `validate`."""
    from rich.text import Text

    if summary.findings:
        show(screen, findings_table(summary.findings))
    for line in unread(summary):
        screen.print(Text(line), soft_wrap=True)
    hint = f" ({many(hidden, 'finding')} not shown; --severity info shows all)" if hidden else ""
    screen.print(Text(f"{severity_counts(summary)}{hint}", style="bold"), soft_wrap=True)
    screen.print(Text(what_was_read(summary)), soft_wrap=True)


def dataset_summary(screen: Console, summary: Summary, output: Path, tables: Iterable[str]) -> None:
    """The account that `ingest` gives of what it read and wrote."""
    from rich.text import Text

    def heading(text: str) -> None:
        screen.print(Text(f"\n{text}", style="bold"), soft_wrap=True)

    screen.print(Text(what_was_read(summary)), soft_wrap=True)
    if summary.games:
        heading("Results")
        show(screen, _results(summary))
        _draws(screen, summary)
    heading(f"Findings: {severity_counts(summary)}")
    if summary.findings:
        show(screen, findings_table(summary.findings, indent=2, most=15))
        screen.print(Text("  What a rule means: chesstools rule CODE", style="dim"))
    quarantined = list(unread(summary))
    if quarantined:
        heading("Not part of any game")
        for line in quarantined:
            screen.print(Text(f"  {line}"), soft_wrap=True)
    heading("Written to")
    _files(screen, output, tables)
    _next_step(screen, output, tables)


def _results(summary: Summary) -> RenderableType:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    columns: tuple[Literal["left", "right"], ...] = ("left", "left", "right", "right", "left")
    for justify in columns:
        table.add_column(justify=justify)
    known = [result for result in RESULTS if summary.results[result]]
    others = sorted(str(result) for result in summary.results if result not in RESULTS and summary.results[result])
    for result in [*known, *others]:
        count = summary.results[result]
        share = count / summary.games
        bar = "█" * round(share * BAR_WIDTH) or "▏"
        table.add_row(printable(result), RESULTS.get(result, ""), f"{count:,}", f"{share:.1%}", Text(bar, style="cyan"))
    return Padding(table, (0, 0, 0, 2), expand=False)


def _draws(screen: Console, summary: Summary) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    reasons = [(reason, count) for reason, count in summary.draws_by_reason.most_common() if count]
    if reasons:
        screen.print(Text("\nDrawn games by reason", style="bold"))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        table.add_column("reason")
        table.add_column("count", justify="right")
        for reason, count in reasons:
            table.add_row(printable(str(reason).replace("_", " ")), f"{count:,}")
        show(screen, Padding(table, (0, 0, 0, 2), expand=False))
    screen.print(Text("\nUnclaimed draws", style="bold"))
    count = summary.unclaimed_draws
    told = (
        f"{many(count, 'game')} lost by a player who could have claimed a draw"
        if count
        else "none that cost a player half a point"
    )
    screen.print(Text(f"  {told}"), soft_wrap=True)


def _files(screen: Console, output: Path, tables: Iterable[str]) -> None:
    from rich.text import Text

    for table in tables:
        parts = sorted((output / table).glob("*.parquet"))
        total = sum(part.stat().st_size for part in parts)
        screen.print(Text(printable(f"  {output / table}  ({many(len(parts), 'file')}, {size(total)})")), soft_wrap=True)


def _next_step(screen: Console, output: Path, tables: Iterable[str]) -> None:
    from rich.text import Text

    if "games" not in tables:
        return
    games = str(output / "games")
    screen.print(Text("\nGo on with", style="bold"))
    screen.print(Text(printable(f"  pandas   pd.read_parquet({games!r})[['white', 'black', 'result', 'codes']]")), soft_wrap=True)
    screen.print(
        Text(printable(f"  DuckDB   SELECT result, count(*) FROM '{games}/*.parquet' GROUP BY 1")),
        soft_wrap=True,
    )
