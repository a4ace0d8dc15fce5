"""Lines that are longer than the standard lets them be (P112)."""

from __future__ import annotations

import re

from chesstools.reference.facts import Facts
from chesstools.reference.lexer import Kind, Token

MOST_BYTES = 255
"""What a line may have, without its break."""

_LONG = re.compile(rb"[^\r\n]{%d,}" % (MOST_BYTES + 1))


def report_long_lines(facts: Facts) -> None:
    """Report the long lines of a game: one finding, at the first of them, however many there are.

    A line that several games share counts for each of them with what belongs to it.
    """
    region = facts.region
    spans = [match.span() for match in _LONG.finditer(region.data)]
    if not spans:
        return
    start, end = spans[0]
    first = Token(Kind.WORD, region.offset + start, region.offset + end)
    longest = max(end - start for start, end in spans)
    facts.add("P112", first, count=len(spans), limit=MOST_BYTES, longest=longest)
