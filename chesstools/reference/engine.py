"""A stream of bytes to steps: some games with all their rows, and the place right behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from chesstools.finding import Finding, Location
from chesstools.profiles import Profile
from chesstools.reference.game import GameFacts, read_game, read_quarantine
from chesstools.reference.rows import Rows, finding_row, game_row, ply_row
from chesstools.reference.segment import Region, Segmenter
from chesstools.rules import Selection, get_rule
from chesstools.summary import SourceSummary

STEP_BYTES = 4 << 20
"""A step ends when it holds this much text, however few games: so what is in memory stays small."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place between two games, from which reading can go on.

    `byte_offset` counts decompressed bytes. `glued` and `too_long` are what must be remembered of the text before it.
    """

    byte_offset: int = 0
    line: int = 1
    game_index: int = 0
    glued: bool = False
    """The next game's tags stand right behind a result, without a blank line."""
    too_long: bool = False
    """The rest of a game that went over the limit comes next."""


@dataclass(slots=True)
class Step:
    """Rows of some consecutive games (and quarantined regions between them), and what they add to the counts."""

    batches: dict[str, pa.RecordBatch]
    end: Position
    summary: SourceSummary


@dataclass(frozen=True, slots=True)
class Job:
    """What is wanted of a source."""

    source: str
    tables: Sequence[str]
    profile: Profile
    selection: Selection
    batch_games: int


class Judge:
    """Takes regions one by one and gathers rows."""

    def __init__(self, job: Job, game_index: int) -> None:
        self._job = job
        self.game_index = game_index
        self._begin()

    def _begin(self) -> None:
        self._rows = {table: Rows(table) for table in self._job.tables}
        self._summary = SourceSummary(self._job.source)

    @property
    def regions(self) -> int:
        """Games and quarantined regions gathered since the last step."""
        return self._summary.games + self._summary.quarantined_regions

    @property
    def bytes(self) -> int:
        """Bytes of their text."""
        return self._summary.bytes

    def add(self, region: Region) -> None:
        """Judge one region."""
        summary = self._summary
        summary.bytes += len(region.data)
        if region.is_game:
            summary.game_bytes += len(region.data)
            game = read_game(region, self._job.source, self.game_index, self._job.profile, keys="plies" in self._job.tables)
            self._add_game(game)
            self.game_index += 1
        else:
            summary.quarantined_regions += 1
            summary.quarantined_bytes += len(region.data)
            self._add_findings(read_quarantine(region, self._job.source, self._job.profile))

    def add_utf16_note(self) -> None:
        """Say that the source was UTF-16, so that places count bytes of its text as UTF-8."""
        where = Location(self._job.source, None, 1, 0, 0)
        severity = get_rule("P101").severity
        self._add_findings([Finding("P101", severity, where, None, None, {"found": "utf-16"}, self._job.profile.name)])

    def step(self, end: Position) -> Step:
        """What was gathered, and a fresh start."""
        batches = {table: rows.batch(self._job.source) for table, rows in self._rows.items()}
        step = Step(batches, end, self._summary)
        self._begin()
        return step

    def _add_game(self, game: GameFacts) -> None:
        summary = self._summary
        summary.games += 1
        summary.plies += len(game.mainline.plies)
        result = game.ending.result or "?"
        summary.results[result] += 1
        if result == "1/2-1/2":
            summary.draws_by_reason[game.ending.reason or "not stated"] += 1
        summary.unclaimed_draws += bool(game.ending.unclaimed_draw)
        if "games" in self._rows:
            self._rows["games"].add(game_row(game, self.game_index, self._job.profile.name))
        if "plies" in self._rows:
            for ply in game.mainline.plies:
                self._rows["plies"].add(ply_row(game, self.game_index, ply))
        self._add_findings(game.findings)

    def _add_findings(self, findings: list[Finding]) -> None:
        for finding in findings:
            if self._job.selection.wants(finding.code):
                self._summary.findings[finding.code] += 1
                self._summary.severities[finding.severity.value] += 1
                if "findings" in self._rows:
                    self._rows["findings"].add(finding_row(finding))


def run(segmenter: Segmenter, judge: Judge, batch_games: int) -> Iterator[Step]:
    """Judge region after region; a step for every `batch_games` regions, and one for the rest."""
    for region in segmenter:
        judge.add(region)
        if judge.regions >= batch_games or judge.bytes >= STEP_BYTES:
            yield judge.step(position_of(segmenter, judge.game_index))
    if judge.regions:
        yield judge.step(position_of(segmenter, judge.game_index))


def position_of(segmenter: Segmenter, game_index: int) -> Position:
    """The place right behind the region that the segmenter gave last."""
    return Position(segmenter.offset, segmenter.line, game_index, segmenter.glued, segmenter.too_long)
