"""What the shared cases say of export: escapes, lines, numbers, comments, positions; and all of them come back as they were."""

from __future__ import annotations

from typing import Any

import pytest
from shared_cases import CASES, cases, needs_cases
from trees import check_round_trip, trees

from chesstools.reference.export import Exporter
from chesstools.tree import GameTree

pytestmark = needs_cases

IDS = list(cases()) if CASES.is_file() else []
LARGE = ("BIG-03", "BIG-04", "BIG-05")


@pytest.mark.parametrize("name", IDS)
def test_the_games_of_every_case_come_back(name: str) -> None:
    made = [game.tree for game in cases()[name].games]
    for width in (80,) if name.startswith("BIG") else (0, 20, 80):
        check_round_trip(made, line_width=width)
    assert [GameTree.from_json(tree.to_json()) for tree in made] == made


def written(name: str, **options: Any) -> str:
    """All games of a case as PGN."""
    return "".join(game.to_pgn(**options) for game in cases()[name].games)


def lines_of(name: str, form: str, **options: Any) -> list[str]:
    """All games of a case in another format, by lines."""
    return "".join(Exporter(form, options).export([cases()[name].data], "x")).splitlines()


def test_escapes_of_tags_come_back_byte_for_byte() -> None:
    assert written("TAG-01") == cases()["TAG-01"].text + "\n"
    assert '[Event "The \\"Oak\\" Open"]\n[White "Alder"]\n[TimeControl "25\'/game + 5\\"/move"]\n' in written("TAG-02")
    assert written("TAG-04").startswith('[Event "Oak Cup\\\\"]\n[White "Alder"]\n')
    assert written("TAG-15").startswith('[Event "Oak"]\n[Round "3"]\n[White "Alder"]\n')


def test_byte_order_marks_and_escaped_lines_are_left_behind() -> None:
    assert written("ENC-01").startswith('[Event "Oak Cup"]\n')
    assert written("COM-13") == '[Event "Oak Cup"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 { 50 % of the time } 2... Nc6 *\n\n'
    assert "\n%" not in written("COM-13", line_width=1)
    exporter = Exporter("pgn")
    list(exporter.export([cases()["COM-13"].data], "x"))
    assert exporter.left["escape_lines"] == 3


def test_a_tag_in_a_comment_stays_in_it() -> None:
    for width in range(1, 60):
        text = written("COM-02", line_width=width)
        assert text.count("\n[") - text.count("\n[%") == 1  # the Result tag alone
        assert [tree.tags for tree in trees(text)] == [[("Event", "Oak Cup"), ("Result", "0-1")]]


def test_moves_are_numbered_anew() -> None:
    assert written("NUM-04") == "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n"


def test_what_could_not_be_replayed_is_written_as_it_stood() -> None:
    assert written("SAN-15").endswith("60. a4 Kd6 61. Kd4 Ke5 1/2-1/2\n\n")
    assert written("SAN-20") == "1. e4 e5 2. Nf3 Nc6 3. Bb5 Bb5 a6 4. Ba4 *\n\n"
    assert written("SAN-18").endswith("\n\n1. Qxe8 *\n\n")
    assert lines_of("SAN-18", "fen") == []  # never a position without a king, nor one that no game can be played from


def test_commands_in_comments_are_not_parted() -> None:
    assert written("DAT-04", line_width=1).split("\n\n")[0].split("\n") == [
        *("1.", "e4", "{", "[%eval 0.25]", "[%clk 0:10:00]", "}"),
        *("1...", "e5", "{", "[%clk 0:09:58]", "}", "*"),
    ]


def test_black_s_numbers_stand_where_other_readers_want_them() -> None:
    assert written("DAT-12") == "1. e4 { c } 1... e5 (1... d5 2. exd5) 2. Nf3 *\n\n"


def test_lines_are_of_eighty_characters_and_end_between_tokens() -> None:
    text = written("DAT-13")
    head, movetext = text.split("\n\n")[:2]
    assert head == '[Result "*"]'
    lines = movetext.split("\n")
    assert 70 < max(map(len, lines)) <= 80
    assert " ".join(lines).split(" ") == cases()["DAT-13"].text.split("\n\n")[1].split()
    assert "\n" not in written("DAT-13", line_width=0).split("\n\n")[1]


def test_a_game_of_twenty_thousand_plies_is_written() -> None:
    words = written("BIG-02").split()
    assert [word for word in words if not word.endswith(".")] == cases()["BIG-02"].data.decode().split()


def test_castling_rights_are_not_invented() -> None:
    assert [line.split(" ")[2] for line in lines_of("FEN-06", "fen")] == ["kq", "-", "KQq"]


def test_squares_where_no_capture_is_legal_are_left_out() -> None:
    assert [line.split(" ")[3] for line in lines_of("FEN-02", "epd")] == ["-", "-", "-"]
    assert [line.split(" ")[3] for line in lines_of("FEN-02", "fen", ep="standard")] == ["e6", "d3", "e6"]


@pytest.mark.parametrize("ep", ["legal", "standard", "never"])
def test_en_passant_fields(ep: str) -> None:
    moves = "1. e4 e6 2. e5 d5 *"
    found = "".join(Exporter("fen", {"positions": "every", "ep": ep}).export([moves.encode()], "x")).splitlines()
    fields = [line.split(" ")[3] for line in found]
    assert (
        fields
        == {
            "legal": ["-", "-", "-", "-", "d6"],
            "standard": ["-", "e3", "-", "-", "d6"],
            "never": ["-", "-", "-", "-", "-"],
        }[ep]
    )
