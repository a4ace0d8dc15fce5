"""`chesstools rule`: what a finding code means."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence

import click

from chesstools import rules
from chesstools.errors import OptionError

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
    """One line a rule. Cut to the width of a terminal, but never where another program reads it (`columns` None)."""
    rows = [("CODE", "NAME", "SEVERITY", "ACTIVE", "WHAT IT CHECKS")]
    rows += [(r.code, r.name, r.severity.value, "yes" if r.active else "no", r.summary) for r in chosen]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]) for row in rows]
    return [line if columns is None or len(line) <= columns else line[: columns - 1] + "…" for line in lines]


def _columns() -> int:
    return shutil.get_terminal_size().columns
