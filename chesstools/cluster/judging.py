"""Some games judged by a worker for those who show findings: the rows as bytes that travel, with the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import pyarrow as pa

from chesstools.cluster.piece import Batch
from chesstools.errors import SourceError
from chesstools.plan import Stretch, rest_of
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.scan import no_rows, scan_source
from chesstools.schema import SCHEMAS
from chesstools.source import Source
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary

RESULT_BYTES = 16 << 20
"""About so much may travel at a time, packed; what a stretch has beyond that is judged by a task of its own."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be found out about all sources: as for `chesstools.scan.scan_source`."""

    tables: Sequence[str]
    choice: Choice
    selection: Selection
    nodes: int | None
    engine: str
    result_bytes: int = RESULT_BYTES


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a stretch."""

    rows: dict[str, bytes]
    """Rows by table, as Arrow streams: a batch for each step."""
    summary: SourceSummary
    stored_bytes_read: int
    rest: Stretch | None = None
    """What was left for another task."""

    @property
    def size(self) -> int:
        """Bytes of the rows."""
        return sum(map(len, self.rows.values()))

    @property
    def games(self) -> int:
        """How many were judged."""
        return self.summary.games

    def steps(self) -> Iterator[Step]:
        """The steps through the stretch, one at least; the counts come with the first."""
        summary = self.summary
        readers = {table: pa.ipc.open_stream(rows) for table, rows in self.rows.items()}
        for batches in zip(*readers.values(), strict=True):
            yield Step(dict(zip(readers, batches, strict=True)), Position(), summary)
            summary = SourceSummary(summary.name)


def judge_batch(batch: Batch, wanted: Wanted) -> list[Judged]:
    """Judge the pieces of a batch, one at least, up to where the rows of them are as many as may travel."""
    found: list[Judged] = []
    size = 0
    for piece in batch.pieces:
        found.append(judge(piece.source, piece.stretch, wanted))
        size += found[-1].size
        if size >= wanted.result_bytes:
            break
    return found


def judge(source: Source, stretch: Stretch, wanted: Wanted) -> Judged:
    """Judge the games of a stretch, up to where the rows of them are as many as may travel.

    What is wrong with the source is told by `SourceSummary.error`, beside the rows of all that could be read.

    >>> from chesstools.plan import plan
    >>> from chesstools.profile_choice import read_choice
    >>> wanted = Wanted(("findings",), read_choice(), Selection("M"), None, "reference")
    >>> source = Source.from_bytes(b"1. e4 e5 2. Ke3 *")
    >>> judged = judge(source, plan(source, 1000).stretches[0], wanted)
    >>> [step.batches["findings"]["code"].to_pylist() for step in judged.steps()], judged.summary.games
    ([[], ['M303']], 1)
    """
    packed = _Packed(wanted.tables)
    packed.add(no_rows(wanted.tables))
    summary = SourceSummary(source.name)
    rest = None
    steps = scan_source(
        source,
        tables=wanted.tables,
        profile=wanted.choice,
        selection=wanted.selection,
        start=stretch.start,
        stop=stretch.stop,
        entry=stretch.entry,
        engine=wanted.engine,
        nodes=wanted.nodes,
    )
    with closing(steps):
        try:
            for step in steps:
                packed.add(step.batches)
                summary.merge(step.summary)
                is_between = stretch.start.byte_offset < step.end.byte_offset != stretch.stop
                if packed.size >= wanted.result_bytes and is_between:
                    rest = rest_of(source, stretch, step.end)
                    break
        except SourceError as error:
            summary.error = str(error)
    return Judged(packed.close(), summary, source.stored_bytes_read, rest)


def not_judged(source: Source, stretch: Stretch, wanted: Wanted, why: str) -> Judged:
    """What became of a stretch of which no worker could tell anything."""
    packed = _Packed(wanted.tables)
    packed.add(no_rows(wanted.tables))
    error = f"{source.name} was not judged from byte {stretch.start.byte_offset} to {stretch.stop or 'its end'}: {why}"
    return Judged(packed.close(), SourceSummary(source.name, error=error), 0)


class _Packed:
    """Batches on their way."""

    def __init__(self, tables: Sequence[str]) -> None:
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        self._sinks = {table: pa.BufferOutputStream() for table in tables}
        self._writers = {table: pa.ipc.new_stream(sink, SCHEMAS[table], options=options) for table, sink in self._sinks.items()}

    def add(self, batches: dict[str, pa.RecordBatch]) -> None:
        for table, writer in self._writers.items():
            writer.write_batch(batches[table])

    @property
    def size(self) -> int:
        return sum(sink.tell() for sink in self._sinks.values())

    def close(self) -> dict[str, bytes]:
        for writer in self._writers.values():
            writer.close()
        return {table: sink.getvalue().to_pybytes() for table, sink in self._sinks.items()}
