"""Datasets as tables of an embedded database (DuckDB): SQL over games, plies and findings without a server or a copy.

`connect` gives a connection with a view for each table. The rows stay in the Parquet files; DuckDB reads the columns and row
groups that a question needs, within a limit of memory, and puts what does not fit into a scratch folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools import store_files
from chesstools.damage import reading
from chesstools.dataset import Dataset
from chesstools.errors import DatasetError
from chesstools.processors import processors
from chesstools.schema import SCHEMAS, TABLES
from chesstools.scratch import scratch_folder

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File

MEMORY_MB = 1_000
"""What DuckDB may take, in megabytes, before it goes on in the scratch folder."""


@contextmanager
def connect(
    datasets: Sequence[Dataset],
    *,
    tables: Sequence[str] = TABLES,
    memory_mb: int = MEMORY_MB,
    threads: int | None = None,
    further: Sequence[File] = (),
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the views `tables` over all rows of `datasets`, of the columns in `chesstools.schema`.

    The views are joined by (`source`, `game_index`). The database is in memory and goes with the connection.

    Args:
        datasets: may be none: the views are empty then.
        tables: the views to make.
        memory_mb: what DuckDB may take before it goes on in a scratch folder.
        threads: how many processors to use. Default: all that this process may use.
        further: files in stores that SQL may read too (`chesstools.store_files`).

    Raises DatasetError where a dataset lacks one of the tables, or two of them hold the same source.

    >>> with connect([]) as connection:
    ...     connection.sql("SELECT count(*) FROM games").fetchall()
    [(0,)]
    """
    import duckdb

    check_sources(datasets)
    files = {table: [file for dataset in datasets for file in dataset.files(table)] for table in tables}
    with scratch_folder() as scratch:
        connection = duckdb.connect(
            config={
                "memory_limit": f"{memory_mb}MB",
                "threads": threads or processors(),
                "temp_directory": str(scratch),
                "preserve_insertion_order": False,  # else large results are held in memory; who wants an order says so
                "autoinstall_known_extensions": False,  # nothing is ever fetched
                "autoload_known_extensions": False,
            }
        )
        try:
            with _interrupts(), reading(datasets):
                connection.execute("SET enable_progress_bar = false")  # it would stand among the results
                store_files.register(connection, [*further, *(file for parts in files.values() for file in parts)])
                for table, parts in files.items():
                    _make_view(connection, table, parts)
                yield connection
        finally:
            connection.close()


@contextmanager
def _interrupts() -> Iterator[None]:
    """An interrupt while DuckDB works is an interrupt, and not the RuntimeError that DuckDB makes of it."""
    try:
        yield
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from None


def text(value: str | Path) -> str:
    """`value` as a text in SQL, between quotation marks.

    >>> text("O'Kelly")
    "'O''Kelly'"
    """
    return "'" + str(value).replace("'", "''") + "'"


def _make_view(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[File]) -> None:
    if files:
        # A file that is there is itself, also where its folder is called [1]; only other names are patterns.
        names = ", ".join(text(store_files.name_of(file)) for file in files)
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet([{names}])")
    else:
        connection.from_arrow(SCHEMAS[table].empty_table()).create(table)


def check_sources(datasets: Sequence[Dataset]) -> None:
    """See that no source is there twice: its games would count twice, and joins could not tell them apart.

    Raises DatasetError.
    """
    places: dict[str, Path | str] = {}
    for dataset in datasets:
        for entry in dataset.manifest.sources:
            if entry.name in places:
                raise DatasetError(
                    f"{places[entry.name]} and {dataset.path} both hold the source {entry.name}; give one of them only."
                )
            places[entry.name] = dataset.path
