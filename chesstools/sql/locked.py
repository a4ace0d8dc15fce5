"""A database for SQL from anybody: it reads the datasets it was made for and nothing else, and writes nothing.

What keeps it so, each by itself against most attempts:

* Statements are looked at before any is run: those that ask (SELECT and its like), EXPLAIN of such, and CREATE of tables, views
  and macros, which are in memory and go with the connection. No COPY, ATTACH, SET, PRAGMA, CALL, INSTALL and so on.
* DuckDB may open the files of the datasets and its own scratch folder, no other file, no folder, no address in the network.
* Its settings are locked, no extension is loaded, and variables of the Python program are no tables.
* Memory and scratch space are limited; who asks can set a time (`chesstools.sql.running`).

DuckDB runs in this process. Its makers advise that SQL of an attacker runs in a container as well; see its page on securing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chesstools.database import text
from chesstools.errors import OptionError
from chesstools.sql.errors import sentence

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

MAX_SCRATCH_GB = 16
"""What a query may take on disk beyond its memory, in gigabytes."""

_BLANK = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_EXPLAIN = re.compile(rf"{_BLANK}EXPLAIN\b{_BLANK}(?:ANALYZE\b{_BLANK})?", re.IGNORECASE | re.DOTALL)
_CREATE = re.compile(
    rf"{_BLANK}CREATE{_BLANK}(?:OR{_BLANK}REPLACE\b{_BLANK})?(?:TEMP(?:ORARY)?\b{_BLANK})?(?:TABLE|VIEW|MACRO|FUNCTION)\b",
    re.IGNORECASE | re.DOTALL,
)
_ASKS = re.compile(rf"{_BLANK}\(*{_BLANK}(?:SELECT|FROM|WITH|PIVOT|UNPIVOT)\b", re.IGNORECASE | re.DOTALL)
_FIRST_WORD = re.compile(rf"{_BLANK}(\w+)", re.DOTALL)


def lock(connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> None:
    """Let a connection read `files` and nothing else from now on. It cannot be unlocked."""
    for setting in (
        f"allowed_paths = [{', '.join(text(file) for file in files)}]",
        f"max_temp_directory_size = '{MAX_SCRATCH_GB}GB'",
        "python_enable_replacements = false",
        "allow_community_extensions = false",
        "allow_unsigned_extensions = false",
        "allow_persistent_secrets = false",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def statements(sql: str) -> list[str]:
    """The statements of a text, in order, none of which does more than ask.

    Raises OptionError where one does, where there is none, and where the text is no SQL.

    >>> statements("CREATE TABLE best AS FROM games; SELECT count(*) FROM best;")
    ['CREATE TABLE best AS FROM games;', ' SELECT count(*) FROM best;']
    >>> statements("COPY games TO 'games.csv'")
    Traceback (most recent call last):
        ...
    chesstools.errors.OptionError: COPY is not allowed here, only SELECT and its like; results are written by --output.
    """
    import duckdb

    try:
        found = duckdb.extract_statements(sql)
        kinds = [statement.type for statement in found]
    except duckdb.Error as error:
        raise OptionError(sentence(error)) from None
    except ValueError:  # a kind of statement that Python has no name for
        raise _refusal(sql) from None
    if not found:
        raise OptionError("There is no SQL to run; give a query such as 'SELECT count(*) FROM games'.")
    for statement, kind in zip(found, kinds, strict=True):
        if not _only_asks(statement.query, kind):
            raise _refusal(statement.query)
    return [statement.query for statement in found]


def makes_something(query: str) -> bool:
    """Whether a statement is a CREATE, which answers nothing."""
    return _CREATE.match(query) is not None


def _only_asks(query: str, kind: duckdb.StatementType) -> bool:
    import duckdb

    types = duckdb.StatementType
    if kind == types.SELECT:
        return True
    if kind == types.MULTI:  # what PIVOT becomes; COPY of a PIVOT is one too
        return _ASKS.match(query) is not None
    if kind == types.CREATE:
        return makes_something(query)
    if kind == types.EXPLAIN and (start := _EXPLAIN.match(query)):
        try:
            (rest,) = duckdb.extract_statements(query[start.end() :])
        except (duckdb.Error, ValueError):
            return False
        return rest.type == types.SELECT
    return False


def _refusal(query: str) -> OptionError:
    first = _FIRST_WORD.match(query)
    word = first[1].upper() if first else "This"
    if word in ("WITH", "EXPLAIN", "CREATE"):
        word = f"What this {word} does"
    return OptionError(f"{word} is not allowed here, only SELECT and its like; results are written by --output.")
