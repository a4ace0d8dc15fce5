"""`chesstools openings explore`: what archives know of a position."""

from __future__ import annotations

import csv
import os
import re
from typing import TYPE_CHECKING, Any, TextIO

import click

from chesstools.errors import OptionError

from . import options
from .given import opened
from .output import text_output
from .records import dumps
from .terminal import console, printable

if TYPE_CHECKING:
    from chesstools.openings.explorer import Explored

_MOVE = re.compile(r"\d+\.+|(\d+\.+)?([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?|O-O(-O)?)[+#]?", re.ASCII)
"""A move, or the number of one."""

EPILOG = """\b
Exit status: 0, also where no game came there; 2 could not do the job.

\b
Examples:
  chesstools openings explore dataset '1. e4 c5'
  chesstools openings explore archive.pgn.zst '' --depth 3 --min-games 5
  chesstools openings explore dataset --fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' --format csv
"""


@click.command("explore", epilog=EPILOG, short_help="Look at a position: moves, results, ratings, years, notable games.")
@click.argument("given", nargs=-1, required=True, metavar="SOURCE|DATASET... MOVES")
@options.profile
@click.option("--fen", metavar="FEN", help="The position, in place of MOVES: a FEN with 1, 4 or 6 fields, in quotation marks.")
@click.option(
    "--depth", type=click.IntRange(1, 10), metavar="N", default=1, show_default=True, help="Show moves for so many plies."
)
@options.min_games(1, "Leave out moves that fewer games played.")
@options.which_games
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="A table for people, all that is known as JSON, or the moves as CSV.",
)
@options.jobs
@options.engine
@options.lang
@options.quiet
def openings_explore(
    given: tuple[str, ...],
    fen: str | None,
    depth: int,
    min_games: int,
    include_invalid: bool,
    unique: bool,
    form: str,
    jobs: int,
    lang: str,
    quiet: bool,
    **judging: Any,
) -> int:
    """Show a position and what was played there: games, results, White's score with its 95 % interval, ratings, years.

    The last argument is MOVES in standard notation, with or without numbers, from the start position ('' is that itself),
    unless --fen gives the position. SOURCES are judged first; a DATASET is what 'chesstools ingest' wrote. A move that leads to
    a position where more games came by other moves is marked +n.
    """
    from chesstools.openings.explorer import explored, find
    from chesstools.stats.statistic import Options

    *names, moves = given if fen is None else (*given, "")
    if not names:
        raise click.UsageError("Give a source or dataset and then moves, such as '1. e4 c5' ('' for the start position).")
    _check_quotation_marks(names, moves)
    place = find(moves, fen)
    with opened(names, tables=("games", "plies"), lang=lang, quiet=quiet, jobs=jobs, **judging) as found:
        chosen = Options(include_invalid, unique)
        answer = explored(found.datasets, place, chosen, depth=depth, min_games=min_games, threads=jobs)
        with text_output(None) as out:
            if form == "json":
                out.write(dumps(record(answer)) + "\n")
            elif form == "csv":
                _write_csv(out, answer)
            else:
                from .openings_screen import show_explored

                show_explored(console(out), answer, min_games)
        return 2 if found.errors else 0


def _check_quotation_marks(names: list[str], moves: str) -> None:
    """Raise OptionError where moves stand among the sources, as they do without quotation marks."""
    words = [name for name in names if _MOVE.fullmatch(name) and not os.path.exists(name)]
    if words:
        raise OptionError(f"Give all moves as one argument, in quotation marks: '{' '.join([*words, moves])}'.")


def record(answer: Explored) -> dict[str, Any]:
    """The answer as plain values; null where there is nothing to say."""
    place, opening = answer.place, answer.opening
    return {
        "position_key": place.key,
        "fen": place.fen,
        "line": None if place.line is None else list(place.line),
        "eco": opening and opening.eco,
        "opening": opening and opening.name,
        **answer.position,
        "left_out": answer.left_out,
        "moves": answer.moves.to_pylist(),
        "notable": answer.notable.to_pylist(),
    }


def _write_csv(out: TextIO, answer: Explored) -> None:
    table = answer.moves
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(table.column_names)
    for row in table.to_pylist():
        cells = ["" if value is None else value for value in row.values()]
        # Exact for programs; a terminal gets no control characters.
        rows.writerow([printable(str(cell)) for cell in cells] if out.isatty() else cells)
