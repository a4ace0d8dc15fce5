"""Faults that real tools have with bytes: encodings, byte order marks, NULs, line ends, invisible signs, long lines.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

import codecs

import chess.pgn
import pytest

from chesstools.game import Game
from chesstools.scan import games, scan
from chesstools.source import Source

HEAD = '[Event "Linden Cup"]\n[White "Dahl, Ida"]\n[Result "*"]\n\n'


def read(data: str | bytes) -> list[Game]:
    return list(games(Source.from_bytes(data.encode() if isinstance(data, str) else data)))


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.moves]


def codes(game: Game) -> list[str]:
    """Codes of the findings in the order of the text; but for P106, as few games here have the whole roster."""
    return [finding.code for finding in game.findings if finding.code != "P106"]


# ENC-01
def test_byte_order_mark_at_the_start_is_no_part_of_the_first_tag() -> None:
    (game,) = read(codecs.BOM_UTF8 + HEAD.encode() + b"1. c4 c5 *\n")
    assert next(iter(game.tags.items())) == ("Event", "Linden Cup")
    assert (sans(game), codes(game)) == (["c4", "c5"], [])


# ENC-03
def test_byte_order_mark_is_seen_before_the_text_is_taken_for_latin_1() -> None:
    (game,) = read(codecs.BOM_UTF8 + b'[Event "Linden Cup"]\n[White "J\xf8rgensen"]\n\n1. c4 c5 *\n')
    assert game.tags == {"Event": "Linden Cup", "White": "Jørgensen"}
    assert (sans(game), codes(game)) == (["c4", "c5"], ["P101"])


# ENC-02
@pytest.mark.parametrize("between", ["\ufeff", "\ufeff\n", "\n\ufeff", "\ufeff\ufeff"])
def test_byte_order_mark_between_two_games_belongs_to_neither(between: str) -> None:
    first, second = read(HEAD + "1. Nf3 *\n\n" + between + '[Event "Rowan Open"]\n[Black "1...e6 1-0"]\n\n1. b3 *\n')
    assert (first.tags["Event"], sans(first)) == ("Linden Cup", ["Nf3"])
    assert (second.tags, sans(second)) == ({"Event": "Rowan Open", "Black": "1...e6 1-0"}, ["b3"])
    assert codes(first) + codes(second) == ["P101"]


# ENC-02
def test_byte_order_mark_inside_a_game_is_white_space() -> None:
    (game,) = read('[Event "Linden Cup"]\n\ufeff[White "Dahl"]\n\n1. c4\ufeff c5 *')
    assert (game.tags, sans(game)) == ({"Event": "Linden Cup", "White": "Dahl"}, ["c4", "c5"])
    assert [(finding.evidence["found"], finding.evidence["count"]) for finding in game.findings if finding.code == "P101"] == [
        ("bom", 2)
    ]


# ENC-05
def test_each_game_has_the_encoding_of_its_own_bytes() -> None:
    names = ["Łukasz".encode(), "Søren".encode("latin-1"), "“Ace” Nuñez".encode("cp1252"), b"Plain", b"\x81\xe9"]
    data = b"".join(b'[White "%b"]\n\n1. g3 *\n\n' % name for name in names)
    rows = scan(Source.from_bytes(data)).to_tables()["games"].to_pylist()
    assert [row["white"] for row in rows] == ["Łukasz", "Søren", "“Ace” Nuñez", "Plain", "\x81é"]
    assert [row["encoding"] for row in rows] == ["utf-8", "cp1252", "cp1252", "utf-8", "latin-1"]
    assert ["P101" in row["codes"] for row in rows] == [False, True, True, False, True]


# ENC-05
def test_one_bad_byte_in_a_comment_costs_no_move() -> None:
    (game,) = read(b"1. g3 {a caf\xe9 game} g6 2. Bg2 Bg7 1/2-1/2\n")
    assert (sans(game), game.result) == (["g3", "g6", "Bg2", "Bg7"], "1/2-1/2")
    assert game.moves[0].comments == ["a café game"]


# ENC-06
@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_and_said_to_be_that(name: str) -> None:
    mark = codecs.BOM_UTF16_LE if name.endswith("le") else codecs.BOM_UTF16_BE
    tables = scan(Source.from_bytes(mark + (HEAD + "1. c4 {schön} c5 *\n").encode(name))).to_tables()
    (row,) = tables["games"].to_pylist()
    assert (row["event"], row["legal_ply_count"]) == ("Linden Cup", 2)
    notes = [finding for finding in tables["findings"].to_pylist() if finding["code"] == "P101"]
    assert [(note["found"], note["game_index"]) for note in notes] == [("utf-16", None)]


# ENC-07
def test_nuls_between_games_make_no_game() -> None:
    first, second = read(HEAD.encode() + b"1. e3 *\n" + bytes(4096) + b'\n[Event "Rowan Open"]\n[White "Ek"]\n\n1. a3 *\n')
    assert (second.tags, sans(second)) == ({"Event": "Rowan Open", "White": "Ek"}, ["a3"])
    (finding,) = [finding for finding in first.findings if finding.code == "P101"]
    assert (finding.evidence["found"], finding.evidence["count"]) == ("nul", 4096)
    assert finding.where.byte_offset == len(HEAD) + len("1. e3 *\n")


# ENC-07
def test_nul_right_before_a_tag_does_not_hide_it() -> None:
    first, second = read(b'1. e3 *\n\n\x00\x00[Event "Rowan Open"]\n\n1. a3\x00a6 *\n')
    assert sans(first) == ["e3"]
    assert (second.tags, sans(second)) == ({"Event": "Rowan Open"}, ["a3", "a6"])


# ENC-09
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_change_nothing_in_a_game(line_end: str) -> None:
    text = HEAD + "1. c4 {first line\nsecond line} c5\n2. Nc3 ; to the end\nNc6 *\n\n" + HEAD + "1. f4 *\n"
    unix = scan(Source.from_bytes(text.encode())).to_tables()
    other = scan(Source.from_bytes(text.replace("\n", line_end).encode())).to_tables()
    assert unix["plies"]["comment"].to_pylist() == ["first line second line", None, "to the end", None, None]
    for column in ("comment", "san", "ply"):
        assert other["plies"][column].to_pylist() == unix["plies"][column].to_pylist()
    for column in ("game_id", "line", "tags", "codes"):
        assert other["games"][column].to_pylist() == unix["games"][column].to_pylist()


# ENC-10
@pytest.mark.parametrize("sign", ["\u00a0", "\u200b", "\u2009", "\u2060", "\u3000", "\u200e"])
def test_blanks_that_no_one_sees_are_white_space(sign: str) -> None:
    (game,) = read(f"1.{sign}c4 c5{sign}2. Nc3 {sign} Nc6 *")
    assert sans(game) == ["c4", "c5", "Nc3", "Nc6"]
    (finding,) = [finding for finding in game.findings if finding.code == "P101"]
    assert (finding.evidence["found"], finding.evidence["count"], finding.where.byte_offset) == ("invisible", 3, 2)


# ENC-10
def test_no_break_space_of_a_latin_1_file_is_white_space() -> None:
    (game,) = read(b'[White "J\xf8rgensen"]\n\n1.\xa0c4 c5\xa02. Nc3 *')
    assert sans(game) == ["c4", "c5", "Nc3"]


# DAT-13
def test_a_line_may_have_any_length() -> None:
    rounds = [f"{n}. Na3 Na6 {n + 1}. Nb1 Nb8" for n in range(1, 60, 2)]
    (one_line,) = read(HEAD + " ".join(rounds) + " *\n")
    (one_token_a_line,) = read(HEAD + "\n".join(" ".join(rounds).split()) + "\n*\n")
    assert len(one_line.moves) == 120
    assert sans(one_line) == sans(one_token_a_line)


# DAT-13
def test_exported_lines_break_at_blanks_only() -> None:
    rounds = [f"{n}. Na3 {{a remark that is to be kept}} Na6 {n + 1}. Nb1 Nb8" for n in range(1, 40, 2)]
    (game,) = read(
        '[Event "A name of an event that is longer than any line of an export file may be: eighty signs"]\n\n' + " ".join(rounds)
    )
    wrapped = game.to_chess().accept(chess.pgn.StringExporter(columns=80))
    head, movetext = wrapped.split("\n\n")
    assert game.tags["Event"] in head.splitlines()[0]
    assert max(map(len, movetext.splitlines())) <= 80
    (again,) = read(wrapped)
    assert [(ply.san, ply.comments) for ply in again.moves] == [(ply.san, ply.comments) for ply in game.moves]
