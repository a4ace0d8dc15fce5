"""Glicko-2 ratings, after Mark E. Glickman, *Example of the Glicko-2 system* (glicko.net, revised 22 March 2022).

The steps are those of the paper. Written here because no package did it rightly, or in a way that a stream of games needs:
docs/ratings.md tells which were looked at. A rating period is summed up in two numbers for each player, so that games need not
be kept, a period can be interrupted, and the rating after each game of it is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from chesstools.errors import OptionError

SCALE = 173.7178
"""Points of a rating for one unit of the inner scale (step 2)."""

CENTRE = 1500.0

_CONVERGED = 1e-6
_STEEPEST = 100.0  # beyond it, some 17,000 points, an expected score is 0 or 1 to 40 places, and products would leave the range


@dataclass(frozen=True, slots=True)
class Rules:
    """The constants of the system.

    Raises OptionError for a value that means nothing.
    """

    tau: float = 0.5
    """How fast the volatility may change; the paper finds 0.3 to 1.2 reasonable."""
    deviation: float = 350.0
    """Of a new player, in points; and the most that it grows to while a player is away."""
    volatility: float = 0.06
    """Of a new player."""

    def __post_init__(self) -> None:
        for name, most in (("tau", 10.0), ("deviation", 1000.0), ("volatility", 1.0)):
            value = getattr(self, name)
            if not 0 < value <= most:
                raise OptionError(f"{name} is a number above 0, up to {most:g}, not {value!r}.")


class Rating(NamedTuple):
    """A rating and deviation in points, and a volatility."""

    rating: float
    deviation: float
    volatility: float


class Sum(NamedTuple):
    """What the games of a period come to: the inverse of the variance v (step 3), and the sum in the estimated improvement
    (step 4)."""

    precision: float = 0.0
    surprise: float = 0.0


def weight(deviation: float) -> float:
    """g: how much a game against a player of that deviation tells, from 0 to 1."""
    phi = deviation / SCALE
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def expected_score(rating: float, opponent: float, opponent_deviation: float) -> float:
    """E: what a player scores on average, from 0 to 1.

    >>> round(expected_score(1500, 1400, 30), 3)
    0.639
    """
    steepness = weight(opponent_deviation) * (rating - opponent) / SCALE
    return 1 / (1 + math.exp(-max(-_STEEPEST, min(_STEEPEST, steepness))))


def with_game(games: Sum, player: Rating, opponent: Rating, score: float) -> Sum:
    """The sum with one more game; both ratings are those at the beginning of the period."""
    g = weight(opponent.deviation)
    e = expected_score(player.rating, opponent.rating, opponent.deviation)
    return Sum(games.precision + g * g * e * (1 - e), games.surprise + g * (score - e))


def after(player: Rating, games: Sum, rules: Rules = Rules()) -> Rating:
    """The rating at the end of a period in which `player`, as he was at its beginning, played these games (steps 3 to 8).

    The example of the paper:

    >>> player, games = Rating(1500, 200, 0.06), Sum()
    >>> for opponent, score in ((Rating(1400, 30, 0.06), 1), (Rating(1550, 100, 0.06), 0), (Rating(1700, 300, 0.06), 0)):
    ...     games = with_game(games, player, opponent, score)
    >>> rating, deviation, volatility = after(player, games)
    >>> round(rating, 2), round(deviation, 2), round(volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    if not games.precision:
        return idle(player, 1, rules)
    phi = player.deviation / SCALE
    variance = 1 / games.precision
    sigma = _volatility(phi * phi, player.volatility, variance, variance * games.surprise, rules.tau)
    square = 1 / (1 / (phi * phi + sigma * sigma) + games.precision)
    return Rating(player.rating + SCALE * square * games.surprise, SCALE * math.sqrt(square), sigma)


def idle(player: Rating, periods: int, rules: Rules = Rules()) -> Rating:
    """The rating after so many periods without a game: only the deviation grows (step 6), up to that of a new player.

    >>> round(idle(Rating(1500, 200, 0.06), 12).deviation, 2), idle(Rating(1500, 200, 0.06), 10_000).deviation
    (203.23, 350.0)
    """
    phi = player.deviation / SCALE
    grown = SCALE * math.sqrt(phi * phi + periods * player.volatility * player.volatility)
    return player._replace(deviation=max(player.deviation, min(grown, rules.deviation)))


def _volatility(square: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """The new volatility (step 5): the root of a function that falls, found by the Illinois algorithm."""
    start = math.log(sigma * sigma)
    spread = delta * delta

    def f(x: float) -> float:
        ex = math.exp(x)
        whole = square + variance + ex
        return ex / whole * (spread / whole - 1) / 2 - (x - start) / (tau * tau)

    low = start
    if spread > square + variance:
        high = math.log(spread - square - variance)
    else:
        high = start - tau
        while f(high) < 0:
            high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _CONVERGED:
        between = low + (low - high) * f_low / (f_high - f_low)
        f_between = f(between)
        if f_between * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = between, f_between
    return math.exp(low / 2)
