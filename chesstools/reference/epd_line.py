"""A line of a file of positions: a FEN, or an EPD with operations behind the position (PGN standard 16.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chesstools.reference.text import BLANKS, trim, words

_FOUR_FIELDS = re.compile(rf"[^{BLANKS}]+(?:[{BLANKS}]+[^{BLANKS}]+){{3}}")
_COUNTERS = re.compile(rf"[{BLANKS}]+[0-9]+[{BLANKS}]+[0-9]+(?=[{BLANKS};]|\Z)")

COUNTER_OPCODE = re.compile(r"(?<![^ ])(hmvc|fmvn) +([0-9]+) *;?")
"""An operation that stands for a counter."""

OPCODES = frozenset(
    {
        *("acd", "acn", "acs", "am", "bm", "ce", "dm", "draw_accept", "draw_claim", "draw_offer", "draw_reject", "eco", "fmvn"),
        *("hmvc", "id", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tcgs", "tcri", "tcsi"),
        *(f"{letter}{digit}" for letter in "cv" for digit in range(10)),
    }
)
"""Opcodes of the standard (16.2.5), by which operations are known where no semicolon ends them."""


class Line(NamedTuple):
    """A line, taken apart."""

    position: str
    """The position as a FEN; where there are no operations, the line as it stands."""
    rest: str
    """What stands behind the position, exactly; empty where there are no operations."""


def split_line(text: str) -> Line:
    """Find operations behind four fields, or behind six whose last two are numbers.

    Operations that are only `hmvc` and `fmvn` stay part of the position.

    >>> split_line('4k3/8/8/8/8/8/8/4K2R w K - bm O-O; hmvc 3;')
    Line(position='4k3/8/8/8/8/8/8/4K2R w K - 3 1', rest=' bm O-O; hmvc 3;')
    >>> split_line("4k3/8/8/8/8/8/8/4K3 w - - 0 1; D1 5;").rest
    '; D1 5;'
    >>> split_line("4k3/8/8/8/8/8/8/4K3 w - - hmvc 3;").rest
    ''
    """
    plain = Line(text, "")
    text = trim(text)
    four = _FOUR_FIELDS.match(text)
    if four is None:
        return plain
    counters = _COUNTERS.match(text, four.end())
    end = counters.end() if counters else four.end()
    rest = text[end:]
    listed = rest.lstrip(BLANKS + ";")
    opcode = (words(listed) or [""])[0]
    is_operation = ";" in rest or opcode.rstrip(";") in OPCODES
    if not (opcode[:1].isascii() and opcode[:1].isalpha() and is_operation):
        return plain
    if counters:
        return Line(" ".join(words(text[:end])), rest)
    if not trim(COUNTER_OPCODE.sub("", listed)):
        return plain
    numbers = {"hmvc": "0", "fmvn": "1"}
    for operation in operations(listed):
        opcode, *operands = words(operation)
        if opcode in numbers:
            numbers[opcode] = ",".join(operands) or "?"  # as one field, which is told where it is no number
    return Line(" ".join([*words(text[:end]), *numbers.values()]), rest)


def operations(text: str) -> Iterator[str]:
    r"""The operations of a text, trimmed.

    A semicolon ends each, but not inside quotation marks, where a backslash takes the meaning from the sign behind it.

    >>> list(operations(r'bm Nf3 Nc3; id "a;\"b" ;; c0 x'))
    ['bm Nf3 Nc3', 'id "a;\\"b"', 'c0 x']
    """
    start, quoted, escaped = 0, False, False
    for at, sign in enumerate(text + ";"):
        quoted ^= sign == '"' and not escaped
        escaped = quoted and not escaped and sign == "\\"
        if at == len(text) or (sign == ";" and not quoted):
            if operation := trim(text[start:at]):
                yield operation
            start = at + 1
