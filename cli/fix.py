"""`chesstools fix`: repaired bytes, what would be changed as a diff, or the bytes as they were."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, BinaryIO

import click

from chesstools.errors import OptionError
from chesstools.finding import Severity

from . import options
from .engine import chosen_engine
from .output import is_stdout
from .progress import progress_bar, stored_bytes
from .terminal import both_on_one_terminal, console, printable
from .words import Words

if TYPE_CHECKING:
    from chesstools.fix import Fixed

EPILOG = """\b
Exit status: 0 nothing at or above --fail-on is left, 1 something is, 2 could not do the job.

\b
Examples:
  chesstools fix archive.pgn -o fixed.pgn --report changes.jsonl
  chesstools fix games/ --diff --select N,P104
  chesstools fix archive.pgn --dry-run --unsafe
  chesstools fix --revert changes.jsonl fixed.pgn -o archive.pgn
  chesstools fix --revert changes.csv fixed/ -o archives/
"""


@click.command(epilog=EPILOG, short_help="Repair what can be repaired, and nothing else.")
@options.sources
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    help="A file (packed if it ends in .zst or .gz), a folder where there are several sources, or - for standard output.",
)
@click.option("--unsafe", is_flag=True, help="Make repairs too that may change what the game says; look at them with --diff.")
@options.repaired
@click.option("--diff", is_flag=True, help="Print what is changed as a unified diff.")
@click.option("--dry-run", is_flag=True, help="Write nothing, count only.")
@click.option(
    "--report", metavar="FILE", help="Write each change as a row to FILE (.jsonl, .csv or .parquet); it is what --revert needs."
)
@click.option("--in-place", is_flag=True, help="Replace the sources, which must be unpacked files; needs --report.")
@click.option("--revert", metavar="REPORT", help="Give back the bytes that SOURCE had before it was repaired.")
@options.fail_on("Least severity of a finding that is left, of any rule, that makes the exit status 1.")
@options.profile
@options.jobs
@options.engine
@options.lang
@options.quiet
def fix(
    sources: tuple[str, ...],
    output: str | None,
    unsafe: bool,
    select: list[str] | None,
    ignore: list[str] | None,
    diff: bool,
    dry_run: bool,
    report: str | None,
    in_place: bool,
    revert: str | None,
    fail_on: str,
    profile: str,
    profile_file: str | None,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Repair what can be repaired in SOURCES, and change no other byte.

    'chesstools rule CODE' says what the repair of a rule is, and whether it is safe. A repair stays only where the game,
    judged again, is better for it and says the same as before. Of packed sources the unpacked bytes are meant.
    """
    if revert is not None:
        return _revert(revert, sources, output, lang, quiet)
    _check(output, diff, dry_run, report, in_place)

    from chesstools.fix import fix as run
    from chesstools.source import find_sources

    found = find_sources(sources)
    judged_by = chosen_engine(engine, quiet=quiet)
    no_bar = quiet or ((diff or is_stdout(output)) and both_on_one_terminal())
    show = None
    if diff:
        from .diff import DiffWriter

        show = DiffWriter(sys.stdout).write
    target: str | BinaryIO | None = None if dry_run or in_place or output is None else output
    if target == "-":
        target = sys.stdout.buffer
    with progress_bar(stored_bytes(found), lang, quiet=no_bar) as bar:
        try:
            done = run(
                found,
                target,
                unsafe=unsafe,
                select=select,
                ignore=ignore,
                report=report,
                in_place=in_place,
                profile=profile,
                profile_file=profile_file,
                jobs=jobs,
                progress=bar.update,
                changed=show,
                raise_source_errors=False,
                engine=judged_by,
                lang=lang,
            )
        except KeyboardInterrupt:
            raise KeyboardInterrupt("Interrupted; nothing was changed.") from None
    sys.stdout.flush()
    if not quiet:
        _summary(done, Words(lang), written=target is not None or in_place)
    for error in done.errors:
        click.echo(f"chesstools: {printable(error)}", err=True)
    if done.errors:
        return 2
    left = [Severity(word) for word, count in done.severities.items() if count > 0]
    return int(fail_on != "never" and any(one >= Severity(fail_on) for one in left))


def _check(output: str | None, diff: bool, dry_run: bool, report: str | None, in_place: bool) -> None:
    """Options that do not go together."""
    if in_place and output is not None:
        raise OptionError("--in-place and --output exclude each other; choose one.")
    if in_place and report is None:
        raise OptionError("--in-place needs --report FILE, from which the sources can be had back.")
    if dry_run and (output is not None or report is not None or in_place):
        raise OptionError("--dry-run writes nothing; leave --output, --report and --in-place out.")
    if diff and output == "-":
        raise OptionError("--diff and the repaired games cannot both go to standard output; add --output FILE.")
    if output is None and not (in_place or diff or dry_run):
        raise OptionError("Say where the repaired games go: --output OUT; or look first with --diff or --dry-run.")
    if report is not None and output is None and not in_place:
        raise OptionError("--report tells of what was written; add --output OUT.")


def _revert(report: str, sources: tuple[str, ...], output: str | None, lang: str, quiet: bool) -> int:
    from chesstools.fix import revert

    if output is None:
        raise OptionError("Name repaired files and where their old bytes go: --revert REPORT FIXED --output OUT.")
    for name, place in revert(report, sources, sys.stdout.buffer if is_stdout(output) else output):
        if not quiet and place is not None:
            click.echo(printable(Words(lang)("reverted", output=place, source=name)), err=True)
    return 0


def _summary(done: Fixed, words: Words, *, written: bool) -> None:
    """Counts for each rule, and what they come to, on standard error."""
    from rich.table import Table
    from rich.text import Text

    from chesstools.rules import get_rule

    from .terminal import show

    screen = console(sys.stderr)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("rule", "changes", "before", "after", "not_made"):
        table.add_column(words(f"{name}_heading"), justify="left" if name == "rule" else "right")
    for code in sorted({*(+done.changes), *(+done.dropped)}):
        numbers = [f"{counts[code]:,}" for counts in (done.changes, done.before, done.after, done.dropped)]
        table.add_row(f"{code} {get_rule(code).name}", *numbers)
    if table.row_count:
        show(screen, table)
        screen.print()
    total = sum(done.changes.values())
    name = "fixed" if written else "would_fix"
    screen.print(Text(words(name, count=total, games=done.changed_games, of=done.games)), soft_wrap=True)
    left = sum((+done.severities).values())
    if left:
        severities = [done.severities[word] for word in ("error", "warning", "info")]
        screen.print(Text(words("left", errors=severities[0], warnings=severities[1], infos=severities[2])), soft_wrap=True)
