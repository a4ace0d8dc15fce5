"""`chesstools fen winnable`: who can still win a position."""

from __future__ import annotations

import sys
from typing import Any

import click

from chesstools.depth import MODES
from chesstools.errors import OptionError
from chesstools.winnable import COLORS, FULL_NODES, Winnable, winnable

from . import fen_options, options
from .fen_tables import place_record
from .output import text_output
from .positions import Position, positions
from .tables import JsonWriter
from .terminal import printable
from .words import Words

FORMATS = ("text", "json", "jsonl")

EPILOG = """\b
Exit status: 0 answered (unknown is an answer), 2 could not do the job.

\b
Examples:
  chesstools fen winnable '2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1'
  chesstools fen winnable '8/8/8/8/4k3/8/4P3/4K3 w - - 0 1' --unwinnable full
"""


@click.command("winnable", epilog=EPILOG, short_help="Tell who can still mate by any series of legal moves.")
@fen_options.fens
@fen_options.column
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How it is written.")
@click.option(
    "--unwinnable",
    "mode",
    type=click.Choice(MODES),
    default="quick",
    show_default=True,
    help="quick takes microseconds and leaves much unknown; full searches for a mate, or for a proof that there is none.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=FULL_NODES,
    show_default=True,
    metavar="N",
    help="With full: positions that are looked at for each colour before it gives up.",
)
@options.engine
@options.lang
def fen_winnable(
    fens: tuple[str, ...], column: str | None, form: str, mode: str, nodes: int, engine: str | None, lang: str
) -> int:
    """Tell who can still mate by any series of legal moves (FIDE 5.2.2, 6.9), however badly the other side plays.

    The answer is yes (with a line of moves that ends in mate), no (proved) or unknown. Where neither side can mate the position
    is dead, and the game was drawn.
    """
    status, unknown = 0, False
    with text_output(None) as out:
        writer = JsonWriter(form)
        for position in positions(fens, column):
            try:
                answers = {color: winnable(position.fen, color, mode=mode, nodes=nodes, engine=engine) for color in COLORS}
            except OptionError as error:
                if mode == "full" and "core" in str(error):
                    raise
                out.flush()
                where = "" if position.source is None else f"{position.place}: "
                click.echo(f"chesstools: {printable(f'{where}{error}')}", err=True)
                status = 2
                continue
            unknown = unknown or any(answer.answer == "unknown" for answer in answers.values())
            if form == "text":
                out.writelines(f"{line}\n" for line in _answer_lines(position, answers, Words(lang)))
            else:
                told: dict[str, Any] = {color: _answer_record(answer) for color, answer in answers.items()}
                out.write(writer.next({**place_record(position), "dead": _is_dead(answers), **told}))
        out.write(writer.end())
    if unknown and form == "text" and mode == "quick":
        sys.stdout.flush()
        click.echo(Words(lang)("more_with_full"), err=True)
    return status


def _answer_record(answer: Winnable) -> dict[str, Any]:
    return {"answer": answer.answer, "method": answer.method, "line": list(answer.line), "nodes": answer.nodes}


def _is_dead(answers: dict[str, Winnable]) -> bool | None:
    """Whether neither side can mate; None where that is not known."""
    found = {answer.answer for answer in answers.values()}
    return False if "yes" in found else True if found == {"no"} else None


def _answer_lines(position: Position, answers: dict[str, Winnable], words: Words) -> list[str]:
    """One line a colour, and one more where the position is dead."""
    told = [
        words(
            "can_mate",
            color=words(color),
            answer=words(answer.answer),
            method=answer.method and words.method(answer.method),
            line=_numbered(position.fen, answer.line) if answer.line else None,
        )
        for color, answer in answers.items()
    ]
    if _is_dead(answers):
        told.append(words("dead"))
    return [f"{printable(position.place)}: {line}" for line in told]


def _numbered(fen: str, line: tuple[str, ...]) -> str:
    """The moves with their numbers."""
    from chesstools.fen import playable

    board = playable(fen)
    after = board.copy(stack=False)
    moves = [after.push_san(san) for san in line]
    return board.variation_san(moves)
