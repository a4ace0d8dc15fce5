"""How values are written on the page: numbers for people, and text from archives so that it can do no harm.

>>> percent(0.5433), count(1234567), signed(-12.5)
('54.3%', '1,234,567', '−12.5')
"""

from __future__ import annotations

import datetime as dt
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

MAX_CHARS = 120
"""A longer value is cut: nobody reads on, and a hostile file could make the page huge."""

NOTHING = "–"
"""Written where there is no value."""


class Cell(NamedTuple):
    """A value as it is written, and what it is sorted by."""

    text: str
    sort: str


def plain(value: object, most: int = MAX_CHARS) -> str:
    r"""Text from an archive as one line: signs that are not printed, or turn the text around, are written as escapes.

    >>> plain("a\u202eb\tc\u00a0d")
    'a\\u202eb\\tc d'
    """
    text = "" if value is None else str(value)
    if not text.isprintable():
        text = "".join(_visible(sign) for sign in text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _visible(sign: str) -> str:
    if sign.isprintable() or sign in "\u200c\u200d":  # joiners are needed to write Persian and Hindi names
        return sign
    return " " if unicodedata.category(sign) == "Zs" else sign.encode("unicode_escape").decode()


def missing(value: object) -> bool:
    """Whether a value is none: null, NaN, or pandas' NA."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value))


def count(value: float) -> str:
    """A whole number with commas."""
    return f"{int(value):,}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and its noun.

    >>> counted(1, "game"), counted(1200, "game"), counted(2, "entry", "entries")
    ('1 game', '1,200 games', '2 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def enumeration(parts: Sequence[str]) -> str:
    """Parts of a sentence.

    >>> enumeration(["one"]), enumeration(["one", "two", "three"])
    ('one', 'one, two and three')
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def file_names(sources: Iterable[str]) -> dict[str, str]:
    """Sources by their names without folders, as a page may be published; folders are told only where two names would be equal.

    >>> list(file_names(["/home/me/a.pgn", "/home/me/2001/b.pgn", "/home/me/2002/b.pgn"]).values())
    ['a.pgn', '2001/b.pgn', '2002/b.pgn']
    """
    parts = {source: PurePath(source).parts or (source,) for source in dict.fromkeys(sources)}
    told = dict.fromkeys(parts, 1)  # how many parts, from the end
    while True:
        names = {source: "/".join(parts[source][-told[source] :]) for source in parts}
        many = Counter(names.values())
        longer = [source for source, name in names.items() if many[name] > 1 and told[source] < len(parts[source])]
        if not longer:
            return names
        for source in longer:
            told[source] += 1


def move_of(ply: int, first: int = 1) -> str:
    """Where a ply stands, as players say it; `first` is the ply, counted from the usual array, that begins the game.

    >>> move_of(1), move_of(94), move_of(1, first=2)
    ('move 1 of White', 'move 47 of Black', 'move 1 of Black')
    """
    at = ply + first - 1
    return f"move {(at + 1) // 2} of {'White' if at % 2 else 'Black'}"


def percent(share: float) -> str:
    """A share of 1 in percent; all and nothing are only what is all and nothing.

    >>> percent(1), percent(0.9999), percent(0.0001)
    ('100.0%', '>99.9%', '<0.1%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{100 * share:.1f}%"


def points(share: float) -> str:
    """A difference of two shares of 1: percent less percent are points.

    >>> points(0.0467), points(0.01)
    ('4.7 points', '1.0 points')
    """
    return f"{100 * share:.1f} points"


def signed(value: float, digits: int = 1) -> str:
    """A number with its sign; 0 has none."""
    text = f"{abs(value):,.{digits}f}"
    return ("−" if value < 0 else "+" if value > 0 else "") + text


def number(value: float) -> str:
    """A number with no more digits than say something."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.1f}" if abs(value) >= 10 else f"{value:,.2f}"


def size(value: float) -> str:
    """A number of bytes.

    >>> size(24), size(81687744)
    ('24 bytes', '81.7 MB')
    """
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= least:
            return f"{value / least:.1f} {unit}"
    return counted(int(value), "byte")


def seconds(value: float) -> str:
    """A span of time.

    >>> seconds(3.5), seconds(75), seconds(7260)
    ('3.5 s', '1:15 min', '2:01 h')
    """
    if value < 60:
        return f"{value:.1f} s"
    whole = round(value)
    return f"{whole // 60}:{whole % 60:02} min" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02} h"


def cell(value: Any, kind: str) -> Cell:
    """A value of a table as it is written.

    `kind` is text, code or severity (from an archive or the catalogue), date, year, count, number, share (of 1), signed, rating,
    size (bytes) or seconds.

    >>> cell(0.25, "share"), cell(None, "rating")
    (Cell(text='25.0%', sort='0.25'), Cell(text='–', sort=''))
    """
    if missing(value) or value == "":
        return Cell(NOTHING, "")
    if kind in ("text", "code", "severity"):
        text = plain(value)
        return Cell(text, text.casefold())
    if kind == "date":
        day = value.isoformat() if isinstance(value, dt.date) else str(value)
        return Cell(plain(day), plain(day))
    written = {
        "count": count,
        "year": lambda year: str(int(year)),
        "number": number,
        "size": size,
        "share": percent,
        "signed": signed,
        "rating": lambda rating: str(round(rating)),
        "seconds": seconds,
    }[kind](value)
    return Cell(written, f"{value:.12g}" if isinstance(value, float) else str(value))
