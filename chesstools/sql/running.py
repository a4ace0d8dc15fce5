"""SQL that is run in a locked database, and its answer, some rows at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chesstools.damage import reading
from chesstools.database import MEMORY_MB, connect
from chesstools.errors import ChesstoolsError, OptionError
from chesstools.openings import add_game_openings, add_named_positions
from chesstools.schema import TABLES
from chesstools.sql import macros
from chesstools.sql.columns import tidy, tidy_schema
from chesstools.sql.errors import sentence
from chesstools.sql.locked import lock, makes_something, statements

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from chesstools.dataset import Dataset

ROWS = 16_384
"""Rows of an answer that are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The columns of an answer, and its rows as they come; they can be read once, while the database is open."""

    schema: pa.Schema
    batches: Iterator[pa.RecordBatch]

    def table(self) -> pa.Table:
        """All rows."""
        import pyarrow as pa

        return pa.Table.from_batches(self.batches, self.schema)


@contextmanager
def answer(
    datasets: Sequence[Dataset],
    sql: str,
    *,
    timeout_s: float | None = None,
    memory_mb: int = MEMORY_MB,
    threads: int | None = None,
) -> Iterator[Answer]:
    """The answer to the last statement of `sql`, in a database that can do nothing else (`chesstools.sql.locked`).

    The views are those tables that all datasets have. SQL with the words named_positions or game_openings in it has the tables
    of these names too (see `chesstools.openings`). A name that two columns have becomes name and name_1.

    Raises OptionError for what is wrong with the SQL, ChesstoolsError where it takes more than `timeout_s` seconds, reading the
    rows included, or more memory than `memory_mb`.

    >>> with answer([], "SELECT material('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1') AS men") as found:
    ...     found.table().to_pylist()
    [{'men': 'KPvK'}]
    """
    parts = statements(sql)
    if makes_something(parts[-1]):
        raise OptionError("The SQL ends without a question; add a SELECT behind it.")
    tables = [table for table in TABLES if all(table in dataset.manifest.tables for dataset in datasets)]
    files = [file for dataset in datasets for table in tables for file in dataset.files(table)]
    with connect(datasets, tables=tables, memory_mb=memory_mb, threads=threads) as connection:
        connection.execute("SET preserve_insertion_order = true")  # who asks for ten games means the first ten
        macros.define(connection)
        with _clear_errors(tables), _limited(connection, timeout_s), reading(datasets):
            if "game_openings" in sql.lower() and {"games", "plies"} <= set(tables):
                add_game_openings(connection)
            elif "named_positions" in sql.lower():
                add_named_positions(connection)
            lock(connection, files)
            before = ""
            for part in parts[:-1]:
                connection.execute(part)
                before += part
            reader = _relation(connection, parts[-1], before, tables).to_arrow_reader(ROWS)
            schema = tidy_schema(reader.schema)
            yield Answer(schema, (tidy(batch, schema) for batch in reader))


def _relation(connection: duckdb.DuckDBPyConnection, query: str, before: str, tables: Sequence[str]) -> duckdb.DuckDBPyRelation:
    """The question, understood but not answered yet: its rows can be streamed."""
    import duckdb

    try:
        return connection.sql(query)
    except duckdb.Error:
        try:
            connection.execute(f"EXPLAIN\n{query}")
        except duckdb.Error as same:  # but this one tells the place
            raise _missing(same, tables) or OptionError(sentence(same, before=before, lines_more=1)) from None
        raise


def _missing(error: Exception, tables: Sequence[str]) -> OptionError | None:
    """What to say where the SQL asks for a table that the dataset lacks."""
    for table in TABLES:
        if table not in tables and f"name {table} does not exist" in str(error):
            return OptionError(f"The dataset has no table {table}; ingest again with --tables {table} among them.")
    return None


@contextmanager
def _limited(connection: duckdb.DuckDBPyConnection, timeout_s: float | None) -> Iterator[None]:
    """Stop what the connection does when the time is up."""
    import duckdb

    over, done = threading.Event(), threading.Event()

    def stop() -> None:
        over.set()
        while not done.is_set():  # one interrupt is lost where it comes between two statements
            connection.interrupt()
            done.wait(0.05)

    timer = threading.Timer(timeout_s, stop) if timeout_s is not None else None
    if timer:
        timer.daemon = True
        timer.start()
    try:
        yield
    except (duckdb.Error, OSError) as error:
        if over.is_set():
            raise ChesstoolsError(f"The SQL took longer than {timeout_s:g} seconds; allow more, or ask for less.") from None
        raise error
    finally:
        done.set()
        if timer:
            timer.cancel()
            timer.join()


@contextmanager
def _clear_errors(tables: Sequence[str]) -> Iterator[None]:
    """What DuckDB says as one sentence of ours."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise ChesstoolsError("The SQL needs more memory than it may take; raise --memory, or ask for less.") from None
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except (duckdb.Error, OSError) as error:
        raise _missing(error, tables) or OptionError(sentence(error)) from None
