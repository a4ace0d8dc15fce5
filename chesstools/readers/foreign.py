"""A source whose games are written with the letters of another language, as one of PGN text in English.

The bytes pass through as they are; only the moves of games that need it are written anew. Which games these are, the engine
tells that is in use anyway: those that it cannot play to their end as they stand.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple

import pyarrow.compute as pc

from chesstools.errors import OptionError, SourceError
from chesstools.held import Heard, Held
from chesstools.languages import AUTO, INPUT_LANGUAGES
from chesstools.readers.foreign_moves import read
from chesstools.readers.report import Report
from chesstools.rules import Selection
from chesstools.scan import scan_source
from chesstools.source import Source
from chesstools.step import Step


def in_english(sources: list[Source], language: str, engine: str) -> list[Source]:
    """The sources with English letters. `language` is one of `INPUT_LANGUAGES`.

    With ``auto`` each game is looked at by itself; with a named language a game that can be played to its end as it stands, but
    not in that language, stays as it is. `Source.notes` tell what was decided, and of how many games.

    >>> (source,) = in_english([Source.from_bytes(b"1. Cf3 Cf6 *")], "auto", "reference")
    >>> b"".join(source.open()), source.notes
    (b'1. Nf3 Nf6 *', ['moves read as French/Spanish/Italian/Portuguese: 1 (first: line 1)'])

    Raises OptionError where there is no such language.
    """
    if language not in INPUT_LANGUAGES:
        raise OptionError(f"There is no language {language!r} to read moves in; choose from {', '.join(INPUT_LANGUAGES)}.")
    if language == "en":
        return sources
    return [_in_english(source, language, engine) for source in sources]


def _in_english(source: Source, language: str, engine: str) -> Source:
    made = Source(source.name, source.size, source.mtime_ns, source.resumable)
    made.reading = partial(ForeignReading, source, language, engine)
    return made


class _Span(NamedTuple):
    """Bytes of the text, the line that they begin in, and whether they are a game that can be played to its end as it stands."""

    offset: int
    length: int
    line: int
    is_playable: bool


class ForeignReading:
    """How far the reading of one source has come; see `chesstools.bytestream.Reading`."""

    def __init__(self, source: Source, language: str, engine: str, block_bytes: int) -> None:
        self.name = source.name
        self._language = language
        self._engine = engine
        self._block_bytes = block_bytes
        self._report = Report(source.name)
        self._held = Held()
        self._heard = Heard(source, self._held)
        self._given = 0
        """Bytes that were given, of those that were read."""

    @property
    def stored_bytes_read(self) -> int:
        return self._heard.stream.stored_bytes_read if self._heard.stream else 0

    @property
    def notes(self) -> list[str]:
        return (self._heard.stream.notes if self._heard.stream else []) + self._report.notes

    def hash(self) -> str | None:
        return self._heard.stream.hash() if self._heard.stream else None

    def blocks(self) -> Generator[bytes, None, None]:
        """The text. Raises SourceError behind all that could be read."""
        wanted = Selection("P110")  # it tells of text that is no game as it stands
        tables = ("games", "findings")
        steps = scan_source(self._heard, tables=tables, selection=wanted, block_bytes=self._block_bytes, engine=self._engine)
        with closing(steps):
            failure = None
            try:
                for step in steps:
                    yield from self._translated(step)
            except SourceError as error:
                failure = error
            if self._held.end > self._given:
                yield self._give(self._held.end)
            if failure is not None:
                raise failure

    def _translated(self, step: Step) -> Iterator[bytes]:
        """The bytes up to the end of the step."""
        for span in self._spans(step):
            data = self._held.bytes(span.offset, span.offset + span.length)
            reading = read(data, self._language, self._can_be_played)
            place = f"line {span.line}"
            if reading.is_descriptive:
                self._report.change(place, "moves left as they stand, as descriptive notation (P-K4) is not read")
            if reading.rivals:
                self._report.change(place, f"moves left as they stand, as they may be {' or '.join(reading.rivals)}")
            if reading.text is not None and span.is_playable and not self._can_be_played(reading.text):
                self._report.change(place, f"moves left as they stand, as they can be played so, but not as {reading.language}")
            elif reading.text is not None:
                self._report.change(place, f"moves read as {reading.language}")
                yield self._give(span.offset)
                yield reading.text
                self._given += span.length
        if step.end.byte_offset > self._given:
            yield self._give(step.end.byte_offset)

    def _spans(self, step: Step) -> list[_Span]:
        """What may have to be written anew: games, and text that is none as it stands, in order."""
        columns = ["byte_offset", "byte_length", "line", "ply_count", "legal_ply_count"]
        games = step.batches["games"].select(columns).to_pylist()
        spans = [
            _Span(game["byte_offset"], game["byte_length"], game["line"], 0 < game["ply_count"] == game["legal_ply_count"])
            for game in games
            if self._language != AUTO or game["legal_ply_count"] != game["ply_count"]
        ]
        findings = step.batches["findings"]
        outside = findings.filter(pc.is_null(findings["game_index"])).select(["byte_offset", "count", "line"]).to_pylist()
        spans += [_Span(finding["byte_offset"], finding["count"] or 0, finding["line"], False) for finding in outside]
        return sorted(spans)

    def _give(self, end: int) -> bytes:
        """What was not given yet, up to an offset."""
        data = self._held.bytes(self._given, end)
        self._given = end
        self._held.forget(end)
        return data

    def _can_be_played(self, text: bytes) -> bool:
        steps = scan_source(Source.from_bytes(text), tables=("games",), engine=self._engine)
        counts = [
            (game["ply_count"], game["legal_ply_count"])
            for step in steps
            for game in step.batches["games"].select(["ply_count", "legal_ply_count"]).to_pylist()
        ]
        return bool(counts) and all(plies == legal for plies, legal in counts)
