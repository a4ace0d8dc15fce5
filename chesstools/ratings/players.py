"""Who plays: names, games and results of each player, the same for all methods."""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.ratings.games import UNDATED

PROVISIONAL = 50
"""Games before which points are not settled (下过 50 盘以后得分/失分会趋于稳定): an observation, no formula."""


@dataclass(slots=True)
class Player:
    """A player, and his counted games so far."""

    key: str
    """What tells him; see `Policy.names`."""
    name: str
    """The first way in which his name was written."""
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    first_day: int = UNDATED
    last_day: int = UNDATED

    def score(self, points: float, day: int) -> None:
        """Count a game: 1, ½ or 0 points for the player."""
        if not self.games:
            self.first_day = day
        self.games += 1
        self.last_day = day
        if points == 1:
            self.wins += 1
        elif points:
            self.draws += 1
        else:
            self.losses += 1


def day_text(day: int) -> str:
    """A day as PGN writes it.

    >>> day_text(2024_02_99), day_text(UNDATED)
    ('2024.02.??', '????.??.??')
    """
    if day == UNDATED:
        return "????.??.??"
    year, month, of_month = day // 10_000, day // 100 % 100, day % 100
    return f"{year:04}.{'??' if month == 99 else f'{month:02}'}.{'??' if of_month == 99 else f'{of_month:02}'}"
