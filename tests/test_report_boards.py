"""Games with a board in a report: which these are, where they begin, what is told of them."""

from __future__ import annotations

import re

import chess
import pytest
from report_parts import ILLEGAL, MIXED, items, of

import chesstools
from chesstools.database import connect
from chesstools.given import opened
from chesstools.report.boards import BEFORE, games_to_look_at
from chesstools.report.model import Board, Explanation
from chesstools.source import Source


def test_the_worst_games_come_with_their_place_and_the_rules_with_their_text() -> None:
    made = chesstools.report(MIXED)
    boards = items(made, Board)
    assert len(boards) == 12
    assert all(board.problems[0].severity == "error" for board in boards)
    codes = [board.problems[0].code for board in boards]
    assert len(set(codes)) == 12
    place = re.fullmatch(r".*generated_mixed\.pgn: game (\d+), line (\d+), byte (\d+)", boards[0].place)
    assert place is not None
    data = MIXED.read_bytes()
    assert data[int(place[3]) :].startswith(b"[")
    assert data[: int(place[3])].count(b"\n") + 1 == int(place[2])
    explained = {item.code: item for item in items(made, Explanation)}
    assert set(codes) <= set(explained)
    for code in codes:
        assert chesstools.rules.get_rule(code).why in explained[code].text
        assert f'id="rule-{code}"' in made.html


def test_a_board_shows_the_position_before_a_move_that_cannot_be_played() -> None:
    (board,) = items(of(ILLEGAL), Board)
    assert [step.text for step in board.steps] == ["Start position", "1. e4", "1... e5", "2. Ke3 ✗"]
    assert board.start == 3
    assert board.steps[3].men == board.steps[2].men == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    assert board.bad[3] == ["e3"]
    assert [problem.step for problem in board.problems if problem.code == "M303"] == [3]


@pytest.mark.parametrize(
    "text",
    [
        '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 Qz9 *\n',
        '[Variant "Atomic"]\n\n1. Nf3 d5 2. Ne5 f6 3. Nxf6 *\n',
        '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 *\n',
        '[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *\n',
        '[Variant "Hexagonal"]\n\n1. e4 z9 *\n',
        '[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]\n[Variant "Chess960"]\n\n1. O-O Z *\n',
    ],
)
def test_games_of_any_kind_have_a_board(text: str) -> None:
    (board,) = items(of(text), Board)
    assert board.steps
    assert "<svg" in board.svg


def test_an_endless_game_does_not_fill_the_page() -> None:
    moves = "Nf3 Nf6 Ng1 Ng8 " * 1000
    made = of(f'[Result "1-0"]\n\n{moves} Qz9 1-0\n')
    (board,) = items(made, Board)
    assert len(board.steps) < 500
    assert board.steps[board.start].text.endswith("Qz9 ✗")
    assert len(board.steps) == BEFORE + 1


def test_no_more_of_a_bad_game_is_read_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = 0
    board_fen = chess.Board.board_fen

    def counted(self: chess.Board, **options: bool) -> str:
        nonlocal drawn
        drawn += 1
        return board_fen(self, **options)

    monkeypatch.setattr(chess.Board, "board_fen", counted)
    text = f'[Result "1-0"]\n\n{"Nf3 Nf6 Ng1 Ng8 " * 1000} Qz9 1-0\n'
    with opened(Source.from_bytes(text.encode(), "a.pgn")) as given, connect(given.datasets) as connection:
        (board,) = games_to_look_at(connection)
        ((findings,),) = connection.sql("SELECT count(*) FROM findings").fetchall()
    assert len(board.steps) == BEFORE + 1
    assert drawn <= BEFORE + 10
    assert board.steps[0].text == "1801. Nf3"
    assert board.more + len(board.problems) == findings


def test_places_are_told_as_players_say_them() -> None:
    (board,) = items(of(ILLEGAL), Board)
    assert board.problems[0].place.startswith("move 2 of White (ply 3), line 7")
    (board,) = items(of('[FEN "7k/8/8/8/8/8/8/KQ6 b - - 0 30"]\n[SetUp "1"]\n\n30... Kg8 31. Qb9 *\n'), Board)
    assert board.problems[0].place.startswith("move 31 of White (ply 2)")


def test_messages_tell_the_move_beside_the_ply() -> None:
    shuffles = "Kg8 31. Ka2 Kh8 32. Ka1 Kg8 33. Ka2 Kh8 34. Ka1"
    (board,) = items(of(f'[FEN "7k/8/8/8/8/8/8/KQ6 b - - 0 30"]\n[SetUp "1"]\n[Result "1-0"]\n\n30... {shuffles} 1-0\n'), Board)
    assert any("first after ply 7 (move 33 of Black)" in problem.message for problem in board.problems)
    (board,) = items(of("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1-0\n"), Board)
    assert any("first after ply 7 (move 4 of White)" in problem.message for problem in board.problems)


def test_a_button_to_the_finding_is_there_where_a_move_has_one() -> None:
    assert "To the finding" in of(ILLEGAL).html
    assert items(of("1. e4 e5 1-0\n"), Board)
    assert "To the finding" not in of("1. e4 e5 1-0\n").html


def test_marks_of_errors_are_not_those_of_warnings() -> None:
    (board,) = items(of(ILLEGAL), Board)
    assert (board.bad, board.noted) == ({3: ["e3"]}, {})
