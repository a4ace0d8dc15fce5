"""Tables as files, written as they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Protocol

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from chesstools.folder import Folder
from chesstools.places import written
from chesstools.table_folder import writing

FORMATS = ("parquet", "csv")


class _Writer(Protocol):
    def write_batch(self, batch: pa.RecordBatch) -> None: ...


def write_table(folder: Folder, name: str, batches: pa.RecordBatchReader, form: str, keep: int) -> pa.Table:
    """Write a table as it comes, and return its first `keep` rows. Raises OutputError."""
    path = folder.file(f"{name}.{form}")
    head: list[pa.RecordBatch] = []
    kept = 0
    with writing(path), written(path) as file, _writer(file, batches.schema, form) as writer:
        for batch in batches:
            writer.write_batch(batch)
            if kept < keep:
                head.append(batch.slice(0, keep - kept))
                kept += head[-1].num_rows
    return pa.Table.from_batches(head, batches.schema)


@contextmanager
def _writer(file: IO[bytes], schema: pa.Schema, form: str) -> Iterator[_Writer]:
    if form == "csv":
        with pacsv.CSVWriter(file, schema) as writer:
            yield writer
    else:
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            yield writer
