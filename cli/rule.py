"""`chesstools rule`: what a finding code means."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence

import click

from chesstools import rules
from chesstools.catalogue import JUDGING
from chesstools.errors import OptionError
from chesstools.wrapping import cells, pad, wrap

from . import options
from .output import text_output
from .words import Words

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
@options.lang
def rule(codes: tuple[str, ...], every: bool, form: str, lang: str) -> None:
    """Explain the rules behind the findings.

    CODE is a code (M324), its name (castle-through-check) or the beginning of codes (M32, N).
    """
    if not codes and not every:
        raise OptionError("Say which rule to explain, as in 'chesstools rule M324', or list all with 'chesstools rule --all'.")
    chosen = [found for code in codes for found in rules.matching(code, lang)] if codes else rules.all_rules(lang)
    chosen = list(dict.fromkeys(chosen))
    with text_output(None) as out:
        if form == "json":
            print(json.dumps([found.to_dict() for found in chosen], ensure_ascii=False, indent=2), file=out)
        elif every:
            print("\n".join(_table(chosen, Words(lang), _columns() if sys.stdout.isatty() else None)), file=out)
        else:
            print("\n\n\n".join(rules.explain(found, min(_columns(), MAX_WIDTH)) for found in chosen), file=out)


def _table(chosen: Sequence[rules.Rule], words: Words, columns: int | None) -> list[str]:
    """One line a rule where another program reads it (`columns` None); wrapped, with a legend, on a terminal."""
    rows = [tuple(words(f"{name}_heading") for name in ("code", "name", "severity", "active", "fix", "checks"))]
    rows += [(r.code, r.name, words(r.severity.value), _active(r, words), words(f"fix_{r.fix_level}"), r.summary) for r in chosen]
    widths = [max(cells(row[i]) for row in rows) for i in range(5)]
    heads = ["  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=False)) for row in rows]
    if columns is None:
        return [f"{head}  {row[5]}" for head, row in zip(heads, rows, strict=True)]
    indent = cells(heads[0]) + 2
    lines: list[str] = []
    for head, row in zip(heads, rows, strict=True):
        if columns - indent >= 40:
            lines += wrap(row[5], columns, f"{head}  ", " " * indent)
        else:  # too narrow for a column of sentences
            lines += [head.rstrip(), *wrap(row[5], columns, " " * 6, " " * 6)]
    return [*lines, "", *wrap(words("legend"), columns)]


def _active(rule: rules.Rule, words: Words) -> str:
    """Whether findings carry the rule's code, as a word of the table; the command, where one alone reports it."""
    if rule.active and rule.command != JUDGING:
        return rule.command
    return words("no" if not rule.active else "optional" if rule.optional else "yes")


def _columns() -> int:
    return shutil.get_terminal_size().columns
