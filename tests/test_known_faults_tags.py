"""Faults that real tools have with tag pairs: escapes, quotes, brackets, names, blank lines, duplicates, games of tags alone.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

import pytest

from chesstools.game import Game
from chesstools.scan import games, scan
from chesstools.source import Source


def read(data: str) -> list[Game]:
    return list(games(Source.from_bytes(data.encode())))


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.moves]


def codes(game: Game) -> list[str]:
    """Codes of the findings in the order of the text; but for P106, as few games here have the whole roster."""
    return [finding.code for finding in game.findings if finding.code != "P106"]


def bad_tags(game: Game) -> list[tuple[int, object]]:
    """Line and reason of each malformed tag pair."""
    return [(finding.where.line, finding.evidence["reason"]) for finding in game.findings if finding.code == "P104"]


# TAG-01
def test_escapes_in_a_value_are_undone() -> None:
    (game,) = read(r'[Site "Hall \"B\""]' + "\n" + r'[Event "D:\\games\\2024\\"]' + "\n\n1. e3 *")
    assert game.tags == {"Site": 'Hall "B"', "Event": "D:\\games\\2024\\"}
    assert codes(game) == []


# TAG-01
def test_escapes_are_written_again_on_export() -> None:
    lines = [r'[Event "The \"Fast\" One"]', r'[Site "D:\\games"]', r'[Annotator "\\\"x\\"]']
    (game,) = read("\n".join(lines) + "\n\n1. e3 *")
    written = str(game.to_chess())
    assert set(lines) <= set(written.splitlines())
    (again,) = read(written)
    assert {name: again.tags[name] for name in game.tags} == game.tags


# TAG-01
def test_backslash_that_escapes_nothing_is_kept() -> None:
    (game,) = read('[Site "D:\\games\\new"]\n\n1. e3 *')
    assert game.tags["Site"] == "D:\\games\\new"


# TAG-02
def test_quotes_inside_a_value_do_not_end_it() -> None:
    (game,) = read('[Event "Open"]\n[White "Max "Tiger" Moe"]\n[TimeControl "20"/move"]\n[Result "*"]\n\n1. e3 *')
    assert game.tags["White"] == 'Max "Tiger" Moe'
    assert game.tags["TimeControl"] == '20"/move'
    assert bad_tags(game) == [(2, "unescaped-quote"), (3, "unescaped-quote")]
    assert sans(game) == ["e3"]


# TAG-03, TAG-16
@pytest.mark.parametrize(
    "value", ["[x]", "a [b] ] c", "]", "[=1234.12a1h8]", "1. d4 (1. c4) d5", "{why} $1 1-0", "; no comment", "% no escape", "*"]
)
def test_a_value_may_look_like_anything(value: str) -> None:
    (game,) = read(f'[White "{value}"]\n[Black "{value}"]\n\n1. e3 *')
    assert game.tags == {"White": value, "Black": value}
    assert (sans(game), codes(game)) == (["e3"], [])


# TAG-04
def test_single_backslash_at_the_end_of_a_value_does_not_swallow_the_next_tags() -> None:
    (game,) = read('[Site "D:\\games\\"]\n[White "Moe"]\n[Result "0-1"]\n\n1. e3 0-1')
    assert game.tags == {"Site": "D:\\games\\", "White": "Moe", "Result": "0-1"}
    assert bad_tags(game) == [(1, "trailing-backslash")]


# TAG-07
def test_tags_right_behind_a_result_begin_the_next_game() -> None:
    first, second = read('[Event "Open"]\n[Result "*"]\n1. e3 e6 *\n[Event "Cup"]\n[Date "?"]\n\n1. c3 0-1\n')
    assert (first.tags, sans(first)) == ({"Event": "Open", "Result": "*"}, ["e3", "e6"])
    assert (second.tags, sans(second), second.result) == ({"Event": "Cup", "Date": "?"}, ["c3"], "0-1")
    assert [ply.nags for ply in first.moves] == [[], []]
    assert (codes(first), codes(second)) == ([], ["P107", "A801"])


# TAG-07
def test_tag_section_begins_a_game_where_the_one_before_has_no_result() -> None:
    first, second = read('[Event "Open"]\n\n1. e3 e6\n\n[Event "Cup"]\n[White "Moe"]\n\n1. c3 0-1\n')
    assert (sans(first), codes(first)) == (["e3", "e6"], ["P109"])
    assert (second.tags, sans(second)) == ({"Event": "Cup", "White": "Moe"}, ["c3"])


# TAG-08, TAG-22
def test_blanks_around_the_parts_of_a_tag_pair_mean_nothing() -> None:
    (game,) = read('  [Event "Open"]\n\t[ White\t"Moe"  ]\n[Black"Roe"]\n [Result   "*" ]\n\n  1. e3 *')
    assert game.tags == {"Event": "Open", "White": "Moe", "Black": "Roe", "Result": "*"}
    assert (sans(game), codes(game)) == (["e3"], [])


# TAG-10
def test_of_two_tags_with_one_name_the_first_counts_and_both_are_kept() -> None:
    text = '[White "Moe"]\n[Result "1/2-1/2"]\n[White "Roe"]\n[Result "1-0"]\n\n1. e3 1-0'
    (game,) = read(text)
    assert (game.tags, game.result) == ({"White": "Moe", "Result": "1/2-1/2"}, "1/2-1/2")
    assert game.tag_pairs == [("White", "Moe"), ("Result", "1/2-1/2"), ("White", "Roe"), ("Result", "1-0")]
    assert [finding.where.line for finding in game.findings if finding.code == "P105"] == [3, 4]
    (row,) = scan(Source.from_bytes(text.encode())).to_tables()["games"].to_pylist()
    assert row["termination_marker"] == "1-0"


# TAG-11
def test_positions_without_moves_are_games_of_their_own() -> None:
    fens = ["8/8/8/8/8/2k5/8/1K5q b - - 0 1", "8/8/8/8/8/2K5/8/1k5Q w - - 0 1", "8/6k1/8/8/8/8/1R6/K7 w - - 0 1"]
    found = read("\n\n".join(f'[FEN "{fen}"]\n[SetUp "1"]' for fen in fens))
    assert [game.start_fen for game in found] == fens
    for game in found:
        assert (sans(game), game.result) == ([], None)  # no result is no result, not "*"
        assert {"P109", "P113"} <= set(codes(game))


# TAG-14
def test_tag_names_may_look_like_moves() -> None:
    (game,) = read('[K "a"]\n[Bb5 "b"]\n[d4 "c"]\n[OO "d"]\n[Z0 "e"]\n\n1. e3 *')
    assert game.tags == {"K": "a", "Bb5": "b", "d4": "c", "OO": "d", "Z0": "e"}
    assert (sans(game), codes(game)) == (["e3"], [])


# TAG-15
def test_values_without_quotes_are_kept_and_make_no_game() -> None:
    (game,) = read('[Event Summer Open]\n[Round 5]\n[White "Moe"]\n\n1. e3 *')
    assert game.tags == {"Event": "Summer Open", "Round": "5", "White": "Moe"}
    assert bad_tags(game) == [(1, "no-quotes"), (2, "no-quotes")]
    assert sans(game) == ["e3"]


# TAG-15
def test_tag_without_its_bracket_is_kept_and_makes_no_game() -> None:
    (game,) = read('[Event "Open"\n[White "Moe"]\n\n1. e3 *')
    assert game.tags == {"Event": "Open", "White": "Moe"}
    assert bad_tags(game) == [(1, "no-bracket")]


# TAG-17
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_break_inside_a_value_does_not_break_the_game(line_end: str) -> None:
    (game,) = read('[Event "Open"]\n[Site "Town\nHall"]\n[White "Moe"]\n\n1. e3 *'.replace("\n", line_end))
    assert game.tags == {"Event": "Open", "Site": "Town Hall", "White": "Moe"}
    assert bad_tags(game) == [(2, "line-break")]
    assert sans(game) == ["e3"]


# TAG-20
@pytest.mark.parametrize("name", ["Fen", "fen", "CurrentPosition", "FinalFEN"])
def test_only_the_tag_fen_says_where_a_game_starts(name: str) -> None:
    final = "rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    (game,) = read(f'[{name} "{final}"]\n\n1. e3 e6 *')
    assert (sans(game), codes(game)) == (["e3", "e6"], [])
    assert game.final_fen == game.tags[name] == final


# TAG-21
def test_the_first_tag_of_a_game_need_not_be_event() -> None:
    first, second = read(
        '[Board "7"]\n[Event "Open"]\n\n1. e3 *\n\n[Board "8"]\n[Event "Cup"]\n\n1. c3 *\n',
    )
    assert first.tags == {"Board": "7", "Event": "Open"}
    assert second.tags == {"Board": "8", "Event": "Cup"}
