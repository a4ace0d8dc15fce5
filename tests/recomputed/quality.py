"""The quality of sources, from findings and games with pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd

from chesstools.rules import get_rule
from recomputed.frames import GAME, Frames, known, ordered

SEVERITIES = {"error": 0, "warning": 1, "info": 2}


def sources(frames: Frames) -> pd.DataFrame:
    rows = []
    for source, games in frames.games.groupby("source"):
        worth = np.select([games["errors"] > 0, games["warnings"] > 0], [0, 0.5], 1)
        rows.append(
            {
                "source": source,
                "games": len(games),
                "score": 100 * worth.mean(),
                "games_with_errors": (worth == 0).sum(),
                "games_with_warnings": (worth == 0.5).sum(),
                "clean_games": (worth == 1).sum(),
                **{f"{name}s_per_1000_games": 1000 * games[f"{name}s"].sum() / len(games) for name in SEVERITIES},
                "with_event": known(games["event"]).mean(),
                "with_date": games["date_value"].notna().mean(),
                "with_year": games["year"].notna().mean(),
                "with_names": (known(games["white"]) & known(games["black"])).mean(),
                "with_result": games["points"].notna().mean(),
                "with_ratings": games["w"].notna().mean(),
                "with_eco": games["tag"].notna().mean(),
                "with_time_control": games["time_class"].notna().mean(),
                "average_plies": games["plies"].mean(),
                "first_year": games["year"].min(),
                "last_year": games["year"].max(),
            }
        )
    return ordered(pd.DataFrame(rows), "score", "-games", "source")


def findings_by(frames: Frames, *keys: str) -> pd.DataFrame:
    years = frames.games[[*GAME, "year"]]
    findings = frames.findings.merge(years, on=GAME, how="left")
    findings["game"] = findings["game_index"].map(str).where(findings["game_index"].notna()) + "|" + findings["source"]
    groups = findings.groupby([*keys, "code", "severity"], dropna=False, observed=True)
    table = groups.agg(findings=("code", "size"), games_concerned=("game", "nunique")).reset_index()
    table["rule"] = [get_rule(code).name for code in table["code"]]
    games = frames.games.groupby(list(keys), dropna=False, observed=True).size()
    games.index = [key_of(key) for key in games.index]
    table["games"] = [games.get(key_of(key)) for key in table[list(keys)].itertuples(index=False, name=None)]
    table["per_1000_games"] = 1000 * table["findings"] / table["games"]
    table["place"] = table["severity"].map(SEVERITIES)
    return ordered(table, *keys, "place", "-findings", "code").drop(columns="place")


def key_of(key: object) -> tuple[object, ...]:
    """A key in which null is like null."""
    return tuple(None if pd.isna(part) else part for part in (key if isinstance(key, tuple) else (key,)))


def findings_by_source(frames: Frames) -> pd.DataFrame:
    return findings_by(frames, "source")


def findings_by_year(frames: Frames) -> pd.DataFrame:
    return findings_by(frames, "year")


def findings_by_source_and_year(frames: Frames) -> pd.DataFrame:
    return findings_by(frames, "source", "year")


TABLES = {
    "sources": sources,
    "findings_by_source": findings_by_source,
    "findings_by_year": findings_by_year,
    "findings_by_source_and_year": findings_by_source_and_year,
}
