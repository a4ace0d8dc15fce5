"""The opening of moves that stand in a text, for SQL."""

from __future__ import annotations

from chesstools import openings
from chesstools.openings.moves_text import moves_of


def opening_of_text(text: str) -> openings.Opening | None:
    """The opening of moves in standard notation; numbers, comments, variations and the result are passed over.

    None for moves that cannot be played from the usual array, as deep as openings go, and for those without a name.

    >>> opening_of_text("1. d4 {quiet} d5 (1... Nf6 2. c4) 2.c4 *")
    Opening(eco='D06', name="Queen's Gambit", ply=3)
    >>> opening_of_text("1. e4 e4") is None
    True
    """
    try:
        return openings.opening_of(moves_of(text))
    except ValueError:
        return None
