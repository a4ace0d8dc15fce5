"""Players, ratings in tags and remarkable games, worked out again with pandas."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import NamedTuple

import pandas as pd

from recomputed.frames import GAME, Frames, by_name, known, mean, ordered, titles
from recomputed.grouped import expectation, performance, wilson

KINDS = ["upset", "drawn_upset", "longest", "shortest_won", "shortest_mate"]


def players(frames: Frames) -> pd.DataFrame:
    sides: defaultdict[str, list[Side]] = defaultdict(list)
    for side, other in (("white", "black"), ("black", "white")):
        games = frames.scored[known(frames.scored[side])]
        points = games["points"] if side == "white" else 1 - games["points"]
        numbers = [games[name].astype("Float64").astype(float) for name in (f"{side}_elo", f"{other}_elo", "year", "plies")]
        columns = [
            points,
            *(column.astype(object).where(column.notna(), None) for column in numbers),
            titles(games[f"{side}_title"]),
        ]
        for name, *values in zip(games[side], *columns, strict=True):
            sides[name].append(Side(side, *values))
    return ordered(pd.DataFrame([{"player": name, **player(games)} for name, games in sides.items()]), "-games", "player")


class Side(NamedTuple):
    """A game, as one of its players sees it."""

    side: str
    points: float
    own: float | None
    other: float | None
    year: float | None
    plies: float
    title: str | None


def player(games: list[Side]) -> dict[str, object]:
    """What one player did."""
    points = [game.points for game in games]
    titled = [(game.year or 0, game.title) for game in games if game.title is not None]
    rated = [(game.own, game.other, game.points) for game in games if game.own is not None and game.other is not None]
    own = [game.own for game in games if game.own is not None]
    years = [game.year for game in games if game.year is not None]
    low, high = wilson(sum(points), len(games))
    return {
        "title": max(titled)[1] if titled else None,
        "games": len(games),
        "white_games": sum(game.side == "white" for game in games),
        "black_games": sum(game.side == "black" for game in games),
        "won": points.count(1),
        "drawn": points.count(0.5),
        "lost": points.count(0),
        "points": sum(points),
        "score": mean(points),
        "score_low": low,
        "score_high": high,
        "white_score": mean(game.points for game in games if game.side == "white"),
        "black_score": mean(game.points for game in games if game.side == "black"),
        "average_elo": mean(own),
        "highest_elo": max(own, default=None),
        "average_opponent": mean(game.other for game in games if game.other is not None),
        "rated_games": len(rated),
        "rated_score": mean(made for _, _, made in rated),
        "expected_score": mean(expectation(elo, other) for elo, other, _ in rated),
        "performance": performance([other for _, other, _ in rated], [made for _, _, made in rated]),
        "average_plies": mean(game.plies for game in games),
        "first_year": min(years, default=None),
        "last_year": max(years, default=None),
    }


@cache
def tagged(frames: Frames) -> pd.DataFrame:
    """Each rating in a tag, with the median of the player and year."""
    sides = []
    for side in ("white", "black"):
        games = frames.valid
        games = games[games["year"].notna() & games[f"{side}_elo"].notna() & known(games[side])]
        games = games.rename(columns={side: "player", f"{side}_elo": "elo"})
        sides.append(games[["player", "year", "elo", *GAME, "line"]])
    both = pd.concat(sides)
    both["elo"] = both["elo"].astype(float)
    grouped = both.groupby(["player", "year"])["elo"]
    both["median"], both["games"] = grouped.transform("median"), grouped.transform("size")
    return both.assign(far=(both["elo"] - both["median"]).abs() >= 300)


def rating_tags(frames: Frames) -> pd.DataFrame:
    keys = ["player", "year"]
    tags = tagged(frames)
    table = tags.groupby(keys).agg(
        lowest=("elo", "min"),
        median=("elo", "median"),
        highest=("elo", "max"),
        games=("elo", "size"),
        far_games=("far", "sum"),
    )
    first = tags[tags["far"]].sort_values(GAME).drop_duplicates(keys).rename(columns={"elo": "far_elo"})
    table = table.reset_index().merge(first[[*keys, "far_elo", *GAME, "line"]], on=keys, how="left")
    return ordered(table.assign(apart=table["highest"] - table["lowest"]), "-apart", *keys).drop(columns="apart")


def remarkable_games(frames: Frames) -> pd.DataFrame:
    games = frames.valid
    white = expectation(games["w"], games["b"])
    points, plies = games["points"], games["plies"]
    doubtful = tagged(frames)[tagged(frames)["far"] & (tagged(frames)["games"] >= 3)].set_index(GAME).index
    trusted = ~games.set_index(GAME).index.isin(doubtful)
    won, played = points.isin([0, 1]), (games["legal_ply_count"] >= 10).astype(bool) & trusted
    measures = {
        "upset": white.where(points == 1, 1 - white).where(won & played),
        "drawn_upset": white.where(white < 0.5, 1 - white).where((points == 0.5) & played),
        "longest": -plies,
        "shortest_won": plies.where(won & (plies > 0)),
        "shortest_mate": plies.where((games["final_status"] == "checkmate").fillna(False)),
    }
    parts = []
    for kind, measure in measures.items():
        part = games.assign(expected=white, measure=measure).dropna(subset="measure")
        part = part.sort_values(["measure", *GAME]).head(20)
        parts.append(part.assign(kind=kind, rank=range(1, len(part) + 1)))
    table = pd.concat(parts)
    names = ["event", "date", "white", "black", "white_elo", "black_elo"]
    table = ordered(table.assign(place=table["kind"].map(by_name(KINDS))), "place", "rank").drop(columns=["plies", "result"])
    table = table.rename(columns={"ply_count": "plies", "result_value": "result"})
    return table[["kind", "rank", *GAME, "line", *names, "result", "plies", "expected"]]


TABLES = {"players": players, "rating_tags": rating_tags, "remarkable_games": remarkable_games}
