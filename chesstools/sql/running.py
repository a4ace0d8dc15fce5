"""SQL that is run in a locked database, and its answer, some rows at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
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


OVERTIME_S = 1.0
"""How long after its time an answer may still be on the way to its end before `overtime` is called."""

NO_ROOM = "There is no room for what does not fit into memory; free some space, or name another folder in TMPDIR."


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
    overtime: Callable[[str], None] | None = None,
) -> Iterator[Answer]:
    """The answer to the last statement of `sql`, in a database that can do nothing else (`chesstools.sql.locked`).

    The views are those tables that all datasets have. SQL with the words named_positions or game_openings in it has the tables
    of these names too (see `chesstools.openings`). A name that two columns have becomes name and name_1.

    Raises OptionError for what is wrong with the SQL, ChesstoolsError where it takes more than `timeout_s` seconds, reading the
    rows included, or more memory than `memory_mb`. Both limits are best effort: DuckDB looks at the clock between pieces of work,
    not inside of one call of a function, and does not count every text and list that a function makes. `overtime` is for those
    who can end the process: where a call goes on a second after the time is up, it is called, from another thread, with what
    the error would have said. A limit of the process's memory is for its owner to set.

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
        with _clear_errors(tables), _limited(connection, timeout_s, overtime) as finished, reading(datasets):
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
            yield Answer(schema, _batches(reader, schema, finished))


def _batches(reader: pa.RecordBatchReader, schema: pa.Schema, finished: threading.Event) -> Iterator[pa.RecordBatch]:
    for batch in reader:
        yield tidy(batch, schema)
    finished.set()  # what is done with the rows from here on has all the time it wants


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
    lacking = [table for table in TABLES if table not in tables]
    for table in lacking:
        if f"name {table} does not exist" in str(error):
            return OptionError(f"The dataset has no table {table}; ingest again with --tables {table} among them.")
    if "name game_openings does not exist" in str(error) and (needed := [table for table in lacking if table != "findings"]):
        return OptionError(f"game_openings needs the table {needed[0]}; ingest again with --tables {needed[0]} among them.")
    return None


@contextmanager
def _limited(
    connection: duckdb.DuckDBPyConnection, timeout_s: float | None, overtime: Callable[[str], None] | None
) -> Iterator[threading.Event]:
    """Stop what the connection does when the time is up, unless the event is set before; see `answer` for `overtime`."""
    import duckdb

    over, done = threading.Event(), threading.Event()
    too_long = f"The SQL took longer than {timeout_s or 0:g} seconds; allow more, or ask for less."

    def stop() -> None:
        if done.is_set():
            return
        over.set()
        late = time.monotonic() + OVERTIME_S
        while not done.is_set():  # one interrupt is lost where it comes between two statements
            connection.interrupt()
            done.wait(0.05)
            if overtime is not None and time.monotonic() > late and not done.is_set():
                overtime(too_long)
                return

    timer = threading.Timer(timeout_s, stop) if timeout_s is not None else None
    if timer:
        timer.daemon = True
        timer.start()
    try:
        yield done
    except (duckdb.Error, OSError) as error:
        if over.is_set() and not _is_of_system(error):
            raise ChesstoolsError(too_long) from None
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
    except (duckdb.OutOfMemoryException, MemoryError):
        raise ChesstoolsError("The SQL needs more memory than it may take; raise --memory, or ask for less.") from None
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except (duckdb.Error, OSError) as error:
        if _is_of_system(error):
            raise
        if "No space left" in str(error):
            raise ChesstoolsError(NO_ROOM) from None
        raise _missing(error, tables) or OptionError(sentence(error)) from None


def _is_of_system(error: Exception) -> bool:
    """Whether it is about a place where rows are written to, such as a full disk. What DuckDB says through Arrow has none."""
    return isinstance(error, OSError) and error.errno is not None
