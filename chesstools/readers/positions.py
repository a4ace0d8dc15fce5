"""Files of positions: FEN or EPD, one a line. Each becomes a game that begins there, with the tags FEN and SetUp and no moves.

The opcodes of EPD stand in a comment before the first move. Blank lines, and lines that begin with ``#``, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chesstools.compression import Feed
from chesstools.readers.lines import texts
from chesstools.readers.record import Record
from chesstools.readers.report import Report
from chesstools.reference.epd_line import operations
from chesstools.reference.text import words
from chesstools.source import Source

POSITION_LINE = re.compile(rb"\s*[pnbrqkPNBRQK1-9~]+(?:/[pnbrqkPNBRQK1-9~]+){7}\S*[ \t]+[wb][ \t]")

# Each part begins with a sign that the one before it cannot hold, so that no line is gone through more than a few times.
_POSITION = re.compile(
    r"(?P<fen>(?P<men>\S+)\s+[wb]\s+\S+\s+[^\s;]+)(?P<counters>\s+[0-9]+\s+[0-9]+(?=\s|$|;))?\s*(?P<rest>.*)", re.DOTALL
)
_COUNTER = re.compile(r"[0-9]{1,6}")


def read_positions(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each line. What has not the shape of a position is reported and left out."""
    for place, text in texts(feed, report):
        if not text:
            report.leave("lines without a position")
            continue
        match = _POSITION.fullmatch(text)
        if match is None or "/" not in match["men"][1:-1]:
            report.skip(place, "is no position (no FEN or EPD)")
            continue
        yield Record(place, [("FEN", _fen(match)), ("SetUp", "1")], _comment(match["rest"]))


def _fen(match: re.Match[str]) -> str:
    """The position with its counters, where the line states them: as FEN does, or in the opcodes hmvc and fmvn."""
    fields = match["fen"].split()
    if match["counters"]:
        fields += match["counters"].split()
    elif "hmvc" in match["rest"] and "fmvn" in match["rest"]:
        found = dict(each for operation in operations(match["rest"]) if len(each := words(operation)) == 2)
        counters = [found.get("hmvc", ""), found.get("fmvn", "")]
        if all(map(_COUNTER.fullmatch, counters)):
            fields += counters
    return " ".join(fields)


def _comment(opcodes: str) -> str:
    text = opcodes.strip()
    if not text:
        return ""
    return f"; {text}\n" if "{" in text or "}" in text else f"{{ {text} }}"
