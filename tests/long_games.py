"""Games of any length that only the Laws before 2014 let go on: positions come back for ever, and nobody claims.

A wall of pawns parts the sides. Rook, queen and king of each side have a rank of their own, so any of their moves is legal and
neither check nor capture is possible.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

FEN = "4k3/q7/r7/pppppppp/PPPPPPPP/R7/Q7/4K3 w - - 0 1"
RANKS = {"R": (3, 6), "Q": (2, 7), "K": (1, 8)}

HOME = {"R": 0, "Q": 0, "K": 4}
"""The files on which the men stand, from 0, at the beginning and the end of a tour."""


def game(moves: list[str], fen: str | None = FEN, result: str = "1-0", date: str = "1990.01.01") -> str:
    """The text of one game."""
    start = f'[SetUp "1"]\n[FEN "{fen}"]\n' if fen else ""
    return f'[Event "?"]\n[Date "{date}"]\n[Result "{result}"]\n{start}\n{" ".join(moves)} {result}\n'


def to_and_fro(plies: int) -> list[str]:
    """Four positions come back for ever, from the usual start position."""
    return [("Nc3", "Nc6", "Nb1", "Nb8")[number % 4] for number in range(plies)]


def tour(plies: int, rnd: random.Random) -> list[str]:
    """Moves of both sides at random, that end where they began; hardly a position stands twice if they are not too many."""
    sides = [list(_walk(plies // 2, rnd, side)) for side in (0, 1)]
    return [move for pair in zip(*sides, strict=True) for move in pair]


def tours(plies: int, times: int = 3) -> list[str]:
    """One long tour, played again and again: ever more positions have stood twice."""
    return tour(plies // times, random.Random(1)) * times


def come_back(plies: int, between: int = 40) -> list[str]:
    """Short tours: one position comes back, each time after others; so rights to claim lapse and come back."""
    rnd = random.Random(2)
    return [move for _ in range(plies // between) for move in tour(between, rnd)]


def _walk(moves: int, rnd: random.Random, side: int) -> Iterator[str]:
    """Moves of one side: at random, then the king goes home, and last the other two."""
    at = dict(HOME)

    def go(role: str, file: int) -> str:
        at[role] = file
        return f"{role}{'abcdefgh'[file]}{RANKS[role][side]}"

    for left in range(moves, 0, -1):
        role = rnd.choice("RRQQK")
        file = rnd.choice([file for file in range(8) if file != at[role]])
        if role == "K":
            file = at["K"] + (1 if at["K"] == 0 or (at["K"] < 7 and rnd.random() < 0.5) else -1)
        if left <= 4:
            # To another file than home, and then home.
            role = "QQRR"[left - 1]
            file = HOME[role] if left % 2 else next(other for other in (3, 4) if other != at[role])
        elif left <= 4 + abs(at["K"] - HOME["K"]):
            role, file = "K", at["K"] + (1 if at["K"] < HOME["K"] else -1)
        elif left == 5 + abs(at["K"] - HOME["K"]) and role == "K":
            role, file = "R", next(other for other in (3, 4) if other != at["R"])
        yield go(role, file)
