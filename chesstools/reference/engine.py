"""A stream of bytes to steps: some games with all their rows, and the place right behind them."""

from __future__ import annotations

from collections.abc import Generator

from chesstools.bytestream import skipped
from chesstools.finding import Finding, Location
from chesstools.reference.game import GameFacts, read_game, read_quarantine
from chesstools.reference.rows import Rows, compared_row, finding_row, game_row, ply_row
from chesstools.reference.segment import Region, Segmenter
from chesstools.reference.window import LOOK_BEHIND, Window
from chesstools.rules import get_rule
from chesstools.source import Source
from chesstools.step import Entry, Job, Position, Step
from chesstools.summary import SourceSummary

BATCH_GAMES = 250
"""A step has this many games and quarantined regions at most: it takes about half a second."""

STEP_BYTES = 4 << 20
"""A step ends when it holds this much text, however few games: so what is in memory stays small."""


class Judge:
    """Takes regions one by one and gathers rows."""

    def __init__(self, job: Job, game_index: int) -> None:
        self._job = job
        self._optional = job.selection.optional
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
            keys = "plies" in self._job.tables
            game = read_game(region, self._job.source, self.game_index, self._job.choice, keys=keys, optional=self._optional)
            self._add_game(game)
            self.game_index += 1
        else:
            summary.quarantined_regions += 1
            summary.quarantined_bytes += len(region.data)
            self._add_findings(read_quarantine(region, self._job.source, self._job.choice))

    def add_utf16_note(self) -> None:
        """Say that the source was UTF-16, so that places count bytes of its text as UTF-8."""
        where = Location(self._job.source, None, 1, 0, 0)
        severity = get_rule("P101").severity
        self._add_findings([Finding("P101", severity, where, None, None, {"found": "utf-16"}, self._job.choice.undated.name)])

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
            self._rows["games"].add(game_row(game, self.game_index))
        if "plies" in self._rows:
            for ply in game.mainline.plies:
                self._rows["plies"].add(ply_row(game, self.game_index, ply))
        if "compared" in self._rows:
            self._rows["compared"].add(compared_row(game, self.game_index))
        if self._add_findings(game.findings) and "players" in self._rows:
            self._rows["players"].add([self.game_index, game.tags.get("White"), game.tags.get("Black")])

    def _add_findings(self, findings: list[Finding]) -> bool:
        """Whether any of them is selected."""
        selected = [finding for finding in findings if self._job.selection.wants(finding.code)]
        for finding in selected:
            self._summary.findings[finding.code] += 1
            if finding.severity is not get_rule(finding.code).severity:
                self._summary.other_severity[finding.code] += 1
            self._summary.severities[finding.severity.value] += 1
            if "findings" in self._rows:
                self._rows["findings"].add(finding_row(finding))
        return bool(selected)


def run(
    source: Source, job: Job, start: Position, jobs: int, block_bytes: int, stop: int | None = None, entry: Entry | None = None
) -> Generator[Step, None, None]:
    """Judge what `source` holds from `start` on, on `jobs` processes; with `stop`, up to there. It is read from `entry` on.

    Raises SourceError, after the steps of everything that could be read, if the source breaks off.
    """
    entry = entry or Entry()
    with source.open(block_bytes, entry=entry.stored, stop=stop) as stream:
        skip = max(entry.offset, start.byte_offset - LOOK_BEHIND)
        window = Window(skipped(stream, skip - entry.offset), skip)
        segmenter = Segmenter(window, start.byte_offset, start.line, glued=start.glued, too_long=start.too_long, stop=stop)
        if start.byte_offset == 0 and window.reach(0) and "utf-16" in stream.notes:
            yield utf16_step(job, start)
        if jobs > 1:
            from chesstools.reference.parallel import run_parallel

            yield from run_parallel(segmenter, job, start.game_index, jobs)
        else:
            yield from run_here(segmenter, job, start.game_index)
        if window.error is not None:
            raise window.error


def run_here(segmenter: Segmenter, job: Job, game_index: int) -> Generator[Step, None, None]:
    """Judge region after region; a step for every so many regions, and one for the rest."""
    judge = Judge(job, game_index)
    limit = batch_regions(job)
    for region in segmenter:
        judge.add(region)
        if judge.regions >= limit or judge.bytes >= STEP_BYTES:
            yield judge.step(position_of(segmenter, judge.game_index))
    if judge.regions:
        yield judge.step(position_of(segmenter, judge.game_index))


def batch_regions(job: Job) -> int:
    """Games and quarantined regions in one step at most."""
    return min(job.batch_games or BATCH_GAMES, BATCH_GAMES)


def utf16_step(job: Job, start: Position) -> Step:
    """A step that says that the source was UTF-16."""
    judge = Judge(job, start.game_index)
    judge.add_utf16_note()
    return judge.step(start)


def position_of(segmenter: Segmenter, game_index: int) -> Position:
    """The place right behind the region that the segmenter gave last."""
    return Position(segmenter.offset, segmenter.line, game_index, segmenter.glued, segmenter.too_long)
