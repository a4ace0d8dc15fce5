"""Parquet and Arrow IPC (file and stream): batch by batch, only the columns that are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from chesstools.compression import Feed
from chesstools.readers.columns import Plan
from chesstools.readers.record import Record
from chesstools.readers.report import BadRecordError, Report
from chesstools.readers.seekable import seekable
from chesstools.source import Source

PARQUET_MAGIC = b"PAR1"
ARROW_MAGIC = b"ARROW1"
STREAM_MAGIC = b"\xff\xff\xff\xff"

_BATCH_ROWS = 1024
READ_ERRORS = (pa.ArrowException, OSError, ValueError, OverflowError, UnicodeDecodeError)


def read_parquet(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each row of a Parquet file."""
    with seekable(source, feed, PARQUET_MAGIC) as file:
        try:
            parquet = pq.ParquetFile(file)
        except READ_ERRORS as error:
            raise report.broken("its footer", _sentence(error)) from None
        yield from parquet_records(parquet, "", report)


def parquet_records(parquet: pq.ParquetFile, where: str, report: Report) -> Iterator[Record]:
    """The records of an open file; `where` stands before the number of a row in messages."""
    row = 0
    try:
        names = parquet.schema_arrow.names
    except READ_ERRORS as error:
        raise report.broken(f"{where}its schema", _sentence(error)) from None
    plan = Plan(names, report.name, report)
    batches = parquet.iter_batches(batch_size=_BATCH_ROWS, columns=plan.columns, use_threads=False)
    while True:
        try:
            batch = next(batches, None)
        except READ_ERRORS as error:
            raise report.broken(f"{where}row {row + 1}", _sentence(error)) from None
        if batch is None:
            return
        yield from _records(batch, plan, row, where, report)
        row += batch.num_rows


def read_arrow(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each row of an Arrow IPC file or stream."""
    if feed.peek(len(ARROW_MAGIC)) != ARROW_MAGIC:
        yield from _read_stream(feed, report)
        return
    with seekable(source, feed, ARROW_MAGIC) as file:
        try:
            reader = pa.ipc.open_file(file)
        except READ_ERRORS as error:
            raise report.broken("its footer", _sentence(error)) from None
        plan = Plan(reader.schema.names, report.name, report)
        row = 0
        for number in range(reader.num_record_batches):
            try:
                batch = _checked(reader.get_batch(number), plan)
            except READ_ERRORS as error:
                raise report.broken(f"row {row + 1}", _sentence(error)) from None
            yield from _records(batch, plan, row, "", report)
            row += batch.num_rows


def _read_stream(feed: Feed, report: Report) -> Iterator[Record]:
    row = 0
    try:
        reader = pa.ipc.open_stream(pa.PythonFile(cast(BinaryIO, _File(feed)), mode="r"))
    except READ_ERRORS as error:
        raise report.broken("its first message", _sentence(error)) from None
    plan = Plan(reader.schema.names, report.name, report)
    while True:
        try:
            batch = _checked(reader.read_next_batch(), plan)
        except StopIteration:
            return
        except READ_ERRORS as error:
            raise report.broken(f"row {row + 1}", _sentence(error)) from None
        yield from _records(batch, plan, row, "", report)
        row += batch.num_rows


def _checked(batch: pa.RecordBatch, plan: Plan) -> pa.RecordBatch:
    """The wanted columns. What comes from outside may point anywhere in memory: nothing is read before it was looked at."""
    batch = batch.select(plan.columns)
    batch.validate(full=True)
    return batch


def _records(batch: pa.RecordBatch, plan: Plan, row: int, where: str, report: Report) -> Iterator[Record]:
    for start in range(0, batch.num_rows, _BATCH_ROWS):
        part = batch.slice(start, _BATCH_ROWS)
        columns = [_values(column) for column in part.columns]
        names = part.schema.names
        for number in range(part.num_rows):
            place = f"{where}row {row + start + number + 1}"
            values = {}
            try:
                for name, column in zip(names, columns, strict=True):
                    values[name] = column[number] if isinstance(column, list) else _one(column, number)
                yield plan.record(values, place)
            except BadRecordError as error:
                report.skip(place, str(error))


def _values(column: pa.Array) -> list[object] | pa.Array:
    try:
        values: list[object] = column.to_pylist()
    except READ_ERRORS:  # text that is no UTF-8, a date outside of what Python knows
        return column
    return values


def _one(column: pa.Array, number: int) -> object:
    try:
        return column[number].as_py()
    except READ_ERRORS as error:
        raise BadRecordError(f"has a value that cannot be read ({_sentence(error)})") from None


def _sentence(error: Exception) -> str:
    return str(error) or type(error).__name__


class _File:
    """A feed as a file that is read from front to end."""

    closed = False

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    def read(self, count: int = -1) -> bytes:
        if count < 0:
            return b"".join(self._feed.rest())
        parts = []
        while count and (part := self._feed.take(count)):
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self.closed = True
