"""`chesstools ratings`: players by Elo, Glicko-2 or the points system, over a stream of games in the order of dates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from chesstools.errors import OptionError
from chesstools.stores import shown_name

from . import options, ratings_options
from .given import given as given_argument
from .given import opened
from .output import refuse_source_as_output, text_output
from .progress import progress_bar
from .terminal import console, printable

if TYPE_CHECKING:
    from chesstools.ratings import Ratings

FORMATS = ("text", "json", "jsonl", "csv")

EPILOG = """\b
Exit status: 0 rated, whatever the games are like; 2 could not do the job.

\b
Examples:
  chesstools ratings archive.pgn.zst
  chesstools ratings dataset --method elo,glicko2,points -o ratings
  chesstools ratings january.pgn -o ratings --state players.parquet
  chesstools ratings february.pgn -o ratings --state players.parquet
"""


@click.command(epilog=EPILOG, short_help="Rate players: Elo, Glicko-2, a points system.")
@given_argument
@click.option(
    "--method",
    "methods",
    metavar="NAMES",
    multiple=True,
    callback=options.split_commas,
    help="One or more of elo, glicko2 and points (levels from 30 up to 1). Default: elo.",
)
@click.option(
    "-o", "--output", metavar="DIR", help="A folder for the tables: games with ratings before and after, players, findings."
)
@click.option(
    "--state",
    metavar="FILE",
    help="Go on from FILE if it is there, and write it at the end: games can then be rated month by month.",
)
@click.option("--overwrite", is_flag=True, help="Replace the ratings that stand in DIR.")
@click.option(
    "--initial",
    metavar="WHAT",
    multiple=True,
    help="What players begin with: a number, 'tags' (WhiteElo and BlackElo), or a CSV or Parquet file with name and rating; for "
    "one method alone as elo=WHAT. Can be repeated. Default: 1500, and 0 points.",
)
@ratings_options.policy
@ratings_options.rules
@click.option("--top", type=click.IntRange(0), default=20, show_default=True, metavar="N", help="How many players text shows.")
@click.option(
    "--least-games",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Text shows players with so many games.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How players are printed; all formats but text print all of them.",
)
@options.lang
@options.quiet
def ratings(
    given: tuple[str, ...],
    methods: list[str] | None,
    output: str | None,
    state: str | None,
    overwrite: bool,
    initial: tuple[str, ...],
    period: str | None,
    top: int,
    least_games: int,
    form: str,
    profile: str,
    profile_file: str | None,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
    **values: Any,
) -> int:
    """Rate the players of all games in the order of dates (then times, rounds, boards, and as games are given).

    SOURCES are judged first; a DATASET is what 'chesstools ingest' wrote. Games without two named players or a result are not
    counted, and told with their reason (G951).
    """
    from chesstools.ratings import rate

    refuse_source_as_output(output, given)
    refuse_source_as_output(state, given, option="--state")
    chosen = list(dict.fromkeys(methods or ["elo"]))
    settings = ratings_options.settings(click.get_current_context(), chosen, period, values)
    if form != "text" and len(chosen) > 1:
        raise OptionError(f"Each method has its own columns; name one alone with --format {form}, or use --output.")
    with opened(
        given,
        tables=("games",),
        lang=lang,
        quiet=quiet,
        jobs=jobs,
        engine=engine,
        profile=profile,
        profile_file=profile_file,
    ) as found:
        games = sum(dataset.summary.games for dataset in found.datasets)
        with progress_bar(games, lang, quiet=quiet, in_bytes=False) as bar:
            rated = rate(
                found,
                settings,
                initial=initial,
                output=output,
                state=state,
                overwrite=overwrite,
                progress=lambda count: bar.update(count, count),
                keep_games=False,
                threads=jobs,
            )
        _print(rated, form, top, least_games, quiet=quiet, output=output)
        return 2 if found.errors else 0


def _print(rated: Ratings, form: str, top: int, least_games: int, *, quiet: bool, output: str | None) -> None:
    from .ratings_screen import counts_told, show_ratings
    from .tables import table_output

    if form == "text":
        with text_output(None) as out:
            if top:
                show_ratings(console(out), rated, top, least_games)
            out.flush()
    else:
        (players,) = rated.players.values()
        if form != "csv" and "points" in players.column_names:  # JSON has no decimal numbers; all places stand in points_exact
            import pyarrow as pa

            numbers = pa.array([float(value) for value in players["points"].to_pylist()], pa.float64())
            players = players.set_column(players.column_names.index("points"), "points", numbers)
        with table_output(form, None, players.schema) as table:
            for batch in players.to_batches():
                table.write(batch)
    if not quiet:
        click.echo(err=True)
        for line in counts_told(rated.counts):
            click.echo(line, err=True)
        if output is not None:
            click.echo(f"The tables are in {printable(shown_name(output))}.", err=True)
