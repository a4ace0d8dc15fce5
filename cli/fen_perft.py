"""`chesstools fen perft`: how many lines of legal moves a position has."""

from __future__ import annotations

import sys
import time

import click

from chesstools.errors import OptionError

from . import fen_options, options
from .engine import chosen_engine
from .fen_tables import place_record
from .output import text_output
from .positions import positions
from .tables import JsonWriter
from .terminal import printable
from .words import Words

FORMATS = ("text", "json", "jsonl")

EPILOG = """\b
Exit status: 0, 1 some positions could not be understood, 2 could not do the job.

\b
Examples:
  chesstools fen perft 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' --depth 4
  chesstools fen perft 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --depth 3 --divide
"""


@click.command("perft", epilog=EPILOG, short_help="Count the lines of legal moves, as programs are tested by.")
@fen_options.fens
@click.option("-d", "--depth", type=click.IntRange(1, 20), required=True, metavar="N", help="Plies of a line.")
@click.option("--divide", is_flag=True, help="The count for every first move too.")
@fen_options.column
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How it is written.")
@fen_options.chess960
@options.engine
@options.lang
@options.quiet
def fen_perft(
    fens: tuple[str, ...],
    depth: int,
    divide: bool,
    column: str | None,
    form: str,
    chess960: bool,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Count the lines of N legal plies from each position.

    Text has a line a position: the FEN (or file:line) and the count; with --divide a line a move before. The native core counts
    tens of millions of lines a second, the reference engine some 100,000.
    """
    from chesstools.fen import divide as counted

    judged_by = chosen_engine(engine, quiet=quiet)
    status, total, seconds = 0, 0, 0.0
    with text_output(None) as out:
        writer = JsonWriter(form)
        for position in positions(fens, column):
            begin = time.monotonic()
            try:
                moves = counted(position.fen, depth, chess960=chess960, engine=judged_by)
            except OptionError as error:
                out.flush()
                where = "" if position.source is None else f"{position.place}: "
                click.echo(f"chesstools: {printable(f'{where}{error}')}", err=True)
                status = 1
                continue
            seconds += time.monotonic() - begin
            nodes = sum(moves.values())
            total += nodes
            if form == "text":
                place = printable(position.place)
                if divide:
                    out.writelines(f"{place}: {move} {count}\n" for move, count in moves.items())
                out.write(f"{place}: {nodes}\n")
            else:
                told = {**place_record(position), "depth": depth, "nodes": nodes}
                out.write(writer.next({**told, "divide": moves} if divide else told))
        out.write(writer.end())
    if not quiet:
        sys.stdout.flush()
        words = Words(lang)
        speed = f"{total / seconds:,.0f}" if seconds >= 0.1 else None
        click.echo(words("perft", count=total, depth=depth, time=words.duration(seconds), speed=speed), err=True)
    return status
