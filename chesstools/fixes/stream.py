"""A source, repaired: bytes of games with nothing to repair are copied, the others are edited and judged again."""

from __future__ import annotations

import multiprocessing
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import islice

import pyarrow.compute as pc
import xxhash

from chesstools.bytestream import Utf16
from chesstools.engines import choose
from chesstools.finding import Finding
from chesstools.fixes.edit import Change
from chesstools.fixes.task import Region, Task, Tasks
from chesstools.fixes.together import repair_together
from chesstools.fixes.trial import Repaired, repair
from chesstools.fixes.utf16 import ToUtf16
from chesstools.held import Heard, Held
from chesstools.limits import MAX_TAG_LINE_BYTES
from chesstools.profile_choice import Choice
from chesstools.reference.lexer import FILLERS, Kind, tokens
from chesstools.reference.parallel import start_worker
from chesstools.reference.segment import Segmenter
from chesstools.reference.window import LOOK_BEHIND, Window
from chesstools.scan import scan_source
from chesstools.source import Source
from chesstools.step import Step

PARALLEL_FROM = 48
"""Fewer games than this in a row are repaired here, not by other processes: to start these takes as long."""

_OPEN = frozenset({"P102", "P103", "P109"})
"""What a game without an end of its own has: a comment, a variation or itself is not closed."""

GROUP = 256
"""So many regions are prepared for repair at a time."""

MAX_BYTES = 1 << 20
"""Longer games stay as they are: each round of repairs reads a game several times, and these are seldom games at all."""


@dataclass(slots=True)
class Changed:
    """A game (or stretch of text of no game) that was changed: its bytes before and after, and the changes.

    `line_feeds` stand before it in its source; `line_begin` and `line_rest` are what stands on its first and its last line before
    and behind it.
    """

    source: str
    game_index: int | None
    byte_offset: int
    line: int
    before: bytes
    repaired: Repaired
    line_feeds: int = 0
    line_begin: bytes = b""
    line_rest: bytes = b""

    @property
    def changes(self) -> list[Change]:
        return self.repaired.changes


@dataclass(slots=True)
class Counts:
    """What was found in one source, what was changed, and what is left."""

    games: int = 0
    changed_games: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    """Changes by code: the first rule that each answers."""
    before: Counter[str] = field(default_factory=Counter)
    after: Counter[str] = field(default_factory=Counter)
    """Findings by code, before and after."""
    severities: Counter[str] = field(default_factory=Counter)
    """Findings by severity, after."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Fixes that were tried and not made, by code."""


class Digest:
    """Size and hash of bytes as they go by."""

    def __init__(self) -> None:
        self.size = 0
        self._xxh3 = xxhash.xxh3_128()

    def add(self, data: bytes) -> None:
        self.size += len(data)
        self._xxh3.update(data)

    @property
    def hash(self) -> str:
        return str(self._xxh3.hexdigest())


