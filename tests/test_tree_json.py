"""Records of JSON Lines: their form, and the sentence for each that cannot be a game."""

from __future__ import annotations

import json
import sys
from types import FrameType
from typing import Any

import pytest
from trees import trees

from chesstools.errors import OptionError
from chesstools.limits import MAX_VARIATION_DEPTH
from chesstools.tree import Comment, GameTree, Move, Nag, Unread, Variation
from chesstools.tree_limits import why_not_behind

MOVE = {"san": "e4", "uci": "e2e4"}


def test_all_members_are_there_in_their_order() -> None:
    text = GameTree().to_json(source="a.pgn", game_index=3, start_fen="8/8/8/8/8/8/8/8 w - - 0 1")
    assert text == (
        '{"source":"a.pgn","game_index":3,"tags":[],"unread_tags":[],"start_fen":"8/8/8/8/8/8/8/8 w - - 0 1",'
        '"before":[],"moves":[],"rest":null,"result":null,"behind":null}'
    )


def test_items_have_one_member_each() -> None:
    inner = Variation([Comment("a")], [Move("d4", "d2d4")], "foo")
    tree = GameTree([("White", 'é"\\\x1f')], before=[Nag(0)], moves=[Move("e4", "e2e4", [inner, Unread("$")])], result="*")
    record = json.loads(tree.to_json())
    assert record["tags"] == [["White", 'é"\\\x1f']]
    assert record["before"] == [{"nag": 0}]
    assert record["moves"][0]["after"] == [
        {"variation": {"before": [{"comment": "a"}], "moves": [{"san": "d4", "uci": "d2d4", "after": []}], "rest": "foo"}},
        {"unread": "$"},
    ]
    assert "é" in tree.to_json()
    assert "\\u001f" in tree.to_json()
    assert GameTree.from_json(record) == tree


def test_what_is_not_there_may_be_left_out() -> None:
    assert GameTree.from_json("{}") == GameTree()
    assert GameTree.from_json({"moves": [MOVE], "rest": None}).moves == [Move("e4", "e2e4")]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "The record is no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)."),
        ("[]", "The record is []; it must be an object."),
        ({"Tags": []}, None),
        ({"tags": {}}, "tags is {}; it must be a list."),
        ({"tags": [["White"]]}, 'tags[0] is ["White"]; it must be a list of a name and a value.'),
        ({"tags": [["White", 5]]}, "tags[0][1] is 5; it must be text."),
        ({"tags": [["a b", ""]]}, 'tags[0][0] is "a b"; it must be a name without blanks, brackets and quotes.'),
        ({"tags": [["A", "\ud800"]]}, None),
        ({"unread_tags": ['[A "x"]']}, None),
        ({"unread_tags": ["[A x]"]}, None),
        ({"unread_tags": ["[]", "[Event]"]}, "unread_tags must have those with a name before those without."),
        ({"moves": ["e4"]}, 'moves[0] is "e4"; it must be an object.'),
        ({"moves": [{"san": "e4"}]}, "moves[0].uci is null; it must be text."),
        ({"moves": [{**MOVE, "san": "e4 e5"}]}, 'moves[0].san is "e4 e5"; it must be a move.'),
        ({"moves": [{**MOVE, "nags": [1]}]}, 'moves[0] has a member "nags"; it may have san, uci, after.'),
        ({"before": [{"nag": 256}]}, None),
        ({"before": [{"nag": True}]}, None),
        ({"before": [{"nag": 1}, {"nag": 1}]}, None),
        (
            {"before": [{"nag": 1, "comment": "x"}]},
            "before[0] has 2 members; it must have one of nag, comment, unread, variation.",
        ),
        ({"before": [{"comment": ""}]}, None),
        (
            {"moves": [{**MOVE, "after": [{"comment": "a\nb"}]}]},
            'moves[0].after[0].comment is "a\\nb"; it must be text without line breaks and without blanks at its ends.',
        ),
        ({"before": [{"unread": "e4"}]}, 'before[0].unread is "e4"; it must be one token that means nothing where it stands.'),
        ({"before": [{"unread": "1-0"}]}, None),
        ({"before": [{"variation": {"before": [{"unread": ")"}]}}]}, None),
        ({"before": [{"variation": {"moves": [{**MOVE, "san": 1}]}}]}, "before[0].variation.moves[0].san is 1; it must be text."),
        ({"rest": "$1"}, 'rest is "$1"; it must begin with a move or a word.'),
        ({"rest": "e4  e5"}, 'rest is "e4  e5"; it must be in the form of raw text, without tag pairs.'),
        ({"rest": 'foo [A"x"]'}, None),
        ({"rest": "foo {c}"}, None),
        ({"rest": "foo ; c } x"}, None),
        ({"rest": "foo ("}, 'rest is "foo ("; it must close the brackets that it opens.'),
        ({"rest": "foo 1-0"}, 'rest is "foo 1-0"; it must not hold a termination marker outside brackets.'),
        ({"before": [{"variation": {"rest": "foo )"}}]}, None),
        ({"result": "won"}, 'result is "won"; it must be a termination marker.'),
        ({"result": 1}, "result is 1; it must be text."),
        ({"behind": "1. e4"}, 'behind is "1. e4"; it must not hold the move number 1.'),
        ({"behind": ""}, None),
    ],
)
def test_what_cannot_be_a_game_is_told_with_its_place(record: Any, message: str | None) -> None:
    with pytest.raises(OptionError) as told:
        GameTree.from_json(record)
    said = str(told.value)
    assert said.endswith(".")
    assert "\n" not in said
    if message is not None:
        assert said == message


