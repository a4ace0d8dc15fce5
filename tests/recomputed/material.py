"""Material through the game, counted on every board of python-chess."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import groupby
from typing import Any

import chess
import pandas as pd

from recomputed.frames import POINTS, Frames, by_name, mean, ordered
from recomputed.grouped import scores

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
WEIGHT = {chess.PAWN: 0, chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
LETTERS = {"Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}
RESULTS = ["all", "*", "0-1", "1/2-1/2", "1-0"]

Men = tuple[dict[int, int], dict[int, int]]
"""How many men of each kind White and Black have, but for the kings."""


@cache
def men(frames: Frames) -> list[list[Men]]:
    """By game: what stands on the board before the first ply, and after each."""

    def of(board: chess.Board) -> Men:
        white, black = ({role: chess.popcount(board.pieces_mask(role, colour)) for role in WORTH} for colour in (True, False))
        return white, black

    return [[of(board) for board in game.boards] for game in frames.replayed]


def worth(men: dict[int, int], of: dict[int, int]) -> int:
    return sum(number * of[role] for role, number in men.items())


def lead(white: dict[int, int], black: dict[int, int]) -> int:
    return worth(white, WORTH) - worth(black, WORTH)


def material_by_move(frames: Frames) -> pd.DataFrame:
    boards: defaultdict[tuple[str, int], list[Men]] = defaultdict(list)
    for game, stood in zip(frames.replayed, men(frames), strict=True):
        result = game.row["result_value"] if game.row["result_value"] in POINTS else "*"
        for move, one in enumerate(stood[: 2 * 300 + 1 : 2]):
            boards[result, move].append(one)
            boards["all", move].append(one)
    rows = [
        {
            "result": result,
            "move": move,
            "games": len(those),
            "balance": mean(lead(white, black) for white, black in those),
            "total": mean(worth(white, WORTH) + worth(black, WORTH) for white, black in those),
            "men": mean(2 + sum(white.values()) + sum(black.values()) for white, black in those),
            "phase": mean((worth(white, WEIGHT) + worth(black, WEIGHT)) / 24 for white, black in those),
            "queens_share": mean(bool(white[chess.QUEEN] and black[chess.QUEEN]) for white, black in those),
        }
        for (result, move), those in boards.items()
    ]
    table = pd.DataFrame(rows)
    return ordered(table.assign(place=table["result"].map(by_name(RESULTS))), "place", "move").drop(columns="place")


def stretches(stood: list[Men]) -> list[tuple[int, int, Men]]:
    """Where the same men stand: from which ply to before which, and what they are."""
    found, at = [], 0
    for same, plies in groupby(stood):
        end = at + len(list(plies))
        found.append((at, end, same))
        at = end
    return found


def material_scores(frames: Frames) -> pd.DataFrame:
    groups: defaultdict[tuple[int, int], list[str | None]] = defaultdict(list)
    for game, stood in zip(frames.replayed, men(frames), strict=True):
        for begins, ends, (white, black) in stretches(stood):
            for move in range(5, 101, 5):
                if begins <= 2 * move < ends and ends - begins >= 4:
                    groups[move, max(-9, min(9, lead(white, black)))].append(game.outcome("white"))
    rows = [{"move": move, "lead": own, **scores(outcomes)} for (move, own), outcomes in groups.items()]
    return ordered(pd.DataFrame(rows), "move", "lead")


def surpluses(white: dict[int, int], black: dict[int, int]) -> tuple[str, str]:
    """What White has more and what Black has more, pawns aside."""
    return tuple(  # type: ignore[return-value]
        "".join(letter * max(0, own[role] - other[role]) for letter, role in LETTERS.items())
        for own, other in ((white, black), (black, white))
    )


def white_is_first(more: str, less: str) -> bool:
    values = [sum(WORTH[LETTERS[letter]] for letter in side) for side in (more, less)]
    if values[0] != values[1]:
        return values[0] > values[1]
    return next(letter in more for letter in LETTERS if letter in more + less)


def imbalances(frames: Frames) -> pd.DataFrame:
    groups: defaultdict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for game, stood in zip(frames.replayed, men(frames), strict=True):
        seen = set()
        for begins, ends, (white, black) in stretches(stood):
            pair = surpluses(white, black)
            if begins == 0 or ends - begins < 6 or pair == ("", ""):
                continue
            first = white_is_first(*pair)
            pawns = white[chess.PAWN] - black[chess.PAWN]
            if not first:
                pair, pawns = pair[::-1], -pawns
            if pair not in seen:
                seen.add(pair)
                groups[pair].append((game.outcome("white" if first else "black"), first, pawns))
    rows = []
    for (more, less), those in groups.items():
        row = {"more": more, "less": less, **scores(outcome for outcome, _, _ in those)}
        rows.append({**row, "white": sum(first for _, first, _ in those), "pawns": mean(pawns for _, _, pawns in those)})
    return ordered(pd.DataFrame(rows), "-games", "more", "less")


TABLES = {"material_by_move": material_by_move, "material_scores": material_scores, "imbalances": imbalances}
