"""Lists of moves, one game a line: SAN, long algebraic or UCI, with or without move numbers and a result.

    e4 e5 Nf3 1-0
    fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8q

Blank lines, and lines that begin with ``#``, are passed over. Which notation it is need not be known: the engine reads them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chesstools.compression import Feed
from chesstools.readers.lines import texts
from chesstools.readers.record import Record
from chesstools.readers.report import Report
from chesstools.source import Source

UCI_LINE = re.compile(
    rb"\s*(?:[a-h][1-8][a-h][1-8][nbrq]?|0000)(?:\s+(?:[a-h][1-8][a-h][1-8][nbrq]?|0000))*\s*(?:1-0|0-1|1/2-1/2|\*)?\s*"
)
"""A line of moves in UCI form: nothing else looks like it."""

_START = re.compile(
    r"\s*(?:position\s+)?(?:startpos|fen\s+(?P<fen>\S+(?:\s+\S+){3}(?:\s+[0-9]+\s+[0-9]+)?))(?:\s+moves(?=\s|$)|\s*$)"
)


def read_moves(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each line."""
    for place, text in texts(feed, report):
        if not text:
            report.leave("lines without moves")
            continue
        tags = []
        if match := _START.match(text):
            text = text[match.end() :].strip()
            if match["fen"]:
                tags = [("FEN", " ".join(match["fen"].split())), ("SetUp", "1")]
        yield Record(place, tags, text)
