"""What players begin with: a number for all, the ratings in their games, or a table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from chesstools.bytestream import reason
from chesstools.errors import OptionError, SourceError
from chesstools.stores import on_disk_only

METHODS = ("elo", "glicko2", "points")

DEFAULTS = {"elo": Fraction(1500), "glicko2": Fraction(1500), "points": Fraction(0)}

TAGS = "tags"
"""The word for WhiteElo and BlackElo of a player's first game; who has none there begins with the number."""

MOST = 1_000_000
"""A larger number is no rating."""

COLUMNS = ("points_exact", "points", "rating")
"""Columns of a table that hold what a player begins with; the first that is there counts."""


_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,2})?", re.IGNORECASE)

_FAR = re.compile(r"[+-]?([0-9]{1,99}(\.[0-9]{0,99})?|\.[0-9]{1,99})e[+-]?[0-9]{3,99}", re.IGNORECASE)
"""Numbers that are too large, or too near to nothing, to be looked at."""


class Start(NamedTuple):
    """What one player begins with."""

    number: Fraction
    """Rating or points."""
    deviation: float | None = None
    """None: that of a new player."""
    volatility: float | None = None
    is_given: bool = False
    """Whether a tag or a table tells it: then he is not new."""


@dataclass(slots=True)
class Initial:
    """What players begin with under one method."""

    number: Fraction
    tags: bool = False
    known: dict[str, Start] = field(default_factory=dict)

    def of(self, player: str, elo: int | None) -> Start:
        """What a player begins with; `elo` is the tag in his first game."""
        if player in self.known:
            return self.known[player]
        return Start(Fraction(elo), is_given=True) if self.tags and elo is not None else Start(self.number)


def read(given: Sequence[str | float | os.PathLike[str]], player: Callable[[str | None], str | None]) -> dict[str, Initial]:
    """What each method begins with. Each of `given` is a number, ``tags``, or a CSV or Parquet file with the columns `name` and
    `rating` (or `points`), and perhaps `deviation` and `volatility`; with ``METHOD=`` before it, for that method alone.

    >>> read(["1200", "points=tags"], str)["points"]
    Initial(number=Fraction(1200, 1), tags=True, known={})

    Raises OptionError for a number that is none, SourceError for a file that cannot be read or lacks a column.
    """
    found = {method: Initial(DEFAULTS[method]) for method in METHODS}
    for one in given:
        text = str(one)
        method, equals, rest = text.partition("=")
        chosen: Sequence[str] = METHODS
        if equals and method in METHODS:
            chosen, text = (method,), rest
        number = _number(text)
        known = {} if number is not None or text == TAGS else table(text, player)
        for name in chosen:
            if number is not None:
                found[name].number = number
            elif text == TAGS:
                found[name].tags = True
            else:
                found[name].known.update(known)
    return found


def table(path: str | os.PathLike[str], player: Callable[[str | None], str | None]) -> dict[str, Start]:
    """The ratings in a CSV or Parquet file. Raises SourceError and OptionError as `read`."""
    import pyarrow as pa
    from pyarrow import csv, parquet

    on_disk_only(path, "ratings to begin with")
    path = Path(path)
    if not path.is_file():
        raise OptionError(f"{path} is no number, not the word tags, and no file; say what players begin with.")
    try:
        if path.suffix.lower() == ".parquet":
            rows = parquet.read_table(path)
        else:
            with path.open("rb") as file:
                header = file.readline().decode("utf-8-sig").strip()
            names = [name.strip().strip('"') for name in header.split(",")]
            rows = csv.read_csv(path, convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())))
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read ({reason(error)}); check the file.") from None
    except pa.ArrowInvalid as error:
        raise SourceError(f"{path} cannot be read ({str(error).splitlines()[0]}); check the file.") from None
    column = next((name for name in COLUMNS if name in rows.column_names), None)
    if column is None or "name" not in rows.column_names:
        raise SourceError(f"{path} has no columns name and rating; it has {', '.join(rows.column_names) or 'none'}.")
    wanted = ["name", column, *(name for name in ("deviation", "volatility") if name in rows.column_names)]
    known: dict[str, Start] = {}
    for number, row in enumerate(rows.select(wanted).to_pylist(), 1):
        who = player(str(row["name"]) if row["name"] is not None else None)
        try:
            values = [_number(str(row.get(name))) if row.get(name) not in (None, "") else None for name in wanted[1:]]
        except OptionError as error:
            raise SourceError(f"{path}, row {number}: {error}") from None
        if who is None or values[0] is None:
            raise SourceError(f"{path}, row {number}: a player and a number are wanted, not {row['name']!r} and {row[column]!r}.")
        if who in known:
            raise SourceError(f"{path}, row {number}: {row['name']!r} stands there twice, or another name of the same player.")
        more = dict(zip(wanted[2:], values[1:], strict=True))
        deviation, volatility = (
            None if more.get(name) is None else float(more[name] or 0) for name in ("deviation", "volatility")
        )
        if (deviation is not None and not 0 < deviation <= 1000) or (volatility is not None and not 0 < volatility <= 1):
            raise SourceError(f"{path}, row {number}: a deviation is above 0, up to 1000, and a volatility above 0, up to 1.")
        known[who] = Start(values[0], deviation, volatility, is_given=True)
    return known


def _number(text: str) -> Fraction | None:
    """The number that a text is, exactly; None where it is none. Raises OptionError for one that is too large to be a rating."""
    if _FAR.fullmatch(text):
        raise OptionError(f"{text} is no rating; numbers up to {MOST:,} are.")
    if len(text) > 100 or not _NUMBER.fullmatch(text):
        return None
    number = Fraction(text)
    if abs(number) > MOST:
        raise OptionError(f"{text} is no rating; numbers up to {MOST:,} are.")
    return number
