"""`chesstools fen check`: what is wrong with positions."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from chesstools.finding import Severity

from . import fen_options, options
from .engine import chosen_engine
from .fen_tables import place_record, place_schema, with_place
from .lines import COLOURS
from .output import text_output
from .positions import position, watched
from .tables import JsonWriter, table_output
from .terminal import printable, wants_colour
from .words import Words

if TYPE_CHECKING:
    from chesstools.fen import FenProblem
    from chesstools.fen.problems import Checked
    from chesstools.fen.reading import Positions

FORMATS = ("text", *fen_options.TABLES)

MANY = 100_000
"""From so many positions on the summary tells the speed."""

EPILOG = """\b
Exit status: 0 nothing at or above --fail-on, 1 something, 2 could not do the job.

\b
Examples:
  chesstools fen check '4k3/8/8/8/8/8/P1P5/1B2K3 w K - 90 1'
  chesstools fen check positions.fen.zst --format jsonl --fail-on warning
  chesstools fen check puzzles.csv --column FEN -o checked.parquet
"""


@click.command("check", epilog=EPILOG, short_help="Report all that is wrong with positions.")
@fen_options.fens
@fen_options.column
@fen_options.form(FORMATS)
@options.output_file
@options.fail_on("Least severity that makes the exit status 1.")
@fen_options.chess960
@options.jobs
@options.engine
@options.lang
@options.quiet
def fen_check(
    fens: tuple[str, ...],
    column: str | None,
    form: str | None,
    output: str | None,
    fail_on: str,
    chess960: bool,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Report all that is wrong with positions, as for start positions of games.

    Text has one line a finding: the FEN (or file:line), CODE name: message; 'chesstools rule CODE' explains a rule. JSON has an
    object a position. CSV, Parquet and Arrow have a row a position: source, line (of a table the row), fen, ok (no error),
    playable (a game can be played from it), severity (the worst), codes, messages.
    """
    form = fen_options.chosen_form(form, output, FORMATS)

    from chesstools.fen.problems import Checked
    from chesstools.fen.rows import check_rows, in_order

    judged_by = chosen_engine(engine, quiet=quiet)

    def work(part: Positions) -> tuple[Positions, Checked]:
        rows, found = check_rows(part.lines, chess960=chess960, engine=judged_by)
        return part, Checked(part.lines, rows, found, lang)

    tally = Tally()
    parts = tally.watch(in_order(watched(fens, column, output, lang, quiet=quiet), work, jobs))
    if form in ("text", "json", "jsonl"):
        with text_output(output) as out:
            if form == "text":
                colour = wants_colour(out)
                for part, checked in parts:
                    said = [_sentence(problem, colour) for problem in checked.distinct()]
                    for row, found in checked.faulty():
                        place = printable(position(part, row).place)
                        out.writelines(f"{place}: {said[at]}\n" for at in found)
            else:
                writer = JsonWriter(form)
                for part, checked in parts:
                    for row, problems in enumerate(checked.all_problems()):
                        out.write(
                            writer.next(
                                {**place_record(position(part, row)), "findings": [_record(problem) for problem in problems]}
                            )
                        )
                out.write(writer.end())
    else:
        with table_output(form, output, place_schema(Checked.SCHEMA)) as table:
            for part, checked in parts:
                table.write(with_place(part, checked.table()))
    if not quiet:
        sys.stdout.flush()
        click.echo(tally.sentence(Words(lang)), err=True)
    return tally.status(fail_on)


class Tally:
    """How many positions there were, and how many findings of each severity."""

    def __init__(self) -> None:
        self._positions = 0
        self._findings: Counter[Severity] = Counter()
        self._begin = time.monotonic()

    def watch(self, parts: Iterator[tuple[Positions, Checked]]) -> Iterator[tuple[Positions, Checked]]:
        """The same parts, counted."""
        for part, checked in parts:
            self._positions += len(part.lines)
            self._findings.update(checked.counts())
            yield part, checked

    def sentence(self, words: Words) -> str:
        """``2 positions: 1 error, 1 warning``."""
        told = [
            words(f"{severity.value}s", count=self._findings[severity])
            for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
            if self._findings[severity]
        ]
        seconds = time.monotonic() - self._begin
        speed = round(self._positions / seconds) if self._positions >= MANY and seconds > 0 else None
        return words("positions", count=self._positions, counts=words("comma").join(told) or words("nothing"), speed=speed)

    def status(self, fail_on: str) -> int:
        """The exit status."""
        if fail_on == "never":
            return 0
        return int(any(severity >= Severity(fail_on) for severity, count in self._findings.items() if count))


def _sentence(problem: FenProblem, colour: bool) -> str:
    """``CODE name: message``."""
    rule = f"{problem.code} {problem.rule.name}"
    if colour:
        rule = click.style(rule, fg=COLOURS[problem.severity.value], bold=True)
    return f"{rule}: {printable(problem.message)}"


def _record(problem: FenProblem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "name": problem.rule.name,
        "severity": problem.severity.value,
        "message": problem.message,
        "evidence": {name: value for name, value in problem.evidence.items() if value is not None},
    }
