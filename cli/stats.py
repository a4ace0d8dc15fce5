"""`chesstools stats`: games → a folder of tables with documented columns, and the important ones on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from chesstools.stores import shown_name

from . import options
from .cluster import joined, only_on_cluster
from .given import OnCluster, Told, opened
from .given import given as given_argument
from .output import refuse_source_as_output, text_output
from .progress import progress_bar
from .terminal import console, printable
from .words import Words

if TYPE_CHECKING:
    from chesstools.stats.shares.place import Place

EPILOG = """\b
Exit status: 0 written, whatever the games are like; 2 could not do the job.

\b
Examples:
  chesstools stats archive.pgn.zst -o statistics
  chesstools stats dataset -o statistics --overwrite --unique
  chesstools stats dataset -o years --tables outcomes,outcomes_by_year --format csv
  chesstools stats archive.pgn.zst -o statistics --overwrite --cluster local:2
"""


def list_them(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print name and title of every statistic, and be done."""
    if not wanted or ctx.resilient_parsing:
        return
    from chesstools.stats.registry import FAMILIES

    for family, statistics in FAMILIES.items():
        click.echo(family)
        for statistic in statistics:
            click.echo(f"  {statistic.name:32}  {statistic.title}")
    ctx.exit()


@contextmanager
def _going_on(place: Place | None) -> Iterator[None]:
    """Say after an interrupt that a cluster has kept what it has done."""
    try:
        yield
    except KeyboardInterrupt:
        if place is None:
            raise
        what = f"what is done so far is in {printable(str(place))}, and the same command again goes on from there."
        raise KeyboardInterrupt(f"Interrupted; {what}") from None


@click.command(epilog=EPILOG, short_help="Statistics of games: outcomes, openings, players, quality.")
@given_argument
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder for the tables; it is made if need be.")
@click.option(
    "--tables",
    metavar="NAMES",
    multiple=True,
    callback=options.split_commas,
    help="Which statistics to make ('--list' names them). Default: all.",
)
@options.which_games
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "csv"]),
    default="parquet",
    show_default=True,
    help="What the tables are written as.",
)
@click.option("--overwrite", is_flag=True, help="Replace the statistics that stand in DIR.")
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=list_them, help="List all statistics and exit.")
@options.cluster
@click.option(
    "--scratch",
    metavar="PLACE",
    help="With --cluster: a folder, or its URI in a store, for what the workers pass on to each other. Default: in DIR.",
)
@options.lang
@options.quiet
def stats(
    given: tuple[str, ...],
    output: str,
    tables: list[str] | None,
    include_invalid: bool,
    unique: bool,
    form: str,
    overwrite: bool,
    jobs: int,
    cluster: str | None,
    scratch: str | None,
    lang: str,
    quiet: bool,
    **judging: Any,
) -> int:
    """Compute statistics of games and write each as a table with documented columns.

    SOURCES are judged first; a DATASET is what 'chesstools ingest' wrote. Every table says in its metadata, and the table
    left_out says for all, how many games were left out and why.

    With --cluster, workers judge SOURCES and compute shares of the datasets. All must have the same names on all machines, and so
    must DIR or PLACE. The same command goes on where a run was stopped.
    """
    only_on_cluster(cluster, scratch=scratch)
    from chesstools.folder import folder_at
    from chesstools.stats import computation_for, kept_for, write_computed
    from chesstools.stats.run import tables_of
    from chesstools.stats.statistic import Options
    from chesstools.table_folder import TableFolder

    refuse_source_as_output(output, given)
    needed = tables_of(tables)
    folder = TableFolder(folder_at(output), "statistics")
    told = Told()
    with (
        folder.prepared(overwrite=overwrite),
        joined(cluster, Words(lang), quiet=quiet, tell=told) as workers,
        kept_for(folder, workers, scratch) as place,
        _going_on(place),
        opened(
            given,
            tables=needed,
            lang=lang,
            quiet=quiet,
            jobs=jobs,
            on_cluster=OnCluster(workers, place.room, told) if workers is not None and place is not None else None,
            **judging,
        ) as found,
        progress_bar(
            sum(one.summary.games for one in found.datasets), lang, quiet=quiet, in_bytes=False, on_cluster=cluster is not None
        ) as bar,
        told.to(bar),
        computation_for(
            found.datasets, Options(include_invalid, unique), tables, workers, place, threads=jobs, progress=bar.update
        ) as work,
    ):
        bar.close()
        from .stats_screen import ROWS, show_statistics

        written = write_computed(work, folder, form, keep=ROWS)
        for name, table in written.skipped.items():
            click.echo(f"chesstools: {name} was not made: a dataset has no table {table}.", err=True)
        if not quiet:
            with text_output(None) as out:
                show_statistics(console(out), written, named=tables is not None)
                count = len(written.heads) - 1
                tables_words = f"{count} table{'' if count == 1 else 's'} and left_out in {printable(shown_name(output))};"
                out.write(f"\n{tables_words}\ndocs/statistics.md tells what their columns mean.\n")
        return 2 if found.errors else 0
