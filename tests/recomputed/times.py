"""Move times, clocks and evaluations, ply by ply with pandas."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from recomputed.frames import GAME, POINTS, TIME_CLASSES, Frames, by_name, mean, ordered
from recomputed.grouped import scores

LOSSES = {"inaccuracies": 5, "mistakes": 10, "blunders": 15}


def cut_off(seconds: float) -> float:
    """A median as told: to tenths below 10 s, seconds below 2 minutes, 5 s below 20, minutes below 4 hours, else hours."""
    for step, limit in ((0.1, 10), (1, 120), (5, 1_200), (60, 14_400)):
        if seconds < limit:
            return round(np.floor(round(seconds * 1000) / (step * 1000)) * step, 1)
    return float(seconds // 3600 * 3600)


def move_times_by(frames: Frames, key: str) -> pd.DataFrame:
    timed = frames.plies[frames.plies["used_ms"].notna()]
    rows = []
    for (name, other), group in timed.groupby(["time_class", key], dropna=False):
        used = group["used_ms"].astype(float) / 1000
        base = group["time_base_s"].astype("Float64").astype(float)
        rows.append(
            {
                "time_class": name,
                key: other,
                "moves": len(used),
                "mean_s": used.mean(),
                "median_s": cut_off(used.sort_values().iloc[(len(used) - 1) // 2]),
                "base_share": (used / base).where(base > 0).mean(),
            }
        )
    table = pd.DataFrame(rows)
    return ordered(table.assign(place=table["time_class"].map(by_name(TIME_CLASSES))), "place", key).drop(columns="place")


def move_times(frames: Frames) -> pd.DataFrame:
    return move_times_by(frames, "move")


def move_times_by_rating(frames: Frames) -> pd.DataFrame:
    return move_times_by(frames, "rating_from")


def time_trouble(frames: Frames) -> pd.DataFrame:
    clocked = frames.plies[frames.plies["clock_ms"].notna() & frames.plies["time_base_s"].notna()]
    clocked = clocked.assign(low=clocked["clock_ms"].astype(float) < 100 * clocked["time_base_s"].astype(float))
    sides = clocked.groupby([*GAME, "side"]).agg(
        low=("low", "any"), time_class=("time_class", "first"), outcome=("outcome", "first")
    )
    groups = sides.groupby(["time_class", "side", "low"], dropna=False)["outcome"]
    rows = [
        {"time_class": name, "side": side, "low": low, **scores(None if pd.isna(one) else one for one in outcomes)}
        for (name, side, low), outcomes in groups
    ]
    table = pd.DataFrame(rows)
    return ordered(table.assign(place=table["time_class"].map(by_name(TIME_CLASSES))), "place", "-side", "low").drop(
        columns="place"
    )


@cache
def judged(frames: Frames) -> pd.DataFrame:
    """Plies with their evaluation, and what they lose by it."""
    table = frames.plies.copy()
    cp, mate = (table[name].astype("Float64").astype(float) for name in ("eval_cp", "eval_mate"))
    table["value"] = cp.clip(-1000, 1000).where(cp.notna(), np.sign(mate.where(mate != 0)) * 1000)
    table["percent"] = 50 + 50 * (2 / (1 + np.exp(-0.00368208 * table["value"])) - 1)
    sign = np.where(table["side"] == "white", 1, -1)
    before = table.groupby(GAME)[["value", "percent", "eval_cp", "eval_mate"]].shift()
    for name in ("value", "percent"):
        table[f"lost_{name}"] = ((before[name] - table[name]) * sign).clip(lower=0)
    return table.assign(cp_before=before["eval_cp"], mate_before=before["eval_mate"])


def losses(plies: pd.DataFrame) -> dict[str, Any]:
    """The columns of what moves lose."""
    plies = plies[plies["lost_value"].notna()]
    worse = {name: int((plies["lost_percent"] >= limit).sum()) for name, limit in LOSSES.items()}
    return {
        "moves": len(plies),
        "mean_loss_cp": mean(plies["lost_value"]),
        "mean_loss_percent": mean(plies["lost_percent"]),
        **worse,
        "blunders_per_100": 100 * worse["blunders"] / len(plies) if len(plies) else None,
    }


def evaluation_losses(frames: Frames) -> pd.DataFrame:
    table = judged(frames)
    table = table.assign(outcome=table["outcome"].astype(object).where(table["outcome"].notna(), "unknown"))
    rows = [
        {"side": side, "outcome": outcome, **losses(group)}
        for keys in (table["outcome"], pd.Series("all", table.index))
        for (side, outcome), group in table.groupby([table["side"], keys])
    ]
    found = pd.DataFrame(rows)
    return ordered(found[found["moves"] > 0], "-side", "outcome")


def evaluations_by_move(frames: Frames) -> pd.DataFrame:
    rows = []
    for move, group in judged(frames).groupby("move"):
        values = group["value"].dropna()
        if len(values):
            row = {"move": move, "evaluations": len(values), "mean_cp": mean(values), "mean_distance_cp": mean(values.abs())}
            rows.append(row | losses(group))
    return pd.DataFrame(rows)


def evaluation_losses_by_rating(frames: Frames) -> pd.DataFrame:
    groups = judged(frames).groupby("rating_from", dropna=False)
    table = pd.DataFrame([{"rating_from": band, **losses(group)} for band, group in groups])
    return ordered(table[table["moves"] > 0], "rating_from")


def evaluation_scores(frames: Frames) -> pd.DataFrame:
    table = judged(frames)
    table = table[table["value"].notna() & table["result_value"].isin(list(POINTS))]
    rows = []
    for band, group in table.groupby((table["percent"] // 5 * 5).astype(int)):
        row = {"percent_from": band, "positions": len(group), "expected_score": group["percent"].mean() / 100}
        results = {
            word: (group["result_value"] == result).sum() for word, result in zip(("won", "drawn", "lost"), POINTS, strict=True)
        }
        rows.append({**row, **results, "score": group["result_value"].map(POINTS).astype(float).mean()})
    return pd.DataFrame(rows)


def evaluation_swings(frames: Frames) -> pd.DataFrame:
    sources = by_name([entry.name for entry in frames.dataset.manifest.sources])
    table = judged(frames)
    table = table[table["lost_percent"] >= 15].drop(columns="san")
    # Equal losses differ in their last digits by how they are worked out; of those the first counts.
    table = table.assign(loss=table["lost_percent"].round(6), place=table["source"].map(sources))
    table = ordered(table, "-loss", "place", "game_index", "ply").head(100)
    names = {"san_standard": "san", "lost_percent": "loss_percent", "eval_cp": "cp_after", "eval_mate": "mate_after"}
    table = table.assign(place=range(1, len(table) + 1)).rename(columns=names)
    before, after = (["cp_before", "mate_before"], ["cp_after", "mate_after"])
    return table[["place", *GAME, "white", "black", "ply", "side", "san", "loss_percent", *before, *after]]


TABLES = {
    "move_times": move_times,
    "move_times_by_rating": move_times_by_rating,
    "time_trouble": time_trouble,
    "evaluation_losses": evaluation_losses,
    "evaluations_by_move": evaluations_by_move,
    "evaluation_losses_by_rating": evaluation_losses_by_rating,
    "evaluation_scores": evaluation_scores,
    "evaluation_swings": evaluation_swings,
}
