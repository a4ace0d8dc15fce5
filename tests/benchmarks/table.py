"""The tables that a run prints, in Markdown, and their place in README.md."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from .measures import BenchmarkError, Ratio, Way, medians
from .peers import COMMENTED, SHAKMATY
from .targets import MEMORY_TARGETS, TARGETS, Results
from .texts import Text

BEGIN, END = "<!-- benchmark -->", "<!-- /benchmark -->"

WIDTH = 125

Row = Sequence[str]


def render(
    ways: Sequence[Way], texts: Mapping[str, Text], results: Results, missing: Mapping[str, str], about: Sequence[str]
) -> str:
    """All tables. `about` is what stands below them: the machine and the versions; `missing` peers and why.

    The targets come last and folded: they are for people who work on the project.
    """
    notes = [f"Not measured: {key} ({why})." for key, why in missing.items()]
    told = textwrap.fill(" ".join([*about, *notes]), WIDTH, break_long_words=False, break_on_hyphens=False)
    targets = _targets(results)
    folded = f"<details><summary>What is aimed at, and what is reached</summary>\n\n{targets}\n\n</details>" if targets else ""
    return "\n\n".join(part for part in (_speed(ways, texts, results), _memory(results), told, folded) if part) + "\n"


def markdown(head: Row, rows: Sequence[Row], *, left: int) -> str:
    """A table whose columns also line up for people who read it as text; the first `left` ones to the left."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Row) -> str:
        padded = (
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join(padded)} |"

    rule = ["-" * width if index < left else "-" * (width - 1) + ":" for index, width in enumerate(widths)]
    return "\n".join(map(line, [head, rule, *rows]))


def _speed(ways: Sequence[Way], texts: Mapping[str, Text], results: Results) -> str:
    """A row for each way that reads enough for a speed; first of the text as it is, then of that with comments."""
    head = ["", "user s", "wall s", "MB/s", "games/s", "ns/ply", "× shakmaty"]
    rows: list[Row] = []
    for commented in (False, True):
        group = [way for way in ways if way.text not in ("", "ten games") and (way.text == "commented") == commented]
        if commented and group:
            rows.append([f"*with a comment after every ply, {megabytes(texts['commented'].size)}:*", *[""] * (len(head) - 1)])
        for way in group:
            rows.append(_speed_row(way, texts, results, COMMENTED if commented else SHAKMATY))
    return markdown(head, rows, left=1) if rows else ""


def _speed_row(way: Way, texts: Mapping[str, Text], results: Results, peer: str) -> Row:
    usage = medians(results.times[way.key])
    user = max(usage.user, 1e-9)
    part = f", first {texts[way.text].games:,} games" if way.text.startswith("head") else ""
    plies = results.plies.get(way.key)
    return [
        way.label + part,
        seconds(usage.user),
        seconds(usage.wall),
        f"{results.sizes[way.key] / user / 1e6:,.{1 if results.sizes[way.key] / user < 1e7 else 0}f}",
        f"{results.games[way.key] / user:,.0f}",
        f"{user / plies * 1e9:,.1f}" if plies else "",
        figure(results.throughput(way.key, peer), spread=False),
    ]


def _targets(results: Results) -> str:
    """A row for each target that the run has figures for."""
    head = ["target", "wanted", "the work alone", "whole command", "met"]
    rows = [
        [
            target.label,
            target.wanted,
            figure(target.work(results)),
            figure(target.command(results)),
            target.verdict(results),
        ]
        for target in TARGETS
        if target.verdict(results)
    ]
    return markdown(head, rows, left=2) if rows else ""


def _memory(results: Results) -> str:
    """A row for each target for memory, if memory was measured."""
    head = ["peak resident set", "wanted", "the archive", "ten times over", "met"]
    rows = [
        [target.label, target.wanted, *map(megabytes, results.peaks[target.key]), target.verdict(results)]
        for target in MEMORY_TARGETS
        if target.key in results.peaks
    ]
    return markdown(head, rows, left=2) if rows else ""


def figure(value: Ratio | None, *, spread: bool = True) -> str:
    """``4.31 (4.25–4.39)``: the median, and the lowest and highest of the rounds."""
    if value is None:
        return "–"
    numbers = [short(number) for number in (value.median, value.low, value.high)]
    return f"{numbers[0]} ({numbers[1]}–{numbers[2]})" if spread else numbers[0]


def short(number: float) -> str:
    """Three digits that count: ``0.0041``, ``0.58``, ``4.31``, ``25.4``, ``1,234``."""
    if number >= 100:
        return f"{number:,.0f}"
    if number >= 10:
        return f"{number:.1f}"
    return f"{number:.2f}" if number >= 0.1 else f"{number:.2g}"


def seconds(number: float) -> str:
    """``0.013``, ``1.22``."""
    return f"{number:.2f}" if number >= 0.1 else f"{number:.3f}"


def megabytes(size: int) -> str:
    """``81.7 MB``."""
    return f"{size / 1e6:,.1f} MB"


def put_into(readme: Path, tables: str) -> None:
    """Replace what stands between the two marks. Raises BenchmarkError where they are not there."""
    text = readme.read_text(encoding="utf-8")
    start, end = _place(text)
    readme.write_text(f"{text[:start]}\n{tables}\n{text[end:]}", encoding="utf-8")


def quoted(text: str) -> str:
    """What stands between the two marks. Raises BenchmarkError where they are not there."""
    start, end = _place(text)
    return text[start:end]


def _place(text: str) -> tuple[int, int]:
    match = re.search(rf"(?<=^{re.escape(BEGIN)}\n).*?(?=^{re.escape(END)}$)", text, re.DOTALL | re.MULTILINE)
    if match is None:
        raise BenchmarkError(f"There is no place for the tables, between lines {BEGIN} and {END}.")
    return match.span()


def form(tables: str) -> list[str]:
    """The lines of the tables without what a run measures: heads, names of rows, and what is wanted."""
    lines: list[str] = []
    is_head, kept = True, 0
    for line in tables.splitlines():
        cells = [re.sub(r"\d[\d.,]*", "#", cell.strip()) for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            is_head = True
        elif is_head:
            is_head, kept = False, 2 if "wanted" in cells else 1
            lines.append(" | ".join(cells))
        elif not set(line) <= set("|-: "):
            lines.append(" | ".join(cells[:kept]))
    return lines
