"""`chesstools openings tree`: games → an opening tree and the opening of every game, as Parquet."""

from __future__ import annotations

from typing import Any

import click

from chesstools.stores import shown_name

from . import options
from .given import given as given_argument
from .given import opened
from .output import refuse_source_as_output, text_output
from .terminal import console

EPILOG = """\b
Exit status: 0 written, whatever the games are like; 2 could not do the job.

\b
Examples:
  chesstools openings tree archive.pgn.zst -o openings
  chesstools openings dataset -o openings --depth 20 --min-games 10 --overwrite
"""


@click.command("tree", epilog=EPILOG, short_help="Write an opening tree and the opening of every game as Parquet.")
@given_argument
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder for the tables; it is made if need be.")
@click.option(
    "--depth",
    type=click.IntRange(0, 250),
    metavar="N",
    default=30,
    show_default=True,
    help="Count positions after up to so many plies, with the moves that were played in them.",
)
@options.min_games(2, "Leave out positions that fewer games passed.")
@options.which_games
@click.option("--overwrite", is_flag=True, help="Replace the tables that stand in DIR.")
@options.lang
@options.quiet
def openings_tree(
    given: tuple[str, ...],
    output: str,
    depth: int,
    min_games: int,
    include_invalid: bool,
    unique: bool,
    overwrite: bool,
    jobs: int,
    lang: str,
    quiet: bool,
    engine: str | None,
    **judging: Any,
) -> int:
    """Count an opening tree keyed by position, and name the opening of every game.

    SOURCES are judged first; a DATASET is what 'chesstools ingest' wrote. Three tables are written: positions and moves (games,
    results, score with a 95 % interval, ratings, performance, years; a position counts once for each game, however the game came
    there), and games: the opening by moves beside the ECO and Opening tags. Columns tell their meaning in the metadata.
    """
    from chesstools.folder import folder_at
    from chesstools.openings.build import write_computed
    from chesstools.openings.computed import computed
    from chesstools.stats.statistic import Options
    from chesstools.table_folder import TableFolder

    refuse_source_as_output(output, given)
    folder = TableFolder(folder_at(output), "openings")
    chosen = Options(include_invalid, unique)
    with (
        folder.prepared(overwrite=overwrite),
        opened(given, tables=("games", "plies"), lang=lang, quiet=quiet, jobs=jobs, engine=engine, **judging) as found,
        computed(found.datasets, chosen, depth=depth, min_games=min_games, engine=engine, threads=jobs) as work,
    ):
        written = write_computed(work, folder)
        if not quiet:
            from .openings_screen import show_written

            with text_output(None) as out:
                show_written(console(out), written, shown_name(output))
        return 2 if found.errors else 0
