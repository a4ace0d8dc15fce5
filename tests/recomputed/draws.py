"""Draws that nobody claimed or saw, from the findings and the games, with the numbers of moves that their FEN tells."""

from __future__ import annotations

from typing import Any

import pandas as pd

from recomputed.frames import GAME, Frames, ordered

RULES = {"E513": "dead_position", "E514": "repetition", "E515": "moves_without_progress"}
CLAIMS = {"D601": "repetition", "D611": "moves_without_progress"}
TOLD = ["line", "event", "site", "date", "year", "round", "white", "black", "result_value", "profile", "start_fen"]


def mover(fen: Any, ply: Any) -> tuple[int, str] | tuple[None, None]:
    """The number of the move that made a ply, and whose it was; told by the FEN of the start."""
    fields = [] if pd.isna(fen) else str(fen).split(" ")
    if len(fields) != 6:
        return None, None
    number, side = int(fields[5]), fields[1]
    for _ in range(int(ply) - 1):
        number, side = (number + 1, "w") if side == "b" else (number, "b")
    return number, {"w": "white", "b": "black"}[side]


def of_games(findings: pd.DataFrame, frames: Frames) -> pd.DataFrame:
    """Findings with what is told of their games."""
    own = findings.drop(columns=[name for name in TOLD if name in findings])
    return own.merge(frames.games[[*GAME, *TOLD]], on=GAME).rename(columns={"result_value": "result"})


def moves_after_draws(frames: Frames) -> pd.DataFrame:
    found = of_games(frames.findings[frames.findings["code"].isin(list(RULES))], frames)
    found["rule"] = found["code"].map(RULES)
    found = found.rename(columns={"first_ply": "drawn_ply", "count": "plies_past"})
    moved = [mover(fen, ply) if ply else (None, None) for fen, ply in zip(found["start_fen"], found["drawn_ply"], strict=True)]
    found["drawn_move"], found["drawn_side"] = ([pair[at] for pair in moved] for at in (0, 1))
    place = found["rule"].map({"moves_without_progress": 0, "dead_position": 1, "repetition": 2})
    return ordered(found.assign(place=place), "place", "-plies_past", *GAME)[
        ["rule", "limit", "drawn_ply", "drawn_move", "drawn_side", "plies_past", *GAME, *TOLD[:8], "result", "profile"]
    ]


def unclaimed_draws(frames: Frames) -> pd.DataFrame:
    findings = frames.findings
    claims = findings[findings["code"].isin(list(CLAIMS)) & (findings["effect"] == "decisive_against_claimant")]
    plies = claims.groupby(["code", *GAME]).agg(
        first_ply=("first_ply", "min"), last_ply=("last_ply", "max"), positions=("count", "sum")
    )
    found = of_games(plies.reset_index(), frames)
    found["rule"] = found["code"].map(CLAIMS)
    found["side"] = found["result"].map({"1-0": "black", "0-1": "white"})  # who lost
    for end in ("first", "last"):
        moved = [mover(fen, ply + 1) for fen, ply in zip(found["start_fen"], found[f"{end}_ply"], strict=True)]
        found[f"{end}_move"] = [move for move, _ in moved]
        assert found["side"].tolist() == [side for _, side in moved]
    columns = ["rule", "side", "first_ply", "first_move", "last_ply", "last_move", "positions"]
    return ordered(found, "rule", *GAME)[[*columns, *GAME, *TOLD[:8], "result", "profile"]]


def counts(frames: Frames, *keys: str) -> pd.DataFrame:
    games = frames.games
    codes = {"E515": "past_seventyfive", "E514": "past_fivefold", "E513": "past_dead_position", "E516": "decided_after_draw"}
    columns = {name: games["codes"].map(lambda found, code=code: code in list(found)) for code, name in codes.items()}
    columns |= {f"reached_{name}": games[f"first_{name}_ply"].notna() for name in ("fifty", "seventyfive", "fivefold")}
    columns["unclaimed_draws"] = games["unclaimed_draw"].fillna(False).astype(bool)
    frame = games[list(keys)].assign(games=1, **columns)
    return frame.groupby(list(keys), dropna=False).sum().reset_index()


def draw_rules_by_event(frames: Frames) -> pd.DataFrame:
    table = counts(frames, "event", "year")
    table = table[table.drop(columns=["event", "year", "games"]).sum(axis=1) > 0]
    worst = ("-past_seventyfive", "-reached_seventyfive", "-past_fivefold", "-unclaimed_draws", "-games")
    return ordered(table, *worst, "event", "year")


def draw_rules_by_year(frames: Frames) -> pd.DataFrame:
    return ordered(counts(frames, "year"), "year")


TABLES = {
    "moves_after_draws": moves_after_draws,
    "unclaimed_draws": unclaimed_draws,
    "draw_rules_by_event": draw_rules_by_event,
    "draw_rules_by_year": draw_rules_by_year,
}
