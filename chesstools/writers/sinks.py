"""Where record batches go: CSV, Parquet, Arrow IPC. Each takes batch after batch and holds little of them."""

from __future__ import annotations

import json
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from chesstools.schema import SCHEMAS
from chesstools.stored import as_stored, layout, metadata, stored_schema

ROW_GROUP_ROWS = 1 << 17
ROW_GROUP_BYTES = 32 << 20
"""A row group, or a batch of Arrow IPC, is written as soon as it has as many."""


class Sink(Protocol):
    """Takes rows; `close` writes what is left."""

    def add(self, batch: pa.RecordBatch) -> None: ...
    def close(self) -> None: ...


class CsvSink:
    """CSV in UTF-8 with a header. Texts stand in quotes, what is null does not; lists and maps are JSON."""

    def __init__(self, out: BinaryIO, schema: pa.Schema) -> None:
        self._schema = pa.schema([(field.name, _flat(field.type)) for field in schema])
        self._writer = pacsv.CSVWriter(out, self._schema)

    def add(self, batch: pa.RecordBatch) -> None:
        columns = [_as_text(column, field.type) for column, field in zip(batch.columns, self._schema, strict=True)]
        self._writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


def _flat(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_nested(kind) or pa.types.is_dictionary(kind) else kind


def _as_text(column: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_nested(column.type):
        return pa.array([None if value is None else _json(value) for value in column.to_pylist()], kind)
    return column.cast(kind)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class _Gathered:
    """Many small batches as few large ones."""

    def __init__(self) -> None:
        self._waiting: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self._waiting.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= ROW_GROUP_ROWS or self._bytes >= ROW_GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting).unify_dictionaries()
            self._waiting, self._rows, self._bytes = [], 0, 0
            self.write(table)

    def write(self, table: pa.Table) -> None:
        raise NotImplementedError


class ParquetSink(_Gathered):
    """One Parquet file. Our own tables are laid out as in a dataset."""

    def __init__(self, out: BinaryIO, schema: pa.Schema, table: str) -> None:
        super().__init__()
        own = SCHEMAS.get(table) == schema
        self._schema = stored_schema(table) if own else schema
        self._writer = pq.ParquetWriter(out, self._schema, **(layout(table, schema) if own else {"compression": "zstd"}))
        if own:
            self._writer.add_key_value_metadata(metadata(schema))

    def add(self, batch: pa.RecordBatch) -> None:
        super().add(as_stored(batch, self._schema))

    def write(self, table: pa.Table) -> None:
        self._writer.write_table(table, row_group_size=table.num_rows)

    def close(self) -> None:
        self.flush()
        self._writer.close()


class ArrowSink(_Gathered):
    """Arrow IPC, as a file or as a stream."""

    def __init__(self, out: BinaryIO, schema: pa.Schema, *, is_stream: bool) -> None:
        super().__init__()
        self._schema = schema
        self._writer = pa.ipc.new_stream(out, self._plain) if is_stream else pa.ipc.new_file(out, self._plain)

    @property
    def _plain(self) -> pa.Schema:
        """Without dictionaries: they may not change within a file."""
        return pa.schema([field.with_type(_word(field.type)) for field in self._schema])

    def write(self, table: pa.Table) -> None:
        self._writer.write_table(table.cast(self._plain).combine_chunks())

    def close(self) -> None:
        self.flush()
        self._writer.close()


def _word(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
