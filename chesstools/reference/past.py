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
    """Castling men of the start position and what became of them; double steps of pawns.

    A variation has a past of its own that begins with what its parent line remembers of the plies before `cut`. Nothing
    is copied, so that many variations in a long game take no more time than their own moves.
    """

    kings: dict[chess.Color, chess.Square] = field(default_factory=dict)
    """Home of each king that has a castling right at the start."""
    rooks: dict[tuple[chess.Color, bool], chess.Square] = field(default_factory=dict)
    """Home of each rook with a right, by colour and side (True: king's side)."""
    parent: Past | None = None
    cut: int = 0
    _losses: dict[chess.Square, Loss] = field(default_factory=dict)
    _steps: dict[chess.Square, list[tuple[int, bool]]] = field(default_factory=dict)
    """By square, in the order of plies: a pawn came by a double step (True), or another man came (False)."""
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

    def branch(self, ply: int) -> Past:
        """The past of a variation whose first move is ply `ply`."""
        return Past(self.kings, self.rooks, self, ply, _homes=self._homes)

    def add(self, board: chess.Board, move: chess.Move, ply: int) -> None:
        """Take in the move `ply`, about to be made on `board`."""
        source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        if (source | target) & self._homes:
            if source & self._homes and self.loss(move.from_square) is None:
                self._losses[move.from_square] = Loss(ply, "moved")
            if target & self._homes and self.loss(move.to_square) is None:
                self._losses[move.to_square] = Loss(ply, "captured")
        if source & board.pawns and abs(move.from_square - move.to_square) == 16:
            self._steps.setdefault(move.to_square, []).append((ply, True))
        elif self.double_step(move.to_square) is not None:
            self._steps.setdefault(move.to_square, []).append((ply, False))

    def loss(self, home: chess.Square, before: int | None = None) -> Loss | None:
        """How the man at this home was lost for castling, before ply `before`; None if it was not."""
        earlier = None if self.parent is None else self.parent.loss(home, _earlier(self.cut, before))
        own = self._losses.get(home)
        return earlier or (own if own is not None and (before is None or own.ply < before) else None)

    def double_step(self, square: chess.Square, before: int | None = None) -> int | None:
        """The ply of the double step by which the pawn on this square came there; None if it came otherwise."""
        for ply, double in reversed(self._steps.get(square, [])):
            if before is None or ply < before:
                return ply if double else None
        return None if self.parent is None else self.parent.double_step(square, _earlier(self.cut, before))


def _earlier(cut: int, before: int | None) -> int:
    return cut if before is None else min(cut, before)
