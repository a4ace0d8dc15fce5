"""What was changed in a game as a unified diff, which ``patch`` reads; on a terminal coloured, and escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING, TextIO

import click

from .terminal import printable, wants_colour

if TYPE_CHECKING:
    from chesstools.fix import Changed

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class DiffWriter:
    """Writes the hunks of one game after the other, with the names before the first of each source."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._terminal = out.isatty()
        self._colour = wants_colour(out)
        self._source: str | None = None
        self._grown = 0

    def write(self, game: Changed) -> None:
        """The hunks of one game."""
        if game.source != self._source:
            self._source, self._grown = game.source, 0
            self._line("-", f"--- {game.source}\n".encode())
            self._line("+", f"+++ {game.source}\n".encode())
        before = _lines(game.line_begin + game.before + game.line_rest)
        after = _lines(game.line_begin + game.repaired.text + game.line_rest)
        for line in hunks(before, after, game.line_feeds, game.line_feeds + self._grown):
            self._line(line[:1].decode("latin-1"), line)
        self._grown += len(after) - len(before)

    def _line(self, sign: str, line: bytes) -> None:
        if not self._terminal and hasattr(self._out, "buffer"):
            self._out.flush()
            self._out.buffer.write(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n")
            return
        text = printable(line.rstrip(b"\r\n").decode("utf-8", "backslashreplace"))
        colour = _COLOURS.get(sign) if self._colour else None
        self._out.write((click.style(text, fg=colour) if colour else text) + "\n")


def _lines(text: bytes) -> list[bytes]:
    """Lines with their ends as ``patch`` knows them: only LF ends one."""
    return re.findall(rb"[^\n]*\n|[^\n]+", text)


def hunks(before: list[bytes], after: list[bytes], first_before: int, first_after: int) -> Iterator[bytes]:
    """The hunks of a diff between lines; numbers count on from the lines that stand before them.

    >>> list(hunks([b"1. e2e4 *\\n"], [b"1. e4 *\\n"], 10, 12))
    [b'@@ -11 +13 @@\\n', b'-1. e2e4 *\\n', b'+1. e4 *\\n']
    """

    def moved(match: re.Match[bytes]) -> bytes:
        first = first_before if match[1] == b"-" else first_after
        return match[1] + str(int(match[2]) + first).encode()

    # Latin-1 gives each byte a sign of its own, and takes it back.
    one, other = ([line.decode("latin-1") for line in lines] for lines in (before, after))
    for number, text in enumerate(unified_diff(one, other)):
        line = text.encode("latin-1")
        if number >= 2:
            yield re.sub(rb"([-+])([0-9]+)(?=[ ,])", moved, line) if line.startswith(b"@@ ") else line
