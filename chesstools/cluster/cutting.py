"""The sources of a dataset, opened one after the other and cut into stretches while the first of these are judged."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field

from chesstools.cluster.stretches import Job, Judge, Look, Piece, Task, Unknown
from chesstools.errors import SourceError
from chesstools.manifest import Manifest, SourceEntry, StretchEntry
from chesstools.plan import Folding, Ranges, Stretch, Survey, ranges, why_one
from chesstools.source import Source
from chesstools.step import Entry, Position

BATCH_SOURCES = 200
"""Small sources that one task judges at most."""


@dataclass(slots=True)
class _Cut:
    """A source that is being cut."""

    source: Source
    size: int
    folding: Folding
    left: int
    """Stretches that are known and not judged."""
    unknown: set[int] = field(default_factory=set)
    """Where ranges begin in which the source is damaged."""


class Cutting:
    """Gives the tasks of a run in the order in which they are best done: what can be judged first, then what is to be surveyed.

    What is known of the stretches is written down in the manifest, so that another run need not find it out again.

    Attributes:
        whole: why sources are not cut, a sentence each.
    """

    def __init__(self, job: Job, manifest: Manifest, sources: Sequence[Source]) -> None:
        self.whole: list[str] = []
        self._job = job
        self._entries = manifest.sources
        self._stretch_bytes = manifest.options["stretch_bytes"]
        self._sources = deque((number, source) for number, source in enumerate(sources) if not manifest.sources[number].done)
        self._ready: deque[Judge] = deque()
        self._looks: Iterator[Look] = iter(())
        self._cuts: dict[int, _Cut] = {}
        self._running = 0

    def tasks(self) -> Iterator[Task | None]:
        """All tasks; None where the next one depends on what is not `back` yet."""
        while True:
            task: Task | None = self._ready.popleft() if self._ready else next(self._looks, None)
            if task is None and self._sources:
                self._open()
                continue
            if task is None and not self._running:
                return
            self._running += task is not None
            yield task

    def back(self) -> None:
        """A task is not with the workers any more. To be called when all is said of it."""
        self._running -= 1

    def one_by_one(self, task: Judge) -> None:
        """Several sources were judged by one task that failed: each gets a task of its own."""
        self._ready += [Judge(task.job, (piece,)) for piece in task.pieces]

    def surveyed(self, look: Look, found: Survey | Unknown) -> None:
        """Take in what a survey told: the stretches that are known by then are ready to be judged."""
        cut, entry = self._cuts.get(look.number), self._entries[look.number]
        if cut is None or cut.folding.wanted is None:  # surveys before it went over its range
            return
        if isinstance(found, Survey):
            cut.folding.add(found)
        else:
            cut.unknown.add(found.start)
        while (begin := cut.folding.wanted) is not None:
            stretches = cut.folding.next()
            if stretches is None and begin in cut.unknown:
                stretches = [cut.folding.rest()]
            if stretches is None:
                break
            end = cut.size if cut.folding.wanted is None else cut.folding.wanted
            for stretch in stretches:
                self._note(look.number, entry, stretch, (end - begin) // len(stretches))
        entry.surveyed = _state(cut.folding)
        if cut.folding.wanted is None and len(entry.stretches) == 1 and not cut.unknown:
            self.whole.append(why_one(cut.source))

    def judged(self, number: int) -> bool:
        """One stretch of a source is done; returns whether it was the last one."""
        cut = self._cuts[number]
        cut.left -= 1
        if cut.left or cut.folding.wanted is not None:
            return False
        del self._cuts[number]
        return True

    def _note(self, number: int, entry: SourceEntry, stretch: Stretch, stored_bytes: int) -> None:
        part = len(entry.stretches)
        self._cuts[number].left += 1
        entry.stretches.append(StretchEntry(asdict(stretch.start), stretch.stop, asdict(stretch.entry), part, stored_bytes))
        self._ready.append(Judge(self._job, (Piece(number, self._cuts[number].source, part, stored_bytes, stretch),)))

    def _open(self) -> None:
        """Open the next source, or the next small ones together."""
        small: list[Piece] = []
        stored = 0
        while self._sources and len(small) < BATCH_SOURCES and stored < self._stretch_bytes:
            number, source = self._sources[0]
            entry, size = self._entries[number], source.size or 0
            found = self._ranges(source)
            if found.ranges:
                if not small:
                    self._sources.popleft()
                    self._cut(number, source, entry, found.ranges)
                break
            self._sources.popleft()
            stored += size
            small.append(Piece(number, source, 0, size))
            if found.why_whole is not None:
                self.whole.append(found.why_whole)
        if small:
            self._ready.append(Judge(self._job, tuple(small)))

    def _ranges(self, source: Source) -> Ranges:
        try:
            return ranges(source, self._stretch_bytes)
        except SourceError:  # who judges it will say so
            return Ranges(())

    def _cut(self, number: int, source: Source, entry: SourceEntry, found: Sequence[tuple[int, int]]) -> None:
        """Begin to cut a source, or go on where an earlier run had come."""
        known = entry.surveyed
        folding = Folding() if known is None else Folding(known["wanted"], Position(**known["here"]), Entry(**known["entry"]))
        left = sum(not one.done for one in entry.stretches)
        cut = self._cuts[number] = _Cut(source, source.size or 0, folding, left)
        entry.surveyed = _state(folding)
        for one in entry.stretches:
            if not one.done:
                stretch = Stretch(Position(**one.start), one.stop, Entry(**one.entry))
                self._ready.append(Judge(self._job, (Piece(number, source, one.part, one.stored_bytes, stretch),)))
        self._looks = (
            Look(number, source, start, stop, self._job.engine)
            for start, stop in found
            if cut.folding.wanted is not None and start >= cut.folding.wanted
        )


def _state(folding: Folding) -> dict[str, object]:
    return {"wanted": folding.wanted, "here": asdict(folding.here), "entry": asdict(folding.entry)}
