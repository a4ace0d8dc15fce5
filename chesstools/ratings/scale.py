"""Points as whole numbers of small parts, and how they are written.

What the points system pays are whole numbers, halves, quarters, tenths, twentieths and 2/25 of differences, and transfers have so
many decimal places at most as `chesstools.ratings.points.Rules` says. So if players begin with decimal numbers, all points are
decimal numbers of bounded length: exact, and as fast as whole numbers.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from chesstools.errors import OptionError

STORED_PLACES = 4
"""Decimal places that points are stored with, beside their exact text."""

MOST_INITIAL_PLACES = 20
"""Decimal places of what players begin with."""


class Scale:
    """Decimal numbers with up to `places` places, as whole numbers of parts.

    >>> scale = Scale(20)
    >>> value = scale.parts(Fraction(-199, 20))
    >>> scale.exact(value), scale.stored(value), scale.exact(scale.parts(Fraction(7)))
    ('-9.95', Decimal('-9.9500'), '7')
    """

    def __init__(self, places: int) -> None:
        self.places = max(places, MOST_INITIAL_PLACES)
        self.one = 10**self.places
        """Parts that make one point."""
        self._step = 10 ** (self.places - STORED_PLACES)

    def parts(self, value: Fraction) -> int:
        """A number of points as parts. Raises OptionError for one with more places."""
        if self.one % value.denominator:
            raise OptionError(f"{value} has more than {self.places} decimal places; points begin with fewer.")
        return int(value * self.one)

    def stored(self, value: int) -> Decimal:
        """A number of points with four places, half away from zero.

        >>> scale = Scale(20)
        >>> [str(scale.stored(scale.parts(Fraction(x)))) for x in ("2.08", "0.00005", "-0.00005", "0.00004")]
        ['2.0800', '0.0001', '-0.0001', '0.0000']
        """
        size = (2 * abs(value) + self._step) // (2 * self._step)
        return Decimal(-size if value < 0 else size).scaleb(-STORED_PLACES)

    def exact(self, value: int) -> str:
        """All of a number of points, as a decimal number."""
        digits = str(abs(value)).zfill(self.places + 1)
        whole, rest = digits[: -self.places], digits[-self.places :].rstrip("0")
        return f"{'-' if value < 0 else ''}{whole}{f'.{rest}' if rest else ''}"
