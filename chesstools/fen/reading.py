"""Positions from files: one FEN or EPD a line, or a column of a Parquet, Arrow or CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

import pyarrow as pa
import pyarrow.compute as pc

from chesstools.bytestream import ByteStream
from chesstools.compression import SUFFIXES
from chesstools.errors import SourceError
from chesstools.source import Source

MAX_LINE_BYTES = 1 << 20
"""A line longer than this holds no position; such a file cannot be read."""

_BLANKS = " \t\r\n"
_BOM = b"\xef\xbb\xbf"
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Positions:
    """Some positions of a file, in its order."""

    source: str
    lines: pa.StringArray
    """FENs or EPDs; null where a table has no value."""
    numbers: pa.Int64Array
    """The line of each in its file; in a table the number of its row. Both from 1."""
    table: pa.RecordBatch | None = None
    """The whole rows, where they are those of a table."""
    column: str | None = None
    """The column of `table` that they come from."""


def read_positions(source: Source, column: str | None = None) -> Iterator[Positions]:
    """The positions of a source, some at a time; memory stays flat.

    The first bytes tell Parquet and Arrow files, the name tells CSV (``.csv``, ``.tsv``, also packed). `column` is the one with
    the positions; without it the one that is named fen, in whatever case. Other text has a position a line; empty lines, and
    lines that begin with ``#``, are passed over.

    Raises SourceError, with the line or row, for what cannot be read, and OptionError for a table without such a column.
    """
    from chesstools.fen import reading_tables

    with source.open() as stream:
        blocks = iter(stream)
        first = next(blocks, b"")
        while 0 < len(first) < 8 and (more := next(blocks, b"")):
            first += more
        kind = table_kind(source.name, first)
        if kind is None:
            yield from _read_lines(source.name, first, stream)
        elif kind in ("parquet", "arrow"):
            yield from reading_tables.read_file(source, kind, column)
        else:
            yield from reading_tables.read_stream(source.name, kind, first, stream, column)


def table_kind(name: str, first: bytes) -> str | None:
    """``parquet``, ``arrow`` (a file), ``arrow stream``, the separator of a CSV file, or None for lines.

    >>> table_kind("positions.csv.zst", b"fen,eval"), table_kind("-", b"PAR1...."), table_kind("positions.fen", b"8/8/")
    (',', 'parquet', None)
    """
    if first.startswith(b"PAR1"):
        return "parquet"
    if first.startswith(b"ARROW1"):
        return "arrow"
    if first.startswith(b"\xff\xff\xff\xff"):
        return "arrow stream"
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    if suffixes and suffixes[-1] in SUFFIXES:
        suffixes.pop()
    return _SEPARATORS.get(suffixes[-1]) if suffixes else None


def _read_lines(name: str, first: bytes, stream: ByteStream) -> Iterator[Positions]:
    rest, number = first.removeprefix(_BOM), 1
    for block in stream:
        whole = rest.rfind(b"\n") + 1
        if whole:
            yield from _split(name, rest[:whole], number)
            number += rest.count(b"\n", 0, whole)
            rest = rest[whole:]
        if len(rest) > MAX_LINE_BYTES:
            raise SourceError(f"{name}: line {number} is longer than {MAX_LINE_BYTES:,} bytes; it cannot hold a position.")
        rest += block
    if rest:
        yield from _split(name, rest if rest.endswith(b"\n") else rest + b"\n", number)


def _split(name: str, data: bytes, number: int) -> Iterator[Positions]:
    """The positions in whole lines; `number` is that of the first line."""
    import numpy as np

    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 0x0A) + 1
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    raw = pa.Array.from_buffers(pa.binary(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    try:
        lines = raw.cast(pa.string())
    except pa.ArrowInvalid:
        bad = next(at for at, line in enumerate(data.split(b"\n")) if not _is_utf8(line))
        if bad:
            yield from _split(name, data[: ends[bad - 1]], number)
        raise SourceError(f"{name}: line {number + bad} is not UTF-8 text; convert the file first.") from None
    lines = pc.ascii_trim(lines, characters=_BLANKS)
    numbers = pa.array(np.arange(number, number + len(ends)), pa.int64())
    wanted = pc.and_not(pc.greater(pc.binary_length(lines), 0), pc.starts_with(lines, pattern="#"))
    if pc.all(wanted).as_py() is False:
        lines, numbers = lines.filter(wanted), numbers.filter(wanted)
    if len(lines):
        yield Positions(name, lines, numbers)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
