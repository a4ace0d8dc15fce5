"""T120, T123, T124: values of tags that can mean one thing only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chesstools.finding import Finding
from chesstools.fixes.edit import Edit, Fix, key_of
from chesstools.fixes.judged import Judged
from chesstools.fixes.tags import value_span
from chesstools.reference.text import trim
from chesstools.reference.values import parse_date

_YEAR_FIRST = re.compile(r"([0-9]{4}|\?{1,4})(?:([-./ ])([0-9]{1,2}|\?{1,2})(?:\2([0-9]{1,2}|\?{1,2}))?)?[.]?")


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """Fixes for values of tags."""
    for finding in judged.findings:
        if not wants(finding.code):
            continue
        if finding.code == "T120" and (date := standard_date(str(finding.evidence.get("found", "")))):
            yield from _value(judged, finding, str(finding.evidence["tag"]), date)
        elif finding.code == "T123":
            yield from _ply_count(judged, finding)
        elif finding.code == "T124":
            yield from _setup(judged, finding)


def _value(judged: Judged, finding: Finding, name: str, value: str) -> Iterator[Fix]:
    """Another value for a tag. It is ASCII without quotes."""
    span = value_span(judged, judged.tags.tokens[name])
    if span is not None:
        yield Fix((key_of(finding),), (Edit(*span, value.encode()),), tags=frozenset({name}))


def _ply_count(judged: Judged, finding: Finding) -> Iterator[Fix]:
    """The number of plies, where it is certain."""
    assert judged.facts is not None
    if not judged.facts.mainline.stopped and not judged.in_doubt:
        yield from _value(judged, finding, "PlyCount", str(finding.evidence["count"]))


def standard_date(text: str) -> str | None:
    """A date as PGN writes it, where the year stands first; None where the order of its parts could be another.

    >>> standard_date("1984-5-1"), standard_date("1984"), standard_date("01.05.1984"), standard_date("1984.02.30")
    ('1984.05.01', '1984.??.??', None, None)
    """
    match = _YEAR_FIRST.fullmatch(trim(text))
    if match is None:
        return None
    year, month, day = match[1], match[3] or "??", match[4] or "??"
    parts = ["????" if "?" in year else year, *("??" if part.strip("?0") == "" else part.zfill(2) for part in (month, day))]
    date = ".".join(parts)
    return date if parse_date(date) is not None else None


def _setup(judged: Judged, finding: Finding) -> Iterator[Fix]:
    """SetUp "1" beside a FEN from which the moves are legal."""
    facts = judged.facts
    assert facts is not None
    reason = finding.evidence.get("reason")
    if reason == "fen-without-setup":
        start = judged.span(facts.tags.tokens["FEN"])[0]
        yield Fix((key_of(finding),), (Edit(start, start, b'[SetUp "1"]' + judged.line_end),), tags=frozenset({"SetUp"}))
    elif reason == "setup-zero-with-fen" and facts.mainline.plies and not facts.mainline.stopped:
        yield from _value(judged, finding, "SetUp", "1")
