"""Collects the findings of one region: codes, places and evidence, no sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from chesstools import rules
from chesstools.finding import Finding, Location, Severity
from chesstools.limits import MAX_TOKEN_CHARS
from chesstools.reference.lexer import Token
from chesstools.reference.segment import Region

_LINE_BREAK = re.compile(rb"\r\n|\n|\r")


def encoding_of(data: bytes) -> str:
    """How these bytes are to be read: UTF-8 if they are that, else Windows-1252, else Latin-1 (which fits any bytes).

    >>> encoding_of(b"M\\xfcller"), encoding_of("Müller".encode())
    ('cp1252', 'utf-8')
    """
    for name in ("utf-8", "cp1252"):
        try:
            data.decode(name)
        except UnicodeDecodeError:
            continue
        return name
    return "latin-1"


class Place(NamedTuple):
    """The ply and the variation that a finding belongs to."""

    ply: int | None = None
    variation: str | None = None


NOWHERE = Place()


class Facts:
    """The findings of one region, with places worked out from tokens."""

    def __init__(self, region: Region, source: str, game_index: int | None, profile: str) -> None:
        self.region = region
        self.encoding = encoding_of(region.data)
        self.profile = profile
        self._source = source
        self._game_index = game_index
        self._findings: list[Finding] = []
        self._line_starts: list[int] | None = None

    def text(self, token: Token) -> str:
        """The characters of one token."""
        return self.region.text(token).decode(self.encoding, "replace")

    def line_of(self, offset: int) -> int:
        """Line number of the byte at `offset`."""
        if self._line_starts is None:
            self._line_starts = [match.end() for match in _LINE_BREAK.finditer(self.region.data)]
        return self.region.line + bisect_right(self._line_starts, offset - self.region.offset)

    def add(
        self,
        code: str,
        span: Token,
        at: Place = NOWHERE,
        evidence: Mapping[str, object] | None = None,
        *,
        token: str | None = None,
        fen: str | None = None,
        severity: Severity | None = None,
        **more: object,
    ) -> None:
        """Add a finding at `span`. `token` defaults to the text there, the severity to the one of the catalogue.

        Evidence is given by name or as a mapping; None is no evidence.
        """
        where = Location(self._source, self._game_index, self.line_of(span.start), span.start, span.end - span.start, *at)
        text = self.text(span) if token is None else token
        known = {name: value for name, value in {**(evidence or {}), **more}.items() if value is not None}
        self._findings.append(
            Finding(
                code,
                severity or rules.get_rule(code).severity,
                where,
                text[:MAX_TOKEN_CHARS],
                fen,
                known,
                self.profile,
            )
        )

    def codes_at(self, span: Token) -> list[str]:
        """Codes of the findings so far at exactly this place, in the order in which they were added."""
        place = (span.start, span.end - span.start)
        return [one.code for one in self._findings if (one.where.byte_offset, one.where.byte_length) == place]

    def lower(self, code: str, span: Token, severity: Severity) -> None:
        """Give the findings with that code at exactly this place another severity."""
        place = (span.start, span.end - span.start)
        for number, one in enumerate(self._findings):
            if one.code == code and (one.where.byte_offset, one.where.byte_length) == place:
                self._findings[number] = replace(one, severity=severity)

    def findings(self) -> list[Finding]:
        """All findings in the order of the text (then by code)."""
        # Which profile the game has was not known when its tags were read.
        found = [one if one.profile == self.profile else replace(one, profile=self.profile) for one in self._findings]
        return sorted(found, key=lambda finding: (finding.where.byte_offset, finding.code, finding.where.ply or 0))
