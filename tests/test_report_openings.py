"""How names of openings become a picture."""

from __future__ import annotations

from chesstools.report.openings import tree


def test_names_of_openings_are_a_tree() -> None:
    rows = [
        {"opening": "A: B, C", "games": 500, "white_won": 500, "drawn": 0},
        {"opening": "A", "games": 499, "white_won": 0, "drawn": 499},
        {"opening": "Rare: One", "games": 1, "white_won": 0, "drawn": 0},
    ]
    nodes = {node["name"]: node for node in tree(rows)}
    assert list(nodes) == ["All", "A", "A: B", "A: B, C"]
    assert nodes["A"]["own"] == 499
    assert nodes["All"]["games"] == 1000
    assert nodes["A: B, C"]["score"] == 1
