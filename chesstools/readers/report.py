"""What a reader could not take as it stood: records left out, records changed, columns and fields that PGN has no place for."""

from __future__ import annotations

from collections import Counter

from chesstools.errors import SourceError

MAX_TEXT = 200
"""So much of a text from outside is shown in a message."""


class BadRecordError(Exception):
    """One record cannot be read; the others can. The message goes on after its place: "is no JSON (…)"."""


class Report:
    """Gathers what went wrong with single records of one source, so that it can be said at the end.

    Attributes:
        skipped: records that were left out.
        changed: what had to be changed so that PGN can hold it → in how many records.
        left: what PGN has no place for (columns, fields) → how often there was a value.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.skipped = 0
        self.changed: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self._first_skipped = ""
        self._first_changed: dict[str, str] = {}

    def skip(self, place: str, why: str) -> None:
        """A record is left out. `place` is where it stands ("line 7"), `why` goes on after that."""
        self.skipped += 1
        self._first_skipped = self._first_skipped or f"{place} {why}"

    def change(self, place: str, what: str) -> None:
        """A record is changed; `what` says how."""
        self.changed[what] += 1
        self._first_changed.setdefault(what, place)

    def leave(self, what: str, count: int = 1) -> None:
        """Something of a record has no place in PGN."""
        self.left[what] += count

    @property
    def notes(self) -> list[str]:
        """What was changed and left behind, a line each, for the account of a source."""
        lines = [f"{what}: {count} (first: {self._first_changed[what]})" for what, count in sorted(self.changed.items())]
        return lines + [f"not read: {what}: {count}" for what, count in sorted(self.left.items())]

    def finish(self) -> None:
        """Raise SourceError if records were left out: what is missing must not be overlooked."""
        if self.skipped:
            many = "1 record" if self.skipped == 1 else f"{self.skipped} records"
            first = "" if self.skipped == 1 else "the first "
            raise SourceError(f"{self.name}: {many} could not be read ({first}in {self._first_skipped}); all others were read.")

    def broken(self, place: str, why: str) -> SourceError:
        """The error for a source that cannot be read behind `place`."""
        before = f" ({self.skipped} more records before it)" if self.skipped else ""
        return SourceError(f"{self.name} cannot be read on from {place}: {shown(why)}; what stands before was read{before}.")


def shown(text: str) -> str:
    """`text` on one line and not too long.

    >>> shown("a\\nb" + "c" * 300)[:5], len(shown("x" * 300))
    ('a bcc', 201)
    """
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= MAX_TEXT else line[:MAX_TEXT] + "…"
