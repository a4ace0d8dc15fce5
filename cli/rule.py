"""`chesstools rule`: what a finding code means."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence

import click

from chesstools import rules
from chesstools.errors import OptionError

LEGEND = "ACTIVE no: the code is reserved, nothing is reported under it yet. 'chesstools rule CODE' explains a rule."

MAX_WIDTH = 100
"""Columns of running text: longer lines are hard to read, however wide the terminal."""

EPILOG = """\b
Examples:
  chesstools rule M324 unbalanced-comment
  chesstools rule --all
"""


@click.command(epilog=EPILOG, short_help="Explain the rules behind the findings.")
@click.argument("codes", metavar="[CODE]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="List every rule in a table; with CODEs, only those.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text to read, or a JSON list with everything about each rule.",
)
def rule(codes: tuple[str, ...], every: bool, form: str) -> None:
    """Explain the rules behind the findings.

    CODE is a code (M324), its name (castle-through-check) or the beginning of codes (M32, N).
    """
    if not codes and not every:
        raise OptionError("Say which rule to explain, as in 'chesstools rule M324', or list all with 'chesstools rule --all'.")
    chosen = [found for code in codes for found in rules.matching(code)] if codes else rules.all_rules()
    chosen = list(dict.fromkeys(chosen))
    if form == "json":
        click.echo(json.dumps([found.to_dict() for found in chosen], ensure_ascii=False, indent=2))
    elif every:
        click.echo("\n".join(_table(chosen, _columns() if sys.stdout.isatty() else None)))
    else:
        click.echo("\n\n\n".join(rules.explain(found, min(_columns(), MAX_WIDTH)) for found in chosen))


def _table(chosen: Sequence[rules.Rule], columns: int | None) -> list[str]:
    """One line a rule where another program reads it (`columns` None); wrapped, with a legend, on a terminal."""
    rows = [("CODE", "NAME", "SEVERITY", "ACTIVE", "WHAT IT CHECKS")]
    rows += [(r.code, r.name, r.severity.value, "yes" if r.active else "no", r.summary) for r in chosen]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    heads = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) for row in rows]
    if columns is None:
        return [f"{head}  {row[4]}" for head, row in zip(heads, rows, strict=True)]
    indent = len(heads[0]) + 2
    lines: list[str] = []
    for head, row in zip(heads, rows, strict=True):
        if columns - indent >= 40:
            lines += textwrap.wrap(f"{head}  {row[4]}", columns, subsequent_indent=" " * indent)
        else:  # too narrow for a column of sentences
            lines += [head.rstrip(), *textwrap.wrap(row[4], columns, initial_indent=" " * 6, subsequent_indent=" " * 6)]
    return [*lines, "", *textwrap.wrap(LEGEND, columns)]


def _columns() -> int:
    return shutil.get_terminal_size().columns
