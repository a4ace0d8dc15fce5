"""How many games each statistic leaves out and why, as the page of statistics says it, counted with pandas."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import chess
import pandas as pd

from recomputed.frames import GAME, Frames, known

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "statistics.md"


@cache
def page() -> tuple[dict[str, str], dict[str, list[str]]]:
    """What reasons mean, and the reasons of each statistic, from `docs/statistics.md`."""
    text = PAGE.read_text(encoding="utf-8")
    reasons = text.partition("## Why games are left out")[2].partition("\n## ")[0]
    meanings = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", reasons, re.MULTILINE))
    told = re.findall(r"^### (\w+)$.*?^Left out: ([^\n]+)\.$", text, re.MULTILINE | re.DOTALL)
    return meanings, {name: [] if words == "nothing" else words.split(", ") for name, words in told}


@cache
def fulfilled(frames: Frames) -> dict[str, pd.Series]:
    """For each reason which games fulfil it."""
    games, plies = frames.games, frames.plies

    def without(plies: pd.DataFrame) -> pd.Series:
        """Games that have none of these plies."""
        return ~games.set_index(GAME).index.isin(plies.set_index(GAME).index)

    standard = (games["rules"] == "standard").fillna(False)
    array = games["start_fen"].str.startswith(chess.Board().epd()).fillna(False)
    return {
        "errors": games["errors"] > 0,
        "variant": ~standard,
        "other rules": ~games["rules"].isin(["standard", "chess960"]),
        "setup": ~(standard & array),
        "unfinished": (games["result_value"] == "*").fillna(False),
        "no result": games["result_value"].isna(),
        "no moves": games["ply_count"] == 0,
        "no event": ~known(games["event"]),
        "no names": ~known(games["white"]) & ~known(games["black"]),
        "no ECO tag": games["tag"].isna(),
        "no titles": ~known(games["white_title"], "-") & ~known(games["black_title"], "-"),
        "no legal moves": games["legal_ply_count"] == 0,
        "no move times": without(plies[plies["used_ms"].notna()]),
        "no clocks": without(plies[plies["clock_ms"].notna() & plies["time_base_s"].notna()]),
        "no evaluations": without(plies[plies["eval_cp"].notna() | plies["eval_mate"].notna()]),
        "no year": games["year"].isna(),
        "no ratings": games["w"].isna(),
        "no rating at all": games["white_elo"].isna() & games["black_elo"].isna(),
        "no time control": games["time_class"].isna(),
    }


def left_out(frames: Frames) -> pd.DataFrame:
    meanings, reasons = page()
    rows = []
    for statistic, names in reasons.items():
        remain = pd.Series(True, frames.games.index)
        for name in names:
            out = remain & fulfilled(frames)[name]
            rows.append({"statistic": statistic, "reason": name, "games": out.sum(), "meaning": meanings[name]})
            remain &= ~out
        rows.append({"statistic": statistic, "reason": "counted", "games": remain.sum(), "meaning": None})
    return pd.DataFrame(rows)


TABLES = {"left_out": left_out}
