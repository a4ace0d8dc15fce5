"""`chesstools query`: SQL over games, plies and findings."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chesstools.errors import OptionError

from . import options, query_help
from .fen_options import TABLES
from .given import opened
from .guard import end, memory_limited
from .output import check_output, refuse_source_as_output, text_output
from .rows_screen import show_rows
from .tables import row_form, table_output
from .terminal import console

if TYPE_CHECKING:
    from chesstools.sql.running import Answer

FORMATS = ("table", *TABLES)
COUNTED = 1_000_000
"""Rows beyond those shown are counted up to this many."""

EPILOG = """\b
Exit status: 0, 2 could not do the job.

\b
Examples:
  chesstools query dataset 'SELECT result, count(*) AS games FROM games GROUP BY result'
  chesstools query dataset --example openings
  chesstools query dataset 'SELECT san, material(final_fen) FROM plies JOIN games USING (source, game_index) WHERE mate'
  chesstools query dataset 'SELECT white, black, ply_count FROM games' -o games.csv
"""


@click.command(epilog=EPILOG, short_help="Ask games, plies and findings by SQL.")
@click.argument("given", nargs=-1, metavar="SOURCE|DATASET... SQL")
@click.option("--example", metavar="NAME", help="Ask this example in place of SQL; without a dataset, print its SQL.")
@click.option("--examples", "listed", flag_value="examples", help="List the examples, and exit.")
@click.option("--macros", "listed", flag_value="macros", help="List the functions for chess, and exit.")
@click.option("--tables", "listed", flag_value="tables", help="List the tables and their columns, and exit.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="How rows are written. Default: what the name of --output says, else table.",
)
@options.output_file
@options.rows
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Give up after so long. Default: never."
)
@click.option(
    "--memory",
    type=click.IntRange(100),
    metavar="MB",
    default=1000,
    show_default=True,
    help="Memory that the SQL may take; what is more goes to a scratch folder.",
)
@options.profile
@options.jobs
@options.engine
@options.lang
@options.quiet
def query(
    given: tuple[str, ...],
    example: str | None,
    listed: str | None,
    form: str | None,
    output: str | None,
    rows: int,
    timeout: float | None,
    memory: int,
    lang: str,
    quiet: bool,
    **judging: Any,
) -> int:
    """Answer SQL over the tables games, plies and findings of datasets and sources.

    The last argument is the SQL (that of DuckDB), a file of it that ends in .sql, or - for standard input. Besides the functions
    of DuckDB there are some for chess (--macros), and the tables game_openings and named_positions. Of several statements the
    last one is answered.

    The SQL may come from anybody: it can read these tables and nothing else, and write nothing. Only SELECT and its like are
    allowed, and CREATE of tables, views and macros that last as long as the query.
    """
    if listed is not None:
        with text_output(None) as out:
            query_help.LISTS[listed](console(out, width=80))
        return 0
    if example is not None and not given:
        from chesstools.sql.examples import example as named

        click.echo(named(example).sql)
        return 0
    names, sql = _asked(given, example)
    refuse_source_as_output(output, names)
    form = row_form(form, output)

    from chesstools.schema import TABLES as ALL_TABLES
    from chesstools.sql.locked import statements
    from chesstools.sql.running import answer

    statements(sql)  # before sources are judged, which may take long
    check_output(output)
    with (
        opened(names, tables=ALL_TABLES, lang=lang, quiet=quiet, **judging) as found,
        memory_limited(memory),
        answer(found.datasets, sql, timeout_s=timeout, memory_mb=memory, threads=judging["jobs"], overtime=end) as rows_found,
    ):
        if form == "table":
            _show(rows_found, output, rows, quiet=quiet)
        else:
            with table_output(form, output, rows_found.schema) as table:
                for batch in rows_found.batches:
                    table.write(batch)
        return 2 if found.errors else 0


def _asked(given: tuple[str, ...], example: str | None) -> tuple[tuple[str, ...], str]:
    """The sources and datasets, and the SQL, which comes last where it is no example."""
    if example is not None:
        from chesstools.sql.examples import example as named

        return given, named(example).sql
    if not given:
        raise OptionError("Name a dataset and give SQL behind it; see 'chesstools query --help'.")
    *names, last = given
    if last == "-":
        if "-" in names:
            raise OptionError("Standard input cannot be both a source and the SQL; give one of them as a file.")
        sql: bytes = sys.stdin.buffer.read()
    elif last.lower().endswith(".sql"):
        sql = _read(last)
    elif os.path.exists(last):
        raise OptionError(f"The SQL is missing; give it behind {last}, or --example NAME.")
    else:
        sql = last.encode("utf-8", "surrogateescape")
    if not names:
        raise OptionError("Name at least one source or dataset before the SQL.")
    try:
        return tuple(names), sql.decode()
    except UnicodeDecodeError:
        raise OptionError("The SQL is not UTF-8 text; convert it first.") from None


def _read(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise OptionError(f"{file} cannot be read ({error.strerror}); check the path.") from None


def _show(found: Answer, output: str | None, most: int, *, quiet: bool) -> None:
    """The first rows, and how many there are."""
    import pyarrow as pa

    shown: list[pa.RecordBatch] = []
    count = 0
    for batch in found.batches:
        if count < most:
            shown.append(batch.slice(0, most - count))
        count += batch.num_rows
        if count >= COUNTED + most:
            break
    with text_output(output) as out:
        show_rows(console(out, width=80), pa.Table.from_batches(shown, found.schema))
    if quiet:
        return
    sys.stdout.flush()
    told = f"{count:,} row{'' if count == 1 else 's'}" if count < COUNTED + most else f"more than {COUNTED:,} rows"
    if count > most:
        told += f", of which {most:,} are shown; --rows N shows more, --output FILE writes all"
    click.echo(f"{told}.", err=True)
