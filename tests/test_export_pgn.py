"""PGN export: each option, where lines end, and what is counted as left out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from trees import check_round_trip, trees

from chesstools.tree import Comment, GameTree, Move, Nag, Unread, Variation

ODD = '[odd "a "b" c'
TEXT = """[ECO "A00"]
[White "Alder"]
[Annotator "x"]
[White "Birch"]
[odd "a "b" c

1. e4! {a [%clk 0:01:00] b [%eval 0.1]} (1. d4 $2 (1. c4) 1... d5) e5 $300 2. Nf3 {[%emt 0:00:01]} Nf9 foo 1-0 bar
"""


def movetext(text: str, **options: Any) -> str:
    """The movetext of one game as it is written."""
    (tree,) = trees(text)
    return tree.to_pgn(**options).split("\n\n")[-2 if tree.tags or tree.unread_tags else 0]


@pytest.mark.parametrize(
    ("options", "written", "left"),
    [
        (
            {},
            "1. e4 $1 { a [%clk 0:01:00] b [%eval 0.1] } (1. d4 $2 (1. c4) 1... d5) 1... e5 $300 2. Nf3 { [%emt 0:00:01] } "
            "Nf9 foo 1-0 bar",
            {},
        ),
        (
            {"comments": False},
            "1. e4 $1 (1. d4 $2 (1. c4) 1... d5) 1... e5 $300 2. Nf3 Nf9 foo 1-0 bar",
            {"comments": 2},
        ),
        (
            {"nags": False, "variations": False},
            "1. e4 { a [%clk 0:01:00] b [%eval 0.1] } 1... e5 $300 2. Nf3 { [%emt 0:00:01] } Nf9 foo 1-0 bar",
            {"nags": 1, "variations": 2},
        ),
        (
            {"clocks": False, "variations": False},
            "1. e4 $1 { a b [%eval 0.1] } 1... e5 $300 2. Nf3 Nf9 foo 1-0 bar",
            {"commands": 2, "variations": 2},
        ),
        (
            {"commands": False, "variations": False},
            "1. e4 $1 { a b } 1... e5 $300 2. Nf3 Nf9 foo 1-0 bar",
            {"commands": 3, "variations": 2},
        ),
        (
            {"reduced": True},
            "1. e4 e5 2. Nf3 Nf9 foo 1-0",
            {"comments": 2, "nags": 1, "variations": 2, "unread": 1, "behind": 1, "tags": 3},
        ),
    ],
)
def test_parts_are_left_out_and_counted(options: dict[str, Any], written: str, left: dict[str, int]) -> None:
    (tree,) = trees(TEXT)
    counted: Counter[str] = Counter()
    text = tree.to_pgn(line_width=0, left=counted, **options)
    assert text.split("\n\n")[1] == written
    assert +counted == left
    (again,) = trees(text)
    assert again.to_pgn(line_width=0, **options) == text


@pytest.mark.parametrize(
    ("options", "tags"),
    [
        ({}, ['[ECO "A00"]', '[White "Alder"]', '[Annotator "x"]', '[White "Birch"]', ODD]),
        ({"tag_order": "standard"}, ['[White "Alder"]', '[Annotator "x"]', '[ECO "A00"]', '[White "Birch"]', ODD]),
        ({"seven_tags": True}, ['[White "Alder"]', '[White "Birch"]']),
        (
            {"roster": True},
            [
                *(
                    '[Event "?"]',
                    '[Site "?"]',
                    '[Date "????.??.??"]',
                    '[Round "?"]',
                    '[White "Alder"]',
                    '[Black "?"]',
                    '[Result "1-0"]',
                ),
                *('[ECO "A00"]', '[Annotator "x"]', '[White "Birch"]', ODD),
            ],
        ),
    ],
)
def test_tags_are_arranged(options: dict[str, Any], tags: list[str]) -> None:
    (tree,) = trees(TEXT)
    written = tree.to_pgn(**options).split("\n\n")[0].split("\n")
    assert written == tags


def test_seven_tags_keep_what_says_where_the_game_starts() -> None:
    text = '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w H - 0 7"]\n[ECO "A00"]\n\nO-O *'
    (tree,) = trees(text)
    assert tree.to_pgn(seven_tags=True) == text.replace('[ECO "A00"]\n', "").replace("O-O", "7. O-O") + "\n\n"
    assert movetext(text, moves="uci") == "7. e1h1 *"


def test_moves_in_other_forms() -> None:
    text = "1. e4 d5 2. exd5 Nf6 3. Bb5+ c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O b4 7. -- b3 8. a3 bxc2 9. Ne1 cxb1=N *"
    assert movetext(text, moves="lan", line_width=0) == (
        "1. e2-e4 d7-d5 2. e4xd5 Ng8-f6 3. Bf1-b5+ c7-c6 4. d5xc6 b7xc6 5. Ng1-f3 c6xb5 6. O-O b5-b4 7. -- b4-b3 8. a2-a3 b3xc2 "
        "9. Nf3-e1 c2xb1=N *"
    )
    assert movetext(text, letters="KDTLSB", line_width=0).endswith(
        "3. Lb5+ c6 4. dxc6 bxc6 5. Sf3 cxb5 6. O-O b4 7. -- b3 8. a3 bxc2 9. Se1 cxb1=S *"
    )
    assert movetext("1. e4 Nf6 *", moves="uci") == "1. e2e4 g8f6 *"
    assert movetext("1. e4 Nf6 *", letters=["王", "后", "车", "象", "马", "兵"], moves="lan") == "1. e2-e4 马g8-f6 *"


def test_lines_end_between_pieces() -> None:
    assert movetext("1. e4 e5 2. Nf3 {long words here} (2. f4) Nc6 *", line_width=10) == (
        "1. e4 e5\n2. Nf3 {\nlong words\nhere } (2.\nf4) 2...\nNc6 *"
    )
    assert movetext("1. e4 {a [%clk 0:01:00] b}", line_width=5) == "1. e4\n{ a\n[%clk 0:01:00]\nb } *"
    assert movetext("1. e4 {é é}", line_width=9) == "1. e4 { é\né } *"


def test_no_line_begins_like_a_tag_or_an_escape() -> None:
    for text in ('1. e4 {a [Event "x"] % b [%clk 0:01] ] c} *', "1. e4 [ ] % ] *", '1. e4 [ A "v" ] *', "{x}\n;}\n1. e4 ] 1-0 %"):
        for width in range(1, 40):
            written = check_round_trip(trees(text), line_width=width)
            for line in written[written.find("\n\n") + 1 :].split("\n"):
                assert line[:1] not in ("]", "%")
                assert line[:1] != "[" or line.startswith("[%")


def test_a_comment_with_a_brace_goes_to_the_end_of_its_line() -> None:
    assert movetext("1. e4 ;a } b\n e5 (1... c5 ;}\n) *") == "1. e4 ; a } b\n1... e5 (1... c5 ; }\n) *"


def test_numbers_go_on_from_the_fen() -> None:
    text = '[FEN "4k3/8/8/8/8/8/8/4K2R b K - 0 7"]\n\n7... Ke7 {x} (7... Kd7 8. O-O) 8. O-O Kd6 $1 9. Rf6+ *'
    assert movetext(text) == "7... Ke7 { x } (7... Kd7 8. O-O) 8. O-O Kd6 $1 9. Rf6+ *"


def test_a_game_without_a_marker_has_the_one_of_its_tag() -> None:
    assert movetext('[Result "0-1"]\n\n1. e4') == "1. e4 0-1"
    # As it is understood, whatever its spelling.
    for tag, marker in (("0:1", "0-1"), ("½-½", "1/2-1/2"), ("0,5–0,5", "1/2-1/2"), ("1/2", "1/2-1/2"), (" 1-0 ", "1-0")):
        assert movetext(f'[Result "{tag}"]\n\n1. e4') == f"1. e4 {marker}"
    for tag in ("0-0", "draw", ""):
        assert movetext(f'[Result "{tag}"]\n\n1. e4') == "1. e4 *"
    assert movetext("1. e4") == "1. e4 *"


def test_a_game_without_tags_begins_like_a_game() -> None:
    made = [
        GameTree(before=[Nag(1)], moves=[Move("e4", "e2e4")], result="*"),
        GameTree(before=[Comment("x"), Unread("[")], rest="foo", result="*"),
        GameTree(before=[Variation(rest="foo")], result="*"),
        GameTree(unread_tags=["[]", '["x"]'], before=[Comment("a")], result="*", behind="b"),
        GameTree(unread_tags=["[Event]", "[]"], rest="foo", result="*"),
        GameTree(rest="1. Nf9", result="*"),
        GameTree(result="*"),
    ]
    text = check_round_trip(made)
    assert text.split("\n\n") == [
        "1. {} $1 1. e4 *",
        "1. {} { x } [\nfoo *",
        "1. {} (foo) *",
        '{ a } * b\n[]\n["x"]',
        "[Event]\n[]",
        "foo *",
        "1. {} 1. Nf9 *",
        "*",
        "",
    ]


def test_ten_thousand_moves_with_many_variations_are_written_in_linear_time() -> None:
    knights = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")]
    tree = GameTree(moves=[Move(*knights[ply % 4], [Comment("word " * 20 + "end"), Nag(1)]) for ply in range(20_000)], result="*")
    text = tree.to_pgn()
    assert text.count("word") == 400_000
    assert max(map(len, text.split("\n"))) <= 80
