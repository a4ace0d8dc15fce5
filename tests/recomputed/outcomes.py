"""Outcomes, ratings and ends of games, worked out again with pandas."""

from __future__ import annotations

import chess
import numpy as np
import pandas as pd

from recomputed.frames import TIME_CLASSES, Frames, by_name, known, ordered, titles
from recomputed.grouped import outcome, outcomes_by


def of_all(frames: Frames) -> pd.DataFrame:
    return pd.DataFrame([outcome(frames.scored)])


def by_rules(frames: Frames) -> pd.DataFrame:
    scored = frames.scored
    array = chess.STARTING_FEN.rsplit(" ", 2)[0]
    usual = (scored["rules"] == "standard").fillna(False) & scored["start_fen"].str.startswith(array).fillna(False)
    return ordered(outcomes_by(scored.assign(from_array=usual), "rules", "from_array"), "-games", "rules", "from_array")


def by_year(frames: Frames) -> pd.DataFrame:
    return ordered(outcomes_by(frames.scored.dropna(subset="year"), "year"), "year")


def by_event(frames: Frames) -> pd.DataFrame:
    games = frames.scored[known(frames.scored["event"])]
    years = games.groupby("event")["year"].agg(first_year="min", last_year="max").reset_index()
    return ordered(outcomes_by(games, "event").merge(years, on="event"), "-games", "event")


def by_time_class(frames: Frames) -> pd.DataFrame:
    table = outcomes_by(frames.scored.dropna(subset="time_class"), "time_class")
    return ordered(table.assign(place=table["time_class"].map(by_name(TIME_CLASSES))), "place").drop(columns="place")


def by_titles(frames: Frames) -> pd.DataFrame:
    names = ("white_title", "black_title")
    games = frames.scored.assign(**{name: titles(frames.scored[name]) for name in names})
    return ordered(outcomes_by(games.dropna(subset=list(names), how="all"), *names), "-games", *names)


def by_length(frames: Frames) -> pd.DataFrame:
    games = frames.scored[frames.scored["plies"] > 0]
    table = outcomes_by(games.assign(plies_to=np.ceil(games["plies"] / 20).astype(int) * 20), "plies_to")
    return ordered(table.assign(plies_from=table["plies_to"] - 19), "plies_to")


def lengths(frames: Frames) -> pd.DataFrame:
    points = frames.valid["points"].fillna(-1)
    counts = pd.crosstab(frames.valid["plies"], points).reindex(columns=[1.0, 0.5, 0.0, -1.0], fill_value=0)
    counts.columns = pd.Index(["white_won", "drawn", "black_won", "no_points"])
    counts["games"] = counts.sum(axis=1)
    return ordered(counts.rename_axis("plies").reset_index(), "plies")


def bands(frames: Frames) -> pd.DataFrame:
    """Games of which both ratings are known, with the bands they are in."""
    games = frames.scored[frames.scored["w"].notna()]
    means = (games["w"] + games["b"]) / 2
    ratings = pd.cut(means, range(0, 40_000, 200), right=False, labels=range(0, 39_800, 200)).astype(int)
    differences = [band_of(white - black) for white, black in zip(games["w"], games["b"], strict=True)]
    return games.assign(rating_from=ratings, difference_from=differences, difference=games["w"] - games["b"])


def band_of(difference: float) -> int:
    """The band that begins 25 below a multiple of 50."""
    return next(low for low in range(-40_025, 40_025, 50) if low <= difference < low + 50)


def by_rating(frames: Frames) -> pd.DataFrame:
    table = outcomes_by(bands(frames), "rating_from")
    return ordered(table.assign(rating_to=table["rating_from"] + 200), "rating_from")


def by_difference(frames: Frames) -> pd.DataFrame:
    games = bands(frames)
    table = outcomes_by(games, "difference_from").merge(
        games.groupby("difference_from")["difference"].mean().reset_index(), on="difference_from"
    )
    return ordered(table.assign(difference_to=table["difference_from"] + 49), "difference_from")


def by_rating_and_difference(frames: Frames) -> pd.DataFrame:
    keys = ("rating_from", "difference_from")
    return ordered(outcomes_by(bands(frames), *keys), *keys)


def reasons(frames: Frames) -> pd.DataFrame:
    """Games with why they ended, and what tells so."""
    games = frames.scored.copy()
    told = games["end_reason"].notna() | (games["plies"] == 0) | (games["final_status"] != "none").fillna(True)
    inferred = games["points"].map({0.5: "agreement", 0.0: "resignation", 1.0: "resignation"})
    games["reason"] = games["end_reason"].astype(object).where(told, inferred)
    games["basis"] = games["end_basis"].astype(object).where(told, "inferred")
    return games


def end_reasons(frames: Frames) -> pd.DataFrame:
    table = outcomes_by(reasons(frames), "reason", "basis")
    return ordered(table.assign(share=table["games"] / table["games"].sum()), "-games", "reason", "basis")


def end_reasons_by_year(frames: Frames) -> pd.DataFrame:
    table = outcomes_by(reasons(frames).dropna(subset="year"), "year", "reason", "basis")
    share = table["games"] / table.groupby("year")["games"].transform("sum")
    return ordered(table.assign(share=share), "year", "-games", "reason", "basis")


TABLES = {
    "outcomes": of_all,
    "outcomes_by_rules": by_rules,
    "outcomes_by_year": by_year,
    "outcomes_by_event": by_event,
    "outcomes_by_time_class": by_time_class,
    "outcomes_by_titles": by_titles,
    "outcomes_by_length": by_length,
    "lengths": lengths,
    "outcomes_by_rating": by_rating,
    "outcomes_by_difference": by_difference,
    "outcomes_by_rating_and_difference": by_rating_and_difference,
    "end_reasons": end_reasons,
    "end_reasons_by_year": end_reasons_by_year,
}
