"""Options that the commands of `chesstools fen` share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from chesstools.errors import OptionError
from chesstools.stores import shown_name

from .output import BY_SUFFIX, is_stdout

Command = TypeVar("Command", bound=Callable[..., Any])

TABLES = ("json", "jsonl", "csv", "parquet", "arrow")
BINARY = ("parquet", "arrow")

SUFFIXES = {**BY_SUFFIX, ".arrow": "arrow", ".feather": "arrow"}


def fens(command: Command) -> Command:
    """The argument FEN."""
    return click.argument("fens", nargs=-1, required=True, metavar="FEN...")(command)


def column(command: Command) -> Command:
    """--column: which column of a table."""
    return click.option(
        "--column",
        metavar="NAME",
        help="Column with the positions of Parquet, Arrow and CSV files. Default: fen, in whatever case.",
    )(command)


def chess960(command: Command) -> Command:
    """--chess960."""
    return click.option(
        "--chess960",
        is_flag=True,
        help="The positions are Chess960 ones. Default: where castling rights can mean nothing else.",
    )(command)


def form(forms: Sequence[str]) -> Callable[[Command], Command]:
    """--format."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        help="How it is written. Default: what the name of --output says, else text.",
    )


def chosen_form(form: str | None, output: str | None, forms: Sequence[str]) -> str:
    """What --format says, else what the name of the file says, else text."""
    by_name = SUFFIXES.get(Path(shown_name(output)).suffix.lower(), "text") if output else "text"
    chosen = form or (by_name if by_name in forms else "text")
    if is_stdout(output) and (chosen == "parquet" or (chosen == "arrow" and sys.stdout.isatty())):
        raise OptionError(f"{chosen.title()} is not text for standard output; add --output FILE.")
    return chosen
