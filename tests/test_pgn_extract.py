"""Verdicts against those of pgn-extract, a program with a board of its own. Skipped where it is not installed.

It is known to be wrong about some things (version 19-04); each is named where it matters.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import corpora
import pytest
from corpora import Judged

from chesstools.rules import all_rules, get_rule
from chesstools.source import find_sources

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "sample_data"
PROGRAM = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")  # Debian puts it there

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgn-extract is not installed")

HISTORIC = sorted(path.name for path in (SAMPLES / "games").glob("historic_*.pgn"))
ARCHIVES = ["otb", "lichess_db", "chesscom", "fastchess"]
ALL = [*HISTORIC, *(pytest.param(name, marks=corpora.needs_corpus) for name in ARCHIVES)]

ACCEPTED = {
    "M309": "lets a Chess960 rook castle out of the line in which it shields its king",
    "M341": "takes a promotion without a piece for one to a queen",
}
"""Illegal moves that pgn-extract plays."""

NUMBER = re.compile(r'^\[GameNumber "(\d+)"\]$', re.MULTILINE)


def run(*arguments: str, given: bytes) -> str:
    """What pgn-extract writes for PGN on its standard input; its remarks are thrown away."""
    assert PROGRAM is not None
    result = subprocess.run([PROGRAM, "-s", *arguments], input=given, capture_output=True, timeout=120)
    return result.stdout.decode("latin-1")


def selected(*arguments: str, given: bytes) -> set[int]:
    """The numbers of the games that pgn-extract passes on."""
    return {int(number) for number in NUMBER.findall(run("-C", *arguments, given=given))}


@cache
def judged(name: str) -> Judged:
    return corpora.judged(name) if name in ARCHIVES else corpora.judge(SAMPLES / "games" / name)


@cache
def numbered(name: str) -> bytes:
    """The games of an archive, each with its number in a tag."""
    if name in ARCHIVES:
        data = corpora.text(name)
    else:
        (source,) = find_sources(SAMPLES / "games" / name)
        data = b"".join(source.open())
    places = judged(name).rows("byte_offset", "byte_length")
    games = [data[place["byte_offset"] :][: place["byte_length"]] for place in places]
    return b"\n\n".join(b'[GameNumber "%d"]\n' % index + game.strip() for index, game in enumerate(games)) + b"\n"


def where(name: str, column: str, value: Any = None) -> set[int]:
    """The games with that value in that column, or with any."""
    values = judged(name).column(column)
    return {index for index, found in enumerate(values) if (found is not None if value is None else found == value)}


def illegal(name: str) -> set[int]:
    return {
        index
        for index, (plies, legal) in enumerate(zip(*map(judged(name).column, ("ply_count", "legal_ply_count")), strict=True))
        if plies != legal
    }


@pytest.mark.parametrize("name", ALL)
def test_same_games_are_legal(name: str) -> None:
    empty = where(name, "ply_count", 0)  # these it passes on or not by their result
    assert selected(given=numbered(name)) - empty == set(range(judged(name).games.num_rows)) - illegal(name) - empty


def test_same_generated_games_are_legal() -> None:
    """Faults of every kind: here pgn-extract gets the moves alone, up to the first illegal one, for it stumbles over the rest."""
    name = "generated_mixed.pgn"
    found = judged(name)
    bad = {
        row["game_index"]: (row["code"], row["token"])
        for row in found.findings.select(["game_index", "code", "token", "variation"]).to_pylist()
        if row["variation"] is None
        and (row["code"][0] == "M" or row["code"] in ("N401", "E511", "E512"))
        and row["code"] not in ("M390", "M391")
    }
    texts, expected = [], set()
    columns = zip(found.rows("rules", "start_fen"), found.plies_of_games("san"), strict=True)
    for index, (row, plies) in enumerate(columns):
        code, token = bad.get(index, ("", ""))
        if row["rules"] != "standard" or row["start_fen"] is None or code == "M304" or not (plies or token):
            continue
        moves = " ".join([*(san for (san,) in plies), token])
        texts.append(f'[GameNumber "{index}"]\n[SetUp "1"]\n[FEN "{row["start_fen"]}"]\n\n{moves} *\n')
        # A piece that promotes ("Nf1=Q"), or a pawn that becomes one ("f1=P"), is no move text to pgn-extract: it ends the game
        # there and passes on what came before.
        if not code or code in ACCEPTED or re.match("[NBRQK].*=|.*=P", token):
            expected.add(index)
    assert len(expected) < len(texts) > 800
    assert selected(given="\n".join(texts).encode()) == expected


@pytest.mark.parametrize("name", ALL)
def test_same_moves_and_final_positions(name: str) -> None:
    text = run("-C", "-N", "-V", "-w1000000", "-Wuci", "-F", "--nofauxep", given=numbered(name))
    theirs = {
        int(number): (moves.split(), fen)
        for number, moves, fen in re.findall(r'^\[GameNumber "(\d+)"\]\n(?:\[.*\]\n)*\n(.*?)\{ "(.*)" \}', text, re.MULTILINE)
    }
    assert len(theirs) > 0.9 * judged(name).games.num_rows
    plies = judged(name).plies_of_games("uci")
    fens = judged(name).column("final_fen")
    for index, (moves, fen) in theirs.items():
        moves = [move.lower() for move in moves]  # pgn-extract writes the piece promoted to in upper case
        assert moves == [uci for (uci,) in plies[index]], f"game {index}"
        assert fen == fens[index], f"game {index}"


@pytest.mark.parametrize("name", ALL)
def test_same_check_marks(name: str) -> None:
    text = run("-C", "-N", "-V", "-w1000000", "--nomovenumbers", given=numbered(name))
    theirs = dict(re.findall(r'^\[GameNumber "(\d+)"\]\n(?:\[.*\]\n)*\n(.*) \S+$', text, re.MULTILINE))
    assert len(theirs) > 0.9 * judged(name).games.num_rows
    sans = judged(name).plies_of_games("san_standard")
    for number, moves in theirs.items():
        assert moves.split() == [san for (san,) in sans[int(number)]], f"game {number}"


@pytest.mark.parametrize("name", ALL)
def test_same_mates_and_stalemates(name: str) -> None:
    assert selected("--checkmate", given=numbered(name)) == where(name, "final_status", "checkmate")
    assert selected("--stalemate", given=numbered(name)) == where(name, "final_status", "stalemate")


@pytest.mark.parametrize("name", ALL)
def test_same_fifty_moves(name: str) -> None:
    assert selected("--fifty", given=numbered(name)) == where(name, "first_fifty_ply")


@pytest.mark.parametrize("name", ALL)
def test_same_threefold_repetitions(name: str) -> None:
    ours, theirs = where(name, "first_threefold_ply"), selected("--repetition", given=numbered(name))
    assert theirs <= ours
    # pgn-extract takes every double step for an en passant right, also where no pawn can capture: it misses repetitions
    # of the position right after one.
    assert {index for index in ours - theirs if not repeats_a_double_step(name, index)} == set()


def repeats_a_double_step(name: str, index: int) -> bool:
    """Whether the position that stood three times first came about by a double step of a pawn."""
    third = judged(name).column("first_threefold_ply")[index]
    plies = judged(name).plies_of_games("position_key", "role", "from_square", "to_square")[index]
    key = plies[third - 1][0]
    role, source, target = next(rest for same, *rest in plies if same == key)
    return role == "pawn" and abs(int(source[1]) - int(target[1])) == 2


@pytest.mark.parametrize("code", [rule.code for rule in all_rules() if rule.active and rule.code.startswith("M3")])
def test_illegal_moves_of_the_samples(code: str) -> None:
    folder = SAMPLES / "rules" / f"{code}-{get_rule(code).name}"
    assert (run(given=(folder / "bad.pgn").read_bytes()) != "") == (code in ACCEPTED)
    assert run(given=(folder / "good.pgn").read_bytes()) != ""
