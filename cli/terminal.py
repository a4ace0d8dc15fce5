"""What a terminal is told: nothing that text from an archive could use to move the cursor, hide or reverse what is read."""

from __future__ import annotations

import os
import sys
import unicodedata
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_JOINERS = "\u200c\u200d"  # needed to write Persian and Hindi names


def printable(text: str) -> str:
    r"""`text` with control characters, bidirectional overrides, line ends and lone surrogates written as escapes.

    >>> printable("Müller\x1b[2J\u202e")
    'Müller\\x1b[2J\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(char if _harmless(char) else char.encode("unicode_escape").decode() for char in text)


def _harmless(char: str) -> bool:
    return char.isprintable() or char in _JOINERS or unicodedata.category(char) == "Zs"


def wants_colour(stream: TextIO) -> bool:
    """Whether `stream` is a terminal whose user did not refuse colours (NO_COLOR, TERM=dumb)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console(stream: TextIO, width: int = 100) -> Console:
    """A rich console on `stream`, as wide as the terminal, or `width` where there is none. Never guesses at markup."""
    from rich.console import Console

    known = stream.isatty() or os.environ.get("COLUMNS")
    return Console(file=stream, markup=False, highlight=False, emoji=False, width=None if known else width)


def show(screen: Console, renderable: RenderableType) -> None:
    """Print something that rich lays out, without the blanks that it fills lines with where there is no terminal."""
    if screen.is_terminal:
        screen.print(renderable)
        return
    with screen.capture() as capture:
        screen.print(renderable)
    screen.file.write("".join(line.rstrip() + "\n" for line in capture.get().splitlines()))


def both_on_one_terminal() -> bool:
    """Whether results and messages go to the terminal, and so would write over each other."""
    return sys.stdout.isatty() and sys.stderr.isatty()
