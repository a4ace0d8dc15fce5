"""One part of a dataset while it is written: a Parquet file for each table, under temporary names until all are whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa
import pyarrow.parquet as pq

from chesstools.folder import Folder
from chesstools.lanes import Lane
from chesstools.manifest import Part
from chesstools.schema import SCHEMA_VERSION, SCHEMAS
from chesstools.stored import as_stored, layout, metadata, stored_schema

ROW_GROUP_ROWS = 1 << 17
ROW_GROUP_BYTES = 32 << 20
"""A row group is written as soon as it has as many, so memory stays flat. (Bytes as in Arrow, before compression.)"""


def file_schema(table: str, *, tool_version: str, profile: str) -> pa.Schema:
    """The schema of a part file: that of the table, with who wrote it in the metadata of the file."""
    about = {"chesstools.version": tool_version, "chesstools.schema_version": str(SCHEMA_VERSION)}
    return SCHEMAS[table].with_metadata(about | {"chesstools.table": table, "chesstools.profile": profile})


def file_schemas(tables: Iterable[str], *, tool_version: str, profile: str) -> dict[str, pa.Schema]:
    """The schema of the part files of each table."""
    return {table: file_schema(table, tool_version=tool_version, profile=profile) for table in tables}


class PartWriter:
    """Takes batches of rows and makes one part of them.

    Call `finish` when it is full, or `abort` to leave nothing behind. Every error of the system is a DatasetError. Rows of a
    table are written in its lane, so that some errors are raised by a later call.
    """

    def __init__(self, folder: Folder, name: str, schemas: Mapping[str, pa.Schema], lanes: Mapping[str, Lane]) -> None:
        self.name = name
        self._folder = folder
        self._lanes = lanes
        self._files: dict[str, _TableFile] = {}
        try:
            for table, schema in schemas.items():
                self._files[table] = _TableFile(folder, table, name, schema)
        except BaseException:
            self.abort()
            raise

    def add(self, batches: Mapping[str, pa.RecordBatch]) -> None:
        """Add rows to each table."""
        for table, file in self._files.items():
            self._lanes[table].do(file.add, batches[table])

    def finish(self) -> Part:
        """Close the files, wait until nothing of them can be lost, and give them their names.

        Raises DatasetError where another run has come meanwhile, of which nothing is replaced.
        """
        for table, file in self._files.items():
            self._lanes[table].do(file.close)
        for table in self._files:
            self._lanes[table].wait()
        self._folder.check_claim()
        part = Part(self.name, rows={}, bytes={})
        for table, file in self._files.items():
            part.rows[table] = file.rows
            part.bytes[table] = file.publish()
        return part

    def abort(self) -> None:
        """Close the files and remove them. Raises nothing."""
        for table, file in self._files.items():
            self._lanes[table].drop()
            file.abort()


class _TableFile:
    def __init__(self, folder: Folder, table: str, name: str, schema: pa.Schema) -> None:
        self.rows = 0
        self._schema = stored_schema(table)
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_rows = self._waiting_bytes = 0
        self._file = folder.create(f"{table}/{name}")
        try:
            with self._file.telling():
                # Arrow must not open the file itself: only so can it be closed for certain after an error.
                self._writer = pq.ParquetWriter(self._file.out, self._schema, **layout(table, schema))
                self._writer.add_key_value_metadata(metadata(schema))
        except BaseException:
            self._file.abort()
            raise

    def add(self, batch: pa.RecordBatch) -> None:
        self._waiting.append(as_stored(batch, self._schema))
        self._waiting_rows += batch.num_rows
        self._waiting_bytes += batch.nbytes
        if self._waiting_rows >= ROW_GROUP_ROWS or self._waiting_bytes >= ROW_GROUP_BYTES:
            with self._file.telling():
                self._write()

    def close(self) -> None:
        with self._file.telling():
            if self._waiting_rows:
                self._write()
            self._writer.close()
        self._file.close()

    def publish(self) -> int:
        return self._file.publish()

    def abort(self) -> None:
        self._writer.is_open = False  # or it would try to write its footer when it is collected
        self._file.abort()

    def _write(self) -> None:
        table = pa.Table.from_batches(self._waiting).unify_dictionaries()
        rows, self._waiting, self._waiting_rows, self._waiting_bytes = self._waiting_rows, [], 0, 0
        self._writer.write_table(table, row_group_size=rows)
        self.rows += rows
