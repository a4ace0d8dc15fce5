"""Patterns: which men stand where, in a few words.

A pattern is a row of terms, all of which must be true of a position:

| term | meaning |
|---|---|
| ``Ke1`` ``pe5`` | a man on a square: capital letters KQRBNP are white, small ones black |
| ``Aa1`` ``ah8`` ``?e4`` ``.e4`` | any white man, any black man, any man, no man |
| ``[RQ]d8`` | one of several |
| ``Rd*`` ``P*7`` ``Na-c5-6`` ``B*`` | somewhere on a file, on a rank, in a region, anywhere |
| ``!Pd4`` | not so: on no such square such a man |
| ``P*7=2`` ``Q*>=2`` ``p*<4`` | so many of them (=, <, >, <=, >=) |
| ``white`` ``black`` | whose turn it is |
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chesstools.errors import OptionError

if TYPE_CHECKING:
    from chesstools.search.block import Numbers
    from chesstools.search.boards import Boards

_LETTERS = "PNBRQK"
_KINDS: dict[str, tuple[tuple[int, int], ...]] = {letter: ((0, role),) for role, letter in enumerate(_LETTERS)}
_KINDS |= {letter.lower(): ((1, role),) for role, letter in enumerate(_LETTERS)}
_KINDS["A"] = tuple((0, role) for role in range(6))
_KINDS["a"] = tuple((1, role) for role in range(6))
_KINDS["?"] = _KINDS["A"] + _KINDS["a"]

_TERM = re.compile(
    r"(?P<no>!)?(?:(?P<man>[KQRBNPkqrbnpAa?.])|\[(?P<men>[KQRBNPkqrbnpAa?]+)\])"
    r"(?:(?P<all>\*)|(?P<files>[a-h](?:-[a-h])?|\*)(?P<ranks>[1-8](?:-[1-8])?|\*))"
    r"(?:(?P<relation><=|>=|=|<|>)(?P<count>[0-9]{1,2}))?"
)
_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Term:
    """Men of some kinds on some squares: at least one, none, or so many."""

    kinds: tuple[tuple[int, int], ...]
    """Colours and roles, as in `chesstools.search.boards`."""
    squares: int
    relation: str
    count: int

    def holds(self, boards: Boards) -> Numbers:
        """For each position whether it is so."""
        found = np.zeros(boards.block.rows, dtype=np.uint64)
        for color, role in self.kinds:
            found |= boards.men(color, role)
        found &= np.uint64(self.squares)
        if (self.relation, self.count) == (">=", 1):
            return np.asarray(found != 0)
        if (self.relation, self.count) == ("=", 0):
            return np.asarray(found == 0)
        answer: Numbers = _RELATIONS[self.relation](np.bitwise_count(found), self.count)
        return answer


@dataclass(frozen=True, slots=True)
class Pattern:
    """Terms that must all be true, and whose turn it is (0 White, 1 Black, None either)."""

    terms: tuple[Term, ...]
    turn: int | None = None

    def holds(self, boards: Boards) -> Numbers:
        """For each position of a block whether the pattern is there."""
        found = np.ones(boards.block.rows, dtype=bool)
        if self.turn is not None:
            found &= boards.black_to_move() == bool(self.turn)
        for term in self.terms:
            found &= term.holds(boards)
            if not found.any():
                break
        return found

    def other_color(self) -> Pattern:
        """The same for the other side: colours exchanged, and the board turned upside down."""
        terms = tuple(
            replace(term, kinds=tuple((1 - color, role) for color, role in term.kinds), squares=upside_down(term.squares))
            for term in self.terms
        )
        return Pattern(terms, None if self.turn is None else 1 - self.turn)

    def other_wing(self) -> Pattern:
        """The same on the other wing: a is h."""
        return Pattern(tuple(replace(term, squares=wing_changed(term.squares)) for term in self.terms), self.turn)


def pattern_of(text: str) -> Pattern:
    """Read a pattern. Raises OptionError, which names the term that means nothing.

    >>> pattern_of("Ke1 !p*7 white").turn
    0
    >>> len(pattern_of("Ke1 !p*7 white").terms)
    2
    """
    terms, turns = [], set()
    for word in text.replace(",", " ").split():
        if word in ("white", "black"):
            turns.add(int(word == "black"))
            continue
        match = _TERM.fullmatch(word)
        if match is None:
            raise OptionError(
                f"{word!r} is no term of a pattern; write a man and a square, such as Ke1, p*7 or .e4 ('chesstools find --help')."
            )
        terms.append(_term(match))
    if len(turns) > 1 or not (terms or turns):
        raise OptionError("It cannot be the turn of both sides." if turns else "The pattern is empty; write a man and a square.")
    return Pattern(tuple(terms), min(turns) if turns else None)


def upside_down(squares: int) -> int:
    """The squares with the ranks exchanged: a1 becomes a8."""
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def wing_changed(squares: int) -> int:
    """The squares with the files exchanged: a1 becomes h1."""
    return int.from_bytes(bytes(int(f"{rank:08b}"[::-1], 2) for rank in squares.to_bytes(8, "little")), "little")


def _term(match: re.Match[str]) -> Term:
    squares = _ALL
    if match["all"] is None:
        files, ranks = _range(match["files"], "abcdefgh"), _range(match["ranks"], "12345678")
        squares = sum(1 << 8 * rank + file for rank in ranks for file in files)
    relation, count = (match["relation"], int(match["count"])) if match["relation"] else (">=", 1)
    if match["man"] == ".":
        if match["relation"]:
            raise OptionError(f"{match[0]!r} counts what is not there; count men, such as ?*4=0.")
        # All of the squares are empty; not so, where it is negated: one of them is not.
        relation, count = (">=", 1) if match["no"] else ("=", 0)
        return Term(_KINDS["?"], squares, relation, count)
    letters = match["man"] or match["men"]
    kinds = tuple(sorted({kind for letter in letters for kind in _KINDS[letter]}))
    if match["no"]:
        if match["relation"]:
            raise OptionError(f"{match[0]!r} both denies and counts; turn the sign round instead.")
        relation, count = "=", 0
    return Term(kinds, squares, relation, count)


def _range(text: str, names: str) -> range:
    if text == "*":
        return range(8)
    first, last = names.index(text[0]), names.index(text[-1])
    if first > last:
        raise OptionError(f"{text} goes backwards; write {text[::-1]}.")
    return range(first, last + 1)
