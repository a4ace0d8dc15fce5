"""`chesstools convert`: games in another format, and one sentence on what that could not hold."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from chesstools.conversion import LEFT, Conversion
from chesstools.formats import FORMATS, OPTIONS
from chesstools.languages import INPUT_LANGUAGES, LANGUAGES
from chesstools.readers import READERS
from chesstools.stores import shown_name

from . import options
from .cluster import joined, only_on_cluster, tell_whole
from .engine import chosen_engine
from .notes import told
from .progress import progress_bar, stored_bytes
from .terminal import both_on_one_terminal, printable
from .words import Words

if TYPE_CHECKING:
    from collections.abc import Callable


EPILOG = """\b
Exit status: 0 converted, whatever the games are like; 2 could not do the job.

\b
Examples:
  chesstools convert archive.pgn.zst -o archive.jsonl
  chesstools convert games.pgn -o clean.pgn --no-clocks --tag-order standard
  chesstools convert games.pgn --to uci -o -
  chesstools convert games.pgn -o positions.epd --positions every --unique
  chesstools convert bulletin.pgn -o english.pgn --input-language auto
  chesstools convert archive.pgn -o archive.pgn.zst --frames 1M
  chesstools convert archive.pgn.zst --to pgn.zst --frames -o - > frames.pgn.zst
  chesstools convert archive.pgn.zst -o games.parquet --cluster local:2
"""


FLAGS = {
    "comments": "Leave comments out.",
    "nags": "Leave NAGs ($1, !, ?) out.",
    "variations": "Leave variations out.",
    "clocks": "Leave clock times ([%clk] and [%emt]) out of comments.",
    "commands": "Leave all commands ([%clk], [%eval], [%cal] …) out of comments.",
    "seven_tags": "Keep the seven tags of the roster only, and those that the moves need.",
    "roster": "Put the seven tags of the roster first, filled with ? where they are missing.",
    "reduced": "The reduced export format: the mainline, with seven tags, without commentary.",
    "unique": "Write each position once only.",
    "overwrite": "Replace the dataset that stands there.",
}
"""Options of formats that are on or off, and what each does that is not the default."""


def format_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of the formats that have a value, and the flags."""
    for name, text in reversed(FLAGS.items()):
        command = click.option(OPTIONS[name].flag, name, is_flag=True, help=text)(command)
    for name, kind, metavar, text in reversed(
        (
            ("line_width", int, "N", "Most characters in a line of movetext, 0 for no limit. Default: 80."),
            ("tag_order", str, "as-read|standard", "standard: the roster first, the other tags by name."),
            ("moves", str, "san|lan|uci", "How moves are written in PGN. Default: san."),
            ("positions", str, "final|start|every|N", "Which positions of a game, N after so many plies. Default: final."),
            ("ep", str, "legal|standard|never", "En passant field: where a capture is legal (default), behind any double step."),
            ("table", str, "NAME", "Which table: games (default), plies, findings or tokens."),
            ("columns", str, "all|lichess", "lichess: names and types of the public Lichess dataset."),
            ("max_plies", int, "N", "Tokens: lists of exactly N moves, cut or filled up. Default: lists of any length."),
        )
    ):
        command = click.option(OPTIONS[name].flag, name, type=kind, metavar=metavar, help=text)(command)
    return command


