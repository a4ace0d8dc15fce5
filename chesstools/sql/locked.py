"""A database for SQL from anybody: it reads the datasets it was made for and nothing else, and writes nothing.

What keeps it so, each by itself against most attempts:

* Statements are looked at before any is run: those that ask (SELECT and its like), EXPLAIN of such, and CREATE of tables, views
  and macros, which are in memory and go with the connection. No COPY, ATTACH, SET, PRAGMA, CALL, INSTALL and so on.
* DuckDB may open the files of the datasets and its own scratch folder, no other file, no folder, no address in the network.
  What is in a store it gets from `chesstools.store_files`, which knows these files only and cannot write.
* Its settings are locked, no extension is loaded, and variables of the Python program are no tables.
* Memory and scratch space are limited; who asks can set a time (`chesstools.sql.running`).

DuckDB runs in this process. Its makers advise that SQL of an attacker runs in a container as well; see its page on securing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from chesstools.database import text
from chesstools.errors import OptionError
from chesstools.sql.errors import sentence
from chesstools.store_files import name_of

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File

MAX_SCRATCH_GB = 16
"""What a query may take on disk beyond its memory, in gigabytes."""

_MADE = ("TABLE", "VIEW", "MACRO", "FUNCTION")
_ASKS = ("SELECT", "FROM", "WITH", "PIVOT", "UNPIVOT")


def lock(connection: duckdb.DuckDBPyConnection, files: Sequence[File]) -> None:
    """Let a connection read `files` and nothing else from now on. It cannot be unlocked."""
    for setting in (
        f"allowed_paths = [{', '.join(text(name_of(file)) for file in files)}]",
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
    return next(_words(query), ("", 0))[0] == "CREATE"


def _only_asks(query: str, kind: duckdb.StatementType) -> bool:
    import duckdb

    types = duckdb.StatementType
    if kind == types.SELECT:
        return True
    if kind == types.MULTI:  # what PIVOT becomes; COPY of a PIVOT is one too
        return next((word for word, _ in _words(query) if word != "("), "") in _ASKS
    if kind == types.CREATE:
        before = ("CREATE", "OR", "REPLACE", "TEMP", "TEMPORARY")
        return next((word for word, _ in _words(query) if word not in before), "") in _MADE
    if kind == types.EXPLAIN:
        start = next((start for word, start in _words(query) if word not in ("EXPLAIN", "ANALYZE")), 0)
        try:
            (rest,) = duckdb.extract_statements(_encoded(query)[start:].decode())
        except (duckdb.Error, ValueError):
            return False
        return rest.type == types.SELECT
    return False


def _words(query: str) -> Iterator[tuple[str, int]]:
    """The words and signs of a statement in capitals, and the bytes at which they begin; comments are left out.

    DuckDB takes them apart: a pattern of ours would have to know of comments in comments, and never be slow on any of them.

    >>> list(_words("create/* a /* table */ */macro -- SELECT"))
    [('CREATE', 0), ('MACRO', 25)]
    """
    import duckdb

    encoded = _encoded(query)
    tokens = duckdb.tokenize(encoded.decode())
    ends = [*(start for start, _ in tokens[1:]), len(encoded)]
    for (start, kind), end in zip(tokens, ends, strict=True):
        if kind != duckdb.token_type.comment:
            yield encoded[start:end].decode(errors="replace").strip().upper(), start


def _encoded(query: str) -> bytes:
    return query.encode(errors="replace")


def _refusal(query: str) -> OptionError:
    word = next((word for word, _ in _words(query) if word.isidentifier()), "This")
    if word in ("WITH", "EXPLAIN", "CREATE"):
        word = f"What this {word} does"
    return OptionError(f"{word} is not allowed here, only SELECT and its like; results are written by --output.")
