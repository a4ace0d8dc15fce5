"""Other arrays that a game may have begun from, and other ways in which its board may have stood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess

from chesstools.reference.diagnosis_score import turned_by
from chesstools.reference.san import Written

_ARRAY = "RNBQKBNR"
_STANDARD_960 = 518
"""The number of the usual array among those of Chess960."""


@dataclass(slots=True)
class OtherStart:
    """A position to begin from, and how moves are to be read there. `side` is the one whose men stand otherwise."""

    reason: str
    board: chess.Board
    side: str | None = None
    turned: Callable[[Written], Written] | None = None

    @property
    def shown(self) -> str | None:
        """The position as FEN, where it is not the usual array."""
        return None if self.turned or self.reason == "black-begins" else self.board.fen()


def is_array(board: chess.Board) -> bool:
    """Whether a game that starts here starts as usual."""
    return board.board_fen() == chess.STARTING_BOARD_FEN and board.turn == chess.WHITE


def other_starts() -> Iterator[OtherStart]:
    """What can have happened to the board before the first move (seed articles 8.5-8.7), the likeliest first."""
    for reason, letters in (("king-queen", "KQ"), ("knight-bishop", "NB")):
        wrong = _ARRAY.translate(str.maketrans(letters, letters[::-1]))
        yield OtherStart(reason, _board(wrong, _ARRAY), "white")
        yield OtherStart(reason, _board(_ARRAY, wrong), "black")
        yield OtherStart(reason, _board(wrong, wrong))
    yield OtherStart("files-mirrored", chess.Board(), turned=turned_by(7))
    yield OtherStart("ranks-mirrored", chess.Board(), turned=turned_by(56))
    yield OtherStart("board-turned", chess.Board(), turned=turned_by(63))
    black_begins = chess.Board()
    black_begins.turn = chess.BLACK
    yield OtherStart("black-begins", black_begins)


def chess960_starts() -> Iterator[OtherStart]:
    """The 959 other arrays of Chess960, by number."""
    for number in range(960):
        if number != _STANDARD_960:
            yield OtherStart("chess960", chess.Board.from_chess960_pos(number))


def _board(white: str, black: str) -> chess.Board:
    """A position before the first move. Castling is as in Chess960: the king need not stand on the e-file."""
    board = chess.Board(None, chess960=True)
    board.set_board_fen(f"{black.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{white}")
    board.castling_rights = board.rooks
    return board
