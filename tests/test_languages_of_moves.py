"""Moves in other languages, in and out: letters of men, figurines, numbers of correspondence chess."""

from __future__ import annotations

import re
from pathlib import Path

import chess
import pytest

from chesstools import OptionError, games
from chesstools.convert import convert
from chesstools.languages import INPUT_LANGUAGES, LANGUAGES, ROLES
from chesstools.readers.foreign import in_english
from chesstools.readers.foreign_moves import read
from chesstools.source import Source

IMMORTAL = re.findall(
    r"\S+",
    "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 "
    "Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#",
)
PROMOTION = ["a4", "b5", "axb5", "c6", "bxc6", "d6", "c7", "d5", "cxb8=Q"]
TAGS = '[Event "Sf3 {Dd1"]\n[White "Läufer"]\n\n'
OTHERS = [name for name in LANGUAGES if name != "en"]


def written(moves: list[str], letters: dict[str, str]) -> str:
    return " ".join("".join(letters.get(sign, sign) for sign in move) for move in moves)


def letters_of(name: str) -> dict[str, str]:
    return dict(zip(ROLES, LANGUAGES[name].written, strict=True))


def english(text: str, language: str = "auto") -> tuple[str, list[str]]:
    (source,) = in_english([Source.from_bytes(text.encode(), "games.pgn")], language, "reference")
    return b"".join(source.open()).decode(), source.notes


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "figurine"])
def test_what_is_written_in_a_language_is_told_by_its_letters_and_read_back(name: str) -> None:
    text = TAGS + "{Sc3 Dd5 ♘f3} " + written(IMMORTAL, letters_of(name)) + " *\n"

    as_english, notes = english(text)

    assert as_english == TAGS + "{Sc3 Dd5 ♘f3} " + " ".join(IMMORTAL) + " *\n"
    (note,) = notes
    assert LANGUAGES[name].title in note


def test_figurines_need_no_language() -> None:
    text = TAGS + written(IMMORTAL, letters_of("figurine")) + " *\n"

    assert english(text) == (text, [])


@pytest.mark.parametrize("moves", [IMMORTAL, PROMOTION], ids=["immortal", "promotion"])
@pytest.mark.parametrize("name", OTHERS)
def test_a_named_language_is_read_as_that(name: str, moves: list[str]) -> None:
    text = TAGS + written(moves, letters_of(name)) + " *\n"

    assert english(text, name)[0] == TAGS + " ".join(moves) + " *\n"


def test_english_games_pass_as_they_are_byte_for_byte() -> None:
    text = '%x\r\n[Event "a"]\r\n\r\n1.e4   e5 {Sf3}\t2.Nf3!  *\r\n\r\n\r\nno game at all\r\n\r\n[Event "b"]\r\n\r\n1. Ke2 *'

    assert english(text) == (text, [])


def test_only_the_games_that_need_it_are_written_anew() -> None:
    text = TAGS + "1. Nf3 Nf6 *\n\n" + TAGS + "1. Cf3 Cf6 (1... d5 2. Cc3) *\n\n" + TAGS + "1. Rh4 *\n"

    as_english, notes = english(text)

    assert as_english == TAGS + "1. Nf3 Nf6 *\n\n" + TAGS + "1. Nf3 Nf6 (1... d5 2. Nc3) *\n\n" + TAGS + "1. Rh4 *\n"
    assert notes == ["moves read as French/Spanish/Italian/Portuguese: 1 (first: line 6)"]


def test_a_named_language_leaves_games_that_can_only_be_played_in_english() -> None:
    # In German B is the pawn, which cannot go to b5.
    english_game = TAGS + "1. e4 e5 2. Bb5 Nf6 3. Bc4 *\n\n"
    german_game = TAGS + "1. e4 e5 2. Lb5 Sf6 3. Lc4 *\n\n"
    pawn = TAGS + "1. e4 e5 2. Bd4 *\n\n"
    broken = TAGS + "1. e4 Sf6 2. Bc4 Ke3 *\n\n"

    as_english, notes = english(english_game * 2 + german_game + pawn + broken, "de")

    assert as_english == english_game * 3 + pawn.replace("Bd4", "d4") + broken.replace("Sf6", "Nf6").replace("Bc4", "c4")
    assert notes == [
        "moves left as they stand, as they can be played so, but not as German: 2 (first: line 1)",
        "moves read as German: 3 (first: line 11)",
    ]


