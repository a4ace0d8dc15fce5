"""Endings for which more than 50 moves are allowed, as data: which men, how many moves, under which condition."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from chesstools.errors import OptionError

ROLES = "KQRBNP"

CONDITIONS = ("none", "pawn-on-seventh", "pawn-blocked", "rook-pawns")
"""none: the men alone decide. pawn-on-seventh: the only pawn is one step from promotion. pawn-blocked: a knight stands before
the only pawn, where the king cannot take it, and the pawn has not come further than `line`. rook-pawns: two pawns block each
other on squares of `pawns`, and the bishop runs on squares of the colour named there."""


@dataclass(frozen=True, slots=True)
class Extension:
    """An ending and the moves that are allowed in it, counted from the last capture or pawn move as always."""

    material: str
    """As in ``KRBvKR``: the men of each side, either of which may be White."""
    moves: int
    """Moves by each side: more than 50."""
    condition: str = "none"
    line: tuple[int, ...] = ()
    """For a black pawn on each file: the lowest rank (0 is the first) that it may stand on."""
    pawns: tuple[tuple[int, int, bool], ...] = ()
    """Square of White's pawn (with the rook), of Black's (with the bishop), and whether the bishop is on light squares."""
    valid_from: date | None = None
    valid_until: date | None = None
    """When it was in force, for the reader: which edition a game gets decides."""

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """How many queens, rooks, bishops, knights and pawns each of the two sides has.

        >>> Extension("KRBvKR", 75).sides
        ((0, 1, 1, 0, 0), (0, 1, 0, 0, 0))
        """
        one, other = (tuple(men.count(role) for role in ROLES[1:]) for men in self.material.split("v"))
        return one, other


def read_extension(entry: object, where: str) -> Extension:
    """An extension from its entry in a profile. Raises OptionError, with `where` it stands, for what cannot be understood.

    >>> read_extension({"material": "KRBvKR", "moves": 75}, "here").moves
    75
    """
    known = {"material", "moves", "condition", "line", "pawns", "from", "until"}
    if not isinstance(entry, dict) or not {"material", "moves"} <= entry.keys() <= known:
        raise OptionError(f"{where}: an extension has material and moves, and perhaps {', '.join(sorted(known))}.")
    material, moves, condition = entry["material"], entry["moves"], entry.get("condition", "none")
    sides = material.split("v") if isinstance(material, str) else []
    if len(sides) != 2 or any(not men.startswith("K") or men.count("K") != 1 or set(men) - set(ROLES) for men in sides):
        raise OptionError(f"{where}: {material!r} is no set of men; write it as in 'KRBvKR'.")
    if type(moves) is not int or not 50 < moves <= 1000:
        raise OptionError(f"{where}: {moves!r} is no number of moves between 51 and 1000.")
    if condition not in CONDITIONS:
        raise OptionError(f"{where}: there is no condition {condition!r}; choose from {', '.join(CONDITIONS)}.")
    try:
        line = _line(entry["line"]) if condition == "pawn-blocked" else ()
        pawns = tuple(_pawns(text) for text in entry["pawns"]) if condition == "rook-pawns" else ()
    except (KeyError, ValueError, TypeError, AttributeError):
        raise OptionError(f"{where}: the squares of condition {condition!r} are missing or cannot be read.") from None
    needed = {"pawn-on-seventh": 1, "pawn-blocked": 1, "rook-pawns": 2}.get(condition)
    if needed is not None and material.count("P") != needed:
        raise OptionError(f"{where}: condition {condition!r} does not fit {material}.")
    return Extension(material, moves, condition, line, pawns, _day(entry.get("from"), where), _day(entry.get("until"), where))


def _day(value: Any, where: str) -> date | None:
    if value is not None and type(value) is not date:
        raise OptionError(f"{where}: {value!r} is no date; write it as in 1989-01-01.")
    return value


def _square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1:])


def _line(text: str) -> tuple[int, ...]:
    squares = [_square(name) for name in text.split()]
    if [square % 8 for square in squares] != list(range(8)):
        raise ValueError
    return tuple(square // 8 for square in squares)


def _pawns(text: str) -> tuple[int, int, bool]:
    white, black, colour = text.split()
    return _square(white), _square(black), {"dark": False, "light": True}[colour]
