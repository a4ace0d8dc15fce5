"""What a worker does for `ingest`: it looks where stretches of a source begin, and judges stretches, each to parts of its own.

A task depends on nothing but what it is given and the bytes of its source, and leaves the same files behind however often it is
done, also by two workers at once: parts have names that only this stretch of this job has, and appear when they are whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count

import pyarrow as pa

from chesstools.compression import CompressionError
from chesstools.errors import SourceError
from chesstools.folder import Folder, part_name_of
from chesstools.lanes import Lane
from chesstools.manifest import Part
from chesstools.parts import PartWriter, file_schemas
from chesstools.plan import Stretch, Survey, survey
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.scan import scan_source
from chesstools.source import Source
from chesstools.step import Entry, Position
from chesstools.summary import SourceSummary

PART_GAMES = 250_000
"""The last stretch of a source, which may be all of one that cannot be cut, is written as several parts from so many games on."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is the same for all stretches."""

    folder: Folder
    digits: str
    """Of `Manifest.job`."""
    tables: tuple[str, ...]
    tool_version: str
    choice: Choice
    selection: Selection
    nodes: int | None
    engine: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a source, or all of it."""

    number: int
    """Of the source, among all."""
    source: Source
    part: int
    """The number of its first part, among those of the source."""
    stored_bytes: int
    """About how many bytes of the file it has."""
    stretch: Stretch | None = None
    """None: all of the source."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a piece."""

    number: int
    part: int
    parts: list[Part]
    summary: SourceSummary
    """With the error of a source that could not be read to its end."""
    end: Position
    notes: list[str]
    hash: str | None


@dataclass(frozen=True, slots=True)
class Unknown:
    """In place of a survey: the source is damaged there."""

    start: int


class Task(ABC):
    """What a worker can be given."""

    @property
    @abstractmethod
    def key(self) -> str:
        """A short name, which no other task of the run has."""

    @abstractmethod
    def work(self) -> object:
        """Do it."""

    @abstractmethod
    def what(self) -> tuple[int, str]:
        """The number of its source, and what is done with it, in words."""


@dataclass(frozen=True)
class Look(Task):
    """Survey one range of a source."""

    number: int
    source: Source
    start: int
    stop: int
    engine: str

    @property
    def key(self) -> str:
        return f"survey-{self.number}-{self.start}"

    def work(self) -> Survey | Unknown:
        try:
            return survey(self.source, self.start, self.stop, engine=self.engine)
        except SourceError as error:
            if not _is_damage(error):
                raise
            return Unknown(self.start)  # who judges what stands there will say so

    def what(self) -> tuple[int, str]:
        return self.number, f"cut into stretches from byte {self.start} on"


@dataclass(frozen=True)
class Judge(Task):
    """Judge one stretch, or several small sources one after the other."""

    job: Job
    pieces: tuple[Piece, ...] = field(repr=False)

    @property
    def key(self) -> str:
        first = self.pieces[0]
        return f"judge-{first.number}-{first.part}"

    def work(self) -> list[Judged]:
        return [judge(self.job, piece) for piece in self.pieces]

    def what(self) -> tuple[int, str]:
        first = self.pieces[0]
        return first.number, "judged" if first.stretch is None else f"judged from line {first.stretch.start.line} on"


def work(task: Task) -> object:
    """Do a task."""
    return task.work()


def judge(job: Job, piece: Piece) -> Judged:
    """Judge a piece and write its rows, a part for each table.

    A source that cannot be read to its end is told in the summary, and what could be read is there, as without a cluster. Not
    so where a stretch of it cannot be read that was surveyed before: then SourceError is raised, as another try may succeed.
    """
    stretch = piece.stretch or Stretch(Position(), None, Entry())
    names = (part_name_of(piece.number, number, job.digits) for number in count(piece.part))
    schemas = file_schemas(job.tables, tool_version=job.tool_version, profile=job.choice.label)
    lanes = {table: Lane(has_thread=False) for table in job.tables}
    summary, end = SourceSummary(piece.source.name), stretch.start
    parts: list[Part] = []
    writer: PartWriter | None = None
    games = 0
    steps = scan_source(
        piece.source,
        tables=job.tables,
        profile=job.choice,
        selection=job.selection,
        start=stretch.start,
        stop=stretch.stop,
        entry=stretch.entry,
        engine=job.engine,
        with_hash=piece.stretch is None,
        stored=True,
        nodes=job.nodes,
    )
    try:
        with closing(steps):
            try:
                for step in steps:
                    if _has_rows(step.batches):
                        writer = writer or PartWriter(job.folder, next(names), schemas, lanes)
                        writer.add(step.batches)
                    summary.merge(step.summary)
                    end = step.end
                    games += step.summary.games + step.summary.quarantined_regions
                    if writer is not None and games >= PART_GAMES and stretch.stop is None:
                        parts.append(writer.finish())
                        writer, games = None, 0
            except SourceError as error:
                if piece.stretch is not None and (stretch.stop is not None or not _is_damage(error)):
                    raise
                summary.error = str(error)
        if writer is not None:
            parts.append(writer.finish())
    except BaseException:
        if writer is not None:
            writer.abort()
        raise
    whole_hash = piece.source.hash() if piece.stretch is None else None
    return Judged(piece.number, piece.part, parts, summary, end, piece.source.notes, whole_hash)


def _has_rows(batches: Mapping[str, pa.RecordBatch]) -> bool:
    return any(batch.num_rows for batch in batches.values())


def _is_damage(error: SourceError) -> bool:
    """Whether the source itself is broken, and will be when it is read again."""
    return isinstance(error.__cause__, CompressionError)
