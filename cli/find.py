"""`chesstools find`: the games in which a position, a pattern, material or a pawn structure stood."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chesstools.stores import shown_name

from . import options
from .fen_options import TABLES
from .given import given, opened
from .output import check_output, is_stdout, refuse_source_as_output, text_output
from .rows_screen import show_rows
from .tables import row_form, table_output
from .terminal import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from chesstools.dataset import Dataset
    from chesstools.find import Count

FORMATS = ("table", *TABLES, "pgn")
SHOWN = ("source", "line", "white", "black", "result", "date", "ply", "positions")
"""Columns of the table to look at; all other formats have all columns."""

EPILOG = """\b
Patterns are terms with blanks between them, which must all be true at the same time:
  Ke1 pe5          a man on a square: KQRBNP are white, kqrbnp are black
  Aa1 ah8 ?e4 .e4  any white man, any black man, any man, no man
  [RQ]d8           one of several men
  Rd* P*7 Na-c5-6 B*  somewhere on a file, on a rank, in a region, anywhere
  !Pd4             no such man there
  P*7=2 Q*>=2 p*<4  so many of them (=, <, >, <=, >=)
  white black      whose turn it is

\b
Exit status: 0 found, 1 nothing found, 2 could not do the job.

\b
Examples:
  chesstools find dataset --fen 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
  chesstools find dataset --pattern 'Qh5 Bc4 nc6 black' --player anderssen
  chesstools find dataset --material KRPvKR --lasting 4 --either-colour -o endings.csv
  chesstools find dataset --pawns 8/pp3ppp/2p1p3/8/3P4/8/PPP2PPP/8 --pawns-of black --count
  chesstools find dataset --pattern 'P*7>=2' -o found.pgn
