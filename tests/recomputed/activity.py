"""What pieces do and what happens on squares, counted move by move on the boards of python-chess."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import product
from typing import Any

import chess
import pandas as pd
from replayed import name_of

from recomputed.frames import Frames

SIDES = ["white", "black"]
ROLES = list(chess.PIECE_NAMES[1:])
COUNTS = ["departures", "arrivals", "captures", "captured", "checks", "mates"]


@cache
def counted(frames: Frames) -> dict[str, Counter[Any]]:
    """Counts by side, role and square; of pairs of roles, and of promotions by what becomes of the pawn."""
    counts: defaultdict[str, Counter[Any]] = defaultdict(Counter)
    for game in frames.replayed:
        for step in game.steps:
            check, mate = step.after.is_check(), step.after.is_checkmate()
            key, to = (step.side, step.role), chess.square_name(step.to)
            counts["departures"][*key, chess.square_name(step.move.from_square)] += 1
            counts["arrivals"][*key, to] += 1
            counts["checks"][*key, to] += check
            counts["mates"][*key, to] += mate
            if step.taken_on is not None:
                counts["captures"][*key, to] += 1
                counts["captured"][name_of(not step.before.turn), step.taken, chess.square_name(step.taken_on)] += 1
                counts["pairs"][*key, step.taken] += 1
                counts["en_passant"][*key, step.taken] += step.before.is_en_passant(step.move)
            if step.move.promotion:
                key = (step.side, chess.piece_name(step.move.promotion))
                counts["promotions"][key] += 1
                counts["promotions that capture"][key] += step.taken is not None
                counts["promotions that check"][key] += check
                counts["promotions that mate"][key] += mate
    return counts


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def piece_squares(frames: Frames) -> pd.DataFrame:
    keys = product(SIDES, ROLES, chess.SQUARE_NAMES)
    table = pd.DataFrame(
        [(*key, *(counted(frames)[name][key] for name in COUNTS)) for key in keys], columns=["side", "role", "square", *COUNTS]
    )
    moves = table.groupby(["side", "role"])["arrivals"].transform("sum")
    return table.assign(arrival_share=table["arrivals"] / moves.where(moves > 0))


def square_activity(frames: Frames) -> pd.DataFrame:
    squares = piece_squares(frames)
    table = squares.groupby("square")[COUNTS].sum().loc[list(chess.SQUARE_NAMES)].reset_index()
    for side in SIDES:
        own = squares[squares["side"] == side].groupby("square")["arrivals"].sum()
        table[f"{side}_arrivals"] = table["square"].map(own)
    table["file"], table["rank"] = table["square"].str[0], table["square"].str[1].astype(int)
    return table.assign(arrival_share=[share(moves, table["arrivals"].sum()) for moves in table["arrivals"]])


def piece_activity(frames: Frames) -> pd.DataFrame:
    rows = []
    for side, role in product(SIDES, ROLES):
        own = {
            name: sum(counts for (whose, what, _), counts in counted(frames)[name].items() if (whose, what) == (side, role))
            for name in COUNTS
        }
        moves = own["moves"] = own.pop("arrivals")
        of_side = sum(len(game.steps[side != game_begins(game) :: 2]) for game in frames.replayed)
        rows.append(
            {
                "side": side,
                "role": role,
                **own,
                "move_share": share(moves, of_side),
                "moves_per_game": share(moves, len(frames.replayed)),
                "capture_share": share(own["captures"], moves),
                "check_share": share(own["checks"], moves),
            }
        )
    return pd.DataFrame(rows).drop(columns="departures")


def game_begins(game: Any) -> str:
    """Who moves first."""
    return name_of(game.start.turn)


def captures(frames: Frames) -> pd.DataFrame:
    counts = counted(frames)
    rows = []
    for side, role, taken in product(SIDES, ROLES, ROLES[:-1]):
        key = (side, role, taken)
        of_side = sum(number for (whose, *_), number in counts["pairs"].items() if whose == side)
        rows.append(
            {
                **dict(zip(("side", "role", "captured"), key, strict=True)),
                "captures": counts["pairs"][key],
                "share": share(counts["pairs"][key], of_side),
                "per_game": share(counts["pairs"][key], len(frames.replayed)),
                "en_passant": counts["en_passant"][key],
            }
        )
    return pd.DataFrame(rows)


def promotions(frames: Frames) -> pd.DataFrame:
    counts = counted(frames)
    rows = []
    for side, role in product(SIDES, ROLES[1:5]):
        of_side = sum(number for (whose, _), number in counts["promotions"].items() if whose == side)
        rows.append(
            {
                "side": side,
                "role": role,
                "promotions": counts["promotions"][side, role],
                "share": share(counts["promotions"][side, role], of_side),
                "per_game": share(counts["promotions"][side, role], len(frames.replayed)),
                "capturing": counts["promotions that capture"][side, role],
                "checks": counts["promotions that check"][side, role],
                "mates": counts["promotions that mate"][side, role],
            }
        )
    return pd.DataFrame(rows)


TABLES = {
    "piece_activity": piece_activity,
    "square_activity": square_activity,
    "piece_squares": piece_squares,
    "captures": captures,
    "promotions": promotions,
}
