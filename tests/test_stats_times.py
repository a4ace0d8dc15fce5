"""Statistics of clocks and evaluations where the source tells none."""

from __future__ import annotations

from chesstools.source import Source
from chesstools.stats import stats
from chesstools.stats.registry import FAMILIES

NAMES = [one.name for family in ("Time", "Evaluations") for one in FAMILIES[family]]


def test_sources_without_clocks_and_evaluations() -> None:
    plain = stats(Source.from_bytes(b'[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n', "a.pgn"), tables=NAMES)
    for name in NAMES:
        assert plain[name].num_rows == 0
    left_out = plain.to_pandas("left_out").set_index(["statistic", "reason"])["games"]
    assert left_out["move_times", "no move times"] == left_out["time_trouble", "no clocks"] == 1
    assert left_out["evaluation_swings", "no evaluations"] == 1
