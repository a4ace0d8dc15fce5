"""The moves that stand in a text, as people write and copy them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PIECE = re.compile(r"\{[^}]*\}?|;[^\n]*|[()]|[^\s{};()]+")
"""A comment, a bracket of a variation, or a word: each sign of a text is looked at once, however it is made."""

_NUMBER = re.compile(r"[0-9]{1,4}\.+|\.+|\$[0-9]+|[0-9]{1,4}$", re.ASCII)
_RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}


def moves_of(text: str) -> Iterator[str]:
    """The words on the mainline that are neither numbers, glyphs nor results; whether they are moves is not looked at.

    >>> list(moves_of("1. e4! {best} c5 (1... e5 2. Nf3) 2.Nf3 $14 *"))
    ['e4', 'c5', 'Nf3']
    """
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
