"""All that decides what ratings come out, in one place: it is kept with the state, and told in results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction

from chesstools.errors import OptionError
from chesstools.ratings import elo, glicko2, periods, points
from chesstools.ratings.initial import METHODS
from chesstools.ratings.policy import Policy

PERIOD = {"elo": "game", "glicko2": "month"}
"""The rating period where none is named."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How games are rated. Raises OptionError for a value that means nothing."""

    methods: Sequence[str] = ("elo",)
    """One or more of ``elo``, ``glicko2``, ``points``."""
    period: str | None = None
    """One of `chesstools.ratings.periods.PERIODS` for Elo and Glicko-2; None: each game for Elo, the month for Glicko-2."""
    policy: Policy = field(default_factory=Policy)
    elo: elo.Rules = field(default_factory=elo.Rules)
    glicko2: glicko2.Rules = field(default_factory=glicko2.Rules)
    points: points.Rules = field(default_factory=points.Rules)

    def __post_init__(self) -> None:
        if unknown := [method for method in self.methods if method not in METHODS]:
            raise OptionError(f"There is no method {unknown[0]!r}; choose from {', '.join(METHODS)}.")
        if not self.methods:
            raise OptionError(f"Name at least one method: {', '.join(METHODS)}.")
        if self.period is not None:
            periods.check(self.period)

    def period_of(self, method: str) -> str | None:
        """The rating period of a method; None for one that knows none."""
        return (self.period or PERIOD[method]) if method in PERIOD else None

    def told(self) -> dict[str, str]:
        """Each option that has a say in these methods, and its value, as text."""
        found = {"methods": ",".join(self.methods)} | {name: str(value) for name, value in asdict(self.policy).items()}
        for method in self.methods:
            if period := self.period_of(method):
                found[f"{method} period"] = period
            for name, value in asdict(getattr(self, method)).items():
                found[f"{method} {name}"] = str(value) if isinstance(value, (str, Fraction)) else repr(value)
        return found
