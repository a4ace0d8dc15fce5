"""Rows as JSON, JSON lines, CSV, Parquet and Arrow, written as they come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from chesstools.errors import OptionError
from chesstools.places import written
from chesstools.stores import shown_name

from .fen_options import BINARY, SUFFIXES, TABLES, chosen_form
from .output import form_of_name, is_stdout, text_output
from .plain_values import has_cells, plain
from .records import dumps
from .terminal import printable

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_IN_A_GROUP = 131_072

JOINTS = {"messages": "; "}
"""What stands between the parts of a list in a cell of CSV; a blank where nothing else is said."""


class JsonWriter:
    """One object a line, or (``json``) a list of them; nothing for ``text``."""

    def __init__(self, form: str) -> None:
        self._before = "[\n" if form == "json" else ""
        self._is_list = form == "json"

    def next(self, record: dict[str, Any]) -> str:
        if not self._is_list:
            return dumps(record) + "\n"
        before, self._before = self._before, ",\n"
        return before + dumps(record)

    def end(self) -> str:
        if not self._is_list:
            return ""
        return "[]\n" if self._before == "[\n" else "\n]\n"


def row_form(form: str | None, output: str | None) -> str:
    """What --format says, else what the name of the file says, else table. Raises OptionError where the name means no format."""
    if form is None and not is_stdout(output) and Path(shown_name(str(output))).suffix.lower() not in SUFFIXES:
        form_of_name(output)
    chosen = chosen_form(form, output, ("table", *TABLES))
    return "table" if chosen == "text" else chosen


@contextmanager
def table_output(form: str, output: str | None, empty: pa.Schema) -> Iterator[TableWriter]:
    """A writer of rows to a file or standard output; a table without rows has the columns of `empty`."""
    with ExitStack() as stack:
        if form not in BINARY:
            writer = TableWriter(form, stack.enter_context(text_output(output)), None, empty)
        elif is_stdout(output):
            writer = TableWriter(form, None, sys.stdout.buffer, empty)
        else:
            writer = TableWriter(form, None, stack.enter_context(written(str(output))), empty)
        try:
            yield writer
            writer.finish()
        except BaseException:
            writer.abandon()
            raise


class TableWriter:
    """Takes record batches; all must have the columns of the first."""

    def __init__(self, form: str, text: TextIO | None, sink: Any, empty: pa.Schema) -> None:
        self._form = form
        self._text = text
        self._sink = sink
        self._empty = empty
        self._json = JsonWriter(form) if form in ("json", "jsonl") else None
        self._schema: pa.Schema | None = None
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0
        self._writer: Any = None

    def write(self, batch: pa.RecordBatch) -> None:
        """Write some rows. Raises OptionError where they have other columns than those before."""
        if self._schema is None:
            self._begin(batch.schema)
        elif not batch.schema.equals(self._schema):
            raise OptionError(
                f"The tables have different columns ({', '.join(self._schema.names)}; {', '.join(batch.schema.names)}); "
                "write them to different files."
            )
        self._waiting.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROWS_IN_A_GROUP or self._text is not None:
            self._flush()

    def finish(self) -> None:
        """Write what is left."""
        if self._schema is None:
            self._begin(self._empty)
        self._flush()
        if self._json is not None and self._text is not None:
            self._text.write(self._json.end())
        if self._writer is not None:
            self._writer.close()

    def abandon(self) -> None:
        """Write no more, not even when this is collected and the file is closed."""
        if self._form == "parquet" and self._writer is not None:
            self._writer.is_open = False

    def _begin(self, schema: pa.Schema) -> None:
        self._schema = schema
        if self._form == "parquet":
            import pyarrow.parquet as pq

            self._writer = pq.ParquetWriter(self._sink, schema, compression="zstd")
        elif self._form == "arrow":
            import pyarrow as pa

            make = pa.ipc.new_stream if self._sink is sys.stdout.buffer else pa.ipc.new_file
            self._writer = make(self._sink, schema)
        elif self._form == "csv":
            self._write_csv(schema.empty_table(), header=True)

    def _flush(self) -> None:
        import pyarrow as pa

        if not self._waiting:
            return
        table = pa.Table.from_batches(self._waiting, self._schema)
        self._waiting, self._rows = [], 0
        if self._text is None:
            self._writer.write_table(table)
        elif self._json is not None:
            self._text.writelines(self._json.next(plain(record)) for record in table.to_pylist())
        else:
            self._write_csv(table, header=False)

    def _write_csv(self, table: pa.Table, *, header: bool) -> None:
        import pyarrow as pa
        from pyarrow import csv

        assert self._text is not None
        flat = {name: _as_cells(name, column) for name, column in zip(table.column_names, table.columns, strict=True)}
        memory = pa.BufferOutputStream()
        options = csv.WriteOptions(include_header=header, quoting_style="needed", quoting_header="needed")
        csv.write_csv(pa.Table.from_pydict(flat), memory, options)
        text = memory.getvalue().to_pybytes().decode()
        # Exact for programs; a terminal gets no control characters.
        self._text.write("\n".join(map(printable, text.split("\n"))) if self._text.isatty() else text)


def _as_cells(name: str, column: pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_list(column.type) and pa.types.is_string(column.type.value_type):
        return pc.binary_join(column, JOINTS.get(name, " "))
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    if not has_cells(column.type):
        values = (plain(value) for value in column.to_pylist())
        return pa.array([value if value is None or isinstance(value, str) else dumps(value) for value in values], pa.string())
    return column
