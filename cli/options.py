"""Options that several commands share, as decorators."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from chesstools.depth import MAX_NODES, MODES, SCAN_NODES
from chesstools.engines import ENGINES
from chesstools.language import LANGUAGES, preferred
from chesstools.processors import processors

Command = TypeVar("Command", bound=Callable[..., Any])

LEVELS = ("error", "warning", "info", "never")


def split_commas(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[str] | None:
    """``-s M,N --select D601`` → ``["M", "N", "D601"]``; None where the option was not given."""
    parts = [part.strip() for value in values for part in value.split(",")]
    named = [part for part in parts if part]
    if values and not named:
        raise click.BadParameter("name at least one", ctx, param)
    return named or None


def severity_word(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """``W`` → ``warning``."""
    return next((word for word in LEVELS if value and word.startswith(value.lower())), None)


def fail_on(text: str) -> Callable[[Command], Command]:
    """--fail-on: the least severity that makes the exit status 1; `text` is its help."""
    return click.option(
        "--fail-on",
        type=click.Choice([*LEVELS, "E", "W", "I"], case_sensitive=False),
        callback=severity_word,
        metavar="error|warning|info|never",
        default="error",
        show_default=True,
        help=text,
    )


def sources(command: Command) -> Command:
    """The argument SOURCES."""
    return click.argument("sources", nargs=-1, required=True, metavar="SOURCES...")(command)


def select(command: Command) -> Command:
    """--select, --also and --ignore: which rules."""
    command = click.option(
        "--ignore",
        metavar="CODES",
        multiple=True,
        callback=split_commas,
        help="Leave these rules out: codes, prefixes or names (N,D605,missing-roster-tag). Wins over --select and --also.",
    )(command)
    command = also(command)
    return click.option(
        "--select",
        metavar="CODES",
        multiple=True,
        callback=split_commas,
        help="Report only these rules: codes, prefixes or names (M,D601). Default: ALL that are not optional.",
    )(command)


def repaired(command: Command) -> Command:
    """--select and --ignore: which rules are repaired."""
    command = click.option(
        "--ignore",
        metavar="CODES",
        multiple=True,
        callback=split_commas,
        help="Repair these rules not: codes, prefixes or names (N407,missing-roster-tag). Wins over --select.",
    )(command)
    return click.option(
        "--select",
        metavar="CODES",
        multiple=True,
        callback=split_commas,
        help="Repair only these rules: codes, prefixes or names (N,E541). Default: ALL that have a repair.",
    )(command)


def also(command: Command) -> Command:
    """--also: which optional rules."""
    return click.option(
        "--also",
        metavar="CODES",
        multiple=True,
        callback=split_commas,
        help="Work out these optional rules too ('chesstools rule --all' lists them), or ALL of them.",
    )(command)


def profile(command: Command) -> Command:
    """--profile and --profile-file: which edition of the Laws."""
    command = profile_file(command)
    return click.option(
        "--profile",
        metavar="NAME",
        default="auto",
        show_default=True,
        help="The Laws to judge by: auto, by the site and date of each game; or one of those that 'chesstools profile' lists.",
    )(command)


def profile_file(command: Command) -> Command:
    """--profile-file: more profiles."""
    return click.option(
        "--profile-file",
        metavar="FILE",
        help="TOML with more profiles, changes to those there are, or announced extensions of the 50-move rule.",
    )(command)


def unwinnable(command: Command) -> Command:
    """--unwinnable and --nodes: how it is found out whether a side can still mate."""
    command = click.option(
        "--nodes",
        type=click.IntRange(1, MAX_NODES),
        metavar="N",
        help=f"Positions that --unwinnable full looks at for each question. Default: {SCAN_NODES:,}.",
    )(command)
    return click.option(
        "--unwinnable",
        type=click.Choice(MODES),
        default="quick",
        show_default=True,
        help="How it is found out whether a side can still mate (lost on time, resigned, dead positions): in microseconds, or by "
        "a search that proves more and needs the native core.",
    )(command)


def jobs(command: Command) -> Command:
    """--jobs: how many processors."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        default=processors,
        show_default=False,
        metavar="N",
        help="Processors to judge games on; the results are the same for any number. Default: all.",
    )(command)


def cluster(command: Command) -> Command:
    """--cluster: where the work is done, if not on this machine alone."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a Dask cluster: local or local:N starts one of N processes for this run, tcp://HOST:PORT or a scheduler "
        "file joins one that is running. The results are the same; --jobs counts for nothing then.",
    )(command)


def size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """``64MB`` → 64,000,000 (also ``64 mb``, ``64M``, ``64000000``)."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,12}(?:\.\d+)?) ?([kmgt]?)b?", value.strip().lower())
    number = round(float(match[1]) * 1000 ** " kmgt".index(match[2] or " ")) if match else 0
    if number < 1:
        raise click.BadParameter(f"{value!r} is no size; give a number of bytes, as in 64MB", ctx, param)
    return number


LEAST_STRETCH = 1000


def stretch_size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """As `size`, but not so small that there would be hardly more than a game in each task."""
    number = size(ctx, param, value)
    if number is not None and number < LEAST_STRETCH:
        raise click.BadParameter(f"{value!r} is too little, as each stretch is a task; give 1kB or more, as in 64MB", ctx, param)
    return number


def stretch(command: Command) -> Command:
    """--stretch: how much is done at a time on a cluster."""
    return click.option(
        "--stretch",
        metavar="SIZE",
        callback=stretch_size,
        help="With --cluster: bytes of a source, as stored, that a worker takes at a time; small sources it takes together. "
        "The results are the same. Default: 64MB.",
    )(command)


def which_games(command: Command) -> Command:
    """--include-invalid and --unique: which games count."""
    command = click.option(
        "--unique", is_flag=True, help="Count a game that stands several times once (same roster tags and moves)."
    )(command)
    return click.option(
        "--include-invalid", is_flag=True, help="Count games with errors too; by default they are left out, and it is told."
    )(command)


def output_file(command: Command) -> Command:
    """-o: the file for what is answered."""
    return click.option("-o", "--output", metavar="FILE", help="Write to FILE, which appears when it is complete.")(command)


def rows(command: Command) -> Command:
    """--rows: how much of a table is shown."""
    return click.option(
        "--rows",
        type=click.IntRange(1),
        metavar="N",
        default=40,
        show_default=True,
        help="Rows of a table that are shown at most.",
    )(command)


def min_games(default: int, text: str) -> Callable[[Command], Command]:
    """--min-games: what too few games did is left out; `text` is its help."""
    return click.option("--min-games", type=click.IntRange(min=1), metavar="N", default=default, show_default=True, help=text)


def engine(command: Command) -> Command:
    """--engine: which implementation judges."""
    return click.option(
        "--engine",
        type=click.Choice(ENGINES),
        help="What judges: the native core, or the slow reference. The results are the same. Default: native if it was built.",
    )(command)


def lang(command: Command) -> Command:
    """--lang: the language of messages and explanations."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        default=preferred,
        show_default=False,
        help="Language of messages: English or Chinese. Default: CHESSTOOLS_LANG, else that of the locale.",
    )(command)


def quiet(command: Command) -> Command:
    """--quiet: no progress bar, no summary."""
    return click.option("-q", "--quiet", is_flag=True, help="No progress bar and no summary, only results and errors.")(command)
