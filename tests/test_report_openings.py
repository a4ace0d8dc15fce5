"""How names of openings become a picture."""

from __future__ import annotations

from chesstools.report.openings import tree


def test_names_of_openings_are_a_tree_in_which_all_games_have_a_place() -> None:
    rows = [
        {"eco": "B90", "opening": "S: N Variation, E", "family": "S", "games": 500, "white_won": 500, "drawn": 0},
        {"eco": "B20", "opening": "S", "family": "S", "games": 489, "white_won": 0, "drawn": 489},
        {"eco": "B01", "opening": "T: U", "family": None, "games": 6, "white_won": 0, "drawn": 0},
        {"eco": "B02", "opening": "V: W", "family": "V", "games": 5, "white_won": 5, "drawn": 0},
    ]
    nodes = {node["name"]: node for node in tree(rows)}
    assert set(nodes) == {"All", "B: semi-open games", "S", "S: N", "S: others", "others"}
    assert nodes["All"]["games"] == 1000
    assert nodes["S: others"]["games"] == 489
    assert nodes["S: N"]["score"] == 1
    assert nodes["others"]["games"] == 11
    assert sum(node["own"] for node in nodes.values()) == 1000
    assert {node["parent"] for node in nodes.values()} - {None} <= {node["id"] for node in nodes.values()}
