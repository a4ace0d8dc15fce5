"""`ingest` on a cluster: what is to be done goes to the workers, and what they have done into the manifest.

A part exists for readers when the manifest lists it, and each stretch is written into the manifest once, with its counts. So it
does not matter how often a stretch was judged, or what a worker that died has left behind.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress

from chesstools.cluster.cutting import TRIES, Cutting, Task
from chesstools.cluster.joined import Cluster
from chesstools.cluster.judging import Wanted
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.planning import for_workers
from chesstools.cluster.run import Done
from chesstools.cluster.stretches import Job, Judge, Judged
from chesstools.cluster.surveying import Look
from chesstools.cluster.task import Failed
from chesstools.errors import DatasetError, SourceError
from chesstools.finishing import finish
from chesstools.folder import Folder, check_parts, part_name_of, remove_unlisted
from chesstools.lanes import Lane
from chesstools.local_folder import LocalFolder
from chesstools.manifest import Manifest, Part, SourceEntry
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.saving import Saver
from chesstools.source import Source

Progress = Callable[[int, int], None]


class Spread:
    """One run over the sources of a manifest, which it keeps up to date.

    Attributes:
        failures: why a source could not be judged to its end by this run, by its number. Another run tries it again.
        whole: why sources were read by one worker each, a sentence each.
    """

    def __init__(
        self,
        cluster: Cluster,
        folder: Folder,
        manifest: Manifest,
        choice: Choice,
        selection: Selection,
        *,
        nodes: int | None,
        engine: str,
        progress: Progress | None,
        failed: Callable[[str], None] | None,
    ) -> None:
        self.failures: dict[int, str] = {}
        self.whole: list[str] = []
        self._told: set[tuple[int, str]] = set()
        self._cluster = cluster
        self._folder = folder
        self._manifest = manifest
        self._compare = selection.wants("A860")
        self._progress = progress
        self._failed = failed
        self._saver = Saver(folder, manifest)
        self._job = Job(
            _anywhere(folder),
            manifest.job(),
            manifest.tool_version,
            Wanted(tuple(manifest.tables), choice, selection, nodes, engine, stored=True, with_hash=True),
        )
        self._stored = sum(
            (entry.size or 0) if entry.done else (entry.surveyed.judged_bytes if entry.surveyed is not None else 0)
            for entry in manifest.sources
        )
        self._games = sum(entry.summary.games for entry in manifest.sources)

    def read_all(self, sources: Sequence[Source]) -> None:
        """Judge all sources that are not done, and write the state "complete" if nothing failed."""
        cutting = Cutting(self._job, self._manifest, for_workers(sources), self._unread)
        try:
            # Closed at once where this ends early: what is with the cluster is dropped before files are removed.
            run: Generator[Done[Task], None, None] = self._cluster.run(_work, cutting.tasks(), key=_key, alone=_is_one)
            with closing(run):
                for done in run:
                    self._take(done, cutting)
            self.whole = cutting.whole
            for number, entry in enumerate(self._manifest.sources):
                if not entry.done and number not in self.failures:  # should never be; nothing stays undone in silence
                    self._tell_failure(number, "judged to its end", "no worker told why; give the same command again.")
            if all(entry.done for entry in self._manifest.sources):
                self._complete()
            else:
                self._saver.write()
        except BaseException:  # an interrupt too: what is finished stays readable
            if self._saver.leave():
                self._remove_unlisted()
            raise
        self._remove_unlisted()

    def _remove_unlisted(self) -> None:
        """A worker that died has left what it wrote. Only where the manifest is written: what it lists must stay."""
        with suppress(DatasetError, OSError):
            remove_unlisted(self._folder, self._manifest)

    def _take(self, done: Done[Task], cutting: Cutting) -> None:
        """Take in what came of a task."""
        task = done.item
        if done.error is not None:
            self._fail(task, done.error, cutting, lost=done.lost)
        elif isinstance(task, Look):
            with self._saver.changing(task.number):
                cutting.surveyed(task, done.result)
        else:
            for piece, judged in zip(task.batch.pieces, done.result, strict=True):
                if isinstance(judged, Failed):
                    if not cutting.again(Batch((piece,))):
                        if judged.of_output:  # for all other stretches too
                            raise DatasetError(f"A worker tried {TRIES} times and could not write: {judged.sentence}")
                        self._tell_failure(piece.number, _judged(piece), judged.sentence)
                else:
                    self._commit(piece, judged, cutting)
            if self._progress is not None:
                self._progress(self._stored, self._games)
            self._saver.save()
        cutting.back()

    def _commit(self, piece: Piece, judged: Judged, cutting: Cutting) -> None:
        """Write down what came of a piece. From here on its parts are there for readers."""
        entry = self._manifest.sources[piece.number]
        with self._saver.changing(piece.number):
            for part in judged.parts:
                _list(entry, part)
            entry.summary.merge(judged.summary)
            entry.notes += [note for note in judged.notes if note not in entry.notes]
            entry.done = piece.is_whole or cutting.judged(piece)
            if piece.stretch.stop is None:
                entry.hash, entry.position = judged.hash, judged.end
        if judged.summary.error is not None and self._failed is not None:
            self._failed(judged.summary.error)
        self._stored += piece.stored_bytes
        self._games += judged.summary.games

    def _fail(self, task: Task, why: str, cutting: Cutting, *, lost: bool) -> None:
        """Note what could not be done. Of several sources together it is not known which is to blame: each is tried alone."""
        if isinstance(task, Judge) and len(task.batch.pieces) > 1:
            cutting.one_by_one(task)
            return
        if not lost and cutting.again(task if isinstance(task, Look) else task.batch):
            return
        if isinstance(task, Look):
            self._tell_failure(task.number, f"cut into stretches from byte {task.start} on", why)
        else:
            piece = task.batch.pieces[0]
            self._tell_failure(piece.number, _judged(piece), why)

    def _unread(self, number: int, error: SourceError) -> None:
        self._tell_failure(number, "cut into stretches", str(error))

    def _tell_failure(self, number: int, what: str, why: str) -> None:
        """Of stretches of a source that fail for the same reason only the first is told."""
        name = self._manifest.sources[number].name
        sentence = f"{name} could not be {what}: {re.sub(f'^{re.escape(name)} ', 'it ', why)}"
        self.failures.setdefault(number, sentence)
        if self._failed is not None and (number, why) not in self._told:
            self._told.add((number, why))
            self._failed(sentence)

    def _complete(self) -> None:
        lanes = {table: Lane(has_thread=False) for table in self._manifest.tables}

        def name(number: int) -> str:
            """Behind all parts of the source: stretches without rows have none, but a number."""
            parts = self._manifest.sources[number].parts
            last = int(parts[-1].name.split("-")[2]) if parts else -1
            return part_name_of(number, last + 1, self._job.digits)

        check_parts(self._folder, self._manifest)  # as readers look for them, whatever folder a worker has seen
        finish(self._saver, lanes, compare=self._compare, name=name)


def _list(entry: SourceEntry, part: Part) -> None:
    """Put a part where it stands among those of its source. Raises DatasetError rather than count one twice."""
    place = bisect_left(entry.parts, part.name, key=lambda one: one.name)
    if place < len(entry.parts) and entry.parts[place].name == part.name:
        raise DatasetError(f"The part {part.name} of {entry.name} was written twice; give --overwrite to start anew.")
    entry.parts.insert(place, part)


def _key(task: Task) -> str:
    return task.key


def _is_one(task: Task) -> bool:
    """Whether a task is of one source. Of several together each is tried alone."""
    return isinstance(task, Look) or len(task.batch.pieces) == 1


def _work(task: Task) -> object:
    return task.work()


def _judged(piece: Piece) -> str:
    """What is done with a piece, in words."""
    return "judged" if piece.is_whole else f"judged from line {piece.stretch.start.line} on"


def _anywhere(folder: Folder) -> Folder:
    """The folder of a dataset as such a process can write to it."""
    return LocalFolder(folder.path.absolute()) if isinstance(folder, LocalFolder) else folder
