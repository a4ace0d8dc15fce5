"""Positions that a command is given: FENs as arguments, or files and standard input with many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chesstools.errors import OptionError
from chesstools.stores import is_uri

from .output import is_stdout, refuse_source_as_output
from .progress import progress_bar
from .terminal import both_on_one_terminal

if TYPE_CHECKING:
    from chesstools.fen.reading import Positions

FILES = (".fen", ".epd", ".txt", ".csv", ".tsv", ".parquet", ".arrow", ".feather", ".gz", ".bz2", ".xz", ".zst", ".zip")
"""Names that are those of files, also where there is none."""


@dataclass(frozen=True, slots=True)
class Position:
    """A line as it was given."""

    fen: str
    source: str | None = None
    """The file that it stands in; None for an argument."""
    line: int | None = None
    """From 1; of a table the row."""

    @property
    def place(self) -> str:
        """What an answer begins with: ``file:line``, or the FEN itself."""
        return self.fen if self.source is None else f"{self.source}:{self.line}"


def watched(arguments: Sequence[str], column: str | None, output: str | None, lang: str, *, quiet: bool) -> Iterator[Positions]:
    """The same as `batches`, with a progress bar where the answers do not go to the same terminal.

    Raises OptionError where the output is one of the files.
    """
    refuse_source_as_output(output, arguments)
    files = [os.path.getsize(argument) for argument in arguments if os.path.isfile(argument)]
    total = sum(files) if len(files) == len(arguments) else None
    no_bar = quiet or (is_stdout(output) and both_on_one_terminal())
    with progress_bar(total, lang, quiet=no_bar, unit="positions") as bar:
        yield from batches(arguments, column, bar.update)


def batches(
    arguments: Sequence[str], column: str | None = None, progress: Callable[[int, int], None] | None = None
) -> Iterator[Positions]:
    """The positions in the order of the arguments, some at a time; those that are arguments themselves have an empty source.

    `progress` is told how many bytes and positions were read so far. Raises OptionError for an argument that is neither a file
    nor like a FEN or no Unicode text, and SourceError for a file that cannot be read.
    """
    import pyarrow as pa

    from chesstools.fen.answers import one_position
    from chesstools.fen.reading import Positions, read_positions
    from chesstools.source import find_sources

    bytes_before = count = 0
    for argument in arguments:
        if os.path.isdir(argument):
            raise OptionError(f"{argument} is a folder; name the files with positions.")
        if argument == "-" or is_uri(argument) or os.path.exists(argument):
            for source in find_sources(argument):
                for part in read_positions(source, column):
                    yield part
                    count += len(part.lines)
                    if progress is not None:
                        progress(bytes_before + source.stored_bytes_read, count)
                bytes_before += source.size or 0
        elif "/" in argument and not argument.lower().endswith(FILES):
            yield Positions("", one_position(argument), pa.array([1], pa.int64()))
        else:
            raise OptionError(f"{argument!r} is neither a file nor a FEN; put a FEN into quotation marks, as it has blanks.")


def position(part: Positions, row: int) -> Position:
    """One of some positions."""
    fen = part.lines[row].as_py() or ""
    return Position(fen, part.source, int(part.numbers[row].as_py())) if part.source else Position(fen)


def positions(arguments: Sequence[str], column: str | None = None) -> Iterator[Position]:
    """The same, one by one; nulls of tables are passed over."""
    for part in batches(arguments, column):
        for row in range(len(part.lines)):
            if part.lines[row].is_valid:
                yield position(part, row)
