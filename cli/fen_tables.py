"""Rows about positions: where they stand comes before what is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from chesstools.fen.reading import Positions

    from .positions import Position


def place_record(where: Position) -> dict[str, Any]:
    """A position and where it stands, for JSON."""
    return {"fen": where.fen, "source": where.source, "line": where.line}


def place_schema(schema: pa.Schema) -> pa.Schema:
    """The columns source, line and fen, and those of `schema`."""
    import pyarrow as pa

    return pa.schema([("source", pa.string()), ("line", pa.int64()), ("fen", pa.string()), *schema])


def with_place(part: Positions, columns: pa.RecordBatch) -> pa.RecordBatch:
    """Rows that begin with source, line and fen; the first two are null for arguments."""
    import pyarrow as pa

    count = len(part.lines)
    source = pa.repeat(pa.scalar(part.source or None, pa.string()), count)
    numbers = part.numbers if part.source else pa.nulls(count, pa.int64())
    return pa.RecordBatch.from_arrays([source, numbers, part.lines, *columns.columns], schema=place_schema(columns.schema))
