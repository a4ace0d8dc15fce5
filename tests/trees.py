"""Trees of texts, and what must be true of them: what is written of them is read as the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chesstools.game import Game
from chesstools.reference.values import normalise_result
from chesstools.scan import games
from chesstools.source import Source
from chesstools.tree import GameTree


def read(text: bytes | str) -> list[Game]:
    """The games of a text."""
    return list(games(Source.from_bytes(text.encode() if isinstance(text, str) else text)))


def trees(text: bytes | str) -> list[GameTree]:
    """The trees of the games of a text."""
    return [game.tree for game in read(text)]


def as_written(tree: GameTree) -> GameTree:
    """A tree as PGN can hold it: with a result, which is what the tag is read as where none stood."""
    return replace(tree, result=tree.result or normalise_result(tree.tag("Result")) or "*")


def check_round_trip(made: list[GameTree], **options: Any) -> str:
    """Trees to PGN and back: the same trees, and the same text again. Gives the text."""
    text = "".join(tree.to_pgn(**options) for tree in made)
    again = trees(text)
    assert again == [as_written(tree) for tree in made]
    assert "".join(tree.to_pgn(**options) for tree in again) == text
    return text
