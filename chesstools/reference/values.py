"""Values of tags: dates, ratings, results, terminations. What cannot be read is None, never a guess."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from chesstools.reference.text import trim

_DATE = re.compile(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?{2})\.([0-9]{2}|\?{2})")

MAX_ELO = 4000
"""A rating above this is not one (the best engines are rated below it)."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date as far as it is known."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def value(self) -> datetime.date | None:
        """The day, where all of it is known."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return datetime.date(self.year, self.month, self.day)


def parse_date(text: str) -> Date | None:
    """A PGN date (YYYY.MM.DD with ?? for what is not known); None where it is not one, or no day of the calendar.

    >>> parse_date("1984.??.??")
    Date(year=1984, month=None, day=None)
    >>> parse_date("2023.02.30") is None
    True
    """
    match = _DATE.fullmatch(trim(text))
    if match is None:
        return None
    year, month, day = (None if "?" in part else int(part) for part in match.groups())
    try:
        # An unknown year may be a leap year, an unknown month may have 31 days.
        datetime.date(2000 if year is None else year, 1 if month is None else month, 1 if day is None else day)
    except ValueError:
        return None
    return Date(year, month, day)


def is_unknown(text: str | None) -> bool:
    """Whether a tag value says that the value is not known: missing, empty, `?` or `-`.

    >>> is_unknown("-"), is_unknown("2500")
    (True, False)
    """
    return text is None or trim(text) in ("", "?", "-")


def parse_elo(text: str) -> int | None:
    """A rating from 1 to `MAX_ELO`; None where it is not one.

    >>> parse_elo("2851"), parse_elo("abc"), parse_elo("99999")
    (2851, None, None)
    """
    text = trim(text)
    if not re.fullmatch(r"[0-9]{1,4}", text):
        return None
    return int(text) if 0 < int(text) <= MAX_ELO else None


_RESULTS = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "*": "*",
    "1/2": "1/2-1/2",
    "+--": "1-0",
    "--+": "0-1",
}


def normalise_result(text: str | None) -> str | None:
    """A result in its standard spelling; None where it is none of the four (as `0-0`, both lose).

    >>> [normalise_result(text) for text in ("½-½", "0.5-0.5", "1:0", "0–1", "0-0")]
    ['1/2-1/2', '1/2-1/2', '1-0', '0-1', None]
    """
    if text is None:
        return None
    text = re.sub(r"[‐-―−:\x96\x97]", "-", trim(text))
    text = re.sub(r"½|0[.,]5", "1/2", text)
    return _RESULTS.get(text)


_TERMINATIONS = [
    (r"normal", None),
    (r"unterminated", None),
    (r"abandoned|.* game abandoned", "abandoned"),
    (r"(gui |manual )?adjudication", "adjudication"),
    (r"death", "death"),
    (r"emergency", "emergency"),
    (r"rules infraction", "rules_infraction"),
    (r"illegal move", "rules_infraction"),
    (r"time forfeit|.* won on time", "time"),
    (r"stalled connection|disconnect", "disconnection"),
    (r".* won by checkmate", "checkmate"),
    (r".* won by resignation", "resignation"),
    (r"game drawn by stalemate", "stalemate"),
    (r"game drawn by repetition|3-fold rep(etition)?", "threefold"),
    (r"game drawn by (mutual )?agreement", "agreement"),
    (r"game drawn by 50-move rule|50-move rule|fifty moves rule", "fifty"),
    (r"game drawn (-|by) timeout vs insufficient material", "timeout_v_insufficient_material"),
    (r"game drawn (-|by) insufficient material", "dead_position"),
]
_TERMINATIONS_COMPILED = [(re.compile(pattern, re.IGNORECASE | re.ASCII), reason) for pattern, reason in _TERMINATIONS]


def parse_termination(text: str) -> tuple[bool, str | None]:
    """Whether a Termination tag is one that programs write, and the reason it gives (None: it gives none).

    >>> parse_termination("Time forfeit"), parse_termination("Normal"), parse_termination("foo")
    ((True, 'time'), (True, None), (False, None))
    """
    text = trim(text)
    for pattern, reason in _TERMINATIONS_COMPILED:
        if pattern.fullmatch(text):
            return True, reason
    return False, None
