"""`chesstools validate`: findings on standard output, the grouped summary on standard error, the verdict as exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from chesstools.errors import OptionError, OutputError
from chesstools.finding import Severity
from chesstools.places import written
from chesstools.stores import is_uri, refuse_other_schemes, shown_name

from . import options
from .cluster import joined, only_on_cluster, tell_whole
from .engine import chosen_engine
from .output import Writer, form_of_name, is_stdout, refuse_source_as_output, text_output
from .overview import validation_summary
from .progress import Bar, progress_bar, stored_bytes
from .terminal import both_on_one_terminal, console, printable, wants_colour
from .words import Words

if TYPE_CHECKING:
    from chesstools.summary import Summary
    from chesstools.validate import Validation

FORMATS = ("text", "table", "json", "jsonl", "csv", "parquet", "github", "sarif")
FOR_PEOPLE = ("text", "table")

EPILOG = """\b
Exit status: 0 nothing at or above --fail-on, 1 something, 2 could not do the job.

\b
Examples:
  chesstools validate archive.pgn.zst
  chesstools validate games/ --select M,D601 --format csv --output findings.csv
  zstdcat archive.pgn.zst | chesstools validate - --fail-on warning
  chesstools validate archive.pgn.zst --cluster local:2 -o findings.parquet
"""


@click.command(epilog=EPILOG, short_help="Report what is wrong in games, where, and why.")
@options.sources
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="How findings are written. Default: what the name of --output says, else text (one line each).",
)
@options.select
@click.option(
    "--severity",
    type=click.Choice(["error", "warning", "info", "E", "W", "I"], case_sensitive=False),
    callback=options.severity_word,
    metavar="error|warning|info",
    help="Least severity that is shown. Default: info, but in text and table without --select warning (and what --also names).",
)
@options.fail_on("Least severity of a selected finding, shown or not, that makes the exit status 1.")
@options.output_file
@options.profile
@options.unwinnable
@options.jobs
@options.cluster
@options.stretch
@click.option(
    "--scratch",
    metavar="PLACE",
    help="With --cluster: a folder, or its URI in a store, for what is too much to travel. Default: where --output is, or else a "
    "temporary one.",
)
@options.engine
@options.lang
@options.quiet
def validate(
    sources: tuple[str, ...],
    form: str | None,
    select: list[str] | None,
    also: list[str] | None,
    ignore: list[str] | None,
    severity: str | None,
    fail_on: str,
    output: str | None,
    profile: str,
    profile_file: str | None,
    unwinnable: str,
    nodes: int | None,
    jobs: int,
    cluster: str | None,
    stretch: int | None,
    scratch: str | None,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Judge every game in SOURCES and report what is wrong, where, and why.

    One line a finding: file:line: game N (White-Black), ply P, CODE name: message. Games count from 0, plies and lines
    from 1. 'chesstools rule CODE' explains a rule.
    """
    only_on_cluster(cluster, stretch=stretch, scratch=scratch)
    refuse_source_as_output(output, sources)

    from chesstools.overwriting import place_of
    from chesstools.rules import named_codes
    from chesstools.source import find_sources
    from chesstools.validate import validate as run

    found = find_sources(sources)
    refuse_source_as_output(output, {where: None for source in found if (where := place_of(source)) is not None})
    form = form or form_of_name(output)
    if form == "parquet" and is_stdout(output):
        raise OptionError("Parquet is not text for standard output; add --output FILE.")
    least = Severity(severity or ("warning" if form in FOR_PEOPLE and select is None else "info"))
    judged_by = chosen_engine(engine, quiet=quiet)
    # Only text knows how to print above a bar that is on the same terminal.
    no_bar = quiet or (form != "text" and is_stdout(output) and both_on_one_terminal())
    with (
        progress_bar(stored_bytes(found), lang, quiet=no_bar, on_cluster=cluster is not None) as bar,
        _beside(output) if cluster is not None and scratch is None else nullcontext(scratch) as room,
        joined(cluster, Words(lang), quiet=quiet, tell=bar.tasks, say=bar.say) as workers,
    ):
        validation = run(
            found,
            select=select,
            ignore=ignore,
            also=also,
            profile=profile,
            profile_file=profile_file,
            unwinnable=unwinnable,
            nodes=nodes,
            jobs=jobs,
            progress=bar.update,
            engine=judged_by,
            lang=lang,
            cluster=workers,
            stretch_bytes=stretch,
            scratch=None if room is None else str(room),
        )
        named = named_codes(also) if severity is None else frozenset()
        try:
            if form == "parquet":
                hidden = _write_parquet(str(output), validation, least)
            else:
                with text_output(output) as out:
                    hidden = _write_text(validation, make_writer(form, out, bar, lang), least, named)
        except KeyboardInterrupt:
            left = "the findings up to here were reported" if is_stdout(output) else f"{shown_name(str(output))} was not written"
            raise KeyboardInterrupt(f"Interrupted; {left}.") from None
    summary = validation.summary
    sys.stdout.flush()
    if not quiet:
        if both_on_one_terminal():
            click.echo(err=True)
        tell_whole(validation.left_whole, Words(lang))
        validation_summary(console(sys.stderr), summary, hidden, Words(lang))
    return _status(summary, fail_on)


