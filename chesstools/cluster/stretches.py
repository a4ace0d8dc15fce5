"""What a worker does for `ingest`: it judges stretches of sources, each to parts of its own.

A task depends on nothing but what it is given and the bytes of its source, and leaves the same files behind however often it is
done, also by two workers at once: parts have names that only this stretch of this job has, and appear when they are whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from chesstools.bytestream import is_damage, may_pass
from chesstools.cluster.judging import Wanted, judge_piece
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.task import Failed
from chesstools.errors import ChesstoolsError, DatasetError
from chesstools.folder import LOCK_NAME, Folder, part_name_of
from chesstools.lanes import Lane
from chesstools.local_folder import is_full
from chesstools.manifest import Part
from chesstools.parts import PartWriter, file_schemas
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary

PART_GAMES = 250_000
"""The last stretch of a source, which may be all of one that cannot be cut, is written as several parts from so many games on."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is the same for all stretches."""

    folder: Folder
    digits: str
    """Of `Manifest.job`."""
    tool_version: str
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a piece."""

    parts: list[Part]
    summary: SourceSummary
    """With the error of a source that could not be read to its end."""
    end: Position
    notes: list[str]
    hash: str | None


@dataclass(frozen=True, slots=True)
class Judge:
    """Judge one stretch, or several small sources one after the other."""

    job: Job
    batch: Batch

    @property
    def key(self) -> str:
        """A short text, no two alike."""
        return f"judge-{self.batch.key}"

    def work(self) -> list[Judged | Failed] | Failed:
        """Do it. What fails with one source is told in its place, and the others are judged.

        A worker that finds another folder under the name of the dataset's does nothing: its parts would be missing. Where there
        is no room left for parts, the run ends.
        """
        folder = self.job.folder
        try:
            is_ours = folder.has(LOCK_NAME)
        except DatasetError as error:
            return [Failed(str(error), of_output=True) for _ in self.batch.pieces]
        if not is_ours:
            advice = "share the folder between all machines, or give the URI of an object store"
            return Failed(f"A worker finds another folder as {folder} than the run that writes there; {advice}.", of_worker=True)
        try:
            return [_tried(self.job, piece) for piece in self.batch.in_order()]
        except DatasetError as error:
            return Failed(str(error), of_worker=True)


def _tried(job: Job, piece: Piece) -> Judged | Failed:
    try:
        return judge(job, piece)
    except DatasetError as error:
        if is_full(error):  # for all other stretches too
            raise
        return Failed(str(error), of_output=True)
    except ChesstoolsError as error:
        return Failed(str(error))


def judge(job: Job, piece: Piece) -> Judged:
    """Judge a piece and write its rows, a part for each table.

    A source that cannot be read to its end is told in the summary, and what could be read is there, as without a cluster. Not
    so where a stretch of it cannot be read that was surveyed before, or where the system or a store did not give all of it:
    then SourceError is raised, as another try may succeed.
    """
    parts = _Parts(job, piece)
    try:
        outcome = judge_piece(piece, job.wanted, parts.add)
        if (error := outcome.error) is not None:
            is_cut = not piece.is_whole
            if may_pass(error) or (is_cut and (piece.stretch.stop is not None or not is_damage(error))):
                raise error
            outcome.summary.error = str(error)
        written = parts.finish()
    except BaseException:
        parts.abort()
        raise
    whole_hash = piece.source.hash() if piece.is_whole else None
    return Judged(written, outcome.summary, outcome.end, piece.source.notes, whole_hash)


class _Parts:
    """Takes the steps through a piece and writes the rows of them."""

    def __init__(self, job: Job, piece: Piece) -> None:
        self._folder = job.folder
        self._names = (part_name_of(piece.number, number, job.digits) for number in count(piece.place))
        self._schemas = file_schemas(job.wanted.tables, tool_version=job.tool_version, profile=job.wanted.choice.label)
        self._lanes = {table: Lane(has_thread=False) for table in job.wanted.tables}
        self._part_games = PART_GAMES if piece.stretch.stop is None else None
        self._writer: PartWriter | None = None
        self._games = 0
        self._written: list[Part] = []

    def add(self, step: Step) -> None:
        if any(batch.num_rows for batch in step.batches.values()):
            self._writer = self._writer or PartWriter(self._folder, next(self._names), self._schemas, self._lanes)
            self._writer.add(step.batches)
        self._games += step.summary.games + step.summary.quarantined_regions
        if self._part_games is not None and self._games >= self._part_games:
            self._end()

    def finish(self) -> list[Part]:
        """All that was written."""
        self._end()
        return self._written

    def abort(self) -> None:
        """Leave nothing of what is not a part yet."""
        if self._writer is not None:
            self._writer.abort()

    def _end(self) -> None:
        if self._writer is not None:
            self._written.append(self._writer.finish())
            self._writer, self._games = None, 0
