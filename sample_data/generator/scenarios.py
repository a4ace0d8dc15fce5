"""Whole games: what a game is steered towards, how long it goes on, and which result it is given."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import chess

from generator import starts
from generator.laws import draw_facts
from generator.play import VALUE, Play, Player

POSITION_STARTS = frozenset({"lichess", "cutechess", "fastchess", "annotated"})
"""Styles in which a game may begin from a position of its own; chess960 always begins from a Chess960 array."""

NATURAL = (
    ("ordinary", 60),
    ("mating", 12),
    ("liquidating", 6),
    ("repeating", 8),
    ("fivefold", 2),
    ("promoting", 6),
    ("stalemating", 2),
    ("fifty", 3),
    ("seventyfive", 1),
)
"""What games are steered towards, with weights."""

_LIMIT = 500
"""No game is longer than this many plies."""


class Director:
    """Plays games of the wanted kind for one style. `length` is the mean number of plies of an ordinary game."""

    def __init__(self, rng: Random, style: str, length: int) -> None:
        self.rng = rng
        self.style = style
        self.length = length
        self.player = Player(rng)

    def natural(self) -> Play:
        """A finished game without any fault."""
        names = [name for name, _ in NATURAL]
        weights = [weight for _, weight in NATURAL]
        play = self.game(self.rng.choices(names, weights)[0])
        settle(play, self.rng)
        return play

    def game(self, scenario: str) -> Play:
        """A game of that scenario, not yet given a result."""
        scenes: dict[str, Callable[[], Play]] = {
            "ordinary": self._ordinary,
            "mating": self._mating,
            "liquidating": self._liquidating,
            "repeating": lambda: self.repeating(2),
            "fivefold": lambda: self.repeating(4),
            "promoting": self._promoting,
            "stalemating": self._stalemating,
            "fifty": lambda: self.shuffling(self.rng.randrange(100, 120)),
            "seventyfive": lambda: self.shuffling(150),
        }
        return scenes[scenario]()

    def start(self, own: float = 0.25) -> chess.Board:
        """The usual start of this style; where it may begin from positions of its own, a share `own` does."""
        if self.style == "chess960":
            return starts.chess960(self.rng)
        share = {"cutechess": 3 * own, "fastchess": 3 * own}.get(self.style, own / 2)
        if self.style in POSITION_STARTS and self.rng.random() < share:
            return starts.midgame(self.rng, self.rng.randrange(6, 22))
        return chess.Board()

    def go_on(self, play: Play, plies: int, mood: str = "normal") -> Play:
        """Play on for that many plies or to the end."""
        target = min(len(play) + plies, _LIMIT)
        while len(play) < target and not play.over:
            move = self.player.choose(play, mood)
            if move is None:
                play.over = "checkmate" if play.board.is_check() else "stalemate"
                break
            count = play.step(move)
            if play.only_looks_repeated():
                play.undo()
                break
            if count >= 3 and mood != "quiet" and self.rng.random() < 0.8:
                break
        return play

    def _ordinary(self) -> Play:
        low = max(6, self.length // 3)
        return self.go_on(Play(self.start()), self.rng.randrange(low, 2 * self.length - low + 1))

    def _mating(self) -> Play:
        if self.style in POSITION_STARTS and self.rng.random() < 0.3:
            play = Play(starts.ending(self.rng, starts.WINNING))
            return self.go_on(play, 90, "hunting")
        play = self.go_on(Play(self.start()), self.rng.randrange(10, 30))
        return self.go_on(play, 2 * self.length, "hunting")

    def _liquidating(self) -> Play:
        play = self.go_on(Play(self.start()), self.rng.randrange(8, 24))
        return self.go_on(play, self.rng.randrange(2 * self.length, 4 * self.length), "greedy")

    def _promoting(self) -> Play:
        if self.style in POSITION_STARTS:
            return self.go_on(Play(starts.ending(self.rng, starts.PROMOTING)), self.rng.randrange(12, 60))
        play = self.go_on(Play(self.start()), 12)
        return self.go_on(self.go_on(play, 2 * self.length, "greedy"), 20)

    def _stalemating(self) -> Play:
        """Short endings are played until one of them ends in stalemate."""
        if self.style not in POSITION_STARTS:
            return self._liquidating()
        while True:
            play = self.go_on(Play(starts.ending(self.rng, ("KQ/k", "KP/k", "KQ/kp"))), 50, "smothering")
            if play.over == "stalemate" and len(play) > 1:
                return play

    def repeating(self, returns: int) -> Play:
        """Both sides go to and fro until a position has come back `returns` times."""
        while True:
            play = self.go_on(Play(self.start()), self.rng.randrange(10, max(14, self.length)))
            if not play.over and self._shuffle(play, returns):
                return play

    def _shuffle(self, play: Play, returns: int) -> bool:
        for _ in range(8):
            cycle = self.cycle(play)
            if cycle is None:
                continue
            for ply in range(4 * returns):
                play.step(cycle[ply % 4])
                if play.only_looks_repeated():
                    play.undo()
                    return False
                if play.over:
                    return play.over == "fivefold"
            return True
        return False

    def cycle(self, play: Play, *, losing_rights: bool = False) -> list[chess.Move] | None:
        """Four moves that lead back: one man of each side goes out and home again.

        Castling rights are kept; with `losing_rights` the first man is a king or rook that gives one up.
        """
        board = play.board.copy(stack=False)
        cycle: list[chess.Move] = []
        for number in range(2):
            quiet = [move for move in board.legal_moves if not board.is_zeroing(move) and not board.is_castling(move)]
            if losing_rights and number == 0:
                quiet = [move for move in quiet if _gives_up_right(board, move)]
            else:
                quiet = [move for move in quiet if not _gives_up_right(board, move)]
            if not quiet:
                return None
            cycle.append(self.rng.choice(quiet))
            board.push(cycle[-1])
        for move in cycle[:2]:
            back = chess.Move(move.to_square, move.from_square)
            if not board.is_legal(back):
                return None
            cycle.append(back)
            board.push(back)
        return cycle

    def shuffling(self, clock: int) -> Play:
        """A long ending without captures and pawn moves, until the clock of the 50-move rule stands at `clock`."""
        while True:
            if self.style in POSITION_STARTS:
                play = Play(starts.ending(self.rng, starts.LASTING, clock=self.rng.randrange(max(60, clock - 40), clock - 12)))
            else:
                play = self.go_on(Play(self.start()), self.rng.randrange(8, 30))
                self.go_on(play, 30, "greedy")
                self.go_on(play, 12)
            if play.over:
                continue
            while play.board.halfmove_clock < clock and len(play) < _LIMIT and not play.over:
                before = len(play)
                self.go_on(play, 1, "quiet")
                if len(play) == before or play.board.halfmove_clock == 0 or max(play.keys.values()) > 2:
                    break
            if play.board.halfmove_clock >= clock and play.over in ("", "seventyfive"):
                return play


def _gives_up_right(board: chess.Board, move: chess.Move) -> bool:
    return board.has_castling_rights(board.turn) and board.piece_type_at(move.from_square) in (chess.KING, chess.ROOK)


def settle(play: Play, rng: Random) -> None:
    """Give the game a result that agrees with the board, and in which nobody lost who could have claimed a draw."""
    if play.over == "checkmate":
        play.result, play.reason = ("0-1" if play.board.turn else "1-0"), "mate"
        if _warned(play):
            play.undo()
            play.result, play.reason = "1/2-1/2", "agreed"
        return
    if play.over:
        play.result, play.reason = "1/2-1/2", play.over
        return
    balance = _balance(play.board) + rng.gauss(0, 2)
    if balance > 2:
        play.result, play.reason = "1-0", rng.choice(("resigned", "resigned", "time"))
    elif balance < -2:
        play.result, play.reason = "0-1", rng.choice(("resigned", "resigned", "time"))
    else:
        play.result, play.reason = "1/2-1/2", "agreed"
    winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(play.result)
    if winner is not None and play.board.has_insufficient_material(winner):
        play.result, play.reason = "1/2-1/2", "agreed"
    if rng.random() < 0.03:
        play.result, play.reason = "*", "unfinished"
    if _warned(play):
        play.result, play.reason = "1/2-1/2", "agreed"


def _balance(board: chess.Board) -> float:
    white = board.occupied_co[chess.WHITE]
    total = 0.0
    for role, men in enumerate((board.pawns, board.knights, board.bishops, board.rooks, board.queens), start=1):
        total += VALUE[role] * (chess.popcount(men & white) - chess.popcount(men & ~white))
    return total


def _warned(play: Play) -> bool:
    return any(fact.severity == "warning" for fact in draw_facts(play.start, play.moves, play.result))
