"""The points system of levels as an exact function: what the loser of a game pays the winner.

The table stands in a Chinese introduction to the rules (seed document 002, section 记分方法): levels from none (无级别) over 30
up to 1, each of 100 points; what the loser loses is what the winner gains (输方扣分等于赢方得分). With ``d`` the difference of
the points of the two players before the game:

==================  ========  ==================  ==================  ================
result              d < 10    10 <= d < 100       100 <= d < 200      d >= 200
==================  ========  ==================  ==================  ================
draw, higher pays   0         (10 + d / 10) / 2   d / 4               d / 4
lower player wins   10        10 + d / 10         d / 2               d / 2
higher player wins  10        10 - d / 12.5       2                   0
==================  ========  ==================  ==================  ================

The text leaves some things open. Each is an option of `Rules`; the value named first is the default:

* Ten points are "within 10" and "10 to 99" at once: `within10` is ``half_open`` (10 belongs to the second class) or
  ``inclusive``. G950 tells of them.
* Fractions stand between the printed classes (9.5, 99.5, 199.5). They belong to the lower class, and G950 tells of them.
* Nothing is said of rounding: `round` is ``exact``, or ``half_up_transfer``, where the transfer is rounded once, so that the
  sum of all points stays what it was.
* "The side of the lower level" (低级别方) wins, but differences are of points: `compare` is ``points``, or ``levels``, where
  the table has no answer for a win between two players of one level that are ten points or more apart; then nothing is paid,
  and G950 tells of it. Of a draw the text speaks in points (分低方).
* Nothing is said of points below zero: `floor` is None, or a number; then a player pays no more than what he has above it.
* Below 100 points a player has no level; with `first_level` ``from_0`` level 30 begins at 0 points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from chesstools.errors import OptionError

WITHIN10 = ("half_open", "inclusive")
ROUND = ("exact", "half_up_transfer")
COMPARE = ("points", "levels")
FIRST_LEVEL = ("from_100", "from_0")

CLASSES = ("under_10", "10_to_99", "100_to_199", "200_and_more")
"""The classes of differences, as they are called in tables."""

BRANCHES = ("draw", "lower_wins", "higher_wins", "equal_wins", "undefined")
"""The rows of the table: who won. ``equal_wins``: both had the same points, the winner gets ten."""

MOST_PLACES = 50
"""Decimal places of a transfer that are kept where it is exact; see `Rules.places`."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How the points system is read; see the module for what each option means.

    Raises OptionError for a value that means nothing.
    """

    within10: str = "half_open"
    round: str = "exact"
    compare: str = "points"
    floor: Fraction | None = None
    first_level: str = "from_100"
    places: int | None = None
    """Decimal places of a transfer. With ``half_up_transfer`` it is rounded to so many (None: 0, whole points). With ``exact``
    only a transfer that has more is rounded, half up too, and the row says so (None: 50). That is a limit of memory: each game
    may add two places to the points of both players, so that without it long archives would take time and space that grow
    with the square of the games. Of a player and all whose points came to him, the first twenty-five games are always exact."""

    @property
    def most_places(self) -> int:
        """`places`, or what it is where nothing is said."""
        usual = MOST_PLACES if self.round == "exact" else 0
        return usual if self.places is None else self.places

    def __post_init__(self) -> None:
        for name, value, known in (
            ("within10", self.within10, WITHIN10),
            ("round", self.round, ROUND),
            ("compare", self.compare, COMPARE),
            ("first_level", self.first_level, FIRST_LEVEL),
        ):
            if value not in known:
                raise OptionError(f"{name} is {' or '.join(known)}, not {value!r}.")
        if self.places is not None and not 0 <= self.places <= 1000:
            raise OptionError(f"places is a number from 0 to 1000, not {self.places}.")


class Transfer(NamedTuple):
    """What one game moves."""

    difference: Fraction | int
    """Of the points before the game, never negative."""
    branch: str
    """One of `BRANCHES`."""
    kind: str
    """One of `CLASSES`."""
    to_white: Fraction | int
    """What White gains and Black pays; negative where White pays."""
    ambiguous: str | None
    """Why the table has more than one answer, or none: ``no_class`` (a fraction between two classes), ``two_classes`` (10),
    ``same_level`` (see `Rules.compare`); None where it has one."""
    rounded: bool
    """Whether the transfer is not what the formula says, because of rounding."""
    capped: bool
    """Whether it is less than what the formula says, because of the floor."""


def transfer(white: Fraction, black: Fraction, result: str, rules: Rules = Rules()) -> Transfer:
    """What a game between players with these points moves; `result` is ``1-0``, ``0-1`` or ``1/2-1/2``.

    >>> moved = transfer(Fraction(150), Fraction(100), "0-1")
    >>> moved.branch, moved.kind, str(moved.to_white)
    ('lower_wins', '10_to_99', '-15')
    >>> [str(transfer(Fraction(99), Fraction(0), result).to_white) for result in ("1-0", "1/2-1/2", "0-1")]
    ['52/25', '-199/20', '-199/10']

    Raises OptionError for another result.
    """
    floor = 1 if rules.floor is None else rules.floor.denominator
    one = math.lcm(white.denominator, black.denominator, floor, 10**rules.most_places)
    moved = transfer_in_parts(int(white * one), int(black * one), result, rules, one)
    return moved._replace(difference=Fraction(moved.difference, one), to_white=Fraction(moved.to_white, one))


def transfer_in_parts(white: int, black: int, result: str, rules: Rules, one: int) -> Transfer:
    """The same for points that are told as whole numbers of parts, of which `one` are a point; so are difference and transfer.

    `one` must hold a power of ten with `Rules.most_places` zeros. Whole numbers are several times faster than fractions.
    """
    difference = abs(white - black)
    kind = _class(difference, rules, one)
    if result == "1/2-1/2":
        branch, to_white = "draw", (1 if white < black else -1)
    elif result in ("1-0", "0-1"):
        to_white = 1 if result == "1-0" else -1
        branch = _winner(white, black, to_white == 1, kind, rules, one)
    else:
        raise OptionError(f"The points system knows the results 1-0, 0-1 and 1/2-1/2, not {result!r}.")
    amount, divisor = _amount(branch, kind, difference, one)
    least = one // 10**rules.most_places
    if rules.round == "exact" and amount % divisor == 0 and (amount // divisor) % least == 0:
        amount, rounded = amount // divisor, False
    else:  # half up; amounts are never negative
        exact, amount = amount, (2 * amount + divisor * least) // (2 * divisor * least) * least
        rounded = amount * divisor != exact
    capped = False
    if rules.floor is not None:
        most = max((black if to_white == 1 else white) - int(rules.floor * one), 0)
        capped = amount > most
        amount = min(amount, most)
    return Transfer(difference, branch, kind, to_white * amount, _ambiguity(difference, branch, one), rounded, capped)


def level(points: Fraction | int, first_level: str = "from_100") -> int | None:
    """The level of so many points, from 30 up to 1; None for no level (无级别).

    >>> [level(Fraction(points)) for points in (-1, 99, 100, 199, 200, 2999, 3000, 9999)]
    [None, None, 30, 30, 29, 2, 1, 1]
    >>> level(Fraction(99), "from_0"), level(Fraction(100), "from_0")
    (30, 29)
    """
    hundreds = points // 100
    if first_level == "from_100":
        hundreds -= 1
    return None if hundreds < 0 else max(1, 30 - hundreds)


def _class(difference: int, rules: Rules, one: int) -> str:
    """One of `CLASSES`; fractions between two printed classes belong to the lower one."""
    if difference < 10 * one or (difference == 10 * one and rules.within10 == "inclusive"):
        return "under_10"
    return "10_to_99" if difference < 100 * one else "100_to_199" if difference < 200 * one else "200_and_more"


def _winner(white: int, black: int, white_won: bool, kind: str, rules: Rules, one: int) -> str:
    if white == black:
        return "equal_wins"
    if rules.compare == "levels" and kind != "under_10":
        whites, blacks = (level(value // one, rules.first_level) for value in (white, black))
        if whites == blacks:
            return "undefined"
    return "lower_wins" if (white < black) == white_won else "higher_wins"


def _amount(branch: str, kind: str, difference: int, one: int) -> tuple[int, int]:
    """What is paid, as a number of parts and what it is still to be divided by."""
    if branch == "undefined":
        return 0, 1
    if kind == "under_10":
        return (0 if branch == "draw" else 10 * one), 1
    middle = kind == "10_to_99"
    if branch == "draw":
        return (100 * one + difference, 20) if middle else (difference, 4)
    if branch == "lower_wins":
        return (100 * one + difference, 10) if middle else (difference, 2)
    return (250 * one - 2 * difference, 25) if middle else ((2 if kind == "100_to_199" else 0) * one, 1)


def _ambiguity(difference: int, branch: str, one: int) -> str | None:
    """Why the printed table has not one answer; None where it has. From 100 on a draw and a win of the lower player know one
    class only (相差100分以上), so 199.5 is open only where the higher one wins."""
    if branch == "undefined":
        return "same_level"
    if difference == 10 * one:
        return "two_classes"
    gaps = (10, 100, 200) if branch == "higher_wins" else (10, 100)
    return "no_class" if any((above - 1) * one < difference < above * one for above in gaps) else None
