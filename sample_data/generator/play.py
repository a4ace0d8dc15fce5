"""A game while it is played, and the choice of moves: cheap, random, and good enough to look like chess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from random import Random

import chess

VALUE = (0.0, 1.0, 3.1, 3.2, 5.0, 9.0, 0.0)
"""By python-chess piece type; the king has none, since it cannot be taken."""

_HOME_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8
_CENTRE = chess.BB_D4 | chess.BB_E4 | chess.BB_D5 | chess.BB_E5 | chess.BB_C4 | chess.BB_C5


def position_key(board: chess.Board) -> Hashable:
    """What makes two positions the same by article 9.2: men, side to move, castling rights, a legal en passant capture."""
    return board._transposition_key()


def diagram_key(board: chess.Board) -> Hashable:
    """What a spectator sees: men and side to move."""
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.turn,
    )


class Play:
    """A game so far: start position, moves, their SAN, and how it ended on the board, if it did.

    `over` is one of checkmate, stalemate, dead, fivefold, seventyfive, or empty while the game can go on.
    """

    def __init__(self, start: chess.Board) -> None:
        self.start = start.copy(stack=False)
        self.board = start.copy(stack=False)
        self.moves: list[chess.Move] = []
        self.sans: list[str] = []
        self.over = ""
        self.result = "*"
        self.reason = "normal"
        self.keys = Counter([position_key(self.board)])
        self.diagrams = Counter([diagram_key(self.board)])

    def __len__(self) -> int:
        return len(self.moves)

    def boards(self) -> list[chess.Board]:
        """The positions 0 to len(self), each with the moves that led to it."""
        board = self.start.copy(stack=False)
        found = [board.copy()]
        for move in self.moves:
            board.push(move)
            found.append(board.copy())
        return found

    def board_at(self, index: int) -> chess.Board:
        """The position after `index` plies."""
        board = self.start.copy(stack=False)
        for move in self.moves[:index]:
            board.push(move)
        return board

    def step(self, move: chess.Move) -> int:
        """Play a legal move; returns how often the position after it has stood."""
        san = self.board.san_and_push(move)
        self.moves.append(move)
        self.sans.append(san)
        key = position_key(self.board)
        self.keys[key] += 1
        self.diagrams[diagram_key(self.board)] += 1
        self._look_for_end(san, self.keys[key])
        return self.keys[key]

    def undo(self) -> None:
        """Take the last move back."""
        self.keys[position_key(self.board)] -= 1
        self.diagrams[diagram_key(self.board)] -= 1
        self.board.pop()
        self.moves.pop()
        self.sans.pop()
        self.over = ""

    def only_looks_repeated(self) -> bool:
        """Whether the diagram now stands for the third time or more, but the position for fewer than three (rule D605)."""
        return self.diagrams[diagram_key(self.board)] >= 3 and self.keys[position_key(self.board)] < 3

    def _look_for_end(self, san: str, count: int) -> None:
        board = self.board
        if san.endswith("#"):
            self.over = "checkmate"
        elif not (board.pawns or board.rooks or board.queens) and board.is_insufficient_material():
            self.over = "dead"
        elif chess.popcount(board.occupied) < 12 and not any(board.generate_legal_moves()):
            self.over = "stalemate"
        elif board.halfmove_clock >= 150 and any(board.generate_legal_moves()):
            self.over = "seventyfive"
        elif count >= 5:
            self.over = "fivefold"


class Player:
    """Chooses moves. The moods: normal, greedy (trade everything), hunting (mate where possible), smothering (stalemate
    where possible), quiet (shuffle).
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, play: Play, mood: str = "normal") -> chess.Move | None:
        """A legal move, or None where there is none."""
        board = play.board
        if mood == "quiet":
            return self._quiet(play)
        if mood == "hunting" and (mate := self._mate(board)):
            return mate
        if mood == "smothering" and (stalemate := self._stalemate(board)):
            return stalemate
        if board.is_check():
            moves = list(board.legal_moves)
            return max(moves, key=lambda move: self._score(board, move, mood)) if moves else None
        moves = list(board.generate_pseudo_legal_moves())
        looks = 12 if board.fullmove_number <= 8 else 9 if mood == "greedy" else 6
        picks = {int(self.rng.random() * len(moves)) for _ in range(looks)} if moves else set()
        if mood == "greedy":
            picks.update(at for at, move in enumerate(moves) if board.occupied & chess.BB_SQUARES[move.to_square])
        ranked = sorted(((self._score(board, moves[at], mood), at) for at in picks), reverse=True)
        for _, at in ranked:
            if not board.is_into_check(moves[at]):
                return moves[at]
        legal = list(board.legal_moves)
        return legal[int(self.rng.random() * len(legal))] if legal else None

    def _score(self, board: chess.Board, move: chess.Move, mood: str) -> float:
        score = self.rng.random() * 2.5
        role = board.piece_type_at(move.from_square) or chess.PAWN
        victim = board.piece_type_at(move.to_square)
        if victim and not board.occupied_co[board.turn] & chess.BB_SQUARES[move.to_square]:
            score += VALUE[victim] * 1.3 - VALUE[role] * 0.2 + (4 if mood == "greedy" else 0)
        if move.promotion:
            score += 7 if move.promotion == chess.QUEEN else 4.5 + 3 * self.rng.random()
        if role != chess.PAWN and board.is_attacked_by(not board.turn, move.to_square):
            score -= VALUE[role] * 0.7
        if board.fullmove_number <= 14:
            score += self._opening(board, move, role)
        elif role == chess.PAWN:
            score += 0.4
        return score

    def _opening(self, board: chess.Board, move: chess.Move, role: int) -> float:
        if role == chess.KING:
            return 5.0 if board.is_castling(move) else -2.5
        if role in (chess.KNIGHT, chess.BISHOP):
            rim = 1.0 if chess.BB_SQUARES[move.to_square] & (chess.BB_FILE_A | chess.BB_FILE_H) else 0.0
            return (1.6 if chess.BB_SQUARES[move.from_square] & _HOME_RANKS else -0.3) - rim
        if role == chess.PAWN:
            return 1.6 if chess.BB_SQUARES[move.to_square] & _CENTRE else 0.0
        return -0.8

    def _mate(self, board: chess.Board) -> chess.Move | None:
        """A move that mates, looking only at moves to squares from which the man attacks the king."""
        king = board.king(not board.turn)
        if king is None:
            return None
        straight = chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & board.occupied]
        straight |= chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & board.occupied]
        diagonal = chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & board.occupied]
        ways = (
            (board.queens, straight | diagonal),
            (board.rooks, straight),
            (board.bishops, diagonal),
            (board.knights, chess.BB_KNIGHT_ATTACKS[king]),
            (board.pawns, chess.BB_PAWN_ATTACKS[not board.turn][king] | chess.BB_BACKRANKS),
        )
        for men, squares in ways:
            men &= board.occupied_co[board.turn]
            if not men or not squares:
                continue
            for move in board.generate_legal_moves(men, squares):
                board.push(move)
                mate = board.is_checkmate()
                board.pop()
                if mate:
                    return move
        return None

    def _stalemate(self, board: chess.Board) -> chess.Move | None:
        """A move that leaves the other side without a move, for endings against few men."""
        for move in list(board.legal_moves):
            board.push(move)
            stalemate = not board.is_check() and not any(board.generate_legal_moves())
            board.pop()
            if stalemate:
                return move
        return None

    def _quiet(self, play: Play) -> chess.Move | None:
        """No capture, no pawn move, and a position that has not stood before, as far as possible."""
        board = play.board
        moves = list(board.legal_moves)
        self.rng.shuffle(moves)
        second: chess.Move | None = None
        for move in moves:
            if board.is_zeroing(move):
                continue
            second = second or move
            board.push(move)
            # A position with few replies leads to mates, stalemates and forced captures: not wanted here.
            fresh = not play.keys[position_key(board)] and not play.diagrams[diagram_key(board)]
            roomy = fresh and not board.is_check() and sum(not board.is_zeroing(reply) for reply in board.legal_moves) >= 2
            board.pop()
            if roomy:
                return move
        return second or (moves[0] if moves else None)
