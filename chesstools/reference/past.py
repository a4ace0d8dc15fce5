"""What must be remembered of the moves so far, to say when a right was lost."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess


@dataclass(slots=True)
class Loss:
    """The ply at which a castling man left its square or was captured there."""

    ply: int
    how: str
    """``moved`` or ``captured``."""


@dataclass(slots=True)
class Past:
    """Castling men of the start position and what became of them; double steps of pawns."""

    kings: dict[chess.Color, chess.Square] = field(default_factory=dict)
    """Home of each king that has a castling right at the start."""
    rooks: dict[tuple[chess.Color, bool], chess.Square] = field(default_factory=dict)
    """Home of each rook with a right, by colour and side (True: king's side)."""
    lost: dict[chess.Square, Loss] = field(default_factory=dict)
    double_steps: dict[chess.Square, int] = field(default_factory=dict)
    """Ply of the double step by which the pawn on this square came there."""
    _homes: chess.Bitboard = chess.BB_EMPTY

    @classmethod
    def of(cls, board: chess.Board) -> Past:
        """The past of a start position: nothing has happened yet."""
        past = cls()
        for side in (chess.WHITE, chess.BLACK):
            backrank = chess.BB_RANK_1 if side else chess.BB_RANK_8
            king = board.king(side)
            for rook in chess.scan_forward(board.castling_rights & backrank):
                if king is not None:
                    past.kings[side] = king
                    past.rooks[side, rook > king] = rook
                    past._homes |= chess.BB_SQUARES[king] | chess.BB_SQUARES[rook]
        return past

    def copy(self) -> Past:
        """The past of a variation that leaves the line here."""
        return Past(self.kings, self.rooks, dict(self.lost), dict(self.double_steps), self._homes)

    def add(self, board: chess.Board, move: chess.Move, ply: int) -> None:
        """Take in the move `ply`, about to be made on `board`."""
        source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        if (source | target) & self._homes:
            if source & self._homes and move.from_square not in self.lost:
                self.lost[move.from_square] = Loss(ply, "moved")
            if target & self._homes and move.to_square not in self.lost:
                self.lost[move.to_square] = Loss(ply, "captured")
        if source & board.pawns and abs(move.from_square - move.to_square) == 16:
            self.double_steps[move.to_square] = ply
        else:
            self.double_steps.pop(move.to_square, None)
