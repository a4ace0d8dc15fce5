"""`chesstools fen`: what is wrong with positions, and who can still win them."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from chesstools.errors import OptionError
from chesstools.finding import Severity
from chesstools.winnable import COLORS, FULL_NODES, MODES, Winnable, winnable

from . import options
from .lines import COLOURS
from .output import text_output
from .positions import Position, positions
from .records import dumps
from .terminal import printable, wants_colour
from .words import Words

if TYPE_CHECKING:
    from chesstools.fen import FenProblem

FORMATS = ("text", "json", "jsonl")

EPILOG = """\b
Examples:
  chesstools fen check '4k3/8/8/8/8/8/P1P5/1B2K3 w K - 90 1'
  chesstools fen winnable '2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1'
"""

CHECK_EPILOG = """\b
Exit status: 0 nothing at or above --fail-on, 1 something, 2 could not do the job.

\b
Examples:
  chesstools fen check '4k3/8/8/8/8/8/P1P5/1B2K3 w K - 90 1'
  chesstools fen check positions.fen --format jsonl --fail-on warning
"""

WINNABLE_EPILOG = """\b
Exit status: 0 answered (unknown is an answer), 2 could not do the job.

\b
Examples:
  chesstools fen winnable '2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1'
  chesstools fen winnable '8/8/8/8/4k3/8/4P3/4K3 w - - 0 1' --unwinnable full
"""

fens = click.argument("fens", nargs=-1, required=True, metavar="FEN...")
form_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How it is written."
)


@click.group(epilog=EPILOG, short_help="Check positions: legality, and who can still win.")
def fen() -> None:
    """Check positions: whether a game can have led there, and who can still win.

    FEN is a FEN in quotation marks, a file with one FEN a line, or - (standard input). It may have 1, 4 or 6 fields.
    """


@fen.command(epilog=CHECK_EPILOG, short_help="Report all that is wrong with positions.")
@fens
@form_option
@options.fail_on("Least severity that makes the exit status 1.")
@click.option(
    "--chess960", is_flag=True, help="The positions are Chess960 ones. Default: where castling rights can mean nothing else."
)
@options.lang
@options.quiet
def check(fens: tuple[str, ...], form: str, fail_on: str, chess960: bool, lang: str, quiet: bool) -> int:
    """Report all that is wrong with positions, as for start positions of games.

    FEN is a FEN in quotation marks, a file with one FEN a line, or - (standard input). One line a finding:
    the FEN (or file:line), CODE name: message. 'chesstools rule CODE' explains a rule.
    """
    from chesstools.fen import check_fen

    counts: Counter[str] = Counter()
    number = 0
    with text_output(None) as out:
        colour = wants_colour(out)
        writer = _JsonWriter(form)
        for position in positions(fens):
            problems = check_fen(position.fen, chess960=chess960, lang=lang)
            number += 1
            counts.update(problem.severity.value for problem in problems)
            if form == "text":
                for problem in problems:
                    out.write(_problem_line(position, problem, colour) + "\n")
            else:
                out.write(writer.next({**_place(position), "findings": [_problem_record(problem) for problem in problems]}))
        out.write(writer.end())
    if not quiet:
        sys.stdout.flush()
        words = Words(lang)
        told = [words(f"{word}s", count=counts[word]) for word in ("error", "warning", "info") if counts[word]]
        click.echo(words("positions", count=number, counts=words("comma").join(told) or words("nothing")), err=True)
    if fail_on == "never":
        return 0
    return int(any(Severity(word) >= Severity(fail_on) for word in counts))


@fen.command("winnable", epilog=WINNABLE_EPILOG, short_help="Tell who can still mate by any series of legal moves.")
@fens
@form_option
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
def winnable_(fens: tuple[str, ...], form: str, mode: str, nodes: int, engine: str | None, lang: str) -> int:
    """Tell who can still mate by any series of legal moves (FIDE 5.2.2, 6.9), however badly the other side plays.

    FEN is a FEN in quotation marks, a file with one FEN a line, or - (standard input). The answer is yes (with a line of moves
    that ends in mate), no (proved) or unknown. Where neither side can mate the position is dead, and the game was drawn.
    """
    status = 0
    with text_output(None) as out:
        writer = _JsonWriter(form)
        for position in positions(fens):
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
            if form == "text":
                out.writelines(f"{line}\n" for line in _answer_lines(position, answers, Words(lang)))
            else:
                told: dict[str, Any] = {color: _answer_record(answer) for color, answer in answers.items()}
                out.write(writer.next({**_place(position), "dead": _is_dead(answers), **told}))
        out.write(writer.end())
    return status


class _JsonWriter:
    """One object a line, or (``json``) a list of them; nothing for ``text``."""

    def __init__(self, form: str) -> None:
        self._before = "[\n" if form == "json" else ""
        self._is_list = form == "json"

    def next(self, record: dict[str, Any]) -> str:
        if not self._is_list:
            return dumps(record) + "\n"
        before, self._before = self._before, ",\n"
        return before + dumps(record)

    def end(self) -> str:
        if not self._is_list:
            return ""
        return "[]\n" if self._before == "[\n" else "\n]\n"


def _place(position: Position) -> dict[str, Any]:
    return {"fen": position.fen, "source": position.source, "line": position.line}


def _problem_line(position: Position, problem: FenProblem, colour: bool) -> str:
    rule = f"{problem.code} {problem.rule.name}"
    if colour:
        rule = click.style(rule, fg=COLOURS[problem.severity.value], bold=True)
    return f"{printable(position.place)}: {rule}: {printable(problem.message)}"


def _problem_record(problem: FenProblem) -> dict[str, Any]:
    evidence = {name: value for name, value in problem.evidence.items() if value is not None}
    return {
        "code": problem.code,
        "name": problem.rule.name,
        "severity": problem.severity.value,
        "message": problem.message,
        "evidence": evidence,
    }


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
