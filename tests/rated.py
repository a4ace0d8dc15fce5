"""Games to be rated, made of a few words, and rated ones as plain rows."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from chesstools.ratings import Ratings, ratings
from chesstools.ratings.settings import Settings
from chesstools.source import Source

MOVES = "1. e4 e5 2. Nf3 Nc6"
NAMES = ("Ann", "Bob", "Cy", "Dan", "Eve", "Fay", "Gus", "Hal")
RESULTS = ("1-0", "1/2-1/2", "0-1")


@dataclass(frozen=True)
class Played:
    """A game as it is written."""

    white: str = "Ann"
    black: str = "Bob"
    result: str = "1-0"
    date: str = "2024.01.02"
    tags: dict[str, str] = field(default_factory=dict)
    moves: str = MOVES

    def pgn(self) -> str:
        tags = {"Date": self.date, "White": self.white, "Black": self.black, "Result": self.result, **self.tags}
        return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{self.moves} {self.result}\n\n"


def source(games: Iterable[Played], name: str = "a.pgn") -> Source:
    """The games as a source."""
    return Source.from_bytes("".join(game.pgn() for game in games).encode(), name)


def rated(games: Iterable[Played], settings: Settings | str | Sequence[str] = "elo", **options: Any) -> Ratings:
    """The games, rated."""
    return ratings(source(games), settings, **options)


def order(found: Ratings) -> list[str]:
    """Names of White in the order in which games were counted."""
    (table, *_) = found.games.values()
    names: list[str] = table["white"].to_pylist()
    return names


def stream(seed: int, count: int, months: int = 6, *, undated: int = 0) -> list[Played]:
    """Games of a few players over some months, not in order; `undated` of them have no date."""
    dice = random.Random(seed)
    games = []
    for number in range(count):
        white, black = dice.sample(NAMES, 2)
        month = 1 + number * months // count
        day = dice.choice(["??", *(f"{day:02}" for day in range(1, 29))])
        date = f"2024.{month:02}.{day}" if number >= undated else "????.??.??"
        result = dice.choice(RESULTS) if white > "C" else dice.choice(("1-0", "1-0", "1/2-1/2"))
        games.append(Played(white, black, result, date, {"Round": str(dice.randint(1, 12)), "Site": f"board {number}"}))
    dice.shuffle(games)
    return games


def month_of(game: Played) -> str:
    return game.date[:7]
