"""The three methods as streams: each keeps what it knows of every player, and takes one game after the other.

What a method keeps can be written down as plain values and taken up again, so that a run can go on where another stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from chesstools.ratings import elo, glicko2, points
from chesstools.ratings.initial import Initial
from chesstools.ratings.players import PROVISIONAL, Player
from chesstools.ratings.scale import Scale

SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
"""What White scores."""

Row = tuple[Any, ...]


class Method(Protocol):
    """A way to rate."""

    name: ClassVar[str]
    ambiguous: str | None
    """Why the last game has not one answer; None where it has."""
    has_rounded: bool
    """Whether the last game moved something else than the formula says."""
    has_periods: ClassVar[bool]

    def meet(self, player: Player, elo_tag: int | None) -> None:
        """Make a player known, before his first game."""

    def play(self, white: Player, black: Player, result: str, period: int) -> Row:
        """Count a game of known players: its columns of the table of games, behind those that all methods have and the period.

        Periods are numbered, and never go back.
        """

    def standing(self, player: Player, period: int) -> Row:
        """The columns of the table of players, behind those that all methods have; `period` is the last of all games."""

    def order(self, player: Player) -> Any:
        """What players are ordered by: the larger, the better."""

    def written(self, key: str) -> dict[str, Any]:
        """What is known of a player, by columns of the state."""

    def read(self, row: Mapping[str, Any]) -> None:
        """Take up what `written` gave, with `player` in it."""


@dataclass(slots=True)
class _EloPlayer:
    rating: float
    """At the beginning of the period, as all but the last two."""
    games: int
    reached: float
    period: int | None = None
    in_period: int = 0
    surprise: float = 0.0
    """What he scored above expectation in the period."""


class Elo:
    """Elo ratings; see `chesstools.ratings.elo`."""

    name: ClassVar[str] = "elo"
    has_periods: ClassVar[bool] = True
    ambiguous: str | None = None
    has_rounded: bool = False

    def __init__(self, rules: elo.Rules, initial: Initial) -> None:
        self._rules = rules
        self._initial = initial
        self._known: dict[str, _EloPlayer] = {}

    def meet(self, player: Player, elo_tag: int | None) -> None:
        start = self._initial.of(player.key, elo_tag)
        rating = float(start.number)
        self._known[player.key] = _EloPlayer(rating, elo.NEW_GAMES if start.is_given else 0, rating)

    def play(self, white: Player, black: Player, result: str, period: int) -> Row:
        one, other = (self._entered(player.key, period) for player in (white, black))
        expected = elo.expected_score(one.rating, other.rating, self._rules)
        surprise = SCORES[result] - expected
        one.surprise += surprise
        other.surprise -= surprise
        for player in (one, other):
            player.in_period += 1
        factors = (self._factor(one), self._factor(other))
        return (one.rating, other.rating, expected, *factors, self._now(one), self._now(other))

    def standing(self, player: Player, period: int) -> Row:
        return (self._now(self._known[player.key]),)

    def order(self, player: Player) -> float:
        return self._now(self._known[player.key])

    def written(self, key: str) -> dict[str, Any]:
        known = self._known[key]
        names = ("rating", "reached", "period", "in_period", "surprise")
        return {name: getattr(known, name) for name in names} | {"games_before": known.games}

    def read(self, row: Mapping[str, Any]) -> None:
        self._known[row["player"]] = _EloPlayer(
            row["rating"], row["games_before"], row["reached"], row["period"], row["in_period"], row["surprise"]
        )

    def _factor(self, player: _EloPlayer) -> float:
        return elo.factor(self._rules, player.games, player.reached, player.in_period or 1)

    def _now(self, player: _EloPlayer) -> float:
        return player.rating + self._factor(player) * player.surprise

    def _entered(self, key: str, period: int) -> _EloPlayer:
        player = self._known[key]
        if player.period != period:
            player.rating = self._now(player)
            player.games += player.in_period
            player.reached = max(player.reached, player.rating)
            player.period, player.in_period, player.surprise = period, 0, 0.0
        return player


@dataclass(slots=True)
class _Glicko2Player:
    rating: glicko2.Rating
    """At the beginning of the period."""
    now: glicko2.Rating
    """With the games of the period so far."""
    period: int | None = None
    games: glicko2.Sum = field(default_factory=glicko2.Sum)


class Glicko2:
    """Glicko-2 ratings; see `chesstools.ratings.glicko2`."""

    name: ClassVar[str] = "glicko2"
    has_periods: ClassVar[bool] = True
    ambiguous: str | None = None
    has_rounded: bool = False

    def __init__(self, rules: glicko2.Rules, initial: Initial, *, by_game: bool) -> None:
        self._rules = rules
        self._initial = initial
        self._by_game = by_game
        self._known: dict[str, _Glicko2Player] = {}

    def meet(self, player: Player, elo_tag: int | None) -> None:
        start = self._initial.of(player.key, elo_tag)
        rules = self._rules
        rating = glicko2.Rating(float(start.number), start.deviation or rules.deviation, start.volatility or rules.volatility)
        self._known[player.key] = _Glicko2Player(rating, rating)

    def play(self, white: Player, black: Player, result: str, period: int) -> Row:
        one, other = (self._entered(player.key, period) for player in (white, black))
        before, opposite = one.rating, other.rating
        one.games = glicko2.with_game(one.games, before, opposite, SCORES[result])
        other.games = glicko2.with_game(other.games, opposite, before, 1 - SCORES[result])
        for player in (one, other):
            player.now = glicko2.after(player.rating, player.games, self._rules)
        expected = (
            glicko2.expected_score(before.rating, opposite.rating, opposite.deviation),
            glicko2.expected_score(opposite.rating, before.rating, before.deviation),
        )
        sides = zip(before, opposite, strict=True), zip(one.now, other.now, strict=True)
        first, then = ([value for pair in pairs for value in pair] for pairs in sides)
        return (*first, *expected, *then)

    def standing(self, player: Player, period: int) -> Row:
        known = self._known[player.key]
        now = known.now
        away = 0 if self._by_game or known.period is None else period - known.period
        return (
            now.rating,
            now.deviation,
            glicko2.idle(now, away, self._rules).deviation if away else now.deviation,
            now.volatility,
        )

    def order(self, player: Player) -> float:
        return self._known[player.key].now.rating

    def written(self, key: str) -> dict[str, Any]:
        known = self._known[key]
        return {**known.rating._asdict(), **known.games._asdict(), "period": known.period}

    def read(self, row: Mapping[str, Any]) -> None:
        rating = glicko2.Rating(*(row[name] for name in glicko2.Rating._fields))
        games = glicko2.Sum(*(row[name] for name in glicko2.Sum._fields))
        now = glicko2.after(rating, games, self._rules) if row["period"] is not None else rating
        self._known[row["player"]] = _Glicko2Player(rating, now, row["period"], games)

    def _entered(self, key: str, period: int) -> _Glicko2Player:
        player = self._known[key]
        if player.period != period:
            player.rating = player.now
            if player.period is not None and not self._by_game and period - player.period > 1:
                player.rating = glicko2.idle(player.rating, period - player.period - 1, self._rules)
            player.period, player.games = period, glicko2.Sum()
        return player


class _Held:
    """Points of a player in all forms in which they are written, each worked out once."""

    __slots__ = ("exact", "level", "parts", "stored")

    def __init__(self, parts: int, scale: Scale, rules: points.Rules) -> None:
        self.parts = parts
        self.stored = scale.stored(parts)
        self.exact = scale.exact(parts)
        self.level = points.level(parts // scale.one, rules.first_level)


class Points:
    """The points system; see `chesstools.ratings.points`."""

    name: ClassVar[str] = "points"
    has_periods: ClassVar[bool] = False

    def __init__(self, rules: points.Rules, initial: Initial) -> None:
        self._rules = rules
        self._initial = initial
        self._scale = Scale(rules.most_places)
        self._known: dict[str, _Held] = {}
        self.ambiguous: str | None = None
        self.has_rounded = False
        self.last: points.Transfer | None = None
        """Of the last game."""

    def meet(self, player: Player, elo_tag: int | None) -> None:
        self._known[player.key] = self._held(self._scale.parts(self._initial.of(player.key, elo_tag).number))

    def play(self, white: Player, black: Player, result: str, period: int) -> Row:
        one, other = self._known[white.key], self._known[black.key]
        moved = self.last = points.transfer_in_parts(one.parts, other.parts, result, self._rules, self._scale.one)
        self.ambiguous = moved.ambiguous
        self.has_rounded = moved.rounded
        to_white, difference = int(moved.to_white), int(moved.difference)
        new_one, new_other = one, other
        if to_white:
            new_one, new_other = self._held(one.parts + to_white), self._held(other.parts - to_white)
            self._known[white.key], self._known[black.key] = new_one, new_other
        return (
            one.stored,
            other.stored,
            self._scale.stored(difference),
            moved.branch,
            moved.kind,
            self._scale.stored(to_white),
            new_one.stored,
            new_other.stored,
            one.exact,
            other.exact,
            self._scale.exact(to_white),
            one.level,
            other.level,
            new_one.level,
            new_other.level,
            white.games < PROVISIONAL,
            black.games < PROVISIONAL,
            moved.ambiguous,
            moved.rounded,
            moved.capped,
        )

    def difference(self) -> str:
        """The difference of the points before the last game, exactly."""
        return self._scale.exact(int(self.last.difference)) if self.last else ""

    def standing(self, player: Player, period: int) -> Row:
        held = self._known[player.key]
        return (held.stored, held.exact, held.level, player.games < PROVISIONAL)

    def order(self, player: Player) -> int:
        return self._known[player.key].parts

    def written(self, key: str) -> dict[str, Any]:
        return {"points": self._known[key].exact}

    def read(self, row: Mapping[str, Any]) -> None:
        self._known[row["player"]] = self._held(self._scale.parts(Fraction(row["points"])))

    def _held(self, parts: int) -> _Held:
        return _Held(parts, self._scale, self._rules)