class Repairer:
    """Goes through one source. `write` is given its bytes as they then are, `changed` each game that was changed.

    After `run`: `counts`, and `read` and `written`, size and hash of the bytes before and after (as UTF-8 both).
    """

    def __init__(
        self,
        source: Source,
        wanted: frozenset[str],
        choice: Choice,
        write: Callable[[bytes], object],
        changed: Callable[[Changed], object],
        *,
        unsafe: bool,
        jobs: int,
        block_bytes: int,
        engine: str | None,
    ) -> None:
        self.counts = Counts()
        self.written = Digest()
        self.read = Digest()
        self.utf16: Utf16 | None = None
        """What the source was before it became UTF-8, where it was UTF-16; `as_utf16` is what it would become again."""
        self.as_utf16 = Digest()
        self._back: ToUtf16 | None = None
        self._held = Held()
        self._heard = Heard(source, self._held)
        self._wanted = wanted
        self._choice = choice
        self._tasks = Tasks(source.name, self._held, choice, wanted, unsafe)
        self._is_native = choose(engine) == "native"
        self._write = write
        self._changed = changed
        self._jobs = jobs
        self._block_bytes = block_bytes
        self._engine = engine
        self._done = 0
        self._line_feeds = 0
        self._pool: ProcessPoolExecutor | None = None
        self._codes: dict[int, frozenset[str]] = {}
        """What is wrong with the regions of the step, as they now are, by where they end; and with the last before them."""

    def run(self) -> Iterator[int]:
        """Do it; tells now and then how many games have been gone through. Raises SourceError where the source breaks off."""
        steps = scan_source(
            self._heard,
            tables=("games", "findings"),
            profile=self._choice,
            jobs=self._jobs,
            block_bytes=self._block_bytes,
            engine=self._engine,
        )
        waiting: tuple[list[Region], Step] | None = None
        start, line = 0, 1
        try:
            with closing(steps):
                # A step is worked on when the next one is there: then it is known what stands behind its last game.
                for step in steps:
                    if waiting is not None:
                        self._work(*waiting)
                        yield self.counts.games
                    waiting = list(self._regions(step, start, line)), step
                    start, line = step.end.byte_offset, step.end.line
                    self.counts.before.update(step.summary.findings)
                    self.counts.after.update(step.summary.findings)
                    self.counts.severities.update(step.summary.severities)
            if waiting is not None:
                self._work(*waiting)
        finally:
            if self._pool is not None:
                self._pool.shutdown(wait=True, cancel_futures=True)
        self._copy(self._held.end)
        self._end_utf16()
        yield self.counts.games

    # ------------------------------------------------------------------------------------------- regions

    def _regions(self, step: Step, start: int, line: int) -> Iterator[Region]:
        """Games and what stands between them."""
        games = step.batches["games"]
        names = ("game_index", "byte_offset", "byte_length", "line", "codes", "errors", "warnings", "infos")
        findings = step.batches["findings"]
        outside = findings.filter(pc.is_null(findings.column("game_index")))
        found = sorted(zip(outside.column("byte_offset").to_pylist(), outside.column("code").to_pylist(), strict=True))
        for index, offset, length, first, codes, *counts in zip(*(games.column(name).to_pylist() for name in names), strict=True):
            if offset > start:
                yield self._gap(start, offset, line, found)
            yield Region(index, offset, offset + length, first, frozenset(codes), (counts[0], counts[1], counts[2]))
            start, line = offset + length, first
        if step.end.byte_offset > start:
            yield self._gap(start, step.end.byte_offset, line, found)

    def _gap(self, start: int, end: int, line: int, found: list[tuple[int, str]]) -> Region:
        """Text of no game; `found` are offsets and codes of what is wrong outside of games, in order."""
        first, last = bisect_left(found, (start, "")), bisect_left(found, (end, ""))
        return Region(None, start, end, line, frozenset(code for _, code in found[first:last]), (0, 0, 0))

    # ---------------------------------------------------------------------------------------------- work

    def _work(self, regions: list[Region], step: Step) -> None:
        """Write what the regions of a step have become."""
        self.counts.games += sum(region.game_index is not None for region in regions)
        together = repair_together(regions, step, self._tasks, self._jobs) if self._is_native else {}
        many = ((self._tasks.task(region), together[region.start]) for region in regions if region.start in together)
        others = (region for region in regions if region.codes & self._wanted and region.start not in together)
        one_by_one = self._one_by_one(others)
        for region in regions:
            self._codes[region.end] = region.codes
        for task, repaired in merge(many, one_by_one, key=lambda done: done[0].region.start):
            if repaired is None or (repaired.changes and self._would_end_what_is_before(task, repaired)):
                self.counts.dropped.update(task.region.codes & self._wanted)
                continue
            self.counts.dropped.update(repaired.dropped)
            if repaired.changes:
                self._put(task, repaired)
                self._codes[task.region.end] = frozenset(one.code for one in repaired.findings)
        if regions:
            last = regions[-1].end
            self._copy(last)
            self._held.forget(last - LOOK_BEHIND)
            self._codes = {last: self._codes[last]}

    def _would_end_what_is_before(self, task: Task, repaired: Repaired) -> bool:
        """Whether a game that has no end of its own stands before this one, and would be read otherwise with it: a tag pair ends
        what a bad tag pair leaves open."""
        before = self._codes.get(task.region.start, frozenset())
        return bool(before & _OPEN) and _begins_with_tag(repaired.text) and not _begins_with_tag(task.text)

    def _one_by_one(self, regions: Iterable[Region]) -> Iterator[tuple[Task, Repaired | None]]:
        """What became of regions, some at a time: a task holds much text behind its game, and a step may have thousands."""
        tasks = (
            task
            for region in regions
            for task in (self._parts(region) if region.game_index is None else [self._tasks.task(region)])
        )
        while group := list(islice(tasks, GROUP)):
            yield from zip(group, self._repaired(group), strict=True)

    def _parts(self, gap: Region) -> list[Task]:
        """The regions that a stretch of text of no game consists of."""
        whole = self._tasks.task(gap)
        context = whole.context
        window = Window([context.before + whole.text + context.after], gap.start - len(context.before))
        tasks = []
        for region in Segmenter(window, gap.start, gap.line):
            end = region.offset + len(region.data)
            if region.is_game or end > gap.end:
                break
            tasks.append(self._tasks.task(gap._replace(start=region.offset, end=end, line=region.line)))
            if end == gap.end:
                break
        return tasks

    def _repaired(self, tasks: list[Task]) -> Iterable[Repaired | None]:
        if self._jobs > 1 and len(tasks) >= PARALLEL_FROM:
            if self._pool is None:
                # Started afresh, not forked: a fork would copy the locks of Arrow's threads.
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self._jobs, mp_context=context, initializer=start_worker)
            return self._pool.map(work, tasks, chunksize=max(1, min(32, len(tasks) // (4 * self._jobs))))
        return map(work, tasks)

    def _put(self, task: Task, repaired: Repaired) -> None:
        region = task.region
        self._copy(region.start)
        line_feeds = self._line_feeds
        self._emit(repaired.text)
        self._took(task.text)
        self._done = region.end
        counts = self.counts
        counts.changed_games += region.game_index is not None
        counts.changes.update(change.codes[0] for change in repaired.changes)
        _replace(counts.after, repaired, lambda one: one.code)
        _replace(counts.severities, repaired, lambda one: one.severity.value)
        context = task.context
        begin = context.before[context.before.rfind(b"\n") + 1 :]
        rest = b"" if task.text.endswith(b"\n") else context.after[: context.after.find(b"\n") + 1 or None]
        game = Changed(context.source, region.game_index, region.start, region.line, task.text, repaired, line_feeds, begin, rest)
        self._changed(game)

    def _copy(self, end: int) -> None:
        if end > self._done:
            data = self._held.bytes(self._done, end)
            self._emit(data)
            self._took(data)
            self._done = end

    def _emit(self, data: bytes) -> None:
        self.written.add(data)
        self._write(data)

    def _took(self, data: bytes) -> None:
        """Take note of bytes of the source that have been gone through."""
        self.read.add(data)
        self._line_feeds += data.count(b"\n")
        stream = self._heard.stream
        if stream is None or stream.utf16 is None:
            return
        if self._back is None:
            self.utf16, self._back = stream.utf16, ToUtf16(stream.utf16.codec)
        self.as_utf16.add(self._back(data))

    def _end_utf16(self) -> None:
        """UTF-16 comes out as UTF-8: that is a change too."""
        if self.utf16 is None or self._back is None:
            return
        self.as_utf16.add(self._back(b"", final=True))
        self.counts.changes["P101"] += 1
        for counts, name in ((self.counts.after, "P101"), (self.counts.severities, "warning")):
            counts[name] -= 1


def _begins_with_tag(text: bytes) -> bool:
    first = next((token for token in tokens(text[:MAX_TAG_LINE_BYTES]) if token.kind not in FILLERS), None)
    return first is not None and first.kind is Kind.TAG


def _replace(counts: Counter[str], repaired: Repaired, name: Callable[[Finding], str]) -> None:
    counts.subtract(map(name, repaired.before))
    counts.update(map(name, repaired.findings))


def work(task: Task) -> Repaired | None:
    """Repair one region; None where it cannot be told apart from its surroundings, is judged otherwise alone, or is very long."""
    region, context = task.region, task.context
    if len(task.text) > MAX_BYTES:
        return None
    if region.game_index is None:
        return repair(task.text, context, task.wanted.__contains__, unsafe=task.unsafe, is_game=False)
    for glued in (False, True) if "P107" in region.codes else (False,):
        there = replace(context, glued=glued)
        repaired = repair(task.text, there, task.wanted.__contains__, unsafe=task.unsafe)
        if repaired is not None and _counts(repaired.before) == (region.codes, region.counts):
            return repaired
    return None


def _counts(findings: list[Finding]) -> tuple[frozenset[str], tuple[int, int, int]]:
    severities = Counter(one.severity.value for one in findings)
    return frozenset(one.code for one in findings), (severities["error"], severities["warning"], severities["info"])
