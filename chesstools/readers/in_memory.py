"""Tables of games that stand in memory, as sources."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import pyarrow as pa

from chesstools.errors import OptionError
from chesstools.source import Source


@runtime_checkable
class ArrowTable(Protocol):
    """A table or a column in memory: of Arrow, pandas, polars, or of what else knows the Arrow interface.

    An Arrow array is one too, though it knows another part of the interface.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def table_source(given: Any) -> Source:
    """A table, or a column of PGN text, as a source: an Arrow stream in memory. Which columns are read docs/formats.md tells.

    >>> source = table_source(pa.table({"White": ["Ann"], "moves": ["e4 e5"]}))
    >>> source.name, b"".join(source.open())[:4]
    ('<table>', b'\\xff\\xff\\xff\\xff')

    Raises OptionError for a column that is not of texts.
    """
    table = _table(given)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return Source.from_bytes(sink.getvalue().to_pybytes(), "<table>")


def _table(given: Any) -> pa.Table:
    if isinstance(given, pa.Array | pa.ChunkedArray) or type(given).__name__ == "Series":
        from chesstools.fen.columns import Column

        return pa.table({"pgn": Column(given, "Games").texts})
    try:
        return pa.table(given)
    except (TypeError, pa.ArrowInvalid) as error:
        raise OptionError(f"{type(given).__name__} is no table of games: {error}") from None
