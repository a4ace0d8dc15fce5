"""What a time control gives to each player, in milliseconds, as far as clocks can be judged by it."""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class Span:
    """A period in milliseconds; `moves` is None for the rest of the game."""

    moves: int | None
    time_ms: int
    gain_ms: int
    """Most that a move adds to the clock."""
    is_added: bool
    """Whether a move adds just that: it does not where it is a delay."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a time control gives, as far as clocks can be judged by it."""

    spans: tuple[Span, ...]

    @staticmethod
    def of(control: TimeControl | None, *, from_move_one: bool) -> Allowance | None:
        """None where clocks cannot be judged: there is no control, it is a sandclock, or its moves cannot be counted."""
        if control is None or not control.periods or control.kind == "sandclock":
            return None
        periods = control.periods
        counted = periods[0].moves not in (None, 1)
        if any(period.moves is None for period in periods[:-1]) or (counted and not from_move_one):
            return None
        spans = [
            Span(period.moves, round(period.seconds * 1000), round((period.increment or period.delay) * 1000), not period.delay)
            for period in periods
        ]
        return Allowance(tuple(spans))

    def span(self, number: int) -> Span:
        """The period with this number, from 0; the last one repeats."""
        return self.spans[min(number, len(self.spans) - 1)]

    @property
    def start_ms(self) -> int:
        """On the clock at the start."""
        return self.spans[0].time_ms

    @property
    def is_per_move(self) -> bool:
        """Whether each move has a time of its own, so that a clock may begin anew."""
        return self.spans[0].moves == 1
