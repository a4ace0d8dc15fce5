"""Rating periods: games of one period are rated together, with the ratings at its beginning."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from chesstools.errors import OptionError

PERIODS = ("game", "day", "week", "month", "quarter", "year")

Numbered = Callable[[int], tuple[int, str]]


def numbering(period: str) -> Numbered:
    """What gives the number and the name of the period that a known day (see `chesstools.ratings.games.Game.day`) belongs to.

    Numbers rise by one from a period to the next. An unknown month or day counts as the last one that is possible, where such
    games stand in the order too.

    >>> month, week = numbering("month"), numbering("week")
    >>> month(2024_01_31), month(2023_99_99), week(2024_12_30)
    ((24288, '2024-01'), (24287, '2023-12'), (105607, '2025-W01'))

    Raises OptionError for an unknown period, and for ``game``, where each game is a period of its own.
    """
    if period == "year":
        return lambda day: (day // 10_000, f"{day // 10_000:04}")
    if period == "quarter":
        return _quarter
    if period == "month":
        return _month
    if period == "week":
        return _week
    if period == "day":
        return lambda day: ((found := _date(day)).toordinal(), found.isoformat())
    raise OptionError(f"A rating period is {', '.join(PERIODS[:-1])} or {PERIODS[-1]}, not {period!r}.")


def check(period: str) -> str:
    """The period. Raises OptionError where there is none of that name."""
    if period != "game":
        numbering(period)
    return period


def _month(day: int) -> tuple[int, str]:
    year, month = day // 10_000, min(day // 100 % 100, 12)
    return year * 12 + month - 1, f"{year:04}-{month:02}"


def _quarter(day: int) -> tuple[int, str]:
    year, quarter = day // 10_000, (min(day // 100 % 100, 12) + 2) // 3
    return year * 4 + quarter - 1, f"{year:04}-Q{quarter}"


def _week(day: int) -> tuple[int, str]:
    date = _date(day)
    year, week, _ = date.isocalendar()
    return (date.toordinal() - 1) // 7, f"{year:04}-W{week:02}"


def _date(day: int) -> datetime.date:
    year, month = min(max(day // 10_000, 1), 9999), min(day // 100 % 100, 12)
    following = datetime.date(year + month // 12, month % 12 + 1, 1) if (year, month) < (9999, 12) else None
    last = 31 if following is None else (following - datetime.timedelta(days=1)).day
    return datetime.date(year, month, min(day % 100, last))
