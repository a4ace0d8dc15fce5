"""Games of a dataset replayed by python-chess, for tests of statistics: the reading that statistics are compared with.

Only the moves (`plies.uci`) and the start position are taken from the dataset; what moved, what was captured, what a check is and
all else is what python-chess finds on its board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess
import pandas as pd

from chesstools import Dataset

COLOURS = {"white": chess.WHITE, "black": chess.BLACK}


def name_of(colour: chess.Color) -> str:
    return "white" if colour else "black"


@dataclass
class Step:
    """A ply: the move, the board before and the board after it."""

    ply: int
    move: chess.Move
    before: chess.Board
    after: chess.Board

    @property
    def side(self) -> str:
        return name_of(self.before.turn)

    @property
    def role(self) -> str:
        piece = self.before.piece_type_at(self.move.from_square)
        assert piece is not None
        return chess.piece_name(piece)

    @property
    def castling(self) -> str | None:
        if not self.before.is_castling(self.move):
            return None
        return "kingside" if self.before.is_kingside_castling(self.move) else "queenside"

    @property
    def to(self) -> int:
        """Where the man that moved stands after it; of castling the king."""
        king = self.after.king(self.before.turn)
        assert king is not None
        return king if self.castling else self.move.to_square

    @property
    def taken_on(self) -> int | None:
        """The square on which the captured man stood."""
        if not self.before.is_capture(self.move):
            return None
        if self.before.is_en_passant(self.move):
            return chess.square(chess.square_file(self.move.to_square), chess.square_rank(self.move.from_square))
        return self.move.to_square

    @property
    def taken(self) -> str | None:
        square = self.taken_on
        return None if square is None else chess.piece_name(self.before.piece_type_at(square) or 0)


@dataclass
class Game:
    """A game that counts, and its steps."""

    row: pd.Series
    start: chess.Board
    steps: list[Step] = field(default_factory=list)

    @property
    def last(self) -> chess.Board:
        return self.steps[-1].after

    @property
    def boards(self) -> list[chess.Board]:
        return [self.start, *(step.after for step in self.steps)]

    def outcome(self, side: str) -> str | None:
        """won, drawn or lost, for a side; None where the result is not known."""
        words = {"1-0": ("won", "lost"), "0-1": ("lost", "won"), "1/2-1/2": ("drawn", "drawn")}
        pair = words.get(self.row["result_value"])
        return None if pair is None else pair[0 if side == "white" else 1]


def replayed(dataset: Dataset) -> Iterator[Game]:
    """The games without errors, of standard chess and Chess960, that have a move."""
    plies = dict(iter(dataset.to_pandas("plies").groupby(["source", "game_index"], observed=True)))
    for _, row in dataset.to_pandas("games").iterrows():
        if row["errors"] or row["rules"] not in ("standard", "chess960") or not row["legal_ply_count"]:
            continue
        board = chess.Board(row["start_fen"], chess960=row["rules"] == "chess960")
        game = Game(row, board.copy(stack=False))
        for ply, uci in plies[row["source"], row["game_index"]].sort_values("ply")[["ply", "uci"]].itertuples(index=False):
            move, before = chess.Move.from_uci(uci), board.copy(stack=False)
            assert board.is_legal(move)
            board.push(move)
            game.steps.append(Step(int(ply), move, before, board.copy(stack=False)))
        yield game
