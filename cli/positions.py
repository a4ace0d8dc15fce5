"""Positions that a command is given: FENs as arguments, or files and standard input with one FEN a line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chesstools.errors import OptionError


@dataclass(frozen=True, slots=True)
class Position:
    """A FEN as it was given."""

    fen: str
    source: str | None = None
    """The file that it stands in; None for an argument."""
    line: int | None = None
    """From 1."""

    @property
    def place(self) -> str:
        """What an answer begins with: ``file:line``, or the FEN itself."""
        return self.fen if self.source is None else f"{self.source}:{self.line}"


def positions(arguments: Sequence[str]) -> Iterator[Position]:
    """The positions in the order of the arguments. Empty lines of files, and lines that begin with ``#``, are passed over.

    Raises OptionError for an argument that is neither a file nor like a FEN, and SourceError for a file that cannot be read.
    """
    for argument in arguments:
        if argument == "-" or os.path.exists(argument):
            yield from _lines(argument)
        elif "/" in argument and not argument.lower().endswith((".fen", ".epd", ".txt")):
            yield Position(argument)
        else:
            raise OptionError(f"{argument!r} is neither a file nor a FEN; put a FEN into quotation marks, as it has blanks.")


def _lines(name: str) -> Iterator[Position]:
    from chesstools.source import find_sources

    for source in find_sources(name):
        rest, number = b"", 0
        for block in source.open():
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                number += 1
                yield from _position(line, source.name, number)
        yield from _position(rest, source.name, number + 1)


def _position(line: bytes, source: str, number: int) -> Iterator[Position]:
    text = line.decode("utf-8", "replace").strip("\ufeff\r\t ")
    if text and not text.startswith("#"):
        yield Position(text, source, number)
