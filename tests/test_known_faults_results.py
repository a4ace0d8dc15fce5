"""Faults that real tools have with results: tag against marker, other spellings, double forfeits, games without moves.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

from typing import Any

import pytest

from chesstools.game import Game
from chesstools.scan import games, scan
from chesstools.source import Source


def read(data: str) -> list[Game]:
    return list(games(Source.from_bytes(data.encode())))


def rows(data: str) -> list[dict[str, Any]]:
    """The games table."""
    found: list[dict[str, Any]] = scan(Source.from_bytes(data.encode())).to_tables()["games"].to_pylist()
    return found


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.moves]


def codes(game: Game) -> list[str]:
    """Codes of the findings in the order of the text; but for P106, as few games here have the whole roster."""
    return [finding.code for finding in game.findings if finding.code != "P106"]


# RES-01
def test_tag_and_marker_that_differ_are_both_kept_and_reported() -> None:
    text = '[Result "1-0"]\n\n1. g3 g6 {Black lost on time?} 0-1\n'
    (row,) = rows(text)
    assert (row["result"], row["termination_marker"], row["legal_ply_count"]) == ("1-0", "0-1", 2)
    (game,) = read(text)
    (finding,) = [finding for finding in game.findings if finding.code == "E542"]
    assert (finding.severity.value, finding.evidence["expected"], finding.evidence["found"]) == ("error", "1-0", "0-1")


# RES-01
def test_result_tag_without_a_marker_is_kept_and_the_missing_marker_reported() -> None:
    (row,) = rows('[Result "0-1"]\n\n1. g3 g6\n')
    assert (row["result"], row["termination_marker"], row["result_value"]) == ("0-1", None, "0-1")
    assert "P109" in row["codes"]


# ENC-12, RES-07
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("½-½", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("0,5-0,5", "1/2-1/2"),
        ("1:0", "1-0"),
        ("0:1", "0-1"),
        ("1–0", "1-0"),
        ("0—1", "0-1"),
    ],
)
def test_result_in_another_spelling_is_understood_and_kept_as_written(written: str, meant: str) -> None:
    text = f'[Event "Open"]\n[Result "{written}"]\n\n1. g3 g6 {written}\n\n[Event "Cup"]\n[Result "*"]\n\n1. b3 *\n'
    first, second = rows(text)
    assert (first["result"], first["termination_marker"], first["result_value"]) == (written, written, meant)
    assert (first["ply_count"], first["codes"]) == (2, ["E541", "P106"])
    assert (second["event"], second["ply_count"], second["result_value"]) == ("Cup", 1, "*")


# ENC-12
def test_draw_sign_of_a_latin_1_file_is_a_result() -> None:
    (game,) = games(Source.from_bytes('[Result "½-½"]\n\n1. g3 g6 ½-½\n'.encode("latin-1")))
    assert (sans(game), game.result, game.facts.ending.marker) == (["g3", "g6"], "1/2-1/2", "½-½")


# RES-03
@pytest.mark.parametrize("moves", ["", "1. g3 ", "1. g3 g6\n"])
def test_double_forfeit_is_a_result_and_no_castling(moves: str) -> None:
    first, second = read(f'[Event "Open"]\n[Result "0-0"]\n\n{moves}0-0\n\n[Event "Cup"]\n[Result "*"]\n\n1. b3 *\n')
    assert (first.facts.ending.marker, first.result) == ("0-0", None)
    assert [code for code in codes(first) if code != "P113"] == ["E541", "A802", "E541"]
    assert (second.tags["Event"], sans(second)) == ("Cup", ["b3"])


# RES-03
def test_castling_with_zeros_stays_castling_in_a_double_forfeit() -> None:
    (game,) = read('[Result "0-0"]\n\n1. g3 e5 2. Bg2 d5 3. Nf3 c5 4. 0-0 Nc6 0-0\n')
    assert sans(game) == ["g3", "e5", "Bg2", "d5", "Nf3", "c5", "O-O", "Nc6"]
    assert game.facts.ending.marker == "0-0"


# RES-04
@pytest.mark.parametrize("gap", ["\n ", "\n\n", "\n\n "])
def test_games_without_moves_keep_their_results(gap: str) -> None:
    results = ["0-1", "*", "1-0", "1/2-1/2"]
    found = read("\n\n".join(f'[Event "Game {result}"]\n[Result "{result}"]{gap}{result}' for result in results))
    assert [(game.tags["Event"], game.result, game.moves) for game in found] == [(f"Game {text}", text, []) for text in results]
    # Games without a move are won by default; whether they can be agreed drawn depends on the date, which is not known here.
    assert [codes(game) for game in found] == [["P113", "A801"], ["P113"], ["P113", "A801"], ["P113"]]


# RES-05
def test_comment_and_blank_line_before_the_result_do_not_split_a_game() -> None:
    first, second = read('[Event "Open"]\n[Result "1-0"]\n\n{Black did not come}\n\n\n1-0\n\n[Event "Cup"]\n\n1. b3 *\n')
    assert (first.moves, first.result, codes(first)) == ([], "1-0", ["P113", "A801"])
    assert first.facts.mainline.comments == ["Black did not come"]
    assert (second.tags["Event"], sans(second)) == ("Cup", ["b3"])


# RES-05
def test_comment_behind_the_result_belongs_to_the_game_before_it() -> None:
    first, second = read('[Event "Open"]\n\n1. g3 g6 1-0 {on time}\n\n[Event "Cup"]\n\n1. b3 *\n')
    assert (sans(first), first.moves[-1].comments, codes(first)) == (["g3", "g6"], ["on time"], [])
    assert (second.facts.mainline.comments, sans(second)) == ([], ["b3"])
