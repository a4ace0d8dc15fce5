"""What many statistics have in common, from the textbooks: outcomes with intervals, expectations and performances; scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from recomputed.frames import mean

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


def wilson(successes: float, trials: float) -> tuple[float | None, float | None]:
    """Wilson's interval by the textbook: its middle and half its width."""
    if not trials:
        return None, None
    share = successes / trials
    middle = (share + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * math.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def expectation(own: Any, other: Any) -> Any:
    """What Elo's formula expects of a player with a rating against one with another."""
    return 1 / (1 + np.power(10.0, (other - own) / 400))


def performance(others: Sequence[float], points: Sequence[float]) -> float | None:
    """The rating at which Elo's formula expects the share of the points that was made; None for all of them or none."""
    if not 0 < sum(points) < len(points):
        return None
    share = sum(points) / len(points)
    return sum(others) / len(others) - 400 * math.log10(1 / share - 1)


def outcome(group: pd.DataFrame) -> dict[str, Any]:
    """The columns of outcomes of some games."""
    points, plies, white, black = (group[name].to_numpy(float) for name in ("points", "plies", "w", "b"))
    games, rated = len(points), ~np.isnan(white)
    row: dict[str, Any] = {"games": games, "score": mean(points), "average_plies": mean(plies)}
    for name, share, value in (("white_won", "white", 1), ("drawn", "draw", 0.5), ("black_won", "black", 0)):
        row[name] = int((points == value).sum())
        row[f"{share}_share"] = row[name] / games if games else None
        row[f"{share}_share_low"], row[f"{share}_share_high"] = wilson(row[name], games)
    row["score_low"], row["score_high"] = wilson(points.sum(), games)
    row["score_error"] = points.std(ddof=1) / math.sqrt(games) if games > 1 else None
    points, white, black = points[rated], white[rated], black[rated]
    row |= {
        "rated_games": int(rated.sum()),
        "white_elo": mean(white),
        "black_elo": mean(black),
        "rated_score": mean(points),
        "expected_score": mean(expectation(white, black)),
        "white_performance": performance(list(black), list(points)),
        "black_performance": performance(list(white), list(1 - points)),
    }
    row["above_expected"] = row["rated_score"] - row["expected_score"] if len(points) else None
    return row


def outcomes_by(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """A row of outcomes for each value of keys; null is a value."""
    rows = []
    for values, group in frame.groupby(list(keys), dropna=False, observed=True):
        rows.append(dict(zip(keys, values, strict=True)) | outcome(group))
    return pd.DataFrame(rows, columns=[*keys, *outcome(frame[:0])])


def scores(outcomes: Iterable[str | None]) -> dict[str, Any]:
    """The columns of what a side scored in games that it won, drew, lost, or that have no result that is known."""
    outcomes = list(outcomes)
    row: dict[str, Any] = {word: outcomes.count(word) for word in ("won", "drawn", "lost")}
    games = sum(row.values())
    points = row["won"] + row["drawn"] / 2
    row["score"] = points / games if games else None
    row["score_low"], row["score_high"] = wilson(points, games)
    return {"games": len(outcomes), **row}
