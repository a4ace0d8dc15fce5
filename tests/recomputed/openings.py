"""Openings, worked out again: the deepest position with a name that a game passed, looked up ply by ply."""

from __future__ import annotations

from functools import cache

import chess
import pandas as pd

from chesstools.openings import load
from recomputed.frames import GAME, Frames, ordered
from recomputed.grouped import outcomes_by


@cache
def opened(frames: Frames) -> pd.DataFrame:
    """Games from the usual array that have a move, with their first move and their opening."""
    scored = frames.scored
    array = chess.Board().epd()
    usual = (scored["rules"] == "standard") & scored["start_fen"].str.startswith(array).fillna(False) & (scored["plies"] > 0)
    names = ("first_move", "eco", "opening", "family")
    games = {key: dict.fromkeys(names) for key in scored.loc[usual, GAME].itertuples(index=False, name=None)}
    plies = frames.dataset.to_pandas("plies", [*GAME, "ply", "uci", "position_key"]).sort_values("ply")
    named = load().by_key
    longest = max(plies_to(entry.fen) for entry in named.values())  # names are looked for as far as lines with a name go
    for source, index, ply, uci, key in plies[plies["ply"] <= longest].itertuples(index=False):
        game = games.get((str(source), index))
        if game is None or pd.isna(key):  # where there is no key, the move could not be played
            continue
        if ply == 1:
            game["first_move"] = first_move(uci)
        if (entry := named.get(key)) is not None:
            game |= {"eco": entry.eco, "opening": entry.name, "family": entry.family or game["family"]}
    found = pd.DataFrame(list(games.values()), scored.index[usual], dtype=object)
    return scored[usual].drop(columns=["eco", "opening"]).join(found)


def plies_to(fen: str) -> int:
    """How many plies lead to a position by its counters."""
    _, turn, *_, moves = fen.split(" ")
    return 2 * (int(moves) - 1) + (turn == "b")


@cache
def first_move(uci: str) -> str:
    return chess.Board().san(chess.Move.from_uci(uci))


def with_tags(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """Outcomes, and how many of the games the source gives a code, and the same."""
    groups = frame.assign(agrees=frame["tag"].eq(frame["eco"]) & frame["tag"].notna()).groupby(list(keys), dropna=False)
    more = groups.agg(
        tagged_games=("tag", "count"), agreeing_games=("agrees", "sum"), first_year=("year", "min"), last_year=("year", "max")
    )
    return pd.concat([outcomes_by(frame, *keys), more.reset_index(drop=True)], axis=1)


def commonest(values: pd.Series) -> str | None:
    """The value that most of the games have; of equally common ones the first."""
    return min(values.mode(), default=None)


def by_first_move(frames: Frames) -> pd.DataFrame:
    return ordered(with_tags(opened(frames), "first_move"), "-games", "first_move")


def by_volume(frames: Frames) -> pd.DataFrame:
    return ordered(with_tags(opened(frames).assign(volume=opened(frames)["eco"].str[0]), "volume"), "volume")


def by_eco(frames: Frames) -> pd.DataFrame:
    names = opened(frames).groupby("eco", dropna=False)["opening"].agg(commonest)
    return ordered(with_tags(opened(frames), "eco").assign(opening=names.to_numpy()), "eco")


def by_family(frames: Frames) -> pd.DataFrame:
    return ordered(with_tags(opened(frames), "family"), "-games", "family")


def by_opening(frames: Frames) -> pd.DataFrame:
    families = opened(frames).groupby(["eco", "opening"], dropna=False)["family"].agg(commonest)
    table = with_tags(opened(frames), "eco", "opening").assign(family=families.to_numpy())
    return ordered(table, "-games", "eco", "opening")


def by_tag(frames: Frames) -> pd.DataFrame:
    games = frames.scored.assign(eco_tag=frames.scored["tag"]).dropna(subset="eco_tag")
    return ordered(outcomes_by(games, "eco_tag"), "eco_tag")


TABLES = {
    "outcomes_by_first_move": by_first_move,
    "outcomes_by_eco_volume": by_volume,
    "outcomes_by_eco": by_eco,
    "outcomes_by_opening_family": by_family,
    "outcomes_by_opening": by_opening,
    "outcomes_by_eco_tag": by_tag,
}
