"""Statistics of clocks and evaluations against pandas, row by row from the table plies."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from walks import random_walk, sans

from chesstools import Dataset, ingest
from chesstools.source import Source
from chesstools.stats import Statistics, stats
from chesstools.stats.registry import FAMILIES

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data" / "games" / "producers"
NAMES = [one.name for family in ("Time", "Evaluations") for one in FAMILIES[family]]
CONTROLS = ["15", "60+0", "180+2", "600+5", "5400+30", "1/86400", "-", "?", "40/7200:3600", None]


def game(seed: int) -> str:
    """A random game, in which some comments have a clock, an evaluation, both or nothing."""
    choose = random.Random(seed)
    start, moves = random_walk(3 * seed, 30 + seed)  # a multiple of three begins with the usual array
    control = CONTROLS[seed % len(CONTROLS)]
    tags = {"Result": choose.choice(["1-0", "0-1", "1/2-1/2", "*"]), "TimeControl": control}
    tags |= {f"{side}Elo": choose.choice([None, str(choose.randrange(500, 3000)), "7000"]) for side in ("White", "Black")}
    lines = [f'[{name} "{value}"]' for name, value in tags.items() if value is not None]
    words = []
    clocks = [choose.choice([15.0, 60.0, 700.0, 5400.0, 20_000.0])] * 2
    for ply, san in enumerate(sans(start, moves)):
        commands = []
        if seed % 4 and choose.random() < 0.9:
            clocks[ply % 2] = round(max(0.0, clocks[ply % 2] * choose.choice([1, 1, 0.999, 0.99, 0.9, 0.7])), 1)
            seconds = clocks[ply % 2]
            commands.append(f"[%clk {int(seconds // 3600)}:{int(seconds // 60 % 60):02}:{seconds % 60:04.1f}]")
        if seed % 4 == 3:
            commands.append(f"[%emt 0:00:{choose.randrange(60):02}]")
        if seed % 3 and choose.random() < 0.9:
            mate = choose.random() < 0.1
            commands.append(f"[%eval {'#' + str(choose.choice([-3, -1, 1, 8])) if mate else round(choose.gauss(0, 4), 2)}]")
        words.append(san + (f" {{ {' '.join(commands)} }}" if commands else ""))
    return "\n".join(lines) + "\n\n" + " ".join([*words, tags["Result"] or "*"]) + "\n\n"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("archive")
    ingest([Source.from_bytes("".join(map(game, range(80))).encode(), "timed.pgn"), SAMPLES], folder, part_games=25)
    return Dataset.open(folder)


@pytest.fixture(scope="module")
def found(archive: Dataset) -> Statistics:
    return stats(archive, tables=NAMES)


def time_class(row: pd.Series) -> str | None:
    """As Lichess draws the lines, from the kind and the periods of the time control."""
    kind = row["time_control_kind"]
    if kind in ("correspondence", "none"):
        return "unlimited" if kind == "none" else "correspondence"
    if kind not in ("sudden_death", "increment", "delay", "periods", "per_move"):
        return None
    periods = row["time_periods"]
    seconds = sum(one["seconds"] for one in periods) + 40 * ((periods[0]["increment"] or 0) + (periods[0]["delay"] or 0))
    limits = (("ultrabullet", 30), ("bullet", 180), ("blitz", 480), ("rapid", 1500))
    if kind == "per_move":
        seconds, limits = 40 * periods[0]["seconds"], limits[1:]
    return next((name for name, limit in limits if seconds < limit), "classical")


@pytest.fixture(scope="module")
def plies(archive: Dataset) -> pd.DataFrame:
    """The plies of the games that count, with what is asked of their games."""
    games = archive.to_pandas("games")
    games = games[(games["errors"] == 0) & games["rules"].isin(["standard", "chess960"]) & (games["legal_ply_count"] > 0)].copy()
    games["time_class"] = [time_class(row) or "" for _, row in games.iterrows()]
    columns = ["source", "game_index", "result_value", "time_class", "time_base_s", "white_elo", "black_elo", "start_fen"]
    columns += ["white", "black"]
    table = archive.to_pandas("plies").merge(games[columns], on=["source", "game_index"])
    table["move"] = (table["ply"] + 1) // 2
    black = table["start_fen"].str.contains(" b ") ^ (table["ply"] % 2 == 0)
    table["side"] = np.where(black, "black", "white")
    elo = table["white_elo"].where(~black, table["black_elo"])
    table["rating_from"] = (np.minimum(elo // 200 * 200, 4800)).astype("Int64")
    own = {"1-0": ("won", "lost"), "0-1": ("lost", "won"), "1/2-1/2": ("drawn", "drawn")}
    table["outcome"] = [
        own.get(result, ("unknown", "unknown"))[side == "black"]
        for result, side in zip(table["result_value"], table["side"], strict=True)
    ]
    return table


def cut_off(seconds: float) -> float:
    """As the meaning of the median says."""
    for step, limit in ((0.1, 10), (1, 120), (5, 1_200), (60, 14_400)):
        if seconds < limit:
            return round(np.floor(round(seconds * 1000) / (step * 1000)) * step, 1)
    return float(seconds // 3600 * 3600)


def check_times(table: pd.DataFrame, timed: pd.DataFrame, keys: list[str]) -> None:
    table = table.assign(time_class=table["time_class"].fillna(""))
    groups = {
        tuple(None if pd.isna(part) else part for part in key): rows
        for key, rows in timed.groupby(keys, dropna=False, observed=True)
    }
    assert len(table) == len(groups) > 10
    for _, row in table.iterrows():
        rows = groups[tuple(None if pd.isna(row[key]) else row[key] for key in keys)]
        used = rows["used_ms"].astype(float) / 1000
        assert row["moves"] == len(rows)
        assert row["mean_s"] == pytest.approx(used.mean())
        assert row["median_s"] == pytest.approx(cut_off(used.sort_values().iloc[(len(used) - 1) // 2]))
        shares = (used / rows["time_base_s"].astype(float)).dropna()
        assert pd.isna(row["base_share"]) if shares.empty else row["base_share"] == pytest.approx(shares.mean())


def test_move_times(plies: pd.DataFrame, found: Statistics) -> None:
    timed = plies[plies["used_ms"].notna()]
    assert timed["time_class"].nunique() >= 5
    check_times(found.to_pandas("move_times"), timed, ["time_class", "move"])
    check_times(found.to_pandas("move_times_by_rating"), timed, ["time_class", "rating_from"])


def test_time_trouble(plies: pd.DataFrame, found: Statistics) -> None:
    clocked = plies[plies["clock_ms"].notna() & plies["time_base_s"].notna()].copy()
    clocked["low"] = clocked["clock_ms"] < 100 * clocked["time_base_s"]
    sides = clocked.groupby(["source", "game_index", "side"], observed=True)
    sides = sides.agg(low=("low", "any"), time_class=("time_class", "first"), outcome=("outcome", "first")).reset_index()
    expected = sides.groupby(["time_class", "side", "low"])["outcome"].value_counts().unstack(fill_value=0)
    table = found.to_pandas("time_trouble")
    table = table.assign(time_class=table["time_class"].fillna("")).set_index(["time_class", "side", "low"])
    assert set(table.index) == set(expected.index)
    assert set(sides["low"]) == {True, False}
    for key, row in table.iterrows():
        assert row["games"] == expected.loc[key].sum()
        for word in ("won", "drawn", "lost"):
            assert row[word] == expected.loc[key].get(word, 0)


@pytest.fixture(scope="module")
def judged(plies: pd.DataFrame) -> pd.DataFrame:
    """Plies with their evaluation, and what they lose."""
    table = plies.sort_values(["source", "game_index", "ply"]).copy()
    cp, mate = (table[name].astype(float) for name in ("eval_cp", "eval_mate"))
    table["value"] = cp.clip(-1000, 1000).where(cp.notna(), np.sign(mate.where(mate != 0)) * 1000)
    table["percent"] = 50 + 50 * (2 / (1 + np.exp(-0.00368208 * table["value"])) - 1)
    before = table.groupby(["source", "game_index"], observed=True)[["value", "percent"]].shift()
    sign = np.where(table["side"] == "white", 1, -1)
    for name in ("value", "percent"):
        table[f"lost_{name}"] = ((before[name] - table[name]) * sign).clip(lower=0)
    return table


def check_losses(row: Any, rows: pd.DataFrame) -> None:
    rows = rows[rows["lost_value"].notna()]
    assert row["moves"] == len(rows)
    for column, limit in (("inaccuracies", 5), ("mistakes", 10), ("blunders", 15)):
        assert row[column] == (rows["lost_percent"] >= limit).sum()
    if len(rows):
        assert row["mean_loss_cp"] == pytest.approx(rows["lost_value"].mean())
        assert row["mean_loss_percent"] == pytest.approx(rows["lost_percent"].mean())
        assert row["blunders_per_100"] == pytest.approx(100 * (rows["lost_percent"] >= 15).mean())
    else:
        assert pd.isna(row["mean_loss_cp"])


def test_losses(judged: pd.DataFrame, found: Statistics) -> None:
    for _, row in found.to_pandas("evaluation_losses").iterrows():
        rows = judged[judged["side"] == row["side"]]
        check_losses(row, rows if row["outcome"] == "all" else rows[rows["outcome"] == row["outcome"]])
    moves = found.to_pandas("evaluations_by_move")
    evaluated = judged[judged["value"].notna()]
    assert set(moves["move"]) == set(evaluated["move"])
    for _, row in moves.iterrows():
        rows = judged[judged["move"] == row["move"]]
        check_losses(row, rows)
        assert row["evaluations"] == rows["value"].notna().sum()
        assert row["mean_cp"] == pytest.approx(rows["value"].mean())
        assert row["mean_distance_cp"] == pytest.approx(rows["value"].abs().mean())
    ratings = found.to_pandas("evaluation_losses_by_rating")
    assert (
        ratings["moves"].sum()
        == judged["lost_value"].notna().sum()
        == found.to_pandas("evaluation_losses").query("outcome == 'all'")["moves"].sum()
    )
    assert ratings["rating_from"].isna().sum() == 1
    for _, row in ratings.iterrows():
        band = row["rating_from"]
        check_losses(
            row, judged[judged["rating_from"].isna() if pd.isna(band) else (judged["rating_from"] == band).fillna(False)]
        )


def test_evaluations_and_scores(judged: pd.DataFrame, found: Statistics) -> None:
    rows = judged[judged["value"].notna() & judged["result_value"].isin(["1-0", "0-1", "1/2-1/2"])].copy()
    rows["percent_from"] = (rows["percent"] // 5 * 5).astype(int)
    rows["points"] = rows["result_value"].map({"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}).astype(float)
    expected = rows.groupby("percent_from").agg(n=("points", "size"), score=("points", "mean"), mean=("percent", "mean"))
    table = found.to_pandas("evaluation_scores").set_index("percent_from")
    assert list(table.index) == list(expected.index)
    assert list(table["positions"]) == list(expected["n"])
    assert list(table["positions"]) == list(table["won"] + table["drawn"] + table["lost"])
    np.testing.assert_allclose(table["score"].astype(float), expected["score"])
    np.testing.assert_allclose(table["expected_score"].astype(float), expected["mean"] / 100)


def test_biggest_swings(judged: pd.DataFrame, archive: Dataset, found: Statistics) -> None:
    table = found.to_pandas("evaluation_swings")
    assert list(table["place"]) == list(range(1, 101))
    expected = judged["lost_percent"].nlargest(100)
    np.testing.assert_allclose(table["loss_percent"], expected, rtol=1e-6)
    order = {entry.name: place for place, entry in enumerate(archive.manifest.sources)}
    keys = [(-round(row["loss_percent"], 6), order[row["source"]], row["game_index"], row["ply"]) for _, row in table.iterrows()]
    assert keys == sorted(keys)
    by_key = judged.set_index(["source", "game_index", "ply"])
    for _, row in table.iterrows():
        ply = by_key.loc[(row["source"], row["game_index"], row["ply"])]
        assert (row["san"], row["side"]) == (ply["san_standard"], ply["side"])
        assert ply["lost_percent"] == pytest.approx(row["loss_percent"])
        for when, one in (("after", ply), ("before", by_key.loc[(row["source"], row["game_index"], row["ply"] - 1)])):
            for kind in ("cp", "mate"):
                value = row[f"{kind}_{when}"]
                assert pd.isna(value) if pd.isna(one[f"eval_{kind}"]) else value == one[f"eval_{kind}"]


def test_what_is_left_out(plies: pd.DataFrame, archive: Dataset, found: Statistics) -> None:
    keys = ["source", "game_index"]
    have = {
        "move_times": plies["used_ms"].notna(),
        "time_trouble": plies["clock_ms"].notna() & plies["time_base_s"].notna(),
        "evaluation_losses": plies["eval_cp"].notna() | plies["eval_mate"].notna(),
    }
    left_out = found.to_pandas("left_out").set_index(["statistic", "reason"])["games"]
    for name, mask in have.items():
        assert left_out[name, "counted"] == plies[mask].groupby(keys, observed=True).ngroups > 0
        assert left_out[name].sum() == archive.summary.games


def test_sources_without_clocks_and_evaluations() -> None:
    plain = stats(Source.from_bytes(b'[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n', "a.pgn"), tables=NAMES)
    for name in NAMES:
        assert plain[name].num_rows == 0
    left_out = plain.to_pandas("left_out").set_index(["statistic", "reason"])["games"]
    assert left_out["move_times", "no move times"] == left_out["time_trouble", "no clocks"] == 1
    assert left_out["evaluation_swings", "no evaluations"] == 1
