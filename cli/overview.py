"""What a person is told at the end: the grouped summary of `validate` and the account that `ingest` gives of a dataset."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Literal

from .terminal import printable, show

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console, RenderableType

    from chesstools.folder import Folder
    from chesstools.rules import Rule
    from chesstools.summary import Summary

    from .words import Words

SEVERITIES = ("error", "warning", "info")
STYLES = {"error": "red", "warning": "yellow", "info": "cyan"}
RESULTS = {"1-0": "white_won", "1/2-1/2": "drawn", "0-1": "black_won", "*": "unfinished", "?": "no_result"}
BAR_WIDTH = 30
MOST_UNREAD = 20
"""Sources of which it is told how much of them is in no game."""


def what_was_read(summary: Summary, words: Words) -> str:
    """``1,000 games, 80,123 plies, 1.2 MB from 2 sources in 12.3 s (81 games/s)``."""
    return words(
        "read",
        games=summary.games,
        plies=summary.plies,
        size=words.size(sum(source.bytes for source in summary.sources)),
        sources=len(summary.sources),
        time=words.duration(summary.seconds),
        speed=f"{summary.games / summary.seconds:,.0f}" if summary.seconds >= 0.05 else None,
    )


def severity_counts(summary: Summary, words: Words) -> str:
    """``3 errors, 17 warnings, 120 infos``, or ``nothing found``, or that there was nothing to judge."""
    told = [words(f"{severity}s", count=count) for severity in SEVERITIES if (count := summary.severities[severity])]
    return words("comma").join(told) or words("nothing" if summary.games else "no_games")


def findings_table(summary: Summary, words: Words, indent: int = 0, most: int | None = None) -> RenderableType:
    """Rules by severity and count: how often, severity, code, name; the rest, beyond `most` lines, in one closing line.

    A rule whose findings are of two severities has a line for each.
    """
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    rows = sorted(_by_severity(summary), key=lambda row: (SEVERITIES.index(row[1]), -row[2], row[0].code))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column("count", justify="right")
    for rule, severity, count in rows[:most]:
        table.add_row(f"{count:,}", Text(words(severity), style=STYLES[severity]), rule.code, rule.name)
    parts: list[RenderableType] = [table]
    left = rows[len(rows[:most]) :]
    if left:
        more = words("more_rules", rules=len({rule.code for rule, _, _ in left}), findings=sum(count for _, _, count in left))
        parts.append(Text(more, style="dim"))
    return Padding(Group(*parts), (0, 0, 0, indent), expand=False)


def _by_severity(summary: Summary) -> Iterator[tuple[Rule, str, int]]:
    """Rule, severity and how often it has that, 0 left out."""
    from chesstools.rules import get_rule

    for code, count in summary.findings.items():
        rule = get_rule(code)
        others = summary.other_severity[code]
        if count > others:
            yield rule, rule.severity.value, count - others
        if others and rule.severity_note:
            # A few rules have one severity as a rule and another in cases that their note names, beginning with it.
            yield rule, rule.severity_note.split()[0], others


def unread(summary: Summary, words: Words) -> Iterable[str]:
    """What of the sources is in no game: a line for each that has quarantined text, and one for those beyond `MOST_UNREAD`."""
    sources = [source for source in summary.sources if source.quarantined_regions]
    for source in sources[:MOST_UNREAD]:
        size = words.size(source.quarantined_bytes)
        yield words("unread", source=printable(source.name), count=source.quarantined_regions, size=size)
    if left := sources[MOST_UNREAD:]:
        size = words.size(sum(source.quarantined_bytes for source in left))
        yield words("more_unread", sources=len(left), count=sum(source.quarantined_regions for source in left), size=size)


def validation_summary(screen: Console, summary: Summary, hidden: int, words: Words) -> None:
    """The grouped summary at the end of `validate`."""
    from rich.text import Text

    if summary.findings:
        show(screen, findings_table(summary, words))
    for line in unread(summary, words):
        screen.print(Text(line), soft_wrap=True)
    hint = words("not_shown", count=hidden) if hidden else ""
    screen.print(Text(f"{severity_counts(summary, words)}{hint}", style="bold"), soft_wrap=True)
    screen.print(Text(what_was_read(summary, words)), soft_wrap=True)


def dataset_summary(screen: Console, summary: Summary, output: Folder, tables: Iterable[str], words: Words) -> None:
    """The account that `ingest` gives of what it read and wrote."""
    from rich.text import Text

    def heading(text: str) -> None:
        screen.print(Text(f"\n{text}", style="bold"), soft_wrap=True)

    screen.print(Text(what_was_read(summary, words)), soft_wrap=True)
    if summary.games:
        heading(words("results"))
        show(screen, _results(summary, words))
        _draws(screen, summary, words)
    heading(words("findings", counts=severity_counts(summary, words)))
    if summary.findings:
        show(screen, findings_table(summary, words, indent=2, most=15))
        screen.print(Text(f"  {words('rule_hint')}", style="dim"))
    quarantined = list(unread(summary, words))
    if quarantined:
        heading(words("quarantined"))
        for line in quarantined:
            screen.print(Text(f"  {line}"), soft_wrap=True)
    heading(words("written"))
    _files(screen, output, tables, words)
    _next_step(screen, output, tables, words, is_complete=not summary.is_unfinished)


def _results(summary: Summary, words: Words) -> RenderableType:
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
        meaning = words(RESULTS[result]) if result in RESULTS else ""
        table.add_row(printable(result), meaning, f"{count:,}", f"{share:.1%}", Text(bar, style="cyan"))
    return Padding(table, (0, 0, 0, 2), expand=False)


def _draws(screen: Console, summary: Summary, words: Words) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    reasons = [(reason, count) for reason, count in summary.draws_by_reason.most_common() if count]
    if reasons:
        screen.print(Text(f"\n{words('draw_reasons')}", style="bold"))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        table.add_column("reason")
        table.add_column("count", justify="right")
        for reason, count in reasons:
            table.add_row(printable(words.reason(reason)), f"{count:,}")
        show(screen, Padding(table, (0, 0, 0, 2), expand=False))
    screen.print(Text(f"\n{words('unclaimed')}", style="bold"))
    count = summary.unclaimed_draws
    told = words("unclaimed_some", count=count) if count else words("unclaimed_none")
    screen.print(Text(f"  {told}"), soft_wrap=True)


def _files(screen: Console, output: Folder, tables: Iterable[str], words: Words) -> None:
    from rich.text import Text

    for table in tables:
        sizes = [size for name, size in output.sizes(table).items() if name.endswith(".parquet")]
        line = words("table", folder=f"{output}/{table}", count=len(sizes), size=words.size(sum(sizes)))
        screen.print(Text(printable(f"  {line}")), soft_wrap=True)


def _next_step(screen: Console, output: Folder, tables: Iterable[str], words: Words, *, is_complete: bool) -> None:
    from rich.text import Text

    if "games" not in tables:
        return
    screen.print(Text(f"\n{words('next_step')}", style="bold"))
    for line in _readers(output, is_complete=is_complete):
        screen.print(Text(printable(f"  {line}")), soft_wrap=True)


def _readers(output: Folder, *, is_complete: bool) -> list[str]:
    """Commands to read the games with. Other programs take all files of a folder: before it is complete, that may be too many."""
    from chesstools.local_folder import LocalFolder

    games = f"{output}/games"
    sql = "SELECT result, count(*) FROM"
    if is_complete and isinstance(output, LocalFolder):
        pandas = f"pd.read_parquet({games!r})[['white', 'black', 'result', 'codes']]"
        return [f"pandas   {pandas}", f"DuckDB   {sql} '{games}/*.parquet' GROUP BY 1"]
    return [
        f"pandas   chesstools.Dataset.open({str(output)!r}).to_pandas('games')",
        f"SQL      chesstools query {quote(str(output))} '{sql} games GROUP BY 1'",
    ]
