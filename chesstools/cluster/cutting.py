"""What `ingest` knows of its sources while they are cut: it is noted in the manifest, so that another run goes on from there."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence

from chesstools.bytestream import is_damage
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.planning import Begun, Cut, Planner
from chesstools.cluster.stretches import Job, Judge
from chesstools.cluster.surveying import Look, Unknown
from chesstools.errors import SourceError
from chesstools.manifest import Manifest, StretchEntry, Surveyed
from chesstools.plan import Folding, Stretch, Survey
from chesstools.source import Source

Task = Look | Judge

TRIES = 3
"""So often a task is tried that fails for a reason that may pass."""


class Cutting:
    """Gives the tasks of a run in the order in which they are best done: first what can be judged, then surveys."""

    def __init__(
        self, job: Job, manifest: Manifest, sources: Sequence[Source], failed: Callable[[int, SourceError], None]
    ) -> None:
        """`failed` is told of sources that could not be looked at, so that nothing is done of them."""
        self._failed = failed
        self._job = job
        self._entries = manifest.sources
        undone = ((number, source) for number, source in enumerate(sources) if not manifest.sources[number].done)
        self._planner = Planner(undone, manifest.options["stretch_bytes"], job.wanted.engine, self._begun, self._unread)
        self._again: deque[Look | Batch] = deque()
        self._failures: Counter[str] = Counter()
        self._cuts: dict[int, Cut] = {}
        self._running = 0

    @property
    def whole(self) -> list[str]:
        """Why sources are not cut, a sentence each."""
        return [sentence for _, sentence in sorted(self._planner.why_whole.items())]

    def tasks(self) -> Iterator[Task | None]:
        """All tasks; None where the next one depends on what is not `back` yet."""
        while True:
            item = self._again.popleft() if self._again else self._planner.next()
            if item is None and not self._running:
                return
            self._running += item is not None
            yield Judge(self._job, item) if isinstance(item, Batch) else item

    def back(self) -> None:
        """A task is not with the workers any more. To be called when all is said of it."""
        self._running -= 1

    def one_by_one(self, task: Judge) -> None:
        """Several sources were judged by one task that failed: each gets a task of its own."""
        self._again += task.batch.each()

    def again(self, item: Look | Batch) -> bool:
        """Try once more what failed; returns whether that is done, as it was not tried often enough."""
        self._failures[item.key] += 1
        if self._failures[item.key] >= TRIES:
            if isinstance(item, Look):  # what is behind it cannot be put together
                self._planner.give_up(item.number)
            return False
        self._again.append(item)
        return True

    def surveyed(self, look: Look, found: Survey | Unknown) -> None:
        """Take in what a survey told: the stretches that are known by then are ready to be judged."""
        entry = self._entries[look.number]
        for piece in self._planner.took(look, found):
            stretch = piece.stretch
            entry.stretches[piece.place] = StretchEntry(
                stretch.start, stretch.stop, stretch.entry, piece.place, piece.stored_bytes
            )
        if (cut := self._cuts.get(look.number)) is not None:
            judged_bytes = 0 if entry.surveyed is None else entry.surveyed.judged_bytes
            folding = cut.folding
            entry.surveyed = Surveyed(folding.wanted, folding.here, folding.entry, cut.count, judged_bytes)

    def judged(self, piece: Piece) -> bool:
        """A stretch of a source is done; returns whether it was the last one."""
        entry = self._entries[piece.number]
        assert entry.surveyed is not None
        del entry.stretches[piece.place]
        entry.surveyed.judged_bytes += piece.stored_bytes
        if entry.stretches or entry.surveyed.wanted is not None:
            return False
        entry.surveyed = None
        del self._cuts[piece.number]
        return True

    def _unread(self, number: int, error: SourceError) -> bool:
        """Of what an earlier run has begun to cut, nothing may be judged as a whole: it would be there twice."""
        if is_damage(error) and self._entries[number].surveyed is None:
            return False
        self._failed(number, error)
        return True

    def _begun(self, number: int, source: Source) -> Begun:
        """Where an earlier run had come with a source."""
        entry = self._entries[number]
        known = entry.surveyed
        folding = Folding() if known is None else Folding(known.wanted, known.here, known.entry)
        self._cuts[number] = Cut(folding, 0 if known is None else known.known)
        pieces = [
            Piece(number, source, one.part, Stretch(one.start, one.stop, one.entry), one.stored_bytes)
            for one in entry.stretches.values()
        ]
        return self._cuts[number], pieces
