"""How names of openings become a picture."""

from __future__ import annotations

from chesstools.report.icicle import STEPS, icicle
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


def test_the_legend_has_the_colours_that_are_there_and_labels_tell_as_much_as_there_is_room_for() -> None:
    node = {"parent": "all", "label": "Queen's Gambit Declined", "name": "Q", "games": 1000, "own": 1000, "rank": 1}
    root = {"id": "all", "parent": None, "label": "", "name": "All", "games": 2000, "own": 0, "score": 0.5, "rank": 1}
    spec = icicle([root, {**node, "id": "a", "score": 0.6}, {**node, "id": "b", "score": 0.5}], 1)
    (scale,) = spec["scales"]
    assert scale["domain"] == [STEPS[2], STEPS[4]]
    box = spec["data"][0]["values"][1]
    assert (box["short"], box["most"]) == ("Q. Gbt. Decl.", "Queen's Gambit Declined  50.0%, 1,000 games")


def test_a_box_says_which_volume_it_is_under() -> None:
    rows = [
        {"eco": eco, "opening": "Caro-Kann Defense", "family": "Caro-Kann Defense", "games": 5, "white_won": 1, "drawn": 0}
        for eco in ("B10", "D20")
    ]
    assert sorted(node["under"] for node in tree(rows) if node["name"] == "Caro-Kann Defense") == ["B", "D"]
