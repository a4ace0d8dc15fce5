"""What the ECO tag of a game says: one answer for statistics, openings and searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

PATTERN = r"^\s*([A-Ea-e][0-9][0-9])(?:[a-z][0-9]*|/[0-9]+)?\s*$"
"""A letter from A to E and two digits, in either case. What makes a code finer is left out: the letters of Scid (B20a, B12w2),
and the number behind a stroke of the PGN standard (B20/01). Anything else is no code."""


def code_sql(column: str = "eco") -> str:
    """SQL of the code in a column of tags, in capitals; null where there is none.

    >>> import duckdb
    >>> tags = "(VALUES ('b20'), (' B20a '), ('B20/01'), ('B2'), ('B201'))"
    >>> [code for (code,) in duckdb.sql(f"SELECT {code_sql('tag')} FROM {tags} AS tags(tag)").fetchall()]
    ['B20', 'B20', 'B20', None, None]
    """
    return f"nullif(upper(regexp_extract({column}, '{PATTERN}', 1)), '')"


def codes(tags: pa.ChunkedArray) -> pa.ChunkedArray:
    """The codes in a column of tags, in capitals; null where there is none.

    >>> import pyarrow as pa
    >>> codes(pa.chunked_array([["b20", " B20a ", "B20/01", "B2", "B201", None]])).to_pylist()
    ['B20', 'B20', 'B20', None, None, None]
    """
    import pyarrow.compute as pc

    return pc.utf8_upper(pc.struct_field(pc.extract_regex(tags, PATTERN.replace("(", "(?P<code>", 1)), "code"))
