"""Elo ratings by the formulas of FIDE.

Sources: A. E. Elo, *The Rating of Chessplayers, Past and Present* (1978), for the expected score; FIDE Handbook B.02, *FIDE
Rating Regulations* (in force from 1 March 2024), section 8, for the table of expected scores (8.1.2), the rule of 400 points
(8.3.1), the development coefficient K and its limit in a period (8.3.3). FIDE rounds the changes of a month to whole points;
that is left out here, as is the initial rating of an unrated player (8.2), which needs whole tournaments.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

from chesstools.errors import OptionError

EXPECTATIONS = ("logistic", "table")

FIDE_K = "fide"

# The largest difference that each expected score of the stronger player, from 0.50 in steps of 0.01, is given for (FIDE 8.1.2).
_TABLE = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197, 206),
    *(215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)

NEW_GAMES, STRONG = 30, 2400
K_NEW, K_USUAL, K_STRONG = 40, 20, 10
MOST_IN_A_PERIOD = 700


@dataclass(frozen=True, slots=True)
class Rules:
    """How Elo ratings are worked out.

    Raises OptionError for a value that means nothing.
    """

    k: float | str = FIDE_K
    """A number for all, or ``fide``: 40 until a player has 30 games, 20 after that, 10 for good once the rating has reached
    2400; and no more than 700 / n where n games are counted in one period (8.3.3). That juniors keep 40 is left out: birthdays
    stand in no game."""
    expectation: str = "logistic"
    """``logistic``: 1 / (1 + 10 ** (-d / 400)); ``table``: FIDE's table in steps of 0.01, for the difference rounded to whole
    points."""
    most_difference: float | None = 400
    """A larger difference counts as this one (FIDE's rule of 400 points); None: as it is."""

    def __post_init__(self) -> None:
        if self.k != FIDE_K and not (isinstance(self.k, (int, float)) and 0 < self.k <= 1000):
            raise OptionError(f"k is a number from 0 to 1000, or fide, not {self.k!r}.")
        if self.expectation not in EXPECTATIONS:
            raise OptionError(f"expectation is {' or '.join(EXPECTATIONS)}, not {self.expectation!r}.")
        if self.most_difference is not None and not self.most_difference > 0:
            raise OptionError(f"most_difference is a number above 0, or None, not {self.most_difference!r}.")


def expected_score(rating: float, opponent: float, rules: Rules = Rules()) -> float:
    """What a player with `rating` scores on average, from 0 to 1; that of the opponent is 1 less this.

    >>> expected_score(1500, 1500), round(expected_score(1900, 1500), 4), expected_score(2000, 1600) == expected_score(2800, 1600)
    (0.5, 0.9091, True)
    >>> expected_score(2200, 1000, Rules(expectation="table")), expected_score(1000, 2200, Rules(expectation="table"))
    (0.92, 0.08)
    """
    difference = rating - opponent
    most = rules.most_difference
    if most is not None:
        difference = max(-most, min(most, difference))
    if rules.expectation == "logistic":
        return 1 / (1 + 10 ** (max(-100.0, min(100.0, -difference / 400))))  # beyond that it is 0 or 1 all the same
    better = (50 + bisect_left(_TABLE, math.floor(abs(difference) + 0.5))) / 100
    return better if difference > 0 else round(1 - better, 2)


def factor(rules: Rules, games: int, reached: float, in_period: int = 1) -> float:
    """The development coefficient K.

    Args:
        games: that the player had before the period.
        reached: the highest rating he has had at the beginning of a period.
        in_period: games of the period so far; the limit of 700 is for all of them.

    >>> [factor(Rules(), *player) for player in ((29, 2500), (30, 2399), (30, 2400), (0, 1500, 35))]
    [40, 20, 10, 20]
    >>> factor(Rules(k=16), 0, 1500)
    16
    """
    if not isinstance(rules.k, str):
        return rules.k
    k = K_NEW if games < NEW_GAMES else K_STRONG if reached >= STRONG else K_USUAL
    return min(k, MOST_IN_A_PERIOD // in_period)
