"""`chesstools report`: one page about an archive that a person enjoys."""

from __future__ import annotations

import os
from pathlib import Path

import click

from chesstools.errors import OptionError
from chesstools.stores import shown_name

from . import options
from .given import given, opened
from .output import check_output, is_stdout, refuse_source_as_output
from .progress import waiting
from .terminal import printable

EPILOG = """\b
Exit status: 0 written, whatever the games are like; 2 could not do the job.

\b
Examples:
  chesstools report archive.pgn.zst -o report.html
  chesstools report dataset -o report.html --png pictures --title 'Our club, 1990 to 2024' --unique
"""


@click.command(epilog=EPILOG, short_help="Make a page about an archive: quality, results, players.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    help="The page (HTML; packed if it ends in .gz), or - for stdout; its folder is made if need be.",
)
@click.option("--png", metavar="DIR", help="Write the plots too, each as PNG and SVG, to this folder; it is made if need be.")
@click.option("--title", metavar="TEXT", help="The heading. Default: the name of the source, or how many there are.")
@options.which_games
@given
@options.lang
@options.quiet
def report(
    given: tuple[str, ...],
    output: str,
    png: str | None,
    title: str | None,
    include_invalid: bool,
    unique: bool,
    profile: str,
    profile_file: str | None,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Make one HTML page about games: what the archive is, its quality, its results, its openings and players.

    SOURCE is anything that can be read (PGN files, folders, globs, -), DATASET a folder that 'chesstools ingest' wrote. The page
    is one file that needs no network: it can be kept, sent and printed.

    Needs the extra report: pip install 'chesstools-pgn[report]'.
    """
    from chesstools.places import files_only
    from chesstools.report import need_extra, of_given
    from chesstools.schema import TABLES
    from chesstools.table_folder import writing

    need_extra()
    refuse_source_as_output(output, given)
    refuse_source_as_output(png, given, option="--png")
    if title is not None and not title.strip():
        raise OptionError("The title is empty; leave --title out to have the name of the source.")
    check_output(output, folders=True)
    files_only(png, "pictures")
    if png is not None:
        with writing(Path(png)):
            Path(png).mkdir(parents=True, exist_ok=True)
        check_output(os.path.join(png, "picture.png"))
    with (
        opened(
            given, tables=TABLES, lang=lang, quiet=quiet, jobs=jobs, engine=engine, profile=profile, profile_file=profile_file
        ) as found,
        waiting("Counting", quiet=quiet),
    ):
        made = of_given(found, title=title, include_invalid=include_invalid, unique=unique, threads=jobs)
    made.save(output)
    with waiting("Drawing pictures", quiet=quiet):
        pictures = list(made.save_pictures(png)) if png is not None else []
    if not quiet:
        if not is_stdout(output):
            click.echo(
                f"{printable(shown_name(output))}: {len(made.html.encode()) / 1e6:.1f} MB; open it in any browser.", err=True
            )
        if png is not None:
            click.echo(f"{printable(png)}: {len(pictures):,} pictures.", err=True)
    return 2 if found.errors else 0