"""


@click.command(epilog=EPILOG, short_help="Find games by a position, a pattern of men, material or pawns.")
@click.option("--fen", metavar="FEN", help="This position (placement, turn, castling, legal en passant); counters do not matter.")
@click.option("--pattern", metavar="TERMS", help="Men on squares, see below.")
@click.option("--material", metavar="MEN", help="The men of both sides, such as KRPPvKRP.")
@click.option("--pawns", metavar="FEN", help="The pawns of this position, or of its first field; other men do not matter.")
@click.option("--pawns-of", type=click.Choice(["white", "black", "both"]), default="both", show_default=True, help="Whose pawns.")
@click.option(
    "--lasting",
    type=click.IntRange(1),
    metavar="N",
    default=1,
    show_default=True,
    help="In at least N positions one after the other (not with --fen).",
)
@click.option("--either-colour", "--either-color", "either_color", is_flag=True, help="The same for the other side is found too.")
@click.option("--either-wing", is_flag=True, help="The same with the files exchanged is found too.")
@click.option("--player", metavar="NAME", help="Only games with this in the name of a player, in whatever case.")
@click.option("--white", metavar="NAME", help="The same for White.")
@click.option("--black", metavar="NAME", help="The same for Black.")
@click.option("--result", type=click.Choice(["1-0", "0-1", "1/2-1/2", "*"]), help="Only games that ended like that.")
@click.option("--year", metavar="YEARS", help="Only games of 1995, 1990-1999, 1990- or -1999.")
@click.option("--elo", type=click.IntRange(0), metavar="N", help="Only games in which both ratings are at least N.")
@click.option("--eco", metavar="CODES", help="Only games with the codes B90, B9, B or B90-B99, as the source has them.")
@click.option("--every", is_flag=True, help="A row for each position. Default: one for each game, with the first position.")
@click.option("--count", "only_count", is_flag=True, help="Tell only how many games and positions there are.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="How it is written; pgn: the games themselves. Default: what the name of --output says, else table.",
)
@options.output_file
@options.rows
@given
@options.lang
@options.quiet
def find(
    given: tuple[str, ...],
    every: bool,
    only_count: bool,
    form: str | None,
    output: str | None,
    rows: int,
    profile: str,
    profile_file: str | None,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
    pawns_of: str,
    **asked: Any,
) -> int:
    """Find the games in datasets and sources in which a position stood, or what --pattern, --material and --pawns ask for.

    Of these three several may be given: all must be true at the same time. Positions are those of the mainline, up to the first
    illegal move, from the start position (ply 0) on. Games of variants other than Chess960 are not searched, which is told.
    """
    refuse_source_as_output(output, given)
    chosen = "pgn" if form == "pgn" or (form is None and _is_pgn(output)) else row_form(form, output)

    from chesstools.find import Count, answers, question

    asking = question(pawns_of_side=pawns_of, **asked)
    check_output(output)
    count = Count()
    with opened(
        given,
        tables=("games", "plies"),
        lang=lang,
        quiet=quiet,
        jobs=jobs,
        engine=engine,
        profile=profile,
        profile_file=profile_file,
    ) as found:
        most = 0 if only_count else rows if chosen == "table" else None
        batches = answers(found.datasets, asking, count, every=every, most=most)
        if only_count:
            _write_count(batches, count, "table" if chosen == "pgn" else chosen, output)
        elif chosen == "pgn":
            _write_games(batches, found.datasets, output)
        elif chosen == "table":
            _show(batches, count, output, every=every, quiet=quiet)
        else:
            _write(batches, chosen, output)
        if not quiet:
            _tell_what_is_left_out(count)
            if not count.games and asked["fen"] is not None and len(asked["fen"].split()) < 3:
                click.echo(
                    "The FEN names no castling rights, and positions with them are others: try it with 'w KQkq -'.", err=True
                )
        return 2 if found.errors else int(count.games == 0)


def _is_pgn(output: str | None) -> bool:
    return not is_stdout(output) and any(suffix.lower() == ".pgn" for suffix in Path(shown_name(str(output))).suffixes[-2:])


def _write(batches: Iterator[pa.RecordBatch], form: str, output: str | None) -> None:
    from chesstools.find import SCHEMA

    with table_output(form, output, SCHEMA) as table:
        for batch in batches:
            table.write(batch)


def _show(batches: Iterator[pa.RecordBatch], count: Count, output: str | None, *, every: bool, quiet: bool) -> None:
    import pyarrow as pa

    from chesstools.find import SCHEMA

    names = [name for name in SHOWN if not (every and name == "positions")]
    found = pa.Table.from_batches(batches, SCHEMA).select(names)
    with text_output(output) as out:
        if found.num_rows:
            show_rows(console(out, width=80), found)
    if quiet:
        return
    sys.stdout.flush()
    told = _sentence(count)
    if found.num_rows < (count.positions if every else count.games):
        told += f", of which {found.num_rows:,} are shown; --rows N shows more, --output FILE writes all"
    click.echo(f"{told}.", err=True)


def _write_count(batches: Iterator[pa.RecordBatch], count: Count, form: str, output: str | None) -> None:
    import pyarrow as pa

    for _ in batches:
        pass
    if form == "table":
        with text_output(output) as out:
            out.write(f"{_sentence(count)}.\n")
        return
    row = pa.RecordBatch.from_pydict({"games": [count.games], "positions": [count.positions]})
    with table_output(form, output, row.schema) as table:
        table.write(row)


def _write_games(batches: Iterator[pa.RecordBatch], datasets: list[Dataset], output: str | None) -> None:
    from chesstools import convert
    from chesstools.scratch import scratch_folder
    from chesstools.search.extract import write_games

    games: defaultdict[str, list[int]] = defaultdict(list)
    for batch in batches:
        for source, number in zip(batch["source"].to_pylist(), batch["game_index"].to_pylist(), strict=True):
            if not games[source] or games[source][-1] != number:  # the positions of a game follow each other
                games[source].append(number)
    with scratch_folder() as folder:
        write_games(datasets, games, folder / "found.parquet")
        convert(folder / "found.parquet", output or "-", to="pgn")


def _sentence(count: Count) -> str:
    games = f"{count.games:,} game{'' if count.games == 1 else 's'}"
    return f"{games}, {count.positions:,} position{'' if count.positions == 1 else 's'}"


def _tell_what_is_left_out(count: Count) -> None:
    if count.not_searched:
        one = count.not_searched == 1
        click.echo(f"{count.not_searched:,} game{' of a variant was' if one else 's of variants were'} not searched.", err=True)
    if count.other_positions:
        click.echo(f"{count.other_positions:,} more positions have the same key, but are others.", err=True)
