"""Where the game of a tree starts, from its tags."""

from __future__ import annotations

import chess

from chesstools.reference.facts import Facts
from chesstools.reference.lexer import Kind, Token
from chesstools.reference.segment import Region
from chesstools.reference.start import Start, read_start
from chesstools.reference.tags import Tags
from chesstools.tree import GameTree


def start_of(tree: GameTree) -> Start:
    """The start position that the tags give, read as `chesstools.scan` reads it.

    >>> start_of(GameTree([("FEN", "4k3/8/8/8/8/8/8/4K3 b - - 0 9")])).board
    Board('4k3/8/8/8/8/8/8/4K3 b - - 0 9')
    """
    tags = Tags(list(tree.tags))
    for name, value in tree.tags:
        tags.values.setdefault(name, value)
        tags.tokens.setdefault(name, Token(Kind.TAG, 0, 0))
    return read_start(Facts(Region(True, 0, 1, b"", []), "", None, ""), tags)


def first_number(tree: GameTree) -> tuple[int, chess.Color]:
    """The number of the first move, and who makes it; White's move 1 where no game can be set up."""
    if not any(name in ("FEN", "Variant") for name, _ in tree.tags):
        return 1, chess.WHITE
    board = start_of(tree).board
    return (1, chess.WHITE) if board is None else (board.fullmove_number, board.turn)
