"""Outcomes by opening: what differs from one row for each name."""

from __future__ import annotations

import pytest
from corpora import needs_corpus
from recomputed.archive import Archive

from chesstools import query
from chesstools.source import Source
from chesstools.stats import stats


@pytest.mark.parametrize("name", ["small", pytest.param("otb", marks=needs_corpus)])
def test_each_opening_has_one_row_with_all_its_games(request: pytest.FixtureRequest, name: str) -> None:
    """As `query` finds openings."""
    archive: Archive = request.getfixturevalue(name)
    sql = """
    SELECT eco_by_moves AS eco, opening_by_moves AS opening, count(*) AS games
    FROM games JOIN game_openings USING (source, game_index)
    WHERE errors = 0 AND score(result_value) IS NOT NULL GROUP BY ALL
    """
    theirs = query(archive.dataset, sql).set_index(["eco", "opening"])["games"]
    ours = archive.found.to_pandas("outcomes_by_opening").dropna(subset="opening").set_index(["eco", "opening"])["games"]
    assert ours.index.is_unique
    assert ours.to_dict() == theirs.to_dict()


FAMILIES = ["1. g3 d5 2. Bg2 g6 3. Nf3", "1. Nf3 c6 2. g3 d5", "1. g3 d5 2. Nf3 c6", "1. Nf3 d5 2. g3 c6"]
"""Ways to a position of A07 that Lichess does not name."""


def test_a_name_that_is_reached_from_several_families_has_one_row() -> None:
    text = "".join(f'[Result "1-0"]\n[Round "{n}"]\n\n{moves} 1-0\n\n' for n, moves in enumerate([*FAMILIES, FAMILIES[0]]))
    games = Source.from_bytes(text.encode(), "families.pgn")
    families = query(games, "SELECT opening_by_moves, opening_family FROM game_openings")
    assert set(families["opening_by_moves"]) == {"Reti: KIA"}
    assert sorted(families["opening_family"].value_counts()) == [1, 2, 2]
    (row,) = stats(games, tables=["outcomes_by_opening"])["outcomes_by_opening"].to_pylist()
    assert (row["opening"], row["games"], row["family"]) == ("Reti: KIA", 5, "Hungarian Opening")
