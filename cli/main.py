"""The command `chesstools`: finds the subcommand, runs it, and turns what went wrong into one sentence and an exit status.

Exit status: 0 clean, 1 findings at or above ``--fail-on``, 2 could not do the job, 130 interrupted. A reader that went
away (``chesstools validate … | head``) is no error.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence

import click

# No command computes with matrices, but numpy, which Arrow loads, would start a thread for each processor to do so.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from chesstools import __version__
from chesstools.errors import ChesstoolsError

from .lazy_group import LazyGroup
from .terminal import printable
from .without_pandas import keep_out

COMMANDS = {
    "validate": "validate",
    "ingest": "ingest",
    "convert": "convert",
    "fix": "fix",
    "fen": "fen",
    "stats": "stats",
    "ratings": "ratings",
    "report": "report",
    "query": "query",
    "openings": "openings",
    "find": "find",
    "rule": "rule",
    "profile": "profile",
}
"""Subcommand → the module beside this one that defines it under the same name."""

CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO}

EPILOG = """\b
Examples:
  chesstools validate archive.pgn.zst
  chesstools ingest archives/ -o dataset
  chesstools convert archive.pgn.zst -o archive.jsonl
  chesstools report archive.pgn.zst -o report.html
  chesstools rule M324
"""


@click.group(
    cls=LazyGroup,
    modules=COMMANDS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def chesstools() -> None:
    """Read chess archives of any size, judge every game by the Laws, and write typed Parquet.

    SOURCES are PGN files, folders, globs or - (standard input); .gz, .bz2, .xz, .zst and .zip are unpacked on the way.
    Files, folders and globs may stand in an object store: s3://bucket/2024/*.pgn.zst, gs://, hdfs://, abfs://.
    """


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line `args` (default: those of the process) and return its exit status."""
    if args is None:  # the process is ours
        keep_out()
    arguments = list(sys.argv[1:] if args is None else args)
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else error.message, err=True)
        return 2
    except click.ClickException as error:
        return _fail(_usage_sentence(error))
    except ChesstoolsError as error:
        return _fail(str(error))
    except KeyboardInterrupt as interrupt:
        _fail(str(interrupt) or "Interrupted.")
        return 130
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except OSError as error:
        if error.errno not in CANNOT_WRITE:
            raise
        _forget_stdout()
        return _fail(f"Could not write the output: {error.strerror}; make room or choose another place.")


def _run(arguments: list[str]) -> int:
    try:
        # Not `chesstools.main(…)`: that would take a broken pipe and an interrupt for itself.
        with chesstools.make_context("chesstools", arguments) as context:
            status = chesstools.invoke(context)
            return status if isinstance(status, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code


def _usage_sentence(error: click.ClickException) -> str:
    sentence = error.format_message().strip().rstrip(".")
    sentence = re.sub(r"\(Did you mean one of: (.*)\?\)$", r"Did you mean one of \1?", sentence)
    context = getattr(error, "ctx", None)
    if sentence.endswith("?"):
        return f"{sentence} See '{context.command_path} --help'." if context else sentence
    return f"{sentence}; see '{context.command_path} --help'." if context else f"{sentence}."


def _fail(sentence: str) -> int:
    click.echo(f"chesstools: {printable(sentence)}", err=True)
    return 2


def _forget_stdout() -> None:
    """Send what is still in the buffer of standard output nowhere, so that Python does not complain about it on exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # not a real file (a test's capture): nothing can go wrong on exit
        pass
