"""Faults that real tools have with comments, annotation glyphs and variations.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

import pytest

from chesstools import limits
from chesstools.game import Game
from chesstools.reference.line import Line
from chesstools.scan import games, scan
from chesstools.source import Source

NEXT = '\n\n[Event "Next"]\n[White "Lind"]\n[Result "*"]\n\n1. b4 *\n'


def read(data: str) -> list[Game]:
    return list(games(Source.from_bytes(data.encode())))


def sans(line: Line) -> list[str]:
    return [ply.san for ply in line.plies]


def main(game: Game) -> list[str]:
    return sans(game.facts.mainline)


def codes(game: Game) -> list[str]:
    """Codes of the findings in the order of the text; but for P106, as few games here have the whole roster."""
    return [finding.code for finding in game.findings if finding.code != "P106"]


# ---------------------------------------------------------------------------------------------- comments


# COM-01
@pytest.mark.parametrize("inside", ["won in 20.\n\nA fine game", "as in Moe-Roe\n\n1-0\n\n", "0-1\n", "*", "\n\n\n"])
def test_blank_line_or_result_inside_a_comment_does_not_end_the_game(inside: str) -> None:
    (game,) = read(f'[Event "Open"]\n[Result "1/2-1/2"]\n\n1. c4 {{{inside}}} c5 2. g3 1/2-1/2\n')
    assert (main(game), game.result) == (["c4", "c5", "g3"], "1/2-1/2")
    assert game.moves[0].comments == ([" ".join(inside.split())] if inside.strip() else [])
    assert codes(game) == []


# COM-02
@pytest.mark.parametrize("quoted", ['[Event "Other"]', "[%csl Ga1]\n[%cal Rh1h8]", '[White "Moe"]\n[Black "Roe"]'])
def test_line_in_a_comment_that_looks_like_a_tag_is_none(quoted: str) -> None:
    (game,) = read(f'[Event "Open"]\n\n1. c4 {{compare\n{quoted}\nand so on}} c5 *\n')
    assert game.tags == {"Event": "Open"}
    assert main(game) == ["c4", "c5"]
    assert game.moves[0].comments == [f"compare {quoted} and so on".replace("\n", " ")]


# COM-03
def test_balanced_braces_inside_a_comment_belong_to_it() -> None:
    (game,) = read("1. c4 {one {two {three} 1... d5} 2. cxd5} c5 2. g3 *")
    assert main(game) == ["c4", "c5", "g3"]
    assert game.moves[0].comments == ["one {two {three} 1... d5} 2. cxd5"]
    assert [(finding.code, finding.where.byte_offset) for finding in game.findings if finding.code == "P102"] == [("P102", 6)]


# COM-03
def test_comment_with_one_brace_too_many_inside_ends_at_its_first_closing_brace() -> None:
    (game,) = read("1. c4 {one {two} c5 2. g3 *")
    assert (main(game), codes(game)) == (["c4", "c5", "g3"], ["P102"])
    assert game.moves[0].comments == ["one {two"]


# COM-05
def test_semicolon_inside_braces_begins_no_comment() -> None:
    (game,) = read("1. c4 {first; then [%mark d4;square;red]} c5 {; } 2. g3 *")
    assert (main(game), codes(game)) == (["c4", "c5", "g3"], [])
    assert game.moves[0].comments == ["first; then [%mark d4;square;red]"]


# COM-05
def test_brace_behind_a_semicolon_begins_no_comment() -> None:
    (game,) = read("1. c4 ; best { by test\nc5 ; } and so on\n2. g3 *")
    assert (main(game), codes(game)) == (["c4", "c5", "g3"], [])
    assert [ply.comments for ply in game.moves] == [["best { by test"], ["} and so on"], []]


# COM-09
def test_comments_stay_where_they_stand() -> None:
    (game,) = read("{root} 1. c4 {after c4} ({before c3} 1. c3 {after c3}) {still c4} c5 {after c5} *")
    line = game.facts.mainline
    assert line.comments == ["root"]
    assert [ply.comments for ply in line.plies] == [["after c4", "still c4"], ["after c5"]]
    (variation,) = line.plies[0].variations
    assert (variation.comments, variation.plies[0].comments) == (["before c3"], ["after c3"])


# COM-11
def test_comments_of_nothing_or_of_dots_are_read() -> None:
    (game,) = read("{} 1. c4 {   } c5 {...} 2. g3 {\n} *")
    assert (main(game), codes(game)) == (["c4", "c5", "g3"], [])
    assert [ply.comments for ply in game.moves] == [[], ["..."], []]


# COM-13
def test_escaped_lines_are_skipped_outside_of_comments_only() -> None:
    (game,) = read('% tool 1.0\n[Event "Open"]\n%[White "Moe"]\n\n1. c4 {50\n% sure} c5\n% 2. e4 { (\n2. g3 *\n')
    assert game.tags == {"Event": "Open"}
    assert (main(game), codes(game)) == (["c4", "c5", "g3"], [])
    assert game.moves[0].comments == ["50 % sure"]


# COM-13
def test_percent_sign_inside_a_line_is_no_escape() -> None:
    (game,) = read("1. c4 c5 % 2. g3 *")
    assert (main(game), game.result) == (["c4", "c5"], "*")
    assert codes(game) == ["P110", "M390"]


# COM-14
@pytest.mark.parametrize("stray", ["}", ">", "]", "}}"])
def test_stray_closing_sign_is_reported_and_costs_no_move(stray: str) -> None:
    (game,) = read(f"1. c4 c5 {stray} 2. g3 *")
    assert main(game) == ["c4", "c5", "g3"]
    assert codes(game) == ["P110"] * len(stray)
    assert game.findings[-1].where.byte_offset == 9 + len(stray) - 1


# COM-14
def test_unclosed_comment_ends_where_the_next_game_begins() -> None:
    first, second = read('[Event "Open"]\n\n1. c4 {no end' + NEXT)
    assert (main(first), codes(first)) == (["c4"], ["P102", "P109"])
    assert first.moves[0].comments == ["no end"]
    assert second.tags == {"Event": "Next", "White": "Lind", "Result": "*"}
    assert (main(second), codes(second)) == (["b4"], [])


# COM-14
def test_result_at_the_end_of_an_unclosed_comment_is_the_result_of_the_game() -> None:
    first, second = read('[Event "Open"]\n[Result "0-1"]\n\n1. c4 {no end c5 0-1' + NEXT)
    assert (main(first), first.result, codes(first)) == (["c4"], "0-1", ["P102", "A801"])
    assert (second.tags["Event"], main(second)) == ("Next", ["b4"])


# COM-14
def test_every_byte_is_counted_where_comments_are_never_closed() -> None:
    data = ('[Event "Open"]\n\n1. c4 {no end' + NEXT) * 3 + "1. c4 {"
    summary = scan(Source.from_bytes(data.encode()))
    list(summary)
    (source,) = summary.summary.sources
    assert source.games == 7
    assert source.game_bytes + source.quarantined_bytes == source.bytes == len(data)


# ---------------------------------------------------------------------------------------------- glyphs


# COM-10
def test_glyphs_belong_to_the_move_before_them_whatever_stands_between() -> None:
    (game,) = read("1. c4! $14 {white} $1 {is better} $10 c5 ?! $6 $6 2. g3!? *")
    assert [ply.nags for ply in game.moves] == [[1, 14, 10], [6], [5]]
    assert game.moves[0].comments == ["white", "is better"]
    assert codes(game) == ["N407"]


# COM-10
def test_glyph_that_does_not_exist_is_reported_and_costs_no_move() -> None:
    (game,) = read("1. c4 $300 c5 $ 2. g3 $x *")
    assert main(game) == ["c4", "c5", "g3"]
    assert [code for code in codes(game) if code == "P111"] == ["P111"] * 3


# ---------------------------------------------------------------------------------------------- variations


# RAV-01
def test_illegal_move_in_a_variation_does_not_touch_the_mainline() -> None:
    (game,) = read("1. c4 c5 2. g3 (2. Nc3 Qa4 3. Nxa4 Nc6) 2... Nc6 3. Bg2 Nf6 0-1")
    assert (main(game), game.result) == (["c4", "c5", "g3", "Nc6", "Bg2", "Nf6"], "0-1")
    assert [sans(line) for line in game.moves[2].variations] == [["Nc3"]]
    bad = [finding for finding in game.findings if finding.code.startswith("M")]
    assert [(finding.where.ply, finding.where.variation, finding.token) for finding in bad] == [(4, "3.1", "Qa4")]


# RAV-02
@pytest.mark.parametrize("brackets", [")", "))) (", "(", "(()", "( ( 3. Rb1"])
def test_brackets_that_do_not_match_cost_neither_this_game_nor_the_next(brackets: str) -> None:
    first, second = read(f"1. c4 c5 2. Kd2 {brackets} Nc6 *{NEXT}")
    assert (main(first), first.result) == (["c4", "c5"], "*")
    assert {"M305", "P103"} <= set(codes(first))
    assert (second.tags["Event"], main(second)) == ("Next", ["b4"])


# RAV-02
def test_unclosed_variation_ends_where_the_next_game_begins() -> None:
    first, second = read(f'[Event "Open"]\n\n1. c4 c5 (1... e5 2. g3{NEXT}')
    assert (main(first), codes(first)) == (["c4", "c5"], ["P103", "P109"])
    assert [sans(line) for line in first.moves[1].variations] == [["e5", "g3"]]
    assert (second.tags["Event"], main(second)) == ("Next", ["b4"])


# RAV-05
def test_result_inside_a_variation_ends_neither_the_variation_nor_the_game() -> None:
    (game,) = read("1. c4 c5 (1... e5 2. g3 0-1 {so it went}) 2. g3 (2. b3 1/2-1/2) (2. e3 *) Nc6 1-0\n")
    assert (main(game), game.result) == (["c4", "c5", "g3", "Nc6"], "1-0")
    inside = [finding for finding in game.findings if finding.code == "P108"]
    assert [(finding.token, finding.where.variation) for finding in inside] == [("0-1", "2.1"), ("1/2-1/2", "3.1"), ("*", "3.2")]
    assert game.moves[1].variations[0].plies[-1].comments == ["so it went"]


# RAV-07
def test_variations_hang_on_the_move_that_they_replace() -> None:
    (game,) = read("1. c4 c5 2. g3 g6 (2... Nc6 3. Bg2 (3. Nc3 (3. b3) Nf6) (3. d3) g6) (2... e5) 3. Bg2 (3. d4) *")
    assert main(game) == ["c4", "c5", "g3", "g6", "Bg2"]
    first, second = game.moves[3].variations
    assert (sans(first), sans(second)) == (["Nc6", "Bg2", "g6"], ["e5"])
    inner, last = first.plies[1].variations
    assert (sans(inner), sans(last)) == (["Nc3", "Nf6"], ["d3"])
    assert [sans(line) for line in inner.plies[0].variations] == [["b3"]]
    assert [sans(line) for line in game.moves[4].variations] == [["d4"]]
    assert codes(game) == []


# RAV-07
def test_variations_nested_beyond_the_limit_stay_text_and_touch_nothing_else() -> None:
    depth = limits.MAX_VARIATION_DEPTH + 5
    (game,) = read("1. c4 " + "(1. g3 " * depth + ") " * depth + "c5 2. b3 *")
    assert (main(game), codes(game)) == (["c4", "c5", "b3"], ["P103"])
    assert "(1. g3 " * depth in game.movetext


# RAV-08
def test_variation_that_goes_on_behind_the_move_is_reported_and_the_mainline_goes_on() -> None:
    (game,) = read("1. c4 c5 2. g3 (2... Nf6 3. Bg2) 2... Nc6 1/2-1/2")
    assert (main(game), game.result) == (["c4", "c5", "g3", "Nc6"], "1/2-1/2")
    bad = [finding for finding in game.findings if finding.code != "P106"]
    assert [(finding.code, finding.where.variation, finding.token) for finding in bad] == [("M301", "3.1", "Nf6")]
