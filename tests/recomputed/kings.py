"""The routes of kings, on the boards of python-chess."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import chess
import pandas as pd
from replayed import Game

from recomputed.activity import SIDES
from recomputed.frames import GAME, Frames, mean, ordered
from recomputed.grouped import outcomes_by, scores


class King:
    """The route of one king."""

    def __init__(self, game: Game, side: str) -> None:
        colour = side == "white"
        own = [step for step in game.steps if step.side == side]
        squares = [square_of(board, colour) for board in game.boards]
        with_queen = []
        for board in game.boards:
            if not board.pieces_mask(chess.QUEEN, not colour):
                break
            with_queen.append(square_of(board, colour))
        castles = [step for step in own if step.castling]
        self.side, self.outcome = side, game.outcome(side)
        self.wing = castles[0].castling if castles else None
        self.castled = (castles[0].ply + 1) // 2 if castles else None
        self.moved_to = [step.to for step in own if step.role == "king"]
        self.visited = set(squares)
        self.last = squares[-1]
        self.rank = max(relative(square, colour) for square in squares)
        self.rank_with_queen = max(relative(square, colour) for square in [squares[0], *with_queen])
        self.mated = game.last.is_checkmate() and game.last.turn == colour


def square_of(board: chess.Board, colour: chess.Color) -> int:
    square = board.king(colour)
    assert square is not None
    return square


def relative(square: int, colour: chess.Color) -> int:
    """A rank, seen from the side's own edge of the board."""
    return chess.square_rank(square) + 1 if colour else 8 - chess.square_rank(square)


@cache
def kings(frames: Frames) -> list[King]:
    return [King(game, side) for game in frames.replayed for side in SIDES]


def grouped(frames: Frames, names: list[str], key: Callable[[King], Any]) -> list[tuple[dict[str, Any], list[King]]]:
    """The kings of each key, with the columns that all tables of kings have; those whose key is None have none."""
    groups: defaultdict[Any, list[King]] = defaultdict(list)
    for king in kings(frames):
        if (own := key(king)) is not None:
            groups[king.side, *own].append(king)
    found = []
    for values, group in groups.items():
        row = dict(zip(["side", *names], values, strict=True)) | scores(king.outcome for king in group)
        found.append((row | {"share": len(group) / len(frames.replayed)}, group))
    return found


def castling(frames: Frames) -> pd.DataFrame:
    wings = {
        side: {
            tuple(game.row[GAME]): king.wing or "none" for game, king in zip(frames.replayed, kings(frames)[at::2], strict=True)
        }
        for at, side in enumerate(SIDES)
    }
    games = frames.scored
    keys = [(str(source), index) for source, index in games[GAME].itertuples(index=False)]
    replayed = games[[key in wings["white"] for key in keys]]
    keys = [key for key in keys if key in wings["white"]]
    own = {f"{side}_wing": [wings[side][key] for key in keys] for side in SIDES}
    return ordered(outcomes_by(replayed.assign(**own), *own), *own)


def castling_moves(frames: Frames) -> pd.DataFrame:
    rows = grouped(frames, ["wing", "move"], lambda king: king.wing and (king.wing, king.castled))
    return ordered(pd.DataFrame([row for row, _ in rows]), "-side", "wing", "move")


def king_routes(frames: Frames) -> pd.DataFrame:
    rows = []
    for row, group in grouped(frames, ["wing"], lambda king: (king.wing or "none",)):
        rows.append(
            {
                **row,
                "castling_move": mean(king.castled for king in group if king.castled is not None),
                "moves": mean(len(king.moved_to) for king in group),
                "squares": mean(len(king.visited) for king in group),
                "rank": mean(king.rank for king in group),
                "rank_with_queen": mean(king.rank_with_queen for king in group),
                "still_share": mean(not king.moved_to for king in group),
            }
        )
    return ordered(pd.DataFrame(rows), "-side", "wing")


def king_walks(frames: Frames) -> pd.DataFrame:
    rows = grouped(frames, ["until", "rank"], lambda king: ("end", king.rank))
    rows += grouped(frames, ["until", "rank"], lambda king: ("queen", king.rank_with_queen))
    return ordered(pd.DataFrame([row for row, _ in rows]), "-side", "until", "rank")


def king_squares(frames: Frames) -> pd.DataFrame:
    counts: defaultdict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
    for king in kings(frames):
        counts["arrivals"].update((king.side, square) for square in king.moved_to)
        counts["visited"].update((king.side, square) for square in king.visited)
        counts["last"][king.side, king.last] += 1
        counts["mated"][king.side, king.last] += king.mated
    rows = []
    for side in SIDES:
        for square in chess.SQUARES:
            own = {name: counts[name][side, square] for name in ("arrivals", "visited", "last", "mated")}
            shares = {f"{name}_share": own[name] / len(frames.replayed) for name in ("visited", "last")}
            rows.append({"side": side, "square": chess.square_name(square), **own, **shares})
    return pd.DataFrame(rows)


TABLES = {
    "castling": castling,
    "castling_moves": castling_moves,
    "king_routes": king_routes,
    "king_walks": king_walks,
    "king_squares": king_squares,
}