@click.command(epilog=EPILOG, short_help="Write games in another format: PGN, JSON Lines, moves, positions, tables.")
@options.sources
@click.option("-o", "--output", metavar="FILE", required=True, help="Where to write; - is standard output; .zst and .gz pack.")
@click.option(
    "--to", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}; pgn.zst, uci.gz … pack it. Default: what FILE is called."
)
@click.option(
    "--from",
    "source_format",
    metavar="FORMAT",
    help=f"Format of SOURCES: one of {', '.join(READERS)}. Default: what content and name of each say.",
)
@click.option(
    "--input-language",
    metavar="LANGUAGE",
    default="en",
    show_default=True,
    help=f"Letters of the men in SOURCES: {', '.join(INPUT_LANGUAGES)}. auto: told by the letters and moves of each game.",
)
@click.option("--output-language", metavar="LANGUAGE", help=f"Letters to write: {', '.join(LANGUAGES)}.")
@click.option(
    "--frames",
    is_flag=False,
    flag_value="8M",
    callback=options.size,
    metavar="[SIZE]",
    help="For what is packed as .zst: pack so much text at a time (8M), whole games each, with a table of where they begin.",
)
@format_options
@options.jobs
@options.cluster
@options.stretch
@options.engine
@options.lang
@options.quiet
def convert(
    sources: tuple[str, ...],
    output: str,
    to: str | None,
    source_format: str | None,
    input_language: str,
    output_language: str | None,
    frames: int | None,
    jobs: int,
    cluster: str | None,
    stretch: int | None,
    engine: str | None,
    lang: str,
    quiet: bool,
    **given: object,
) -> int:
    """Write the games in SOURCES in another format.

    Nothing is lost without being told: what the format cannot hold, or was not to hold, is counted at the end. Illegal moves
    and text that means nothing are kept as they stand where the format has a place for them.

    With --cluster, which writes Parquet only, FILE becomes a folder: part-000000.parquet and so on, in the order of the games.
    It appears when it is complete; pandas, polars, DuckDB and Spark read it as one table.
    """
    only_on_cluster(cluster, stretch=stretch)
    from chesstools.convert import convert as run
    from chesstools.readers import ANY
    from chesstools.source import find_sources

    found = find_sources(sources, ANY)
    written_by = chosen_engine(engine, quiet=quiet)
    no_bar = quiet or (output == "-" and both_on_one_terminal())
    with (
        progress_bar(stored_bytes(found), lang, quiet=no_bar, on_cluster=cluster is not None) as bar,
        joined(cluster, Words(lang), quiet=quiet, tell=bar.tasks, say=bar.say) as workers,
    ):
        try:
            conversion = run(
                found,
                output,
                to=to,
                source_format=source_format,
                input_language=input_language,
                output_language=output_language,
                jobs=jobs,
                progress=bar.update,
                raise_source_errors=False,
                engine=written_by,
                frames=frames,
                cluster=workers,
                stretch_bytes=stretch,
                **chosen(given),
            )
        except KeyboardInterrupt:
            left = "the games up to here were written" if output == "-" else f"{shown_name(output)} was not written"
            raise KeyboardInterrupt(f"Interrupted; {left}.") from None
    sys.stdout.flush()
    for error in conversion.errors:
        click.echo(f"chesstools: {printable(error)}", err=True)
    if not quiet:
        tell_whole(conversion.left_whole, Words(lang))
        for line in account(conversion, Words(lang)):
            click.echo(printable(line), err=True)
    return 2 if conversion.errors else 0


def chosen(given: dict[str, object]) -> dict[str, Any]:
    """The options that were given, as the library has them.

    >>> chosen({"comments": True, "nags": False, "positions": "12", "ep": None})
    {'comments': False, 'positions': 12}
    """
    options: dict[str, Any] = {}
    for name, value in given.items():
        if name in FLAGS:
            if value:
                options[name] = not OPTIONS[name].default
        elif value is not None:
            is_number = name == "positions" and isinstance(value, str) and value.isdecimal()
            options[name] = int(str(value)) if is_number else value
    return options


def account(conversion: Conversion, words: Words) -> list[str]:
    """What is told at the end.

    >>> from collections import Counter
    >>> from chesstools.conversion import Conversion
    >>> account(Conversion("uci", 2, Counter(comments=1, results=2)), Words("en"))
    ['2 games converted in 0.0 s.', 'uci leaves behind 1 comment, 2 results.']
    """
    lines = [words("games_converted", games=conversion.games, time=words.duration(conversion.seconds))]
    names = {"behind": "behind_marker"}
    kinds = [words(f"left_{names.get(kind, kind)}", count=conversion.left[kind]) for kind in LEFT if conversion.left[kind]]
    if kinds:
        lines.append(words("leaves_behind", format=conversion.format, kinds=words("comma").join(kinds)))
    if conversion.foreign:
        lines.append(words("looks_foreign", games=conversion.foreign))
    return lines + [told(note, words.lang) for note in conversion.notes]
