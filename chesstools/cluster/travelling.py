"""Rows of some games on their way from a worker to those who show them, with the counts.

Few rows travel with what else is told of a task. More go to files of a scratch folder that both reach. Where the worker does not
reach it, the rest of the games is left for another task, if that need not read all that comes before it once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from io import BytesIO, RawIOBase
from typing import Any, BinaryIO

import pyarrow as pa

from chesstools.cluster.judging import Wanted, judge_piece
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.shared_scratch import SharedScratch
from chesstools.cluster.task import Failed
from chesstools.errors import ChesstoolsError, DatasetError
from chesstools.folder import NewFile
from chesstools.local_folder import is_full
from chesstools.plan import Stretch, rest_of
from chesstools.scanning import no_rows
from chesstools.schema import SCHEMAS
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary

RESULT_BYTES = 16 << 20
"""About so much may travel at a time, packed."""

MOST_STRETCHES = 2
"""A packed source is entered again where a piece begins only if that has no more stored bytes than so many stretches."""


@dataclass(frozen=True, slots=True)
class Way:
    """How rows are to travel."""

    scratch: SharedScratch | None
    """None: there is none."""
    stretch_bytes: int
    """So many stored bytes a stretch has."""
    result_bytes: int = RESULT_BYTES


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a piece."""

    rows: Mapping[str, bytes | str]
    """Rows by table, as Arrow streams, a batch for each step; or the names of the files in `scratch` that hold these."""
    size: int
    """Bytes of the rows."""
    summary: SourceSummary
    stored_bytes_read: int
    error: str | None = None
    """Why the source was not judged to the end of the piece."""
    rest: Stretch | None = None
    """What was left for another task."""
    scratch: SharedScratch | None = None
    lost: str | None = None
    """Why no worker could tell anything of the piece."""

    @property
    def games(self) -> int:
        """How many were judged."""
        return self.summary.games

    def steps(self) -> Iterator[Step]:
        """The steps through the piece, one at least; the counts come with the first. Files are removed when they were read."""
        summary = self.summary
        with nullcontext() if self.scratch is None else self.scratch.reading(), ExitStack() as stack:
            readers = {table: pa.ipc.open_stream(stack.enter_context(self._open(rows))) for table, rows in self.rows.items()}
            for batches in zip(*readers.values(), strict=True):
                yield Step(dict(zip(readers, batches, strict=True)), Position(), summary)
                summary = SourceSummary(summary.name)
        if self.scratch is not None:
            for name in self.rows.values():
                self.scratch.remove(str(name))

    def _open(self, rows: bytes | str) -> BinaryIO:
        if isinstance(rows, bytes):
            return BytesIO(rows)
        assert self.scratch is not None
        return self.scratch.open(rows)


def judge_batch(batch: Batch, wanted: Wanted, way: Way) -> list[Judged] | Failed:
    """Judge the pieces of a batch, one at least, up to where the rows of them are as many as may travel."""
    try:
        return _judge_batch(batch, wanted, way)
    except ChesstoolsError as error:
        return Failed(str(error), of_worker=is_full(error))  # no room for the others either


def _judge_batch(batch: Batch, wanted: Wanted, way: Way) -> list[Judged]:
    found: list[Judged] = []
    size = 0
    for piece in batch.in_order():
        found.append(judge(piece, wanted, way))
        size += found[-1].size
        if size >= way.result_bytes:
            break
    return found


def judge(piece: Piece, wanted: Wanted, way: Way) -> Judged:
    """Judge the games of a piece.

    What is wrong with the source is told by `Judged.error`, beside the rows of all that could be read. Raises
    ChesstoolsError where the scratch folder cannot be written.

    >>> from chesstools.plan import fold
    >>> from chesstools.profile_choice import read_choice
    >>> from chesstools.rules import Selection
    >>> from chesstools.source import Source
    >>> wanted = Wanted(("findings",), read_choice(), Selection("M"), None, "reference")
    >>> source = Source.from_bytes(b"1. e4 e5 2. Ke3 *")
    >>> judged = judge(Piece(0, source, 0, fold([])[0], 17), wanted, Way(None, 1000))
    >>> [step.batches["findings"]["code"].to_pylist() for step in judged.steps()], judged.summary.games
    ([[], ['M303']], 1)
    """
    rows = _Rows(piece, wanted.tables, way)
    try:
        rows.add(no_rows(wanted.tables))
        outcome = judge_piece(piece, wanted, rows.take)
        packed, size = rows.close()
    except DatasetError as failure:
        rows.abort()
        if way.scratch is None:
            raise
        raise way.scratch.unwritable(failure) from failure.__cause__
    except BaseException:
        rows.abort()
        raise
    source, stretch = piece.source, piece.stretch
    error = None if outcome.error is None else str(outcome.error)
    rest = None
    if rows.is_full and outcome.end.byte_offset != stretch.stop:
        rest = rest_of(source, stretch, outcome.end)
        if rest.entry == stretch.entry and piece.stored_bytes > MOST_STRETCHES * way.stretch_bytes:
            rest, error = None, _too_much(source.name, outcome.end)
    scratch = way.scratch if rows.is_spilled else None
    return Judged(packed, size, outcome.summary, source.stored_bytes_read, error, rest, scratch)


