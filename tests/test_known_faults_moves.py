"""Faults that real tools have with moves: ambiguity, promotion, castling, other notations, glued tokens, move numbers.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

import pytest

from chesstools.finding import Finding
from chesstools.game import Game
from chesstools.scan import games, scan
from chesstools.source import Source


def read(data: str) -> list[Game]:
    return list(games(Source.from_bytes(data.encode())))


def play(fen: str, moves: str) -> Game:
    """A game from a position."""
    (game,) = read(f'[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} *\n')
    return game


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.moves]


def judged(game: Game) -> list[Finding]:
    """Findings about moves and tokens (not about tags)."""
    return [finding for finding in game.findings if finding.code[0] in "MN" or finding.code == "P110"]


def places(game: Game) -> list[tuple[str, int | None]]:
    """Code and ply of each of them; M390 (the rest was not judged) stands for itself elsewhere."""
    return [(finding.code, finding.where.ply) for finding in judged(game) if finding.code not in ("M390", "M391")]


def expected(game: Game) -> list[object]:
    """What should stand in place of each token that is written in another form."""
    return [finding.evidence["expected"] for finding in judged(game)]


# ---------------------------------------------------------------------------------------------- ambiguity

ROOKS = "6k1/8/8/R7/8/8/6K1/R6R w - - 0 1"


# SAN-02
def test_move_that_two_men_can_make_is_not_guessed() -> None:
    game = play(ROOKS, "Rad1")
    assert sans(game) == ["Rad1"]  # two rooks on the a-file, but one of them only can go to d1
    game = play(ROOKS, "Ra3 Kg7")
    (finding, rest) = judged(game)
    assert (game.moves, finding.code, finding.where.ply) == ([], "N401", 1)
    assert sorted(finding.evidence["legal_alternatives"]) == ["R1a3", "R5a3"]  # type: ignore[call-overload]
    assert (rest.code, rest.evidence["count"]) == ("M390", 1)


# SAN-02
def test_file_that_fits_two_of_three_men_does_not_tell_them_apart() -> None:
    fen = "k7/8/8/1Q3Q2/8/8/1Q6/4K3 w - - 0 1"
    assert places(play(fen, "Qbe5")) == [("N401", 1)]
    for move in ("Q2e5", "Qb5e5", "Qfe5"):
        game = play(fen, move)
        assert (sans(game), places(game)) == ([move], [])


# SAN-02
def test_pinned_man_does_not_make_a_move_ambiguous() -> None:
    game = play("4r2k/8/8/8/8/4N3/8/1N2K3 w - - 0 1", "Nc3 Kg7")
    assert (sans(game), places(game)) == (["Nc3", "Kg7"], [])


# SAN-03
@pytest.mark.parametrize("mark", ["+", "#", ""])
def test_check_marks_do_not_tell_two_men_apart(mark: str) -> None:
    # Rdg4 is mate by the bishop on b2, Rgg4 gives no check.
    game = play("7k/7p/8/8/3R4/8/1B6/4K1R1 w - - 0 1", f"Rg4{mark}")
    (finding,) = judged(game)
    assert (game.moves, finding.code) == ([], "N401")
    assert sorted(finding.evidence["legal_alternatives"]) == ["Rdg4#", "Rgg4"]  # type: ignore[call-overload]


# ---------------------------------------------------------------------------------------------- promotion

PAWNS = "8/2P2k2/8/8/8/8/2K2p2/8 w - - 0 1"


# SAN-04
@pytest.mark.parametrize(
    ("white", "black"), [("c8Q", "f1N"), ("c8=q", "f1=n"), ("c8q", "f1n"), ("c8(Q)", "f1(N)"), ("c8/Q", "f1/N")]
)
def test_promotion_is_read_in_every_spelling_and_the_right_one_is_told(white: str, black: str) -> None:
    game = play(PAWNS, f"{white} {black}")
    assert sans(game) == ["c8=Q", "f1=N"]
    assert (places(game), expected(game)) == ([("N404", 1), ("N404", 2)], ["c8=Q", "f1=N"])


# SAN-04
def test_small_b_behind_a_promotion_is_a_bishop() -> None:
    assert sans(play(PAWNS, "c8b f1=b")) == ["c8=B", "f1=B"]


# SAN-05
@pytest.mark.parametrize(
    ("token", "code"), [("c8", "M341"), ("c8=", "M341"), ("c8=K", "M342"), ("c8=P", "M342"), ("c8K", "M342")]
)
def test_promotion_to_nothing_or_to_what_cannot_be_is_never_a_queen(token: str, code: str) -> None:
    game = play(PAWNS, f"{token} f1=Q")
    assert game.moves == []
    (finding, _) = judged(game)
    assert (finding.code, finding.token) == (code, token)
    assert set(finding.evidence["legal_alternatives"]) == {"c8=Q", "c8=R", "c8=B", "c8=N"}  # type: ignore[call-overload]


# ---------------------------------------------------------------------------------------------- castling

BARE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
QUIET = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


# SAN-08, SAN-19
@pytest.mark.parametrize(("short", "long"), [("0-0", "0-0-0"), ("o-o", "o-o-o"), ("OO", "OOO")])
def test_castling_is_read_in_every_spelling_and_the_right_one_is_told(short: str, long: str) -> None:
    game = play(QUIET, f"{long}! {short}? 2. a3")
    assert sans(game) == ["O-O-O", "O-O", "a3"]
    assert [ply.nags for ply in game.moves] == [[1], [2], []]
    # The sign of quality behind the first is told, too (N407).
    assert expected(game) == ["O-O-O", "$1", "O-O"]


# SAN-08
def test_castling_with_zeros_before_a_result_is_a_move() -> None:
    (game,) = read(f'[SetUp "1"]\n[FEN "{QUIET}"]\n[Result "0-1"]\n\n1. a3 0-0 0-1')
    assert (sans(game), game.result) == (["a3", "O-O"], "0-1")


# SAN-08
def test_castling_with_zeros_may_give_mate() -> None:
    game = play("4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", "0-0#")
    assert (sans(game), expected(game)) == (["O-O#"], ["O-O#"])


# SAN-10
@pytest.mark.parametrize(
    ("token", "code"), [("Kg1", "M303"), ("Kc1", "M303"), ("Kh1", "M305"), ("Ka1", "M305"), ("Kxh1", "M305")]
)
def test_castling_is_not_spelled_as_a_move_of_the_king(token: str, code: str) -> None:
    game = play(BARE, token)
    assert (game.moves, places(game)) == ([], [(code, 1)])


# SAN-19
@pytest.mark.parametrize("token", ["0-0-", "castles", "O-o-O-O", "oo0o"])
def test_unknown_token_stops_the_game_so_that_no_move_changes_sides(token: str) -> None:
    game = play(QUIET, f"{token} a6 2. b3")
    assert game.moves == []
    assert places(game)[0] == ("P110", 1)
    assert judged(game)[-1].evidence["count"] == 2


# ---------------------------------------------------------------------------------------------- other notations


# SAN-11
def test_moves_that_name_both_squares_are_read() -> None:
    (game,) = read("1. d2d4 d7-d5 2. c2-c4 d5xc4 3. Ng1-f3 Nb8c6 4. e2e3 Bc8-g4 5. f1c4 e7e6 6. e1g1 g8f6 *")
    assert sans(game) == ["d4", "d5", "c4", "dxc4", "Nf3", "Nc6", "e3", "Bg4", "Bxc4", "e6", "O-O", "Nf6"]
    assert [ply for _, ply in places(game)] == list(range(1, 13))
    assert expected(game) == sans(game)


# SAN-11
def test_promotion_in_uci_form_is_read() -> None:
    assert sans(play(PAWNS, "c7c8q f2f1n")) == ["c8=Q", "f1=N"]


# SAN-12
@pytest.mark.parametrize("token", ["Sf3", "Cf3", "Кf3", "ナf3", "Jf3"])
def test_letter_of_another_language_is_never_dropped_to_leave_a_pawn_move(token: str) -> None:
    # Our policy: without a declared language such a letter means nothing, and the line stops.
    (game,) = read(f"1. d4 d5 2. {token} Nf6 3. c4 *")
    assert sans(game) == ["d4", "d5"]
    assert places(game) == [("P110", 3)]


# SAN-12
def test_figurines_mean_the_same_in_every_language() -> None:
    (game,) = read("1. ♙d4 ♟d5 2. ♘f3 ♞f6 3. ♗f4 ♝f5 4. ♕d2 ♛d6 5. ♔d1 ♚d7 6. ♖g1 ♜g8 *")
    assert sans(game) == ["d4", "d5", "Nf3", "Nf6", "Bf4", "Bf5", "Qd2", "Qd6", "Kd1", "Kd7", "Rg1", "Rg8"]
    assert {code for code, _ in places(game)} == {"N404"}


# SAN-13
@pytest.mark.parametrize("token", ["--", "Z0", "0000", "@@@@"])
def test_null_move_passes_the_turn_and_is_reported(token: str) -> None:
    (game,) = read(f"1. d4 {token} 2. c4 ({token} 2... d5) d5 *")
    assert sans(game) == ["d4", "--", "c4", "d5"]
    severities = [(finding.code, finding.where.variation, finding.severity.value) for finding in judged(game)]
    assert severities == [("M304", None, "error"), ("M304", "3.1", "warning")]
    assert game.final_fen == "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3"


# SAN-13
def test_null_move_out_of_check_is_none() -> None:
    game = play("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "-- Kd8")
    assert (game.moves, places(game)) == ([], [("M304", 1)])


# ---------------------------------------------------------------------------------------------- damaged games


# SAN-15
def test_kings_put_together_to_show_the_result_are_an_illegal_tail_and_the_result_stays() -> None:
    text = '[SetUp "1"]\n[FEN "8/8/2k5/8/8/3K4/7P/8 w - - 0 60"]\n[Result "1-0"]\n\n60. Ke4 Kc5 61. h4 Kd5 1-0'
    (game,) = read(text)
    assert (sans(game), game.result) == (["Ke4", "Kc5", "h4"], "1-0")
    assert places(game) == [("M308", 4)]
    (row,) = scan(Source.from_bytes(text.encode())).to_tables()["games"].to_pylist()
    assert (row["ply_count"], row["legal_ply_count"], row["result_value"]) == (4, 3, "1-0")


# SAN-17
@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*", "½-½"])
@pytest.mark.parametrize("text", ["1. g3", "1. d4 Nf6", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+", "1. f3 e5 2. g4 Qh4#", "1. g3 g6!?"])
def test_result_glued_to_the_last_move_is_a_result(text: str, result: str) -> None:
    (game,) = read(text + result)
    assert sans(game)[-1] == text.split()[-1].rstrip("!?")
    suffix = [("N407", 2)] if text.endswith("!?") else []
    assert (game.facts.ending.marker, places(game)) == (result, suffix)


# SAN-17
@pytest.mark.parametrize("token", ["d4d5", "d4d6", "Nf3Nf6", "d4Nf6", "exd5Qxd5"])
def test_two_moves_glued_together_are_no_move(token: str) -> None:
    (game,) = read(f"1. {token} 2. c4 *")
    assert (game.moves, game.result) == ([], "*")
    assert len(places(game)) == 1
    assert judged(game)[-1].evidence["count"] == 1


# SAN-18
@pytest.mark.parametrize(
    "fen", ["4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "8/8/8/3kK3/8/8/8/8 b - - 0 1", "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1"]
)
def test_no_game_begins_where_a_king_can_be_taken(fen: str) -> None:
    game = play(fen, "Rxe8 Kd1")
    assert game.moves == []
    assert "F206" in [finding.code for finding in game.findings]
    assert game.final_fen == fen


# SAN-18
def test_no_move_takes_a_king() -> None:
    game = play("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+ Kd7 2. Ra7+ Kd6 3. Rxd6")
    assert places(game) == [("M311", 5)]


# SAN-20
def test_move_repeated_at_a_line_break_is_illegal_where_it_stands_the_second_time() -> None:
    (game,) = read("1. d4 d5 2. c4 e6 3. Nc3\nNc3 Nf6 4. Bg5 *")
    assert sans(game) == ["d4", "d5", "c4", "e6", "Nc3"]
    finding, rest = judged(game)
    assert (finding.where.ply, finding.where.line, finding.token) == (6, 2, "Nc3")
    assert rest.evidence["count"] == 2


# ---------------------------------------------------------------------------------------------- move numbers


# NUM-01
@pytest.mark.parametrize(
    "text", ["1 d4 1 ... d5 2 c4 2...e6", "1.d4 d5 2.c4 2.. e6", "1. d4 1… d5 2. c4 2. … e6", "1... d4 d5 c4 e6"]
)
def test_move_numbers_are_read_in_every_spelling(text: str) -> None:
    (game,) = read(text + " 1/2-1/2")
    assert (sans(game), places(game)) == (["d4", "d5", "c4", "e6"], [])


# NUM-04
def test_wrong_move_numbers_change_no_move_and_are_each_reported_once() -> None:
    (game,) = read("1. d4 d5 3. c4 e6 4. Nc3 Nf6 2. Bg5 17... Be7 *")
    assert sans(game) == ["d4", "d5", "c4", "e6", "Nc3", "Nf6", "Bg5", "Be7"]
    # The first time they skip one and go on, so that moves may be missing.
    assert places(game) == [("N421", 3), ("N420", 7), ("N420", 8)]
    assert str(game.to_chess().mainline_moves()) == "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7"


# NUM-05
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\r\n\r\n", "\n \n\n", "\t"])
def test_line_breaks_and_blank_lines_between_moves_do_not_end_a_game(gap: str) -> None:
    text = f'[Event "Open"]\n\n1. d4{gap}d5{gap}2.{gap}c4{gap}e6{gap}0-1\n\n[Event "Cup"]\n\n1. g4 *'
    first, second = read(text)
    assert (sans(first), first.result) == (["d4", "d5", "c4", "e6"], "0-1")
    assert sans(second) == ["g4"]
