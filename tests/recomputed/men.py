"""The 32 men, followed one by one through the games from the usual array."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from statistics import median

import chess
import pandas as pd
from replayed import Game, name_of

from recomputed.frames import Frames, mean


class Lives:
    """What becomes of the men of one game: who captured whom and when, which were promoted, how often each moved."""

    def __init__(self, game: Game) -> None:
        men = {square: square for square in chess.SquareSet(game.start.occupied)}
        self.game = game
        self.taken: dict[int, tuple[int, int]] = {}  # man: by whom, on which move
        self.promoted: list[int] = []
        self.moves: Counter[int] = Counter()
        self.last = min((len(game.steps) + 1) // 2, 300)
        for step in game.steps:
            man = men.pop(step.move.from_square)
            self.moves[man] += 1
            if step.taken_on is not None:
                self.taken[men.pop(step.taken_on)] = (man, min((step.ply + 1) // 2, 300))
            if step.move.promotion:
                self.promoted.append(man)
            if step.castling:
                rank = chess.square_rank(step.move.from_square)
                rook = chess.square(7 if step.castling == "kingside" else 0, rank)
                men[chess.square(5 if step.castling == "kingside" else 3, rank)] = men.pop(rook)
            men[step.to] = man
        assert set(men) == set(chess.SquareSet(game.last.occupied))


@cache
def lives(frames: Frames) -> list[Lives]:
    return [Lives(game) for game in frames.replayed if game.row["rules"] == "standard" and game.start.fen() == chess.STARTING_FEN]


def named(man: int, prefix: str = "") -> dict[str, str]:
    """A man by the square on which it stands at the start."""
    role = chess.piece_name(chess.Board().piece_type_at(man) or 0)
    return {f"{prefix}side": name_of(man < 32), f"{prefix}role": role, f"{prefix}square": chess.square_name(man)}


MEN = list(chess.SquareSet(chess.Board().occupied))


@cache
def curve(frames: Frames, man: int) -> dict[int, tuple[int, int, int, Fraction]]:
    """By move: how many games reached it, in how many the man was alive before it and was captured on it, what share lives on."""
    found, product = {}, Fraction(1)
    for move in range(1, max((one.last for one in lives(frames)), default=0) + 1):
        reached = [one for one in lives(frames) if one.last >= move]
        alive = [one for one in reached if man not in one.taken or one.taken[man][1] >= move]
        captured = [one for one in alive if man in one.taken and one.taken[man][1] == move]
        if alive:
            product *= 1 - Fraction(len(captured), len(alive))
        found[move] = (len(reached), len(alive), len(captured), product)
    return found


def survival(frames: Frames) -> pd.DataFrame:
    rows = []
    for man in MEN:
        side = name_of(man < 32)
        ended = [(one.game.outcome(side), man not in one.taken) for one in lives(frames)]
        captured = [one.taken[man][1] for one in lives(frames) if man in one.taken]
        rows.append(
            {
                **named(man),
                "games": len(ended),
                "captured": len(captured),
                "survived": sum(alive for _, alive in ended),
                "survival": mean(alive for _, alive in ended),
                **{
                    f"survival_{word}": mean(alive for outcome, alive in ended if outcome == word)
                    for word in ("won", "drawn", "lost")
                },
                "median_capture_move": median(captured) if captured else None,
                "median_life_moves": next((move for move, at in curve(frames, man).items() if at[3] <= Fraction(1, 2)), None),
                "moves_per_game": mean(one.moves[man] for one in lives(frames)),
                "captures_per_game": mean(sum(by == man for by, _ in one.taken.values()) for one in lives(frames)),
                "promotions": sum(man in one.promoted for one in lives(frames)),
            }
        )
    return pd.DataFrame(rows)


def survival_by_move(frames: Frames) -> pd.DataFrame:
    names = ["games", "alive", "captured", "survival"]
    rows = [
        {**named(man), "move": move, **dict(zip(names, (*at[:3], float(at[3])), strict=True))}
        for man in MEN
        for move, at in curve(frames, man).items()
    ]
    return pd.DataFrame(rows, columns=[*named(0), "move", *names])


def captures_by_man(frames: Frames) -> pd.DataFrame:
    pairs = Counter((by, man) for one in lives(frames) for man, (by, _) in one.taken.items())
    rows = []
    for man in MEN:
        for other in MEN:
            if (man < 32) != (other < 32):
                of_other = {name: word for name, word in named(other, "captured_").items() if name != "captured_side"}
                number = pairs[man, other]
                share = number / len(lives(frames)) if lives(frames) else None
                rows.append({**named(man), **of_other, "captures": number, "share": share})
    return pd.DataFrame(rows)


TABLES = {"survival": survival, "survival_by_move": survival_by_move, "captures_by_man": captures_by_man}