def not_judged(piece: Piece, wanted: Wanted, why: str) -> Judged:
    """What became of a piece of which no worker could tell anything."""
    rows = _Rows(piece, wanted.tables, Way(None, 0))
    rows.add(no_rows(wanted.tables))
    packed, size = rows.close()
    return Judged(packed, size, SourceSummary(piece.source.name), 0, lost=why)


def _too_much(name: str, end: Position) -> str:
    advice = "name a folder with --scratch that they and this process reach"
    return f"{name} has more findings than its worker can hand over, and was judged up to line {end.line} only; {advice}."


class _Rows:
    """Takes the steps through a piece and packs the rows."""

    def __init__(self, piece: Piece, tables: Sequence[str], way: Way) -> None:
        self._piece = piece
        self._way = way
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        self._sinks = {table: _Sink() for table in tables}
        self._writers = {table: pa.ipc.new_stream(sink, SCHEMAS[table], options=options) for table, sink in self._sinks.items()}
        self.is_full = False
        """Whether no more may be added."""
        self.is_spilled = False

    def take(self, step: Step) -> bool:
        """Take in a step; whether that was the last one."""
        self.add(step.batches)
        is_between = step.end.byte_offset > self._piece.stretch.start.byte_offset
        if not self.is_spilled and is_between and sum(sink.size for sink in self._sinks.values()) >= self._way.result_bytes:
            self.is_full = not self._spill()
        return self.is_full

    def add(self, batches: dict[str, pa.RecordBatch]) -> None:
        for table, writer in self._writers.items():
            with self._sinks[table].telling():
                writer.write_batch(batches[table])

    def close(self) -> tuple[dict[str, bytes | str], int]:
        """The rows, or the names of their files, and how many bytes they have."""
        for table, writer in self._writers.items():
            with self._sinks[table].telling():
                writer.close()
        packed = {table: sink.rows() for table, sink in self._sinks.items()}
        return packed, sum(sink.size for sink in self._sinks.values())

    def abort(self) -> None:
        """Leave nothing behind. Raises nothing."""
        for sink in self._sinks.values():
            sink.abort()

    def _spill(self) -> bool:
        """Go on in files of the scratch folder; returns whether it is reached."""
        scratch = self._way.scratch
        if scratch is None or not scratch.is_reached:
            return False
        self.is_spilled = True
        turn = "-".join(map(str, self._piece.turn))
        for table, sink in self._sinks.items():
            sink.spill(scratch, f"{turn}.{table}.arrows")
        return True


class _Sink(RawIOBase):
    """Takes bytes: into memory, and from `spill` on into a file."""

    def __init__(self) -> None:
        self.size = 0
        self._memory = BytesIO()
        self._name = ""
        self._file: NewFile | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        count = len(data)
        self.size += count
        if self._file is None:
            self._memory.write(data)
        else:
            self._file.out.write(data)
        return count

    def telling(self) -> AbstractContextManager[None]:
        """Around all that writes: an error of the system becomes a DatasetError."""
        return nullcontext() if self._file is None else self._file.telling()

    def spill(self, scratch: SharedScratch, name: str) -> None:
        """Go on in a file of that name, with what is there so far."""
        self._file, self._name = scratch.create(name), name
        with self.telling():
            self._file.out.write(self._memory.getbuffer())
        self._memory = BytesIO()

    def rows(self) -> bytes | str:
        """What was written, or the name of the file in which it is."""
        if self._file is None:
            return self._memory.getvalue()
        self._file.close()
        self._file.publish()
        return self._name

    def abort(self) -> None:
        """Leave no file behind. Raises nothing."""
        if self._file is not None:
            self._file.abort()
