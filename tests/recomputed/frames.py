"""What the independent computations start from: the tables of a dataset, as the database does not see them.

Games and findings come as pandas reads them, moves as python-chess replays them. Each is worked out when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from replayed import Game, replayed

from chesstools import Dataset

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
"""What White makes of a result."""

GAME = ["source", "game_index"]
"""The key of a game."""

TIME_CLASSES = ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence", "unlimited"]


class Frames:
    """The tables of one dataset."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset

    @cached_property
    def games(self) -> pd.DataFrame:
        """All games: with White's points, both ratings where both are known, the time class, the code of the ECO tag."""
        frame = self.dataset.to_pandas("games")
        frame["source"] = frame["source"].astype(str)
        frame["points"] = frame["result_value"].map(POINTS).astype(float)
        frame["plies"] = frame["ply_count"].astype(float)
        both = frame["white_elo"].notna() & frame["black_elo"].notna()
        frame["w"] = frame["white_elo"].astype("Float64").astype(float).where(both)
        frame["b"] = frame["black_elo"].astype("Float64").astype(float).where(both)
        frame["time_class"] = [time_class(row) for row in frame[["time_control_kind", "time_periods"]].to_dict("records")]
        frame["tag"] = frame["eco"].astype(object).str.extract(r"^([A-E]\d\d)", expand=False)
        return frame

    @cached_property
    def valid(self) -> pd.DataFrame:
        """Games without errors."""
        return self.games[self.games["errors"] == 0]

    @cached_property
    def scored(self) -> pd.DataFrame:
        """Of these, those that have points."""
        return self.valid[self.valid["points"].notna()]

    @cached_property
    def findings(self) -> pd.DataFrame:
        """The findings as they are."""
        frame = self.dataset.to_pandas("findings")
        return frame.assign(source=frame["source"].astype(str))

    @cached_property
    def plies(self) -> pd.DataFrame:
        """The plies of the games that have moves, with what is asked of these games, in the order of play."""
        games = self.valid
        games = games[games["rules"].isin(["standard", "chess960"]) & (games["legal_ply_count"] > 0)]
        columns = ["result_value", "time_class", "time_base_s", "white_elo", "black_elo", "start_fen", "white", "black"]
        table = self.dataset.to_pandas("plies")
        table = table.assign(source=table["source"].astype(str)).merge(games[[*GAME, *columns]], on=GAME)
        table["move"] = np.minimum((table["ply"].astype(int) + 1) // 2, 300)
        black = (table["start_fen"].str.contains(" b ").astype(bool) ^ (table["ply"] % 2 == 0)).to_numpy(bool)
        table["side"] = np.where(black, "black", "white")
        elo = table["white_elo"].where(~black, table["black_elo"])
        table["rating_from"] = np.minimum(elo // 200 * 200, 4800).astype("Int64")
        table["outcome"] = [outcome(result, side) for result, side in zip(table["result_value"], table["side"], strict=True)]
        return table.sort_values([*GAME, "ply"]).reset_index(drop=True)

    @cached_property
    def replayed(self) -> list[Game]:
        """The games of `plies`, replayed by python-chess."""
        return list(replayed(self.dataset))


def outcome(result: Any, side: str) -> str | None:
    """won, drawn or lost, for a side; None where the result is not known."""
    own = {"1-0": ("won", "lost"), "0-1": ("lost", "won"), "1/2-1/2": ("drawn", "drawn")}
    pair = None if pd.isna(result) else own.get(result)
    return None if pair is None else pair[side == "black"]


def time_class(row: dict[Any, Any]) -> str | None:
    """As Lichess draws the lines, from the kind and the periods of a time control."""
    kind = row["time_control_kind"]
    if kind in ("correspondence", "none"):
        return "unlimited" if kind == "none" else "correspondence"
    if pd.isna(kind) or kind in ("unknown", "sandclock"):
        return None
    periods = row["time_periods"]
    limits = [("ultrabullet", 30), ("bullet", 180), ("blitz", 480), ("rapid", 1500)]
    if kind == "per_move":  # a game of such moves is never faster than bullet
        seconds, limits = 40 * periods[0]["seconds"], limits[1:]
    else:
        seconds = sum(one["seconds"] for one in periods) + 40 * ((periods[0]["increment"] or 0) + (periods[0]["delay"] or 0))
    return next((name for name, limit in limits if seconds < limit), "classical")


def known(column: pd.Series, *nothing: str) -> pd.Series:
    """Where a tag says something."""
    return ~column.fillna("").str.strip().isin(["", "?", *nothing])


def titles(column: pd.Series) -> pd.Series:
    """Titles in capitals; None where there is none."""
    return column.astype(object).str.strip().str.upper().where(known(column, "-"), None)


def mean(values: Iterable[Any]) -> float | None:
    """The mean of numbers; None for none of them."""
    numbers = [float(value) for value in values]
    return sum(numbers) / len(numbers) if numbers else None


def ordered(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """Rows in the order of keys, the greatest first where a key has a minus before it; those without one come last."""
    for key in reversed(keys):  # stable, so the last of them is sorted by first
        name = key.removeprefix("-")
        frame = frame.sort_values(name, ascending=name == key, kind="stable", na_position="last")
    return frame.reset_index(drop=True)


def by_name(order: list[str]) -> dict[str, int]:
    """The places of names in an order that is not that of the alphabet."""
    return {name: place for place, name in enumerate(order)}
