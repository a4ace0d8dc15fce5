"""CSV with a header, and its relatives with semicolons, tabs or bars; row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from chesstools.compression import Feed
from chesstools.errors import SourceError
from chesstools.limits import MAX_GAME_BYTES
from chesstools.readers.columns import FEN_COLUMNS, MOVES_COLUMNS, PGN_COLUMNS, Plan
from chesstools.readers.lines import MAX_LINE_BYTES, lines
from chesstools.readers.record import Record
from chesstools.readers.report import BadRecordError, Report, shown
from chesstools.source import Source

_DELIMITERS = ",;\t|"


def delimiter_of(header: str) -> str | None:
    """The sign between the columns, where this is the first line of a table with games in it; else None.

    >>> delimiter_of("White;Black;moves"), delimiter_of('[Event "moves, fen"]')
    (';', None)
    """
    known = {*PGN_COLUMNS, *MOVES_COLUMNS, *FEN_COLUMNS}
    for sign in _DELIMITERS:
        names = [name.strip().strip('"') for name in header.strip("\ufeff\r\n").split(sign)]
        if known & set(names) and (len(names) > 1 or sign == _DELIMITERS[0]):
            return sign
    return None


def read_csv(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each row. A row that cannot be read is reported and left out."""
    csv.field_size_limit(MAX_GAME_BYTES)
    text = _text_lines(feed, report)
    header = next(text, None)
    if header is None:
        raise SourceError(f"{report.name} is empty; a table begins with a line that names its columns.")
    sign = delimiter_of(header) or ","
    reader = csv.reader(_chain(header, text), delimiter=sign, strict=True)
    plan: Plan | None = None
    names: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            if "unexpected end" in str(error):
                raise report.broken(f"line {line}", "a quote opens there and does not close") from None
            if plan is None or "field larger" in str(error):
                raise report.broken(f"line {line}", str(error)) from None
            report.skip(f"line {line}", f"is no row of the table ({shown(str(error))})")
            continue
        if row is None:
            return
        if not row:
            continue
        if plan is None:
            names = [name.strip() for name in row]
            plan = Plan(names, report.name, report)
            continue
        if len(row) != len(names):
            report.skip(f"line {line}", f"has {len(row)} values in place of {len(names)}")
            continue
        try:
            yield plan.record(
                {name: value if value != "" else None for name, value in zip(names, row, strict=True)}, f"line {line}"
            )
        except BadRecordError as error:
            report.skip(f"line {line}", str(error))


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _text_lines(feed: Feed, report: Report) -> Iterator[str]:
    """Lines with their ends. What is no UTF-8 is read as Windows-1252, and reported."""
    for line in lines(feed):
        if line.is_cut:
            raise report.broken(f"line {line.number}", f"it is longer than {MAX_LINE_BYTES >> 20} MB")
        try:
            text = line.data.decode("utf-8-sig" if line.number == 1 else "utf-8")
        except UnicodeDecodeError:
            report.change(f"line {line.number}", "lines that are no UTF-8 are read as Windows-1252")
            text = line.data.decode("cp1252", "replace")
        yield text + "\n"
