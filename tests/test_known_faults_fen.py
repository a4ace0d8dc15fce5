"""Faults that real tools have with FENs, castling rights, Chess960 and other variants.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

from typing import Any

import chess
import pytest

from chesstools.finding import Finding
from chesstools.game import Game
from chesstools.reference.fen import read_fen
from chesstools.scan import games, scan
from chesstools.source import Source


def read(data: str) -> list[Game]:
    return list(games(Source.from_bytes(data.encode())))


def play(fen: str, moves: str, variant: str | None = None) -> Game:
    """A game from a position."""
    tag = "" if variant is None else f'[Variant "{variant}"]\n'
    (game,) = read(f'[SetUp "1"]\n[FEN "{fen}"]\n{tag}\n{moves} *\n')
    return game


def row(text: str) -> dict[str, Any]:
    """The row of the one game in a text."""
    (found,) = scan(Source.from_bytes(text.encode())).to_tables()["games"].to_pylist()
    return dict(found)


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.moves]


def bad(game: Game) -> list[tuple[str, object]]:
    """Code of each finding about moves, with the man that stands in the way."""
    return [(finding.code, finding.evidence.get("blocker")) for finding in game.findings if finding.code[0] == "M"]


def about_start(game: Game) -> list[Finding]:
    return [finding for finding in game.findings if finding.code[0] == "F"]


def problems(fen: str) -> list[str]:
    """Codes of what is wrong with a FEN."""
    return [code for code, _ in read_fen(fen).problems]


def reason(fen: str) -> str:
    """What is said of a FEN that has one problem."""
    ((_, evidence),) = read_fen(fen).problems
    return str(evidence["reason"])


def fields(fen: str) -> list[str]:
    """The fields as they are read."""
    board = read_fen(fen).board
    assert board is not None
    return board.fen().split()


# ---------------------------------------------------------------------------------------------- en passant


# FEN-02
@pytest.mark.parametrize(
    ("fen", "move", "code"),
    [
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6", "M307"),  # pinned on the file
        ("8/8/8/K2pP2q/8/8/8/6k1 w - d6 0 2", "exd6", "M336"),  # both pawns leave the rank
        ("4K3/8/8/3pP3/b7/8/8/6k1 w - d6 0 2", "exd6", "M310"),  # a check that the capture does not parry
    ],
)
def test_en_passant_capture_that_leaves_the_king_in_check_is_illegal_and_the_square_is_no_right(
    fen: str, move: str, code: str
) -> None:
    assert problems(fen) == ["F211"]
    assert fields(fen)[3] == "-"
    game = play(fen, move)
    assert (game.moves, bad(game)) == ([], [(code, None)])


# FEN-02
def test_en_passant_square_stays_where_the_capture_is_legal() -> None:
    fen = "6k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
    assert (problems(fen), fields(fen)[3]) == ([], "d6")
    assert sans(play(fen, "exd6 Kf7")) == ["exd6", "Kf7"]


# FEN-17
def test_check_that_the_double_step_cannot_have_given_is_found() -> None:
    assert problems("4k3/8/8/6pP/2n5/8/1K6/8 w - g6 0 2") == ["F211", "F212"]
    # The check of a bishop through the square that the pawn has left is possible.
    assert problems("3kb3/8/8/3pP3/K7/8/8/8 w - d6 0 2") == ["F211"]


# ---------------------------------------------------------------------------------------------- form


# FEN-05
def test_epd_operations_give_the_counters() -> None:
    fen = "8/5k2/8/8/2R5/8/1K6/8 b - - hmvc 7; fmvn 44;"
    assert (problems(fen), fields(fen)[4:]) == (["F202"], ["7", "44"])
    game = play(fen, "44... Ke6")
    assert (sans(game), game.start_fen) == (["Ke6"], "8/5k2/8/8/2R5/8/1K6/8 b - - 7 44")


# FEN-05
def test_semicolon_at_the_end_is_reported_and_left_out() -> None:
    fen = "8/5k2/8/8/2R5/8/1K6/8 b - - 7 44;"
    assert (problems(fen), fields(fen)[4:]) == (["F202"], ["7", "44"])


# FEN-05, FEN-14
def test_game_with_a_fen_that_cannot_be_read_does_not_start_from_the_array() -> None:
    game = play("not a position", "1. e4 e5")
    assert (game.start_fen, game.final_fen, game.moves) == (None, None, [])
    assert "F201" in [finding.code for finding in about_start(game)]


# FEN-14
@pytest.mark.parametrize(
    ("fen", "named"),
    [
        ("8/5k2/8/8/2R5/9/1K6/8 w - - 0 1", "rank 3"),
        ("8/5k2/8/7/2R5/8/1K6/8 w - - 0 1", "rank 5"),
        ("8/5k2/8/8/2R6/8/1K6/8 w - - 0 1", "rank 4"),
        ("8/5k2/8/8/2X5/8/1K6/8 w - - 0 1", "rank 4"),
        ("8/5k2/8/8/2R5/8/1K6 w - - 0 1", "7 ranks"),
        ("8/5k2/8/8/2R5/8/1K6/8/8 w - - 0 1", "9 ranks"),
        ("8/5k2/8/8/2R5/8/1K6/8 W - - 0 1", "side to move"),
    ],
)
def test_what_is_wrong_with_a_fen_is_named(fen: str, named: str) -> None:
    assert problems(fen) == ["F201"]
    assert named in reason(fen)
    assert read_fen(fen).board is None


# FEN-14
def test_two_digits_in_a_row_are_an_error_with_one_meaning() -> None:
    fen = "8/5k2/8/8/2R5/35/1K6/8 w - - 0 1"
    assert (problems(fen), fields(fen)[0]) == (["F201"], "8/5k2/8/8/2R5/8/1K6/8")
    assert "rank 3" in reason(fen)


# FEN-15
@pytest.mark.parametrize(
    ("counters", "codes"),
    [
        ("60 20", ["F208"]),
        ("-1 5", ["F201"]),
        ("0 -2", ["F201"]),
        ("x 2", ["F201"]),
        ("0 1e3", ["F201"]),
        (f"0 {10**30}", ["F201"]),
        (f"{10**30} 1", ["F201"]),
        ("38 20", []),
    ],
)
def test_counters_that_cannot_be_are_found_and_never_overflow(counters: str, codes: list[str]) -> None:
    fen = f"8/5k2/8/8/2R5/8/1K6/8 w - - {counters}"
    assert problems(fen) == codes
    assert all(0 <= int(field) <= 9999 for field in fields(fen)[4:])


# FEN-15
def test_game_that_starts_behind_the_seventy_five_move_rule_was_over_before_it_began() -> None:
    text = '[SetUp "1"]\n[FEN "8/5k2/8/8/2R5/8/1K6/8 w - - 151 90"]\n\n90. Rc5 *'
    assert row(text)["first_seventyfive_ply"] == 0
    assert "E515" in row(text)["codes"]


# FEN-16
@pytest.mark.parametrize(
    ("fen", "whole"),
    [
        ("8/5k2/8/8/2R5/8/1K6/8", "w - - 0 1"),
        ("8/5k2/8/8/2R5/8/1K6/8 b", "b - - 0 1"),
        ("4k2r/8/8/8/8/8/8/4K3 b k", "b k - 0 1"),
        ("4k2r/8/8/8/8/8/8/4K3 b k -", "b k - 0 1"),
        ("8/5k2/8/8/2R5/8/1K6/8 w - - 9", "w - - 9 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R", "w - - 0 1"),  # no rights are made up
    ],
)
def test_fields_that_are_missing_get_harmless_values(fen: str, whole: str) -> None:
    assert "F202" in problems(fen)
    assert " ".join(fields(fen)[1:]) == whole


# FEN-16
def test_empty_fen_is_an_error() -> None:
    assert problems("") == ["F201"]


# ---------------------------------------------------------------------------------------------- castling rights


# FEN-06
@pytest.mark.parametrize(
    ("fen", "kept"),
    [
        ("4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "Qk"),
        ("5k1r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "KQ"),  # kings on two files: this is not Chess960
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-"),
        ("rn2k3/8/8/8/8/8/8/4K2N w Kq - 0 1", "q"),
    ],
)
def test_castling_rights_without_king_and_rook_are_dropped_and_reported(fen: str, kept: str) -> None:
    found = read_fen(fen)
    assert [(code, evidence["expected"]) for code, evidence in found.problems] == [("F209", kept)]
    assert fields(fen)[2] == kept
    assert found.board is not None
    assert not found.board.chess960
    assert play(fen, "").to_chess().headers["FEN"].split()[2] == kept


# FEN-06
def test_castling_with_a_right_that_was_dropped_is_illegal() -> None:
    assert bad(play("5k1r/8/8/8/8/8/8/R3K2R b KQk - 0 1", "1... O-O")) == [("M321", None)]


# FEN-08
def test_k_and_q_mean_the_outermost_rook_and_a_file_letter_means_that_rook() -> None:
    outer = play("4k3/8/8/8/8/8/8/2R1K1RR w K - 0 1", "O-O")
    assert (outer.moves, bad(outer)) == ([], [("M326", "g1")])
    inner = play("4k3/8/8/8/8/8/8/2R1K1RR w G - 0 1", "O-O")
    assert (sans(inner), inner.final_fen) == (["O-O"], "4k3/8/8/8/8/8/8/2R2RKR b - - 1 1")


# FEN-10
def test_file_letters_without_a_variant_tag_mean_chess960() -> None:
    text = '[SetUp "1"]\n[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n1. f4 f5 2. O-O *'
    (game,) = read(text)
    assert sans(game) == ["f4", "f5"]
    assert [(finding.code, finding.evidence["reason"]) for finding in about_start(game)] == [("F220", "chess960-inferred")]
    board = game.facts.start.setup
    assert board is not None
    assert board.castling_shredder_fen() == "HFhf"
    assert row(text)["rules"] == "chess960"


# FEN-11
def test_file_letters_without_rooks_are_dropped_and_not_guessed() -> None:
    fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w GEge - 0 1"
    assert (problems(fen), fields(fen)[2]) == (["F209"], "-")


# FEN-12
def test_king_away_from_its_file_with_rights_means_chess960() -> None:
    game = play("1k5r/5p2/8/8/8/8/5P2/1K5R w Kk - 0 1", "O-O O-O")
    assert sans(game) == ["O-O", "O-O"]
    assert game.final_fen == "5rk1/5p2/8/8/8/8/5P2/5RK1 w - - 2 2"
    assert [(finding.code, finding.evidence["reason"]) for finding in about_start(game)] == [("F220", "chess960-inferred")]


# VAR-08
@pytest.mark.parametrize(
    ("square", "legal"), [("c1", False), ("d1", False), ("e1", False), ("f1", False), ("g1", False), ("a1", True)]
)
def test_chess960_castling_needs_every_square_of_king_and_rook_free(square: str, legal: bool) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/1K5R w - - 0 1")
    board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol("N"))
    game = play(board.fen().replace(" w - ", " w K "), "O-O", "Chess960")
    assert bad(game) == ([] if legal else [("M326", square)])


# ---------------------------------------------------------------------------------------------- variants


# VAR-01
@pytest.mark.parametrize("drop", ["P@e6", "@e6"])
def test_pawn_drop_is_a_drop_and_never_a_pawn_move(drop: str) -> None:
    text = f"1. d4 e5 2. dxe5 d6 3. {drop} Bxe6 4. a3 *"
    (house,) = read('[Variant "Crazyhouse"]\n\n' + text)
    assert [ply.move.uci() for ply in house.moves][4:] == ["P@e6", "c8e6", "a2a3"]
    assert house.final_fen == "rn1qkbnr/ppp2ppp/3pb3/4P3/8/P7/1PP1PPPP/RNBQKBNR[p] b KQkq - 0 4"
    (standard,) = read(text)
    assert (len(standard.moves), bad(standard)[0]) == (4, ("M302", None))


# VAR-03
def test_checks_given_and_checks_left_are_the_same_state() -> None:
    board = "rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR w KQkq -"
    given, left = (play(f"{board} {rest}", "2. d3", "Three-check") for rest in ("0 2 +1+2", "2+1 0 2"))
    assert given.start_fen == left.start_fen == f"{board} 2+1 0 2"
    assert sans(given) == sans(left) == ["d3"]


# VAR-03
@pytest.mark.parametrize("rest", ["0 2 +4+0", "0 2 +0+9", "7+1 0 2", "0 2 +1+", "0 2 +x+1"])
def test_more_checks_than_three_are_an_error(rest: str) -> None:
    game = play(f"rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - {rest}", "2. d3", "Three-check")
    assert (game.moves, game.start_fen) == ([], None)
    assert [finding.code for finding in about_start(game)] == ["F201"]


# VAR-03
@pytest.mark.parametrize("rest", ["0 2 +1+2", "2+1 0 2"])
def test_standard_chess_has_no_seventh_field(rest: str) -> None:
    assert problems(f"rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - {rest}") == ["F201"]


# VAR-04
@pytest.mark.parametrize("variant", ["From Position", "from position", "Standard", "Chess"])
def test_variant_from_position_is_the_chess_that_the_fen_asks_for(variant: str) -> None:
    inner = play("4k3/8/8/8/8/8/8/2R1K1RR w G - 0 1", "O-O", variant)
    assert (sans(inner), inner.facts.start.rules) == (["O-O"], "chess960")
    plain = play("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", variant)
    assert (sans(plain), plain.facts.start.rules) == (["O-O"], "standard")


# VAR-05
@pytest.mark.parametrize(
    ("spelling", "rules"),
    [
        *[
            (spelling, "chess960")
            for spelling in ("Chess960", "chess 960", "CHESS-960", "Fischerandom", "Fischer Random", "Freestyle")
        ],
        *[(spelling, "standard") for spelling in ("Standard", "normal", "From Position", "Chess", "")],
        ("Crazyhouse", "crazyhouse"),
        ("King of the Hill", "kingofthehill"),
        ("Duck", None),
        ("Standard-ish", None),
    ],
)
@pytest.mark.parametrize("variant_first", [True, False])
def test_variant_is_told_by_its_name_wherever_the_tag_stands(spelling: str, rules: str | None, variant_first: bool) -> None:
    tags = [f'[Variant "{spelling}"]', '[SetUp "1"]', '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]']
    text = "\n".join(tags if variant_first else tags[::-1]) + "\n\n1. O-O *"
    found = row(text)
    assert (found["rules"], found["variant"]) == (rules, spelling)
    assert found["legal_ply_count"] == (0 if rules is None else 1)


# VAR-05
def test_game_of_an_unknown_variant_is_kept_as_text_and_not_judged() -> None:
    found = row('[Variant "Duck"]\n[Result "1-0"]\n\n1. e4 e5 2. @d4 1-0')
    assert (found["rules"], found["start_fen"], found["final_fen"], found["final_status"]) == (None, None, None, None)
    assert (found["movetext"], found["result_value"]) == ("1. e4 e5 2. @d4 1-0", "1-0")
    assert not [code for code in found["codes"] if code[0] in "MND"]


# VAR-06
def test_start_position_of_a_variant_may_have_chess960_castling() -> None:
    game = play("1k5r/5p2/8/8/8/8/5P2/1K5R w Kk - 0 1", "O-O O-O", "Atomic")
    assert (sans(game), game.final_fen) == (["O-O", "O-O"], "5rk1/5p2/8/8/8/8/5P2/5RK1 w - - 2 2")
