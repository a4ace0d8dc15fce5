"""The written moves of a game that stopped, and how far they can be replayed from some position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import chess

from chesstools.limits import MAX_DIAGNOSIS_PLIES
from chesstools.reference import san
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import Kind, Token
from chesstools.reference.line import Line
from chesstools.reference.san import Written

PASS = Written(None)
"""What stands for a null move."""

PLIES_FOR_EACH = 64
"""So many plies may be replayed for each move of the game, `MAX_DIAGNOSIS_PLIES` at most: time stays linear in the text."""


@dataclass(slots=True)
class Score:
    """The moves of a mainline as they were written, the bad one and those behind it included."""

    facts: Facts
    tokens: list[Token]
    bad: int
    """Index of the move that stopped the line: so many were legal."""
    limit: int
    tried: int = 0
    """Plies that were replayed so far, also those that turned out not to be legal."""

    @classmethod
    def of(cls, facts: Facts, line: Line) -> Score:
        """The score of a line that stopped at a bad token."""
        tokens = [*(ply.token for ply in line.plies), *line.rest_tokens]
        return cls(facts, tokens, len(line.plies), min(PLIES_FOR_EACH * len(tokens), MAX_DIAGNOSIS_PLIES))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def spent(self) -> bool:
        """Whether nothing more may be tried."""
        return self.tried >= self.limit

    def text(self, index: int) -> str:
        """A move as it was written."""
        return self.facts.text(self.tokens[index])

    def read(self, index: int) -> Written | None:
        """What a move says; None where it has the shape of no move."""
        token = self.tokens[index]
        if token.kind is Kind.NULL:
            return PASS
        return san.read(self.facts.text(token)) if token.kind is Kind.MOVE else None

    def replay(
        self, board: chess.Board, first: Sequence[int], then: int, turned: Callable[[Written], Written] | None = None
    ) -> int | None:
        """Replay the moves with the indices `first`, then all from `then` on; `board` is changed.

        Gives the index of the first one that is not legal there (the number of moves where all are); None where that is one of
        `first`, or where no more may be tried. `turned` says how each is to be read.
        """
        for index in (*first, *range(then, len(self))):
            reached = index if index >= then else None
            if self.spent:
                return reached
            self.tried += 1
            written = self.read(index)
            move = None if written is None else _meant(board, written if turned is None else turned(written))
            if move is None:
                return reached
            board.push(move)
        return len(self)


def _meant(board: chess.Board, written: Written) -> chess.Move | None:
    if written is PASS:
        return None if board.is_check() or not any(board.generate_legal_moves()) else chess.Move.null()
    try:
        return san.resolve(board, written)
    except san.Ambiguous:
        return None


def turned_by(mask: int) -> Callable[[Written], Written]:
    """Reads a move on a board whose squares are changed: 7 exchanges left and right, 56 top and bottom, 63 both.

    >>> turned_by(7)(san.read("Nf3")).to == chess.C3, turned_by(63)(san.read("e4")).to == chess.D5
    (True, True)
    """

    def turn(written: Written) -> Written:
        if written is PASS or written.castling:
            return written
        file = None if written.file is None else written.file ^ mask & 7
        rank = None if written.rank is None else written.rank ^ mask >> 3
        return replace(written, to=written.to ^ mask, file=file, rank=rank)

    return turn
