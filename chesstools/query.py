"""query(): SQL over datasets and archives, in a database that can do nothing but answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from chesstools.database import MEMORY_MB
from chesstools.given import AnyGiven, opened
from chesstools.sql.running import answer

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@overload
def query(
    given: AnyGiven,
    sql: str,
    *,
    arrow: Literal[False] = False,
    timeout_s: float | None = None,
    memory_mb: int = MEMORY_MB,
    jobs: int = 1,
    **judging: Any,
) -> pd.DataFrame: ...


@overload
def query(
    given: AnyGiven,
    sql: str,
    *,
    arrow: Literal[True],
    timeout_s: float | None = None,
    memory_mb: int = MEMORY_MB,
    jobs: int = 1,
    **judging: Any,
) -> pa.Table: ...


def query(
    given: AnyGiven,
    sql: str,
    *,
    arrow: bool = False,
    timeout_s: float | None = None,
    memory_mb: int = MEMORY_MB,
    jobs: int = 1,
    **judging: Any,
) -> pd.DataFrame | pa.Table:
    """The answer to an SQL query over the tables games, plies and findings, as a DataFrame or an Arrow table.

    The SQL may come from anybody: it can read these tables and nothing else, and write nothing (`chesstools.sql.locked`). It has
    the functions that `chesstools.sql.macros.macros` lists besides those of DuckDB. For an answer that does not fit into memory
    use `chesstools.sql.running.answer`, or the command `chesstools query`.

    Args:
        given: datasets, paths of datasets, or sources, which are judged first (`chesstools.given.opened`).
        sql: one or more statements; the last one asks.
        arrow: whether an Arrow table is wanted. Default: a DataFrame, with honest nulls (`chesstools.frames.to_pandas`).
        timeout_s: how many seconds the SQL may take. Default: as long as it takes.
        memory_mb: what it may take of memory, in megabytes, before it goes on in a scratch folder. Both limits are best effort:
            one call of a function on huge values may take more (`chesstools.sql.running.answer`).
        jobs: how many processors judge sources.
        judging: more arguments for `chesstools.ingest`, of sources: profile, profile_file, engine, progress.

    Raises OptionError for what is wrong with the SQL, ChesstoolsError where it takes too long or too much memory, and SourceError
    and DatasetError as `chesstools.ingest` and `Dataset.open`.

    >>> from chesstools.source import Source
    >>> games = Source.from_bytes(b'1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0', "mate.pgn")
    >>> query(games, "SELECT san, role, mate FROM plies WHERE captured IS NOT NULL").to_dict("records")
    [{'san': 'Qxf7#', 'role': 'queen', 'mate': True}]
    """
    with (
        opened(given, jobs=jobs, **judging) as found,
        answer(found.datasets, sql, timeout_s=timeout_s, memory_mb=memory_mb) as rows,
    ):
        table = rows.table()
    if arrow:
        return table
    from chesstools.frames import to_pandas

    return to_pandas(table)
