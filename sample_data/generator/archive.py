"""Writes archives: game after game, each from its own random numbers, so that the same seed gives the same bytes."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import IO

from generator import (
    ends,
    faults_archive,
    faults_clock,
    faults_end,
    faults_ending,
    faults_fen,
    faults_moves,
    faults_notation,
    faults_position,
    faults_rare,
    faults_tags,
    faults_text,
    long_lines,
)
from generator.faults import TABLE, Kind, Maker
from generator.score import Row, Sheet, lay_out
from generator.styles import STYLES, Draft

FAULT_MODULES = (
    faults_archive,
    faults_clock,
    faults_end,
    faults_ending,
    faults_fen,
    faults_moves,
    faults_notation,
    faults_position,
    faults_rare,
    faults_tags,
    faults_text,
)
"""Importing them has filled the table."""

COLUMNS = ("game_index", "code", "ply", "line", "severity", "detail")

_TRIES = 20


@dataclass
class Options:
    """What to write. `fault_rate` is the chance that a game gets a fault, `plies` the mean length of an ordinary game."""

    games: int
    seed: int = 1
    fault_rate: float = 0.0
    style: str = "mixed"
    plies: int = 64
    kinds: tuple[str, ...] = ()
    """Plant only these kinds; all where empty."""


@dataclass
class Written:
    """What was written."""

    games: int = 0
    faulted: int = 0
    lines: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)


def sheets(options: Options) -> Iterator[Sheet]:
    """The games of the archive, one after the other."""
    deck = Deck(options)
    before: Sheet | None = None
    for index in range(options.games):
        rng = Random(f"{options.seed}/{index}")
        after_end = before is not None and before.tokens[-1].kind == "result" and not before.open_ended
        sheet: Sheet | None = None
        if deck.table and rng.random() < options.fault_rate:
            sheet = deck.plant(rng, after_end=after_end, before=before)
        if sheet is None:
            style = options.style if options.style != "mixed" else rng.choice(STYLES)
            maker = Maker(rng, style, options.plies)
            sheet = maker.write(Draft.of(maker.director.natural()))
            ends.note(sheet)
            long_lines.note(sheet)
        yield sheet
        before = sheet


class Deck:
    """The kinds of faults in random order; every kind is drawn once before one is drawn again."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.table = [kind for kind in TABLE.values() if not options.kinds or kind.name in options.kinds]
        if options.style != "mixed":
            self.table = [kind for kind in self.table if options.style in kind.styles]
        self._rng = Random(f"{options.seed}/deck")
        self._cards: list[Kind] = []

    def plant(self, rng: Random, *, after_end: bool, before: Sheet | None) -> Sheet | None:
        """A game with the next fault that can be had here; what cannot be had here keeps its turn."""
        kept: list[Kind] = []
        sheet: Sheet | None = None
        while sheet is None and len(kept) < len(self.table):
            if not self._cards:
                self._cards = self._rng.sample(self.table, len(self.table))
            kind = self._cards.pop()
            sheet = self._try(kind, rng, after_end=after_end, before=before)
            if sheet is None:
                kept.append(kind)
        self._cards += reversed(kept)
        return sheet

    def _try(self, kind: Kind, rng: Random, *, after_end: bool, before: Sheet | None) -> Sheet | None:
        for _ in range(_TRIES):
            style = self.options.style if self.options.style != "mixed" else rng.choice(sorted(kind.styles))
            first = before is None
            sheet = kind.plant(Maker(rng, style, self.options.plies, after_end=after_end, first=first, before=before))
            if sheet is not None:
                sheet.fault = kind.name
                return sheet
        return None


def write_archive(options: Options, pgn: IO[bytes], truth: IO[str] | None = None) -> Written:
    """Write the games to `pgn` and what a validator must report to `truth` (CSV), holding two games at a time."""
    written = Written()
    table = csv.writer(truth, lineterminator="\n") if truth is not None else None
    if table is not None:
        table.writerow(COLUMNS)
    for index, sheet in enumerate(sheets(options)):
        layout = lay_out(sheet)
        lead = sheet.lead if index or sheet.lead.strip() else ""
        pgn.write((lead + layout.text).encode(sheet.encoding))
        first = written.lines + 1 + lead.count("\n")
        rows = sorted(
            ((_line(row, layout.line_of(row.where), first, written.lines + 1, lead), row) for row in sheet.rows),
            key=lambda pair: (pair[0], pair[1].code),
        )
        for line, row in rows:
            written.findings[row.code] += 1
            if table is not None:
                game = "" if row.where == "lead" else index
                table.writerow((game, row.code, "" if row.ply is None else row.ply, line, row.severity, _detail(sheet, row)))
        written.games += 1
        written.lines += lead.count("\n") + layout.text.count("\n")
        if sheet.fault:
            written.faulted += 1
            written.kinds[sheet.fault] += 1
    return written


def _line(row: Row, line: int, first: int, before: int, lead: str) -> int:
    if row.where == "lead":
        return before + len(lead) - len(lead.lstrip("\n"))
    return first + line


def _detail(sheet: Sheet, row: Row) -> str:
    """Kind of the fault, if one was planted, and what is known about the finding."""
    text = f"{sheet.fault or 'natural'}: {row.detail}" if row.detail else sheet.fault or "natural"
    return text.replace("\n", " ").replace("\0", "")
