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
from chesstools.source import Source

POSITION_LINE = re.compile(rb"\s*[pnbrqkPNBRQK1-9~]+(?:/[pnbrqkPNBRQK1-9~]+){7}\S*[ \t]+[wb][ \t]")

_BOARD = re.compile(
    r"(?P<fen>\S+/\S+\s+[wb]\s+\S+\s+[^\s;]+)(?P<counters>\s+[0-9]+\s+[0-9]+(?=\s|$|;))?\s*(?P<rest>.*)", re.DOTALL
)
_HMVC = re.compile(r"(?:^|;)\s*hmvc\s+([0-9]{1,6})\s*;")
_FMVN = re.compile(r"(?:^|;)\s*fmvn\s+([0-9]{1,6})\s*;")


def read_positions(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each line. What has not the shape of a position is reported and left out."""
    for place, text in texts(feed, report):
        if not text:
            report.leave("lines without a position")
            continue
        match = _BOARD.fullmatch(text)
        if match is None:
            report.skip(place, "is no position (no FEN or EPD)")
            continue
        yield Record(place, [("FEN", _fen(match)), ("SetUp", "1")], _comment(match["rest"]))


def _fen(match: re.Match[str]) -> str:
    """The position with its counters, where the line states them: as FEN does, or in the opcodes hmvc and fmvn."""
    fields = match["fen"].split()
    if match["counters"]:
        fields += match["counters"].split()
    elif (halfmoves := _HMVC.search(match["rest"])) and (moves := _FMVN.search(match["rest"])):
        fields += [halfmoves[1], moves[1]]
    return " ".join(fields)


def _comment(opcodes: str) -> str:
    text = opcodes.strip()
    if not text:
        return ""
    return f"; {text}\n" if "{" in text or "}" in text else f"{{ {text} }}"
