"""Formats that are read line by line: text (one finding, one line), table, and the workflow commands of GitHub Actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

import click

from chesstools.wrapping import wrap

from .terminal import console, printable, show
from .words import Words

if TYPE_CHECKING:
    from chesstools.summary import Summary
    from chesstools.validate import ReportedFinding

COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def players(item: ReportedFinding) -> str:
    """``White-Black`` as the tags say it, ``?`` where they do not."""
    return f"{item.white or '?'}-{item.black or '?'}"


def place(item: ReportedFinding, words: Words) -> str:
    """Where in its source a finding stands, for a person: ``game 3 (Anand-Carlsen), ply 17, variation 17.1``."""
    where = item.finding.where
    parts = []
    if where.game_index is not None:
        parts.append(words("game", index=str(where.game_index), white=item.white or "?", black=item.black or "?"))
    if where.ply is not None:
        parts.append(words("ply", ply=str(where.ply)))
    if where.variation is not None:
        parts.append(words("variation", variation=where.variation))
    return words("comma").join(parts)


class TextWriter:
    """``file:line: game N (White-Black), ply P, CODE name: message``: editors and terminals jump to the place."""

    def __init__(self, print_line: Callable[[str], None], words: Words, *, colour: bool) -> None:
        self._print = print_line
        self._words = words
        self._colour = colour

    def write(self, item: ReportedFinding) -> None:
        where = item.finding.where
        rule = f"{item.finding.code} {item.rule.name}"
        file = printable(f"{where.source}:{where.line}:")
        if self._colour:
            rule = click.style(rule, fg=COLOURS[item.finding.severity.value], bold=True)
            file = click.style(file, dim=True)
        middle = printable(place(item, self._words))
        # Whatever the language, editors find "file:line: " and people who search find "CODE name: ".
        self._print(f"{file} {middle}{self._words('comma') if middle else ''}{rule}: {printable(item.message)}")

    def end(self, summary: Summary) -> None:
        pass


class GitHubWriter:
    """One workflow command a finding, which GitHub Actions shows beside the line of the file."""

    COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}  # noqa: RUF012 (a constant)

    def __init__(self, out: TextIO, words: Words) -> None:
        self._out = out
        self._words = words

    def write(self, item: ReportedFinding) -> None:
        where = item.finding.where
        command = self.COMMANDS[item.finding.severity.value]
        title = self._property(f"{item.finding.code} {item.rule.name}")
        middle = place(item, self._words)
        text = self._data(f"{middle}{': ' if middle else ''}{item.message}")
        self._out.write(f"::{command} file={self._property(where.source)},line={where.line},title={title}::{text}\n")

    def end(self, summary: Summary) -> None:
        pass

    @staticmethod
    def _data(text: str) -> str:
        # Per cent first, else the escapes themselves would be escaped. What printable() leaves has no line end in it,
        # so that text from an archive can never start a command of its own.
        return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))

    @classmethod
    def _property(cls, text: str) -> str:
        return cls._data(text).replace(":", "%3A").replace(",", "%2C")


class TableWriter:
    """A table for reading on the screen. Column widths are fixed beforehand, so that rows can be shown as they come.

    Where there is room for two columns of words only, the rule stands before the message.
    """

    ROWS_AT_A_TIME = 100
    WIDE = 110

    def __init__(self, out: TextIO, words: Words) -> None:
        self._console = console(out, width=140)
        self._words = words
        self._rows: list[tuple[str, str, str, str, str, str]] = []
        self._header = True

    def write(self, item: ReportedFinding) -> None:
        where = item.finding.where
        self._rows.append(
            (
                printable(f"{where.source}:{where.line}"),
                "" if where.game_index is None else printable(f"{where.game_index} {players(item)}"),
                "" if where.ply is None else f"{where.ply}",
                item.finding.severity.value,
                f"{item.finding.code} {item.rule.name}",
                printable(item.message),
            )
        )
        if len(self._rows) >= self.ROWS_AT_A_TIME:
            self._show()

    def end(self, summary: Summary) -> None:
        if self._rows or self._header:
            self._show()

    def _show(self) -> None:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        wide = self._console.width >= self.WIDE
        room = self._console.width - (5 + 7 + 3 * 5 if wide else 5 + 3 * 3)  # three blanks between two columns
        shares = (21, 22, 24) if wide else (27, 26)
        where, game, *rule = (max(10, min(39, room * share // 100)) for share in shares)
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, show_header=self._header, pad_edge=False, padding=(0, 1))
        table.add_column(self._words("where_heading"), width=where, overflow="fold")
        table.add_column(self._words("game_heading"), width=game, overflow="fold")
        table.add_column(self._words("ply_heading"), width=5, justify="right")
        if wide:
            table.add_column("", width=7)
            table.add_column(self._words("rule_heading"), width=rule[0], overflow="fold")
        width = max(12, room - where - game - sum(rule))
        table.add_column(self._words("message_heading"), width=width, overflow="fold")
        for file, who, ply, severity, name, message in self._rows:
            colour = COLOURS[severity]
            word = self._words(severity)
            if wide:
                table.add_row(file, who, ply, Text(word, style=colour), Text(name, style=colour), _lines(message, width))
            else:
                text = Text(_lines(f"{word} {name}: {message}", width))
                text.stylize(colour, 0, len(f"{word} {name}"))
                table.add_row(file, who, ply, text)
        show(self._console, table)
        self._rows.clear()
        self._header = False


def _lines(text: str, width: int) -> str:
    """Broken beforehand, because rich breaks only at blanks, which Chinese has none of."""
    return "\n".join(wrap(text, width))
