"""P101: bytes that are not UTF-8, NULs, byte order marks and invisible blanks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chesstools.fixes.edit import Edit, Fix, key_of
from chesstools.fixes.judged import Judged
from chesstools.reference.facts import encoding_of
from chesstools.reference.lexer import Kind

_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
_KINDS = {"nul": Kind.NUL, "bom": Kind.BOM, "invisible": Kind.INVISIBLE}
_BLANKS = b" \t\r\n\x0b\x0c"


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """One fix for each kind of what does not belong into text."""
    for key in dict.fromkeys(key_of(one) for one in judged.findings if one.code == "P101" and wants("P101")):
        if key.kind in _KINDS:
            yield Fix((key,), _without(judged, _KINDS[key.kind]))
        elif key.kind in ("cp1252", "latin-1"):
            yield Fix((key,), _decoded(judged.text))


def _decoded(text: bytes) -> tuple[Edit, ...]:
    """The text as UTF-8; stretches of ASCII stay untouched."""
    encoding = encoding_of(text)
    return tuple(Edit(match.start(), match.end(), match.group().decode(encoding).encode()) for match in _NOT_ASCII.finditer(text))


def _without(judged: Judged, kind: Kind) -> tuple[Edit, ...]:
    """What is read as a blank goes where a blank, an end or the beginning of a line stands beside it; else it becomes one."""
    text = judged.text
    edits: list[Edit] = []
    for token in judged.region.tokens:
        if token.kind is not kind or (kind is Kind.BOM and token.start == 0):
            continue
        start, end = judged.span(token)
        before = edits[-1].text if edits and edits[-1].end == start else text[start - 1 : start] or judged.context.before[-1:]
        beside = (before[-1:] or b" ") in _BLANKS or (text[end : end + 1] or b" ") in _BLANKS
        edits.append(Edit(start, end, b"" if beside else b" "))
    return tuple(edits)
