"""The opening of moves that stand in a text, for SQL."""

from __future__ import annotations

import re

import chess

from chesstools import openings
from chesstools.reference.position_key import position_key

_ASIDE = re.compile(r"\{[^}]*\}|;[^\n]*|\$[0-9]+|[0-9]+\s*\.+|(?<![^\s])(?:1-0|0-1|1/2-1/2|\*)(?![^\s])")
_INNERMOST_VARIATION = re.compile(r"\([^()]*\)")


def opening_of_text(text: str) -> openings.Opening | None:
    """The opening of moves in standard notation; numbers, comments, variations and the result are passed over.

    None for moves that cannot be played from the usual array, as deep as openings go, and for those without a name.

    >>> opening_of_text("1. d4 {quiet} d5 (1... Nf6 2. c4) 2. c4 *")
    Opening(eco='D06', name="Queen's Gambit", ply=3)
    >>> opening_of_text("1. e4 e4") is None
    True
    """
    names = openings.load()
    board = chess.Board()
    keys = []
    for move in _plain(text).split(maxsplit=names.depth)[: names.depth]:
        try:
            board.push_san(move.rstrip("!?"))
        except ValueError:
            return None
        keys.append(position_key(board))
    return names.classify(keys)


def _plain(text: str) -> str:
    text = _ASIDE.sub(" ", text)
    while True:
        shorter = _INNERMOST_VARIATION.sub(" ", text)
        if shorter == text:
            return text
        text = shorter
