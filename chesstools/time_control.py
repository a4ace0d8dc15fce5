"""Time controls as the tag TimeControl writes them (PGN standard, 9.6.1), and as servers and programs do."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chesstools.reference.text import trim

DAY_S = 86_400
"""A period with a number of moves and at least this many seconds is correspondence chess."""

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
_PERIOD = re.compile(
    rf"(?:(?P<moves>[0-9]{{1,9}})/)?(?P<sandclock>\*)?(?P<seconds>{_NUMBER})(?:\+(?P<gain>{_NUMBER})(?P<delay>d)?)?"
)
_PER_MOVE = re.compile(rf"(?P<seconds>{_NUMBER})/move")
_WORDS = {"?": "unknown", "-": "none", "inf": "none"}

KINDS = (
    "unknown",
    "none",
    "sudden_death",
    "increment",
    "delay",
    "periods",
    "per_move",
    "correspondence",
    "sandclock",
)
"""The kinds of time controls: see `TimeControl`."""


@dataclass(frozen=True, slots=True)
class Period:
    """One period: so many moves (None: the rest of the game) in so many seconds.

    `increment` seconds are added after each move (Fischer); for `delay` seconds the clock does not run down.
    """

    moves: int | None
    seconds: float
    increment: float = 0.0
    delay: float = 0.0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: its kind and its periods, the last of which repeats if it has a number of moves.

    Attributes:
        kind: ``unknown`` (``?``); ``none`` (``-``, and ``inf``); ``sudden_death`` (one period for the game), ``increment`` and
            ``delay`` (the same with time added or not counted); ``periods`` (moves are counted: ``40/7200:3600``); ``per_move``
            (``1/30``, and ``30/move``); ``correspondence`` (moves in a day or more: ``1/259200``); ``sandclock`` (``*180``).
        periods: none for ``unknown`` and ``none``.

    >>> TimeControl.parse("40/7200:3600").periods
    (Period(moves=40, seconds=7200.0, increment=0.0, delay=0.0), Period(moves=None, seconds=3600.0, increment=0.0, delay=0.0))
    >>> control = TimeControl.parse("300+3")
    >>> control.kind, control.base_s, control.increment_s, str(control)
    ('increment', 300.0, 3.0, '300+3')
    """

    kind: str
    periods: tuple[Period, ...] = ()

    @classmethod
    def parse(cls, text: str) -> TimeControl | None:
        """The time control that a tag says; None where it has no form that is known (rule T122). All times are seconds.

        Beside the forms of the standard these are read: an increment in any period (``40/5400+30:1800+30``), decimals
        (``10+0.1``), a delay (``5400+5d``), and what engine matches write: ``inf`` and ``5/move``.

        >>> TimeControl.parse("40/2h") is None
        True
        >>> [TimeControl.parse(text).kind for text in ("?", "-", "*180", "1/259200", "5400+5d", "0.5/move")]
        ['unknown', 'none', 'sandclock', 'correspondence', 'delay', 'per_move']
        """
        text = trim(text)
        if text in _WORDS:
            return cls(_WORDS[text])
        if match := _PER_MOVE.fullmatch(text):
            each = Period(1, float(match["seconds"]))
            return cls(_kind([each]), (each,))
        matches = [_PERIOD.fullmatch(part) for part in text.split(":")]
        periods = []
        sandclock = False
        for match in matches:
            if match is None or (match["moves"] is not None and int(match["moves"]) == 0):
                return None
            sandclock = sandclock or match["sandclock"] is not None
            gain = float(match["gain"] or 0)
            increment, delay = (0.0, gain) if match["delay"] else (gain, 0.0)
            moves = None if match["moves"] is None else int(match["moves"])
            periods.append(Period(moves, float(match["seconds"]), increment, delay))
        return cls("sandclock" if sandclock else _kind(periods), tuple(periods))

    @property
    def base_s(self) -> float | None:
        """Seconds on the clock at the start, where one period is for the whole game; else None."""
        return self.periods[0].seconds if self._is_one_for_all else None

    @property
    def increment_s(self) -> float | None:
        """Seconds added after each move, where one period is for the whole game; else None."""
        return self.periods[0].increment if self._is_one_for_all else None

    @property
    def _is_one_for_all(self) -> bool:
        return self.kind in ("sudden_death", "increment", "delay")

    def __str__(self) -> str:
        """The value of a tag that says this, which `parse` reads as the same."""
        if self.kind in ("unknown", "none"):
            return "?" if self.kind == "unknown" else "-"
        return ":".join(_period_text(period, sandclock=self.kind == "sandclock") for period in self.periods)


def _kind(periods: list[Period]) -> str:
    first = periods[0]
    if first.moves is not None and first.seconds >= DAY_S:
        return "correspondence"
    if len(periods) > 1:
        return "periods"
    if first.moves is not None:
        return "per_move" if first.moves == 1 else "periods"
    return "delay" if first.delay else "increment" if first.increment else "sudden_death"


def _period_text(period: Period, *, sandclock: bool) -> str:
    text = "" if period.moves is None else f"{period.moves}/"
    text += ("*" if sandclock else "") + _number(period.seconds)
    if period.increment or period.delay:
        text += f"+{_number(period.increment or period.delay)}" + ("d" if period.delay else "")
    return text


def _number(value: float) -> str:
    """`value` without an exponent and without zeros at its end."""
    text = f"{value:.9f}"
    return text.rstrip("0").rstrip(".")
