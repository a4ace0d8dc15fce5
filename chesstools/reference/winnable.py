"""Whether a colour can still mate by any series of legal moves (FIDE 5.2.2, 6.9): what can be told quickly.

The idea is that of M. Ambrona, A Practical Algorithm for Chess Unwinnability (FUN 2022): what cannot be seen by material or by
playing the few moves that there are is mostly seen by asking where each man can ever get to. A `no` is a proof, a `yes` comes
with a line that mates, and everything else is `unknown`. Draws by repetition or by counting moves are left out of account.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import chess

from chesstools.reference.cover import could_mate
from chesstools.reference.draws import Key, position

_Moves = list[chess.Move]

FORCED_PLIES = 100
"""The longest forced line that is followed."""
WIDTH = 12
"""With more positions than this side by side, all lines are not gone through."""
POSITIONS = 150
"""All lines are gone through of at most so many positions."""
REPLIES = 10
"""With at most so many legal moves, it is also asked where the men can get to after each of them."""


@dataclass(slots=True)
class Answer:
    """Whether a colour can mate, and how that was found."""

    verdict: str
    """``yes``, ``no`` or ``unknown``."""
    method: str | None
    """``material``: the men that are left cannot mate. ``terminal``: the game is over on the board. ``forced``: there is one
    legal move at a time, and these lead to the end, in a circle, or to men that cannot mate. ``search``: all lines were gone
    through. ``semi-static``: no man can ever get to where it would be needed. ``mate``: a line was found. None: unknown."""
    line: _Moves = field(default_factory=list)
    """For ``yes``, moves that end in mate; empty where the mate is on the board."""
    nodes: int = 0
    """The positions of which the legal moves were listed."""


def quick(board: chess.Board, winner: chess.Color) -> Answer:
    """Whether `winner` can still mate, as far as that can be told quickly. The position must be playable.

    >>> quick(chess.Board("8/8/8/8/8/2k5/8/K1B5 w - - 0 1"), chess.WHITE)
    Answer(verdict='no', method='material', line=[], nodes=0)
    >>> quick(chess.Board("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"), chess.BLACK).method
    'semi-static'
    >>> quick(chess.Board(), chess.WHITE).verdict
    'unknown'
    """
    if board.has_insufficient_material(winner):
        return Answer("no", "material")
    board = board.copy(stack=False)
    seen: set[Key] = set()
    line: _Moves = []
    nodes = 0
    while True:
        moves = list(board.legal_moves)
        nodes += 1
        if not moves:
            ended = "forced" if line else "terminal"
            if _is_mate_by(board, winner):
                return Answer("yes", "mate" if line else "terminal", line, nodes)
            return Answer("no", ended, nodes=nodes)
        if len(moves) > 1 or len(line) == FORCED_PLIES:
            break
        seen.add(position(board))
        board.push(moves[0])
        line.append(moves[0])
        if board.has_insufficient_material(winner) or position(board) in seen:
            return Answer("no", "forced", nodes=nodes)
    return _behind_forced(board, winner, line, moves, nodes)


def _behind_forced(board: chess.Board, winner: chess.Color, line: _Moves, moves: _Moves, nodes: int) -> Answer:
    search = _AllLines(board.copy(stack=False), winner)
    found = search.run(moves)
    nodes += search.nodes
    if found is not None:
        return Answer("yes", "mate", line + found, nodes) if found else Answer("no", "search", nodes=nodes)
    if not could_mate(board, winner):
        return Answer("no", "semi-static", nodes=nodes)
    if len(moves) <= REPLIES and not any(_could_mate_behind(board, move, winner) for move in moves):
        return Answer("no", "semi-static", nodes=nodes)
    return Answer("unknown", None, nodes=nodes)


def _could_mate_behind(board: chess.Board, move: chess.Move, winner: chess.Color) -> bool:
    """Whether nothing speaks against a mate behind a move."""
    board = board.copy(stack=False)
    board.push(move)
    return not board.has_insufficient_material(winner) and could_mate(board, winner)


def _is_mate_by(board: chess.Board, winner: chess.Color) -> bool:
    """Whether a position without legal moves is a mate by `winner`."""
    return board.turn != winner and board.is_check()


class _AllLines:
    """Goes through all lines, move by move, while they are few."""

    def __init__(self, board: chess.Board, winner: chess.Color) -> None:
        self.nodes = 0
        """Positions of which the moves were listed, without the first."""
        self._winner = winner
        self._seen = {position(board)}
        self._level: list[tuple[chess.Board, _Moves]] = [(board, [])]

    def run(self, first_moves: _Moves) -> _Moves | None:
        """The first mate found, which is a shortest one; an empty list if no line ends in one; None if there are too many."""
        if len(first_moves) > WIDTH:
            return None
        first = True
        while self._level:
            following: list[tuple[chess.Board, _Moves]] = []
            for board, line in self._level:
                moves = first_moves if first else list(board.legal_moves)
                self.nodes += not first
                first = False
                if not moves and _is_mate_by(board, self._winner):
                    return line
                if self.nodes >= POSITIONS:
                    return None
                for move in moves:
                    after = board.copy(stack=False)
                    after.push(move)
                    key = position(after)
                    if after.has_insufficient_material(self._winner) or key in self._seen:
                        continue
                    if len(following) >= WIDTH:
                        return None
                    self._seen.add(key)
                    following.append((after, [*line, move]))
            self._level = following
        return []