def _beside(output: str | None) -> AbstractContextManager[Path | None]:
    """A hidden folder beside a file that is written; None for standard output, devices, and what is in a store."""
    if output is None or is_stdout(output) or is_uri(output) or (os.path.exists(output) and not os.path.isfile(output)):
        return nullcontext()
    from chesstools.folder_places import folder_beside

    refuse_other_schemes(output, OutputError)
    return folder_beside(Path(output))


def make_writer(form: str, out: TextIO, bar: Bar, lang: str) -> Writer:
    """The writer for one of the formats that are text, with the words of a language."""
    if form == "text":
        from .lines import TextWriter

        to_screen = out is sys.stdout
        print_line = bar.print if to_screen else lambda line: print(line, file=out)
        return TextWriter(print_line, Words(lang), colour=to_screen and wants_colour(out))
    if form == "table":
        from .lines import TableWriter

        return TableWriter(out, Words(lang))
    if form == "github":
        from .lines import GitHubWriter

        return GitHubWriter(out, Words(lang))
    if form == "sarif":
        from .sarif import SarifWriter

        return SarifWriter(out, Words(lang))
    from .records import CsvWriter, JsonLinesWriter, JsonWriter

    writers: dict[str, Callable[[TextIO], Writer]] = {"json": JsonWriter, "jsonl": JsonLinesWriter, "csv": CsvWriter}
    return writers[form](out)


def _write_text(validation: Validation, writer: Writer, least: Severity, named: Collection[str]) -> int:
    shown = 0
    for item in validation.at_least(least, named):
        writer.write(item)
        shown += 1
    writer.end(validation.summary)
    return sum(validation.summary.severities.values()) - shown


def _write_parquet(output: str, validation: Validation, least: Severity) -> int:
    from .parquet import write_findings

    with written(output) as out:
        return write_findings(out, validation.batches(), [severity.value for severity in Severity if severity >= least])


def _status(summary: Summary, fail_on: str) -> int:
    failed = report_source_errors(summary)
    if failed:
        return 2
    if fail_on == "never":
        return 0
    return int(any(Severity(word) >= Severity(fail_on) for word, count in summary.severities.items() if count))


def report_source_errors(summary: Summary) -> bool:
    """One sentence on standard error for each source that could not be read to its end; whether there was one."""
    errors = [source.error for source in summary.sources if source.error]
    tell_errors(errors)
    return bool(errors)


def tell_errors(errors: Iterable[str]) -> None:
    """Each of these sentences on standard error."""
    for error in errors:
        click.echo(f"chesstools: {printable(str(error))}", err=True)
