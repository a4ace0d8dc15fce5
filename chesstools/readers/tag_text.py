"""Tag pairs as lines of PGN from which the reader gets the exact name and value back."""

from __future__ import annotations

import re

from chesstools.limits import MAX_TAG_LINE_BYTES
from chesstools.readers.report import Report, shown
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import Token
from chesstools.reference.lexer import tokens as all_tokens
from chesstools.reference.segment import Region
from chesstools.reference.tags import read_tags

_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
_BREAKS = re.compile(r"[\r\n]+")
_BLANKS = " \t"


def tag_text(name: str, value: str, place: str, report: Report) -> str:
    """The line, or nothing where PGN cannot hold such a tag pair, which the report then tells.

    >>> tag_text("White", 'Ann "Ace"', "row 1", Report("a.csv"))
    '[White "Ann \\\\"Ace\\\\""]\\n'
    """
    if not _NAME.fullmatch(name):
        value = _on_one_line(value, place, report)
        line = f'[{name} "{value}"]'  # such a pair is read as it stands, without escapes
        if read_pairs(line.encode("utf-8", "replace")) != [(name, value)]:
            report.change(place, f"tag pairs left out whose name PGN cannot hold, such as {shown(name)!r}")
            return ""
        return line + "\n"
    if "\n" in value or "\r" in value:
        value = _on_one_line(value, place, report)
    if "\\" in value or '"' in value:
        value = value.replace("\\", "\\\\").replace('"', '\\"')
    if (
        len(name) + len(value) > MAX_TAG_LINE_BYTES // 4
        and len(f'[{name} "{value}"]'.encode("utf-8", "replace")) > MAX_TAG_LINE_BYTES
    ):
        report.change(place, f"tag pairs left out that are longer than {MAX_TAG_LINE_BYTES // 1024} KB")
        return ""
    return f'[{name} "{value}"]\n'


def _on_one_line(value: str, place: str, report: Report) -> str:
    if "\n" in value or "\r" in value:
        report.change(place, "tag values with a line break have a blank in its place")
        first, *middle, last = _BREAKS.split(value)
        inner = (text for part in middle if (text := part.strip(_BLANKS)))
        return " ".join([first.rstrip(_BLANKS), *inner, last.lstrip(_BLANKS)])
    return value


def read_pairs(data: bytes, tokens: list[Token] | None = None) -> list[tuple[str, str]]:
    """The tag pairs that the reference engine reads out of these bytes, or out of some tokens of them.

    >>> read_pairs(b'[White "Ann"]\\n[no]\\n')
    [('White', 'Ann')]
    """
    found = all_tokens(data) if tokens is None else tokens
    return read_tags(Facts(Region(True, 0, 1, data, found), "", None, "")).pairs
