"""What the collected cases say in words about text, tags, comments, variations and the writing of moves."""

from __future__ import annotations

import chess
import pytest
from shared_cases import FINDINGS, ON_TEXT, Case, Sayings, bad, needs_cases, play, read, relevant, sans

pytestmark = needs_cases

says = Sayings()


@pytest.mark.parametrize("name", [name for name in FINDINGS if name[:3] in ON_TEXT])
def test_what_the_case_says(name: str) -> None:
    says.check(name)


@says("ENC-01")
def _(case: Case) -> None:
    assert not any("\ufeff" in value for value in case.game.tags.values())


@says("ENC-06")
def _(case: Case) -> None:
    notes = [row for row in case.tables["findings"] if row["code"] == "P101"]
    assert [(row["found"], row["game_index"]) for row in notes] == [("utf-16", None)]


@says("ENC-09")
def _(case: Case) -> None:
    (unix,) = read(case.data.replace(b"\r\n", b"\n"))
    # Our policy: a line break in a comment is a blank.
    assert case.game.moves[0].comments == unix.moves[0].comments == ["line one line two"]


@says("ENC-10")
def _(case: Case) -> None:
    assert relevant(case.game)[0].token == "\u00a0"


@says("ENC-12")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["result"], row["termination_marker"], row["result_value"]) == ("½-½", "½-½", "1/2-1/2")


@says("TAG-01")
def _(case: Case) -> None:
    written = str(case.game.to_chess())
    assert written.splitlines()[:2] == case.text.splitlines()[:2]
    (again,) = read(written)
    assert {name: again.tags[name] for name in case.game.tags} == case.game.tags


@says("TAG-07")
def _(case: Case) -> None:
    assert case.games[0].moves[1].nags == []
    assert case.games[1].tags["Site"] == "?"


@says("TAG-10")
def _(case: Case) -> None:
    # Our policy: the first value is used, all are kept.
    row = case.tables["games"][0]
    assert (row["white"], row["result"], row["termination_marker"]) == ("First", "1-0", "0-1")
    assert [value for name, value in row["tags"] if name in ("White", "Result")] == ["First", "Second", "1-0", "0-1"]
    assert case.game.result == "1-0"


@says("TAG-15")
def _(case: Case) -> None:
    assert (case.game.tags["Event"], case.game.tags["Round"]) == ("Oak", "3")


@says("TAG-17")
def _(case: Case) -> None:
    assert case.game.tags["Event"] == "Oak Cup"


@says("TAG-20")
def _(case: Case) -> None:
    assert case.game.start_fen == chess.STARTING_FEN
    assert case.game.final_fen == case.game.tags["CurrentPosition"] == case.game.tags["Fen"]


@says("COM-01")
def _(case: Case) -> None:
    (comment,) = case.game.moves[0].comments
    assert "Smith-Jones 1-0" in comment
    assert "1/2-1/2" in comment


@says("COM-02")
def _(case: Case) -> None:
    assert list(case.game.tags) == ["Event", "Result"]
    assert case.game.moves[2].comments == ['see [Event "not a tag"] [%cal Gd8h4]']


@says("COM-03")
def _(case: Case) -> None:
    assert case.game.moves[0].comments == ["outer {inner} still? 1... c5"]
    assert case.tables["games"][0]["errors"] == 1


@says("COM-05")
def _(case: Case) -> None:
    assert case.game.moves[0].comments == ["a; b [%c_effect e4;square;e4;persistent;true]"]


@says("COM-09")
def _(case: Case) -> None:
    line = case.game.facts.mainline
    assert line.comments == ["before"]
    assert [ply.comments for ply in line.plies] == [["after"], ["tail"], []]
    (variation,) = line.plies[1].variations
    assert sans(variation) == ["c5"]
    assert (variation.comments, variation.plies[0].comments) == (["alt"], ["s"])


@says("COM-10")
def _(case: Case) -> None:
    queen, bishop = case.game.moves[2], case.game.moves[4]
    assert (queen.nags, queen.comments) == ([15, 17], ["a", "b"])
    assert bishop.nags == [6]


@says("COM-11")
def _(case: Case) -> None:
    assert [ply.comments for ply in case.game.moves] == [[], ["..."], []]


@says("COM-13")
def _(case: Case) -> None:
    assert "White" not in case.game.tags
    assert case.game.moves[2].comments == ["50 % of the time"]


@says("RAV-01")
def _(case: Case) -> None:
    assert [sans(line) for line in case.game.moves[1].variations] == [["c5"]]


@says("RAV-07")
def _(case: Case) -> None:
    first, second = case.game.moves[3].variations
    assert (sans(first), sans(second)) == (["e6", "d4", "cxd4"], ["Nc6"])
    assert [[sans(line) for line in ply.variations] for ply in first.plies] == [[], [["c3", "d5"]], []]
    assert not any(ply.variations for ply in second.plies)


@says("RAV-08")
def _(case: Case) -> None:
    assert [sans(line) for line in case.game.moves[2].variations] == [[]]


@says("SAN-02")
def _(case: Case) -> None:
    finding = relevant(case.game)[1]
    assert finding.evidence["legal_alternatives"] == ["N2d3", "Nb4d3"]
    fen = case.game.tags["FEN"]
    assert [bad(play(fen, move)) for move in ("N2d3", "Nb4d3", "Nfd3")] == [[], [], []]


@says("SAN-03")
def _(case: Case) -> None:
    assert relevant(case.game)[1].evidence["legal_alternatives"] == ["R1f2+", "R6f2#"]


@says("SAN-08")
def _(case: Case) -> None:
    assert case.games[1].moves[0].nags == [1]


@says("SAN-13")
def _(case: Case) -> None:
    # Our policy: a null move stands for a move, is an error on the mainline, and the game goes on behind it.
    assert sans(case.game.facts.mainline) == ["e4", "--", "d4", "--", "Nf3"]
    assert [sans(line) for line in case.game.moves[4].variations] == [["--", "d5"]]
    assert case.game.final_fen == "rnbqkbnr/pppppppp/8/8/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 2 3"


@says("SAN-15")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["ply_count"], row["legal_ply_count"], row["errors"]) == (4, 3, 1)


@says("SAN-17")
def _(case: Case) -> None:
    assert [row["termination_marker"] for row in case.tables["games"]] == ["1-0", "*", "*"]


@says("SAN-19")
def _(case: Case) -> None:
    # An unknown token in the same place stops the game: the moves behind it are not made by the wrong side.
    (game,) = read(case.data.replace(b"o-o", b"o?o"))
    assert sans(game.facts.mainline) == ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]


@says("NUM-04")
def _(case: Case) -> None:
    assert str(case.game.to_chess().mainline_moves()) == "1. e4 e5 2. Nf3 Nc6 3. Bb5"
