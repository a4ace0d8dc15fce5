"""The opening of moves that stand in a text, for SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chesstools import openings

_PIECE = re.compile(r"\{[^}]*\}?|;[^\n]*|[()]|[^\s{};()]+")
"""A comment, a bracket of a variation, or a word: each sign of a text is looked at once, however it is made."""

_NUMBER = re.compile(r"[0-9]+\.+|\.+|\$[0-9]+")
_RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}


def opening_of_text(text: str) -> openings.Opening | None:
    """The opening of moves in standard notation; numbers, comments, variations and the result are passed over.

    None for moves that cannot be played from the usual array, as deep as openings go, and for those without a name.

    >>> opening_of_text("1. d4 {quiet} d5 (1... Nf6 2. c4) 2.c4 *")
    Opening(eco='D06', name="Queen's Gambit", ply=3)
    >>> opening_of_text("1. e4 e4") is None
    True
    """
    try:
        return openings.opening_of(_moves(text))
    except ValueError:
        return None


def _moves(text: str) -> Iterator[str]:
    """The words on the mainline that are neither numbers nor results."""
    depth = 0
    for piece in _PIECE.finditer(text):
        word = piece[0]
        if word == "(":
            depth += 1
        elif word == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and word[0] not in "{;":
            number = _NUMBER.match(word)
            move = word[number.end() if number else 0 :].rstrip("!?")
            if move and move not in _RESULTS:
                yield move
