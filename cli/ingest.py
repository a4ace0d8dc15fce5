"""`chesstools ingest`: sources → a folder of Parquet, and an account of what is in it."""

from __future__ import annotations

import click

from chesstools.stores import shown_name

from . import options
from .cluster import joined, only_on_cluster, tell_whole
from .engine import chosen_engine
from .output import text_output
from .overview import dataset_summary
from .progress import progress_bar, stored_bytes
from .terminal import console
from .validate import tell_errors
from .words import Words

EPILOG = """\b
Exit status: 0 written, whatever the games are like; 2 could not do the job.

\b
Examples:
  chesstools ingest archive.pgn.zst -o dataset
  chesstools ingest 'twic/*.zip' -o dataset --tables games,findings
  chesstools ingest archive.pgn.zst -o dataset --cluster local:2
"""


@click.command(epilog=EPILOG, short_help="Write games, plies and findings as typed Parquet.")
@click.argument("sources", nargs=-1, metavar="SOURCES...")  # with --without-missing all may be missing
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder of the dataset, or its URI (s3://bucket/folder).")
@click.option(
    "--tables",
    metavar="NAMES",
    multiple=True,
    callback=options.split_commas,
    help="Which of games, plies and findings to write. Default: all three.",
)
@options.also
@click.option("--overwrite", is_flag=True, help="Replace the dataset that stands in DIR.")
@click.option(
    "--without-missing",
    is_flag=True,
    help="Finish an unfinished dataset although sources that it was begun with are missing now; what was read of them stays.",
)
@options.profile
@options.unwinnable
@options.jobs
@options.cluster
@options.stretch
@options.engine
@options.lang
@options.quiet
def ingest(
    sources: tuple[str, ...],
    output: str,
    tables: list[str] | None,
    also: list[str] | None,
    overwrite: bool,
    without_missing: bool,
    profile: str,
    profile_file: str | None,
    unwinnable: str,
    nodes: int | None,
    jobs: int,
    cluster: str | None,
    stretch: int | None,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Judge every game in SOURCES and write games, plies and findings as typed Parquet.

    The dataset can be read at every moment. A run that was stopped, or could not read something, goes on behind its last
    finished part (a source, or 50,000 games of a large one) when the same command is given again, and ends in the same rows.
    Bad games are kept, with their findings beside them.

    With --cluster, workers judge stretches of the sources, which must have the same names on all machines, and so must DIR.
    """
    only_on_cluster(cluster, stretch=stretch)
    from chesstools.dataset import STRETCH_BYTES
    from chesstools.dataset import ingest as run
    from chesstools.folder import folder_at
    from chesstools.schema import TABLES
    from chesstools.source import find_sources

    wanted = tuple(tables) if tables else TABLES
    found = find_sources(sources) if sources or not without_missing else []
    judged_by = chosen_engine(engine, quiet=quiet)
    words = Words(lang)
    with (
        progress_bar(stored_bytes(found), lang, quiet=quiet, on_cluster=cluster is not None) as bar,
        joined(cluster, words, quiet=quiet, tell=bar.tasks, say=bar.say) as workers,
    ):
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
                without_missing=without_missing,
                jobs=jobs,
                progress=bar.update,
                raise_source_errors=False,
                engine=judged_by,
                cluster=workers,
                stretch_bytes=stretch or STRETCH_BYTES,
                failed=bar.complain,
            )
        except KeyboardInterrupt:
            again = "the same command without --overwrite" if overwrite else "the same command again"
            raise KeyboardInterrupt(
                f"Interrupted; the finished parts are in {shown_name(output)}, and {again} goes on from there."
            ) from None
    if not quiet:
        tell_whole(summary.whole, words)
        with text_output(None) as out:
            dataset_summary(console(out), summary, folder_at(output), wanted, words)
    errors = [source.error for source in summary.sources if source.error]
    tell_errors(error for error in errors if error not in bar.complained)  # on a cluster it was told as it came
    if summary.is_unfinished:
        click.echo(words("not_finished"), err=True)
    return 2 if errors else 0
