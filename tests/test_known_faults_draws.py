"""Faults that real tools have with draws: what makes positions the same, how moves are counted, and when a mate comes first.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

from typing import Any

import pytest

from chesstools.finding import Finding
from chesstools.scan import games, scan
from chesstools.source import Source


def pgn(fen: str | None, moves: str, result: str = "*") -> str:
    start = "" if fen is None else f'[SetUp "1"]\n[FEN "{fen}"]\n'
    return f'{start}[Result "{result}"]\n\n{moves} {result}\n'


def row(text: str) -> dict[str, Any]:
    """The row of the one game in a text."""
    (found,) = scan(Source.from_bytes(text.encode())).to_tables()["games"].to_pylist()
    assert found["ply_count"] == found["legal_ply_count"]
    return dict(found)


def about_draws(text: str) -> list[Finding]:
    """Findings about draws and about the end of the game."""
    (game,) = games(Source.from_bytes(text.encode()))
    return [finding for finding in game.findings if finding.code[0] in "DE"]


def claims(text: str) -> list[tuple[str, int | None, object]]:
    """Code and ply of each of them, and how the draw could have been claimed."""
    return [(finding.code, finding.where.ply, finding.evidence.get("forms")) for finding in about_draws(text)]


def shuffle(there: str, back: str, times: int) -> str:
    """Two moves and the two that take them back, again and again."""
    return " ".join([there, back] * times)


# ---------------------------------------------------------------------------------------------- repetition


# RUL-01
def test_en_passant_square_that_no_pawn_can_use_does_not_make_a_position_another_one() -> None:
    text = pgn(None, "1. d4 d5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6 5. Ng1 Ng8")
    assert row(text)["first_threefold_ply"] == 10
    assert claims(text) == [("D601", 9, "A"), ("D601", 10, "AB")]
    assert about_draws(text)[1].evidence["occurrences"] == [2, 6, 10]


# RUL-01, RUL-03
def test_en_passant_that_could_be_played_makes_a_position_another_one() -> None:
    text = pgn("7k/8/8/8/2p5/8/1P6/7K w - - 0 1", "1. b4 " + shuffle("Kg8 Kg1", "Kh8 Kh1", 2))
    assert row(text)["first_threefold_ply"] is None
    (finding,) = [finding for finding in about_draws(text) if finding.code == "D605"]
    assert (finding.evidence["reason"], finding.evidence["occurrences"]) == ("en-passant", [1, 5, 9])


# RUL-03
@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # Both pawns leave the rank between rook and king.
        ("6k1/3p4/8/r3P2K/8/8/8/8 b - - 0 1", "1... d5 " + shuffle("Kg4 Kg7", "Kh5 Kg8", 2)),
        # The pawn is pinned on a diagonal.
        ("6kb/3p4/8/4P3/8/8/1K6/8 b - - 0 1", "1... d5 " + shuffle("Ka2 Kf8", "Kb2 Kg8", 2)),
    ],
)
def test_en_passant_that_would_leave_the_king_in_check_does_not_make_a_position_another_one(fen: str, moves: str) -> None:
    text = pgn(fen, moves)
    assert row(text)["first_threefold_ply"] == 9
    assert claims(text)[-1] == ("D601", 9, "AB")


# RUL-04
@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", shuffle("Rb1 Rb8", "Ra1 Ra8", 2)),
        ("r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", shuffle("Kd2 Kd7", "Ke1 Ke8", 2)),
    ],
)
def test_position_with_other_castling_rights_is_another_one(fen: str, moves: str) -> None:
    text = pgn(fen, moves)
    assert row(text)["first_threefold_ply"] is None
    (finding,) = about_draws(text)
    assert (finding.code, finding.evidence["reason"], finding.evidence["occurrences"]) == ("D605", "castling", [0, 4, 8])
    # After two plies more a position without rights has stood three times.
    assert row(pgn(fen, f"{moves} {' '.join(moves.split()[:2])}"))["first_threefold_ply"] == 10


# RUL-04
def test_castling_right_that_was_lost_before_does_not_count() -> None:
    text = pgn("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", shuffle("Rb1 Rb8", "Ra1 Ra8", 2))
    assert row(text)["first_threefold_ply"] == 8


# ---------------------------------------------------------------------------------------------- fifty and seventy-five moves

ROOKS = "8/5k2/8/8/2K5/8/R7/7r w - - {} 90"


# RUL-05
def test_fifty_moves_are_a_hundred_plies_and_count_from_the_clock_of_the_fen() -> None:
    text = pgn(ROOKS.format(98), "90. Ra3 Rh2")
    found = row(text)
    assert (found["first_fifty_ply"], found["first_seventyfive_ply"]) == (2, None)
    assert claims(text) == [("D611", 1, "A"), ("D611", 2, "AB")]


# RUL-05
@pytest.mark.parametrize("clock", [0, 49, 50, 96])
def test_fewer_moves_are_no_draw(clock: int) -> None:
    text = pgn(ROOKS.format(clock), "90. Ra3 Rh2")
    assert (row(text)["first_fifty_ply"], claims(text)) == (None, [])


# RUL-05
def test_capture_begins_the_count_anew() -> None:
    text = pgn("8/5k2/8/8/2K5/8/R6p/7r w - - 98 90", "90. Rxh2 Rxh2")
    assert (row(text)["first_fifty_ply"], [code for code, *_ in claims(text) if code == "D611"]) == (None, [])


# RUL-05
def test_seventy_five_moves_end_the_game_without_a_claim() -> None:
    text = pgn(ROOKS.format(148), "90. Ra3 Rh2 91. Rb3 Rh1", "0-1")
    found = row(text)
    assert found["first_seventyfive_ply"] == 2
    assert [code for code, *_ in claims(text) if code[0] == "E"] == ["E515", "E516"]


# RUL-06
@pytest.mark.parametrize("clock", [99, 149])
def test_mate_on_the_last_move_of_the_count_is_mate_and_no_draw(clock: int) -> None:
    text = pgn(f"k7/8/1K6/8/8/8/8/7R w - - {clock} 90", "90. Rh8#", "1-0")
    found = row(text)
    assert (found["final_status"], found["end_reason"], found["end_basis"]) == ("checkmate", "checkmate", "board")
    assert found["first_seventyfive_ply"] is None
    assert found["first_fifty_ply"] in (None, 0)
    assert found["unclaimed_draw"] is False
    # White could have claimed before the last move; nothing is found behind it.
    assert {(code, ply) for code, ply, _ in claims(text)} == {("D611", 0)}


# RUL-06
def test_stalemate_on_the_last_move_of_the_count_is_a_draw_by_stalemate() -> None:
    text = pgn("7k/8/5K2/8/8/8/8/6R1 w - - 149 90", "90. Rg2", "1/2-1/2")
    assert row(text)["end_reason"] == "seventyfive"
    text = pgn("7k/8/7K/8/8/8/8/6R1 w - - 149 90", "90. Rg2", "1/2-1/2")
    found = row(text)
    assert (found["final_status"], found["end_reason"], found["first_seventyfive_ply"]) == ("stalemate", "stalemate", None)
