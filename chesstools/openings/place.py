"""The position that someone asks for: by moves from the usual array, or as FEN."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from chesstools import fen as fens
from chesstools.errors import OptionError
from chesstools.openings.moves_text import moves_of
from chesstools.openings.names import Opening, load
from chesstools.reference.position_key import position_key

MAX_PLIES = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """A position and how it is named.

    Attributes:
        key: as of the column position_key of plies.
        fen: with six fields.
        line: the moves that were given, in SAN; None for a position that was given as FEN.
        opening: the deepest named position on that line, or the name of the position itself; None where there is none.
    """

    key: int
    fen: str
    line: tuple[str, ...] | None
    opening: Opening | None


def by_moves(text: str) -> Place:
    """The position after moves in standard notation, with numbers or without; comments, variations and a result are passed over.

    Raises OptionError for what is no legal move.

    >>> by_moves("1.e4 c5 2. Nf3").line
    ('e4', 'c5', 'Nf3')
    >>> by_moves("1. e4 Ke3")
    Traceback (most recent call last):
    chesstools.errors.OptionError: 'Ke3' is no legal move after 1. e4; give moves from the start position, such as '1. e4 c5'.
    """
    board = chess.Board()
    line: list[str] = []
    keys: list[int] = []
    for san in moves_of(text):
        try:
            move = board.parse_san(san)
            if not move:
                raise ValueError("a null move")
        except ValueError:
            after = f" after {numbered(line[-6:], len(line) - len(line[-6:]))}" if line else ""
            raise OptionError(
                f"{san[:20]!r} is no legal move{after}; give moves from the start position, such as '1. e4 c5'."
            ) from None
        if len(line) == MAX_PLIES:
            raise OptionError(f"More than {MAX_PLIES:,} plies are no opening; give fewer moves.")
        line.append(board.san(move))
        board.push(move)
        keys.append(position_key(board))
    return Place(position_key(board), board.fen(), tuple(line), load().classify(keys))


def by_fen(text: str) -> Place:
    """The position of a FEN with 1, 4 or 6 fields. Raises OptionError for one that cannot be read or played.

    >>> by_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").opening.name
    'Sicilian Defense'
    """
    key = fens.key(text)
    normal = fens.normalise(text)
    named = load().by_key.get(key)
    return Place(key, normal, None, Opening(named.eco, named.name, named.depth) if named else None)


def numbered(line: tuple[str, ...] | list[str], first_ply: int = 0) -> str:
    """Moves with their numbers.

    >>> numbered(["e4", "c5", "Nf3"]), numbered(["c5"], 1)
    ('1. e4 c5 2. Nf3', '1... c5')
    """
    words = []
    for ply, san in enumerate(line, first_ply):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif ply == first_ply:
            words.append(f"{ply // 2 + 1}...")
        words.append(san)
    return " ".join(words)
