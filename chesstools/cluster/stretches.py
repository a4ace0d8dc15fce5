"""What a worker does for `ingest`: it judges stretches of sources, each to parts of its own.

A task depends on nothing but what it is given and the bytes of its source, and leaves the same files behind however often it is
done, also by two workers at once: parts have names that only this stretch of this job has, and appear when they are whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count

import pyarrow as pa

from chesstools.bytestream import is_damage, may_pass
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.task import Failed
from chesstools.errors import ChesstoolsError, SourceError
from chesstools.folder import LOCK_NAME, Folder, part_name_of
from chesstools.lanes import Lane
from chesstools.manifest import Part
from chesstools.parts import PartWriter, file_schemas
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.scan import scan_source
from chesstools.step import Position
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

        A worker that finds another folder under the name of the dataset's does nothing: its parts would be missing.
        """
        folder = self.job.folder
        if not folder.has(LOCK_NAME):
            advice = "share the folder between all machines, or give the URI of an object store"
            return Failed(f"A worker finds another folder as {folder} than the run that writes there; {advice}.", of_worker=True)
        return [_tried(self.job, piece) for piece in self.batch.pieces]


def _tried(job: Job, piece: Piece) -> Judged | Failed:
    try:
        return judge(job, piece)
    except ChesstoolsError as error:
        return Failed(str(error))


def judge(job: Job, piece: Piece) -> Judged:
    """Judge a piece and write its rows, a part for each table.

    A source that cannot be read to its end is told in the summary, and what could be read is there, as without a cluster. Not
    so where a stretch of it cannot be read that was surveyed before, or where the system or a store did not give all of it:
    then SourceError is raised, as another try may succeed.
    """
    stretch = piece.stretch
    names = (part_name_of(piece.number, number, job.digits) for number in count(piece.place))
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
        with_hash=piece.is_whole,
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
                is_cut = not piece.is_whole
                if may_pass(error) or (is_cut and (stretch.stop is not None or not is_damage(error))):
                    raise
                summary.error = str(error)
        if writer is not None:
            parts.append(writer.finish())
    except BaseException:
        if writer is not None:
            writer.abort()
        raise
    whole_hash = piece.source.hash() if piece.is_whole else None
    return Judged(parts, summary, end, piece.source.notes, whole_hash)


def _has_rows(batches: Mapping[str, pa.RecordBatch]) -> bool:
    return any(batch.num_rows for batch in batches.values())
