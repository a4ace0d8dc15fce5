"""The ECO tag against the moves (T126).

Codes are given by different tables, and many programs go by what a position is like rather than by exact positions. So a
code is wrong only if the code of the moves is of another family (letter and first digit), and the game never came near the code:
every position that bears it differs from every position of the game on four squares or more, and on a quarter or more of those
on which it differs from the array (other squares do not count: there the game may have gone on).

Of 125,620 games over the board this finds 19, of which 12 have the code of another game or one that was mistyped; the other seven
are nearly transpositions. Of games that are given the code of another game, of another family, it finds more than half. Taking a
code to be wrong if no position of the game bears it would find seven of a hundred games, and nearly all of them without reason.
"""

from __future__ import annotations

import re

import chess

from chesstools import openings
from chesstools.reference.facts import Facts
from chesstools.reference.line import Line
from chesstools.reference.position_key import position_key
from chesstools.reference.start import Start
from chesstools.reference.tags import Tags
from chesstools.reference.text import trim

FAR = 4
"""Squares: what two moves change."""

PART = 4
"""The part of the squares is one by this."""

_CODE = re.compile("(?!A00)[A-E][0-9][0-9]")
"""Codes that can be judged: not A00, which also stands for no opening at all, nor the finer codes of some programs."""

Shape = tuple[int, int, int, int]
"""Which man stands on each square: as sets of squares, the three bits of its role and one for White."""


def report_eco(facts: Facts, tags: Tags, start: Start, first: chess.Board | None, line: Line) -> None:
    """Report a code that the moves do not fit. `first` is the position at the start of the game."""
    code = trim(tags.get("ECO") or "")
    if _CODE.fullmatch(code) is None or first is None or start.rules != "standard":
        return
    board = chess.Board()
    if position_key(first) != position_key(board):
        return
    table = openings.load()
    keys, shapes = [], []
    for ply in line.plies[: table.depth]:
        board.push(ply.move)
        keys.append(position_key(board))
        shapes.append(_shape(board))
    opening = table.classify(keys)
    if opening is None or opening.eco[:2] == code[:2]:
        return
    gaps = [_gap(chess.Board(fen), shapes) for fen in table.fens_of(code)]
    if all(count >= FAR and PART * count >= moved for count, moved in gaps):
        facts.add(
            "T126",
            tags.tokens["ECO"],
            expected=opening.eco,
            found=code,
            count=min(count for count, _ in gaps),
            last_ply=opening.ply,
            opening=opening.name,
        )


def _shape(board: chess.Board) -> Shape:
    return (
        board.pawns | board.bishops | board.queens,
        board.knights | board.bishops | board.kings,
        board.rooks | board.queens | board.kings,
        board.occupied_co[chess.WHITE],
    )


_ARRAY = _shape(chess.Board())


def _gap(position: chess.Board, shapes: list[Shape]) -> tuple[int, int]:
    """On how many squares the nearest of `shapes` differs from a position, of how many on which that differs from the array."""
    target = _shape(position)
    moved = _differs(target, _ARRAY)
    return min((_differs(shape, target) & moved).bit_count() for shape in shapes), moved.bit_count()


def _differs(one: Shape, other: Shape) -> int:
    """The squares on which two of them are not the same."""
    return (one[0] ^ other[0]) | (one[1] ^ other[1]) | (one[2] ^ other[2]) | (one[3] ^ other[3])
