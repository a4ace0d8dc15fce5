"""P104 to P107, P109 in part: tag pairs, their form and their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chesstools.finding import Finding
from chesstools.fixes.edit import Edit, Fix, key_of
from chesstools.fixes.judged import Judged
from chesstools.reference.lexer import FILLERS, Kind, Token
from chesstools.reference.segment import count_lines
from chesstools.reference.tags import ROSTER
from chesstools.reference.values import normalise_result

_QUOTED = re.compile(rb'(\[[ \t]*[^ \t\r\n\x0b\x0c\[\]"{}();$%]+[ \t]*")(.*)"[ \t]*\]', re.DOTALL)
_OPEN = re.compile(rb'\[[ \t]*[A-Za-z0-9_]+[ \t]*"[^"\r\n]*("?)')
_BARE = re.compile(rb"(\[[ \t]*[A-Za-z][A-Za-z0-9_]*[ \t]+)([^ \t\r\n][^\r\n]*)\]")
_NAME = re.compile(rb"\[[ \t]*([A-Za-z0-9_]+)")
_LINE_BREAK = re.compile(rb"\r\n|\n|\r")
_BLANKS = b" \t\r\n\x0b\x0c"


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """Fixes for the form and the place of tag pairs."""
    for finding in judged.findings:
        if not wants(finding.code):
            continue
        if finding.code == "P104":
            yield from _bad_pair(judged, finding)
        elif finding.code == "P105" and finding.evidence.get("expected", "") == finding.evidence.get("found", ""):
            name = str(finding.token)
            yield Fix((key_of(finding),), (_whole_line(judged.text, *judged.place(finding)),), tags=frozenset({name}))
        elif finding.code == "P106":
            yield from _roster(judged, finding)
    yield from _glued(judged, wants)


# ---------------------------------------------------------------------------------------------------- one pair


def escaped(value: bytes) -> bytes:
    r"""A value as it stands between the quotes of a tag pair.

    >>> escaped(b'C:\\"x"')
    b'C:\\\\\\"x\\"'
    """
    return value.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def value_span(judged: Judged, token: Token) -> tuple[int, int] | None:
    """Where the value of a tag pair stands between its quotes; None where it has none."""
    start, end = judged.span(token)
    match = _QUOTED.fullmatch(judged.text[start:end])
    return None if match is None else (start + match.start(2), start + match.end(2))


def _bad_pair(judged: Judged, finding: Finding) -> Iterator[Fix]:
    """The pair in standard form with the value that it is read as; not where its name or its end is not certain."""
    start, end = judged.place(finding)
    text = judged.text[start:end]
    reason = finding.evidence.get("reason")
    edit = None
    unsafe = False
    if reason == "no-bracket" and (match := _OPEN.match(text)):
        at = match.end() if match[1] else len(text.rstrip(b" \t"))
        edit, unsafe = Edit(at, at, b"]" if match[1] else b'"]'), not match[1]
    elif reason in ("unescaped-quote", "trailing-backslash", "line-break") and (match := _QUOTED.fullmatch(text)):
        edit = Edit(*match.span(2), _written(match[2], str(reason)))
    elif reason == "no-quotes" and (match := _BARE.fullmatch(text)):
        edit = Edit(*match.span(2), b'"' + escaped(match[2].strip(_BLANKS).strip(b'"')) + b'"')
    if edit is not None:
        yield Fix((key_of(finding),), (Edit(start + edit.start, start + edit.end, edit.text),), unsafe=unsafe)


def _written(value: bytes, reason: str) -> bytes:
    """A value as it must be written to be read as it is read now."""
    if reason == "line-break":
        value = b" ".join(part.strip(_BLANKS) for part in _LINE_BREAK.split(value))
    elif reason == "unescaped-quote":
        value = re.sub(rb'\\(["\\])', rb"\1", value)
    return escaped(value)


def _whole_line(text: bytes, start: int, end: int) -> Edit:
    """Takes out what stands there, and its line if nothing else stands on it."""
    first, last = start, end
    while first > 0 and text[first - 1 : first] in (b" ", b"\t"):
        first -= 1
    while text[last : last + 1] in (b" ", b"\t"):
        last += 1
    line_end = _LINE_BREAK.match(text, last)
    if (first == 0 or text[first - 1 : first] in (b"\r", b"\n")) and line_end:
        return Edit(first, line_end.end(), b"")
    return Edit(first, end, b"")


# ------------------------------------------------------------------------------------------------------ roster


def _roster(judged: Judged, finding: Finding) -> Iterator[Fix]:
    """The missing ones of the seven in their places, each saying that nothing is known."""
    missing = str(finding.evidence.get("found", "")).split(", ")
    region = judged.region
    marker = None if region.terminator is None else region.tokens[region.terminator]
    result = normalise_result(None if marker is None else judged.bytes_of(marker).decode(judged.encoding, "replace")) or "*"
    unknown = {"Date": "????.??.??", "Result": result}
    pairs = {name: f'[{name} "{unknown.get(name, "?")}"]'.encode() for name in missing}
    section = _section(judged)
    if not section:
        yield Fix((key_of(finding),), (new_section(judged, list(pairs.values())),), tags=frozenset(missing))
        return
    line_end = judged.line_end
    edits: dict[int, bytes] = {}
    tokens = judged.tags.tokens
    behind: int | None = None  # where the roster tag before ends, if there is one
    for name in ROSTER:
        if name in pairs:
            at = judged.span(section[0])[0] if behind is None else behind
            edits[at] = edits.get(at, b"") + (pairs[name] + line_end if behind is None else line_end + pairs[name])
        elif (token := tokens.get(name)) in section and token is not None:
            behind = judged.span(token)[1]
    yield Fix((key_of(finding),), tuple(Edit(at, at, text) for at, text in sorted(edits.items())), tags=frozenset(missing))


def _section(judged: Judged) -> list[Token]:
    """The tag pairs before the movetext."""
    section: list[Token] = []
    for token in judged.region.tokens:
        if token.kind in (Kind.TAG, Kind.BAD_TAG):
            section.append(token)
        elif token.kind not in FILLERS:
            break
    return section


def new_section(judged: Judged, pairs: list[bytes]) -> Edit:
    """Tag pairs, a line each, and the empty line behind them, before a game that has none."""
    first = next(token for token in judged.region.tokens if token.kind not in FILLERS)
    at = judged.span(first)[0]
    line_end = judged.line_end
    before = judged.context.before + judged.text[:at]
    solid = before.rstrip(_BLANKS)
    # An empty line before it, where something stands there: else it would be taken to go on from that.
    breaks = max(0, 2 - count_lines(before[len(solid) :])) if solid else 0
    return Edit(at, at, breaks * line_end + line_end.join(pairs) + 2 * line_end)


# ------------------------------------------------------------------------------------------------------- place


def _glued(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """An empty line before the tag section that begins right behind a game; tags in the midst of movetext stay."""
    finding = next((one for one in judged.findings if one.code == "P107"), None)
    first = next((token for token in judged.region.tokens if token.kind not in FILLERS), None)
    if finding is None or first is None or not wants("P107") or judged.place(finding) != judged.span(first):
        return
    at = judged.span(first)[0]
    before = (judged.context.before + judged.text[:at]).rstrip(b" \t")
    breaks = 1 if before[-1:] in (b"\r", b"\n") else 2
    start = at - len(judged.text[:at]) + len(judged.text[:at].rstrip(b" \t"))
    yield Fix((key_of(finding),), (Edit(start, start, breaks * judged.line_end),))
