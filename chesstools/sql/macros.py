"""What SQL knows of chess: the macros of `macros.toml`, and the functions behind those that SQL cannot express."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from chesstools.elo_expected import EXPECTED_SQL
from chesstools.time_class import class_sql

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_PARTS = (
    """CREATE MACRO _rows(fen) AS replace(replace(replace(replace(replace(replace(replace(replace(split_part(trim(fen), ' ', 1),
    '8', '........'), '7', '.......'), '6', '......'), '5', '.....'), '4', '....'), '3', '...'), '2', '..'), '1', '.')""",
    "CREATE MACRO _count(squares, man) AS length(squares) - length(replace(squares, man, ''))",
    "CREATE MACRO _men(squares, man) AS repeat(man, _count(squares, man))",
)
"""What several macros are made of."""

_SHARED = {"elo_expected": EXPECTED_SQL, "time_class": class_sql("(base_s + 40 * increment_s)")}
"""SQL of macros that statistics use too."""


@dataclass(frozen=True, slots=True)
class Macro:
    """A function for SQL."""

    name: str
    call: str
    """How it is called, with the names of what it takes."""
    meaning: str
    example: str
    """A query that shows it."""
    answer: str
    """The values of the row that the example gives, with a blank between two."""
    sql: str | None = None
    """What it stands for; None for a function in Python."""


@cache
def macros() -> tuple[Macro, ...]:
    """All of them.

    >>> [macro.name for macro in macros()][:3]
    ['fen_key', 'fen_playable', 'fen_squares']
    """
    text = (resources.files("chesstools.sql") / "macros.toml").read_text("utf-8")
    for name, sql in _SHARED.items():
        text = text.replace(f"{{{name}}}", sql)
    return tuple(Macro(name, **fields) for name, fields in tomllib.loads(text).items())


def define(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the macros known to a connection.

    >>> import duckdb
    >>> with duckdb.connect() as connection:
    ...     define(connection)
    ...     connection.sql("SELECT material('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1')").fetchall()
    [('KPvK',)]
    """
    import duckdb

    for part in _PARTS:
        connection.execute(part)
    for macro in macros():
        if macro.sql is not None:
            connection.execute(f"CREATE MACRO {macro.call} AS {macro.sql}")
    text = "VARCHAR"
    opening = duckdb.struct_type({"eco": text, "name": text, "ply": "INTEGER"})
    _function(connection, "fen_key", _fen_key, "UBIGINT")
    _function(connection, "fen_playable", _fen_playable, "BOOLEAN")
    _function(connection, "_opening", _opening, opening)
    connection.execute(
        "CREATE MACRO opening(moves VARCHAR[]) AS _opening(array_to_string(moves, ' ')), (moves VARCHAR) AS _opening(moves)"
    )


def _function(connection: duckdb.DuckDBPyConnection, name: str, work: Callable[[Any], Any], kind: Any) -> None:
    from duckdb.func import FunctionNullHandling, PythonUDFType

    def plain(column):  # type: ignore[no-untyped-def]  # DuckDB would look for the classes that annotations name
        return work(column)

    arrow, nulls = PythonUDFType.ARROW, FunctionNullHandling.SPECIAL
    connection.create_function(name, plain, ["VARCHAR"], kind, type=arrow, null_handling=nulls)


def _fen_key(fens: pa.ChunkedArray) -> pa.Array:
    from chesstools.fen.rows import key_rows

    return key_rows(_texts(fens)).column("position_key")


def _fen_playable(fens: pa.ChunkedArray) -> pa.Array:
    import pyarrow.compute as pc

    from chesstools.fen.rows import check_rows

    texts = _texts(fens)
    return pc.if_else(texts.is_valid(), check_rows(texts)[0].column("playable"), None)


def _opening(texts: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    from chesstools.sql.opening_of_text import opening_of_text

    names = [None if text is None else opening_of_text(text) for text in texts.to_pylist()]
    fields = [("eco", pa.string()), ("name", pa.string()), ("ply", pa.int32())]
    return pa.array([None if name is None else name._asdict() for name in names], pa.struct(fields))


def _texts(column: pa.ChunkedArray) -> pa.StringArray:
    import pyarrow as pa

    return pa.chunked_array(column.chunks, pa.string()).combine_chunks()
