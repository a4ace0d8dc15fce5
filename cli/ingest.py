"""`chesstools ingest`: sources → a folder of Parquet, and an account of what is in it."""

from __future__ import annotations

from pathlib import Path

import click

from . import options
from .engine import chosen_engine
from .output import text_output
from .overview import dataset_summary
from .progress import progress_bar
from .terminal import console
from .validate import report_source_errors
from .words import Words

EPILOG = """\b
Exit status: 0 written, whatever the games are like; 2 could not do the job.

\b
Examples:
  chesstools ingest archive.pgn.zst -o dataset
  chesstools ingest 'twic/*.zip' -o dataset --tables games,findings
"""


@click.command(epilog=EPILOG, short_help="Write games, plies and findings as typed Parquet.")
@options.sources
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder of the dataset; it is made if need be.")
@click.option(
    "--tables",
    metavar="NAMES",
    multiple=True,
    callback=options.split_commas,
    help="Which of games, plies and findings to write. Default: all three.",
)
@options.also
@click.option("--overwrite", is_flag=True, help="Replace the dataset that stands in DIR.")
@options.profile
@options.unwinnable
@options.jobs
@options.engine
@options.lang
@options.quiet
def ingest(
    sources: tuple[str, ...],
    output: str,
    tables: list[str] | None,
    also: list[str] | None,
    overwrite: bool,
    profile: str,
    profile_file: str | None,
    unwinnable: str,
    nodes: int | None,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Judge every game in SOURCES and write games, plies and findings as typed Parquet.

    The dataset can be read at every moment. A run that was stopped goes on behind its last finished part (a source, or
    50,000 games of a large one) when the same command is given again, and ends in the same rows. Bad games are kept, with
    their findings beside them.
    """
    from chesstools.dataset import ingest as run
    from chesstools.schema import TABLES
    from chesstools.source import find_sources

    wanted = tuple(tables) if tables else TABLES
    found = find_sources(sources)
    judged_by = chosen_engine(engine, quiet=quiet)
    sizes = [source.size for source in found]
    with progress_bar(None if None in sizes else sum(size or 0 for size in sizes), lang, quiet=quiet) as bar:
        try:
            summary = run(
                found,
                output,
                tables=wanted,
                profile=profile,
                profile_file=profile_file,
                unwinnable=unwinnable,
                nodes=nodes,
                also=also,
                overwrite=overwrite,
                jobs=jobs,
                progress=bar.update,
                raise_source_errors=False,
                engine=judged_by,
            )
        except KeyboardInterrupt:
            again = "the same command without --overwrite" if overwrite else "the same command again"
            raise KeyboardInterrupt(f"Interrupted; the finished parts are in {output}, and {again} goes on from there.") from None
    if not quiet:
        with text_output(None) as out:
            dataset_summary(console(out), summary, Path(output), wanted, Words(lang))
    return 2 if report_source_errors(summary) else 0
