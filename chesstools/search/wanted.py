"""What is looked for in positions: a pattern, material, pawns; all that is asked for, at the same time, and so long."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import chess
import numpy as np

from chesstools.errors import OptionError
from chesstools.search.block import Block, Numbers
from chesstools.search.boards import PAWN, Boards, packed_one
from chesstools.search.pattern import Pattern, upside_down, wing_changed

COLORS = ("white", "black", "both")

_SIDE = re.compile("K[QRBNP]*", re.IGNORECASE)
_ORDER = "PNBRQ"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a position must have. What is None need not be."""

    pattern: Pattern | None = None
    material: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """How many pawns, knights, bishops, rooks and queens White and Black have."""
    pawns: tuple[int | None, int | None] | None = None
    """The squares of all pawns of White and Black; None for a side that may have any."""

    def holds(self, boards: Boards) -> Numbers:
        """For each position of a block whether it has all that."""
        found = np.ones(boards.block.rows, dtype=bool)
        if self.material is not None:
            packed = sum(
                packed_one(color, role) * count for color, side in enumerate(self.material) for role, count in enumerate(side)
            )
            found &= boards.material() == np.uint64(packed)
        for color, squares in enumerate(self.pawns or ()):
            if squares is not None and found.any():
                found &= boards.men(color, PAWN) == np.uint64(squares)
        if self.pattern is not None and found.any():
            found &= self.pattern.holds(boards)
        return found

    def other_color(self) -> Wanted:
        """The same with the colours exchanged and the board turned upside down."""
        return Wanted(
            self.pattern and self.pattern.other_color(),
            self.material and (self.material[1], self.material[0]),
            self.pawns and (_changed(self.pawns[1], upside_down), _changed(self.pawns[0], upside_down)),
        )

    def other_wing(self) -> Wanted:
        """The same with the files exchanged."""
        return Wanted(
            self.pattern and self.pattern.other_wing(),
            self.material,
            self.pawns and (_changed(self.pawns[0], wing_changed), _changed(self.pawns[1], wing_changed)),
        )


def _changed(squares: int | None, change: Callable[[int], int]) -> int | None:
    return None if squares is None else change(squares)


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, in one of several forms, in at least `lasting` positions of a game one after the other."""

    forms: tuple[Wanted, ...] = field(default=())
    lasting: int = 1

    def holds(self, boards: Boards) -> Numbers:
        """For each position of a block whether it is one of those."""
        found = np.zeros(boards.block.rows, dtype=bool)
        for form in self.forms:
            found |= long_runs(form.holds(boards), boards.block, self.lasting)
        return found


def search_of(wanted: Wanted, *, either_color: bool, either_wing: bool, lasting: int) -> Search:
    """A search for something, and for its mirror images where they are as good."""
    forms = [wanted]
    if either_color:
        forms += [form.other_color() for form in forms]
    if either_wing:
        forms += [form.other_wing() for form in forms]
    return Search(tuple(dict.fromkeys(forms)), lasting)


def long_runs(found: Numbers, block: Block, lasting: int) -> Numbers:
    """Those of the positions that stand in a row of at least `lasting` within a game."""
    if lasting <= 1 or not found.any():
        return found
    changes = np.ones(block.rows, dtype=bool)
    changes[1:] = found[1:] != found[:-1]
    changes[block.first] = True
    begins = np.flatnonzero(changes)
    lengths = np.diff(np.append(begins, block.rows))
    return found & np.repeat(lengths >= lasting, lengths)


def material_of(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Read the men of both sides, as endings are named. Raises OptionError.

    >>> material_of("KRPPvKRP")
    ((2, 0, 0, 1, 0), (1, 0, 0, 1, 0))
    """
    sides = re.split(r"\s*(?:vs?\.?|-)\s*", text.strip())
    if len(sides) != 2 or not all(map(_SIDE.fullmatch, sides)):
        raise OptionError(f"{text!r} does not say what material is there; write the men of both sides, such as KRPPvKRP.")
    white, black = (tuple(side.upper().count(letter) for letter in _ORDER) for side in sides)
    return white, black


def pawns_of(text: str, sides: str = "both") -> tuple[int | None, int | None]:
    """Read where pawns stand: a FEN, or its first field; other men in it do not matter. Raises OptionError.

    >>> pawns_of("8/8/8/8/8/8/P7/8", "white")
    (256, None)
    """
    board = chess.BaseBoard.empty()
    try:
        board.set_board_fen(text.split()[0] if text.split() else "")
    except ValueError:
        raise OptionError(f"{text!r} is no position; write a FEN, or its first field, with the pawns in it.") from None
    if sides not in COLORS:
        raise OptionError(f"There are no pawns of {sides!r}; choose from {', '.join(COLORS)}.")
    white = board.pieces_mask(chess.PAWN, chess.WHITE) if sides != "black" else None
    black = board.pieces_mask(chess.PAWN, chess.BLACK) if sides != "white" else None
    return white, black
