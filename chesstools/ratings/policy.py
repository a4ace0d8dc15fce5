"""Which games count, and which names are the same player."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from chesstools.duplicates import NOBODY, player_key
from chesstools.errors import OptionError
from chesstools.ratings.games import Game

NAMES = ("clean", "exact", "case", "words")
UNKNOWN_DATES = ("last", "reject")
FORFEITS = ("unplayed", "any", "count")
ILLEGAL = ("count", "skip")

DECREED = frozenset({"forfeit", "abandoned", "rules_infraction", "disconnection"})
"""Reasons of an end (`end_reason`) that have nothing to do with the play."""

REASONS = ("unnamed", "oneself", "unfinished", "no-result", "both-lose", "unplayed", "forfeit", "illegal", "undated")
"""Why a game is not counted, in the order in which they are asked; see G951."""

_NO_NAME = " \t\n?-–—.*_,;:/"
_NOBODY = NOBODY - {""}  # the key of a name of symbols alone, such as servers know, is empty too

_MOST_COMPOSED = 1_000  # characters; composing takes time that grows with the square of a run of marks, and no name is longer


@dataclass(frozen=True, slots=True)
class Policy:
    """Which games count, and who is who. Raises OptionError for a value that means nothing."""

    names: str = "clean"
    """What makes two names the same player: ``exact``: every character; ``clean``: characters in composed form (NFC), white
    space does not matter; ``case``: as clean, and upper and lower case are the same; ``words``: the words alone, in any order
    and case (``Carlsen, Magnus`` is ``MAGNUS CARLSEN``). ``?``, ``NN``, ``Unknown``, ``Anonymous``, ``White``, ``Computer`` and
    the like are nobody in any case."""
    unknown_dates: str = "last"
    """Games without a year: ``last``, behind all others, or ``reject``. Where only the month or day is unknown, a game always
    comes at the end of what is known."""
    forfeits: str = "unplayed"
    """Games that are not counted: ``unplayed``: with fewer than two plies (FIDE B.02, 5.1: both players must have made a move);
    ``any``: those, and games that a forfeit, an infraction of the rules, leaving or a lost connection ended; ``count``: none."""
    illegal: str = "count"
    """Games with an illegal move (errors M301 to M343): ``count`` the recorded result and mark the game as tainted, or
    ``skip``."""

    def __post_init__(self) -> None:
        for name, known in (("names", NAMES), ("unknown_dates", UNKNOWN_DATES), ("forfeits", FORFEITS), ("illegal", ILLEGAL)):
            if getattr(self, name) not in known:
                raise OptionError(f"{name} is {', '.join(known[:-1])} or {known[-1]}, not {getattr(self, name)!r}.")

    def player(self) -> Callable[[str | None], str | None]:
        """What tells a player by a name; None for nobody (``?``, ``NN``, an empty name …)."""
        ways: dict[str, Callable[[str], str]] = {
            "exact": str,
            "clean": clean,
            "case": lambda name: clean(name).casefold(),
            "words": lambda name: player_key(clean(name)) or clean(name),
        }
        same = ways[self.names]

        @lru_cache(maxsize=1 << 16)
        def known(name: str) -> str | None:
            return None if not name.strip(_NO_NAME) or player_key(name) in _NOBODY else same(name) or None

        return lambda name: None if name is None else known(name)

    def shown(self, name: str) -> str:
        """How a player is called whose name was written so first; different for different players."""
        return name if self.names == "exact" else clean(name)

    def why_not(self, game: Game, white: str | None, black: str | None) -> str | None:
        """Why the game is not counted, one of `REASONS`; None where it is. `white` and `black` are what `player` says."""
        if white is None or black is None:
            return "unnamed"
        if white == black:
            return "oneself"
        if game.both_lose:
            return "both-lose"
        if game.result == "*":
            return "unfinished"
        if game.result is None:
            return "no-result"
        if self.forfeits != "count":
            if game.plies < 2:
                return "unplayed"
            if self.forfeits == "any" and game.end_reason in DECREED:
                return "forfeit"
        if self.illegal == "skip" and game.illegal:
            return "illegal"
        if self.unknown_dates == "reject" and not game.is_dated:
            return "undated"
        return None


def clean(name: str) -> str:
    """The name in composed form, with single blanks; longer names than 1,000 characters are not composed.

    >>> clean("Mu\u0308ller,  Ann ")
    'Müller, Ann'
    """
    return " ".join((unicodedata.normalize("NFC", name) if len(name) <= _MOST_COMPOSED else name).split())