def test_a_game_that_can_be_played_either_way_is_read_in_the_named_language() -> None:
    assert english(TAGS + "1. e4 e5 2. Bc4 *", "de")[0] == TAGS + "1. e4 e5 2. c4 *"
    assert english(TAGS + "1. g3 e5 2. Bg2 *", "pt") == (TAGS + "1. g3 e5 2. Bg2 *", [])


def test_games_without_tags_are_found_too() -> None:
    assert english("1. Cf3 Cf6 *\n\n1. e4 e5 *\n\n1. Cc3 d5 1-0\n")[0] == "1. Nf3 Nf6 *\n\n1. e4 e5 *\n\n1. Nc3 d5 1-0\n"


def test_a_letter_that_may_be_two_men_is_decided_by_the_moves() -> None:
    # Queen and knight in German, queen and bishop in Czech: 3. Sc3 can be a knight only, 2. Sc4 a bishop only.
    assert english(TAGS + "1. e4 d5 2. exd5 Dxd5 3. Sc3 *")[0].endswith("1. e4 d5 2. exd5 Qxd5 3. Nc3 *")
    assert english(TAGS + "1. e4 d5 2. Sc4 Dd6 *")[0].endswith("1. e4 d5 2. Bc4 Qd6 *")


def test_what_stays_ambiguous_is_told_and_left_as_it_stands() -> None:
    # e2 can be reached by the knight (German) and by the bishop (Czech).
    text = TAGS + "1. e4 e5 2. Se2 Dh4 *"

    as_english, notes = english(text)

    assert as_english == text
    assert notes == ["moves left as they stand, as they may be German/Danish/Norwegian/Swedish or Czech: 1 (first: line 1)"]


@pytest.mark.parametrize(
    ("numbers", "moves"),
    [
        ("1. 5254 5755 2. 7163 7866 3. 5171 *", "1. e2e4 e7e5 2. g1f3 g8f6 3. e1g1 *"),
        ("1. 1714 27285 *", None),
        ("1. 5254 e5 *", None),
    ],
)
def test_numbers_of_correspondence_chess(numbers: str, moves: str | None) -> None:
    found = read(numbers.encode(), "auto", lambda data: True).text

    assert found == (None if moves is None else moves.encode())


def test_numbers_name_the_man_that_a_pawn_becomes() -> None:
    assert read(b"1. 27181 27182 27183 27184 *", "iccf", lambda data: True).text == b"1. b7a8q b7a8r b7a8b b7a8n *"


def test_cyrillic_letters_that_look_like_those_of_files() -> None:
    assert english(TAGS + "1. е4 е5 2. Кс3 Кс6 *")[0] == TAGS + "1. e4 e5 2. Nc3 Nc6 *"


@pytest.mark.parametrize("name", OTHERS)
def test_convert_writes_a_language_and_reads_it_back(name: str, tmp_path: Path) -> None:
    foreign, back = tmp_path / "foreign.pgn", tmp_path / "back.pgn"
    text = TAGS + " ".join(IMMORTAL) + " 0-1\n"

    convert(Source.from_bytes(text.encode()), foreign, output_language=name)
    assert "Nf6" not in foreign.read_text(encoding="utf-8")
    conversion = convert(foreign, back, input_language="auto")

    (game,) = games(back)
    assert [move.san for move in game.moves] == IMMORTAL
    assert name == "figurine" or any(LANGUAGES[name].title in note for note in conversion.notes)


@pytest.mark.parametrize("move", ["P-K4", "N-KB3", "PxP", "QxBP", "B-N5ch", "KP-K5", "P-B8(Q)"])
def test_descriptive_notation_is_refused_in_one_sentence(move: str) -> None:
    text = TAGS + f"1. {move} P-K4 *"

    as_english, notes = english(text)

    assert as_english == text
    assert notes == ["moves left as they stand, as descriptive notation (P-K4) is not read: 1 (first: line 1)"]


def test_every_letter_of_a_language_means_one_man() -> None:
    for language in LANGUAGES.values():
        signs = [sign for role in language.letters for sign in role]
        assert len(signs) == len(set(signs)), language.name
        assert len(language.letters) == len(chess.PIECE_TYPES)


def test_a_language_that_is_none_is_one_sentence() -> None:
    with pytest.raises(OptionError, match=r"^There is no language 'xx' to read moves in; choose from auto, en"):
        in_english([Source.from_bytes(b"")], "xx", "reference")
    assert INPUT_LANGUAGES[0] == "auto"
