"""Columns of an answer in types that every reader of tables knows, under names that differ."""

from __future__ import annotations

import pyarrow as pa

from chesstools.errors import OptionError


def tidy_schema(schema: pa.Schema) -> pa.Schema:
    """The columns as they are told to users.

    Sums of whole numbers, 128 bits wide in DuckDB, become 64 bits; intervals become text; of columns with the same name all but
    the first get a number.

    >>> tidy_schema(pa.schema([("n", pa.decimal128(38, 0)), ("n", pa.int8())]))
    n: int64
    n_1: int8
    """
    taken: set[str] = set(schema.names)
    used: set[str] = set()
    fields = []
    for field in schema:
        name, number = field.name, 0
        while name in used or (number and name in taken):
            number += 1
            name = f"{field.name}_{number}"
        used.add(name)
        fields.append(pa.field(name, _kind(field.type)))
    return pa.schema(fields)


def tidy(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Rows in the types of `tidy_schema`. Raises OptionError for a number that has more than 64 bits."""
    columns = [_converted(column, field) for column, field in zip(batch.columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _kind(kind: pa.DataType) -> pa.DataType:
    if kind == pa.decimal128(38, 0):
        return pa.int64()
    return pa.string() if kind == pa.month_day_nano_interval() else kind


def _converted(column: pa.Array, field: pa.Field) -> pa.Array:
    if column.type == field.type:
        return column
    if column.type == pa.month_day_nano_interval():
        return pa.array([None if value is None else _interval(*value) for value in column.to_pylist()], pa.string())
    try:
        return column.cast(field.type)
    except pa.ArrowInvalid:
        name = field.name
        raise OptionError(
            f"The column {name} has whole numbers of more than 64 bits; write {name}::DOUBLE or {name}::VARCHAR."
        ) from None


def _interval(months: int, days: int, nanoseconds: int) -> str:
    """``1 month 2 days 3.5 s``"""
    parts = []
    if months:
        parts.append(f"{months} month{'s' if abs(months) != 1 else ''}")
    if days:
        parts.append(f"{days} day{'s' if abs(days) != 1 else ''}")
    if nanoseconds or not parts:
        parts.append(f"{nanoseconds / 1e9:.6f}".rstrip("0").rstrip(".") + " s")
    return " ".join(parts)