def nested(depth: int) -> dict[str, Any]:
    """A record with variations so deep."""
    line: dict[str, Any] = {"moves": [MOVE]}
    for _ in range(depth):
        line = {"moves": [{**MOVE, "after": [{"variation": line}]}]}
    return line


def test_variations_may_nest_as_deeply_as_they_are_read() -> None:
    tree = GameTree.from_json(nested(MAX_VARIATION_DEPTH))
    assert GameTree.from_json(tree.to_json()) == tree
    assert trees(tree.to_pgn()) == [GameTree(moves=tree.moves, result="*")]
    with pytest.raises(OptionError, match=r"variation is nested too deeply to have anything but a rest\.$"):
        GameTree.from_json(nested(MAX_VARIATION_DEPTH + 1))
    with pytest.raises(OptionError, match=r"nested too deeply"):
        GameTree.from_json("[" * 100_000)


def test_text_of_variations_nested_too_deeply_is_kept() -> None:
    deep = MAX_VARIATION_DEPTH + 2
    (tree,) = trees("1. e4 " + "(1. d4 " * deep + "; a }\n" + ") " * deep + "e5 *")
    assert GameTree.from_json(tree.to_json()) == tree
    assert trees(tree.to_pgn()) == [tree]
    line: GameTree | Variation = tree
    for _ in range(MAX_VARIATION_DEPTH + 1):
        (line,) = (item for item in line.moves[-1 if line is not tree else 0].after if isinstance(item, Variation))
    assert line.rest == "1. d4 (1. d4 ; a }\n)"
    assert not line.moves


def test_text_behind_the_result_is_looked_at_in_linear_time() -> None:
    """The text is made bytes as often, however many move numbers it holds."""

    def times(text: str) -> int:
        count = 0

        def look(frame: FrameType, event: str, called: object) -> None:
            nonlocal count
            count += event == "c_call" and getattr(called, "__name__", "") == "encode"

        sys.setprofile(look)
        try:
            assert why_not_behind(text) is None
        finally:
            sys.setprofile(None)
        return count

    assert 0 < times("2." + "…3." * 2000) == times("2.…3.")
    assert why_not_behind("2." + "…3." * 2000 + "…1.") == "must not hold the move number 1"
