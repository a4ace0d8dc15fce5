"""Faults of real tools with real files, as collected beside the project: every case behaves as its `expected` says.

The cases are not part of the project; where ``../shared`` is absent these tests are skipped, and the tests of the same kinds of
faults in ``test_known_faults_*.py`` stand for them. `FINDINGS` says for every case what is found in each of its games and nothing
else; `says` adds what the text of a case says besides. Where a case leaves a policy open, a comment tells ours.
"""

from __future__ import annotations

import base64
import bz2
import json
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from chesstools.errors import SourceError
from chesstools.finding import Finding
from chesstools.game import Game
from chesstools.reference.line import Line
from chesstools.scan import games, scan
from chesstools.source import Source

CASES = Path(__file__).parents[2] / "shared" / "cases" / "faults.jsonl"
pytestmark = pytest.mark.skipif(not CASES.is_file(), reason="the cases in ../shared are not here")

# ---------------------------------------------------------------------------------------------- findings
# For each game of a case: code and evidence of every finding in the order of the text. P106 (missing roster tags) is left out,
# as nearly every case lacks some. The bare FENs of a case become games without moves (P113), one for each.

FINDINGS: dict[str, list[str]] = {
    "ENC-01": [""],
    "ENC-02": ["P101 found=bom byte=83", ""],
    "ENC-03": [""],
    "ENC-05": ["", "P101 found=cp1252 line=6", ""],
    "ENC-06": [""],
    "ENC-07": ["P101 found=nul byte=44 count=16", ""],
    "ENC-09": [""],
    "ENC-10": ["P101 found=invisible line=1 byte=8; P101 found=bom byte=23"],  # byte 8 is column 9
    "ENC-12": ["E541 place=tag token=½-½ expected=1/2-1/2; E541 place=marker token=½-½ expected=1/2-1/2", ""],
    "TAG-01": [""],
    "TAG-02": ["P104 line=1 reason=unescaped-quote; P104 line=3 reason=unescaped-quote; T122 line=3"],
    "TAG-03": [""],
    "TAG-04": ["P104 line=1 reason=trailing-backslash"],
    "TAG-07": ["", "P107 line=4"],
    "TAG-08": [""],
    "TAG-10": ["P105 line=3 token=White severity=warning; P105 line=5 token=Result; E542 line=7 expected=1-0 found=0-1"],
    "TAG-11": ["F220; P109; P113 line=1; T124", "F220; P109; P113 line=3; T124"],
    "TAG-14": [""],
    "TAG-15": ["P104 line=1 reason=no-quotes; P104 line=2 reason=no-quotes"],
    "TAG-16": [""],
    "TAG-17": ["P104 line=1 reason=line-break"],
    "TAG-20": [""],  # our policy: a tag "Fen" is a tag like any other
    "TAG-21": ["", ""],
    "TAG-22": [""],
    "COM-01": [""],
    "COM-02": [""],
    "COM-03": ["P102 byte=6 ply=1 reason=nested severity=error"],  # our policy: balanced braces are read as one comment
    "COM-05": [""],
    "COM-09": [""],
    "COM-10": [""],
    "COM-11": [""],
    "COM-13": [""],
    "COM-14": ["P110 byte=9 reason=stray-symbol severity=error"],
    "RAV-01": ["M303 ply=3 variation=2.1 token=Qh7"],
    "RAV-02": ["M303 ply=2 variation=None token=Nf3; P103 reason=stray; M390 count=1", ""],
    "RAV-05": ["P108 byte=25 reason=in-variation; P108 byte=44 reason=in-variation"],
    "RAV-07": [""],
    "RAV-08": ["M301 ply=3 variation=3.1 token=Nc6 expected=white"],
    "SAN-02": ["F220; N401 ply=1 token=Nbd3; M390 count=1"],
    "SAN-03": ["F220; N401 ply=1 token=Rf2+"],
    "SAN-04": [
        "F220; N404 ply=1 expected=e8=Q; N404 ply=2 expected=e1=N+",
        "F220; N404 ply=1 expected=e8=B; N404 ply=2 expected=e1=Q",
    ],
    "SAN-05": ["F220; M341 ply=1", "F220; M342 ply=1 found=K", "F220; M342 ply=1 found=P"],
    "SAN-08": ["F220; N404 ply=1 expected=O-O-O; N404 ply=2 expected=O-O", "F220; N404 ply=1 token=0-0 expected=O-O"],
    "SAN-10": ["F220; M303 ply=1", "F220; M305 ply=1", "F220; M305 ply=1"],
    "SAN-11": [
        "N404 ply=1 byte=3 expected=e4; N404 ply=2 expected=e5; N404 ply=3 expected=Nf3; N404 ply=4 expected=Nc6; "
        "N404 ply=5 expected=Bb5; N402 ply=6 expected=Nf6; N404 ply=7 expected=O-O"
    ],
    # Our policy: "Sf3" stops the line, as no language is declared; a figurine has one meaning and is read.
    "SAN-12": ["P110 ply=3 token=Sf3 reason=unknown-word; M390 count=1", "N404 ply=3 expected=Nf3; N404 ply=4 expected=Nc6"],
    "SAN-13": ["M304 byte=6 ply=2 severity=error; M304 ply=4; M304 ply=5 variation=5.1 severity=warning"],
    "SAN-15": ["F220; M308 ply=4 token=Ke5 attacker=d4"],
    "SAN-17": ["", "", "M302 ply=1 token=e4e5; M390 count=1"],
    "SAN-18": ["F206; M390 count=1"],
    "SAN-19": ["N404 ply=7 token=o-o expected=O-O; N404 ply=10 token=OO expected=O-O"],
    "SAN-20": ["M303 ply=6 line=2 token=Bb5; M390 count=2"],
    "NUM-01": ["", ""],  # our policy: dots say nothing that the board does not know
    "NUM-04": ["N420 ply=2 found=1.; N420 ply=3 found=7.; N420 ply=4 found=99...; N420 ply=5 found=0."],
    "NUM-05": [""],
    "RES-01": ["E542 expected=1/2-1/2 found=0-1 severity=error"],
    "RES-03": [
        "P113; E541 place=tag token=0-0; E541 place=marker token=0-0",
        "E541 place=tag token=0-0; E541 place=marker token=0-0",
        "",
    ],
    "RES-04": ["P113", "P113", ""],
    "RES-05": ["P113", ""],
    "RES-07": ["E541 place=tag expected=1/2-1/2; E541 place=marker expected=1/2-1/2", "E541 place=tag expected=1-0"],
    "FEN-02": ["P113; F211 token=e6; F220", "P113; F211 token=d3; F220", "P113; F211 token=e6; F220"],
    "FEN-05": ["P113; F202; F220", "P113; F202; F220 reason=chess960-inferred"],
    "FEN-06": ["P113; F209 expected=kq; F220", "P113; F209 expected=-; F220", "P113; F209 expected=KQq; F220"],
    "FEN-08": ["P113; F220 reason=position", "P113; F220 reason=chess960-inferred"],
    "FEN-10": ["F220 reason=chess960-inferred"],
    "FEN-11": ["P113; F209 expected=-; F220"],
    "FEN-12": ["F220 reason=chess960-inferred"],
    "FEN-14": ["P113; F201 severity=error", "P113; F201; F220", "P113; F201", "P113; F201"],
    "FEN-15": ["P113; F208; F220", "P113; F201; F201; F220", "P113; F201; F220"],
    "FEN-16": ["P113; F202; F220", "P113; F202; F220"],
    # Our policy: a check that the double step cannot have given is found; that the king was in check before it is not looked for.
    "FEN-17": ["P113; F211 token=c6; F212; F220", "P113; F211 token=e6; F220"],
    "VAR-01": ["N404 ply=11 token=@h6 expected=P@h6"],
    "VAR-03": ["P113", "P113", "P113; F201"],
    "VAR-04": [""],
    "VAR-05": ["T124 reason=fen-without-setup", "F221"],
    "VAR-06": [""],
    "VAR-08": ["P113; F220 reason=chess960-inferred", "P113; F220 reason=chess960-inferred"],
    "RUL-01": ["D601 ply=9 forms=A; D601 ply=10 forms=AB occurrences=[2,6,10]"],
    "RUL-03": ["F220; D601 ply=8 forms=A; D601 ply=9 forms=AB occurrences=[1,5,9]"],
    "RUL-04": ["F220; D605 ply=8 reason=castling occurrences=[0,4,8]"],
    "RUL-05": ["F220; D611 ply=2 forms=A clock=99; D611 ply=3 forms=AB clock=100"],
    "RUL-06": ["D611 ply=0; F220"],  # White could have claimed before the last move; nothing is found at the mate
    "DAT-02": ["C706 ply=4 reason=non-standard; C706 ply=5 reason=ambiguous"],
    "DAT-03": [""],
    "DAT-04": [""],
    "DAT-07": ["", "", "", "", "", "", "", "T122", "T122", ""],
    "DAT-08": ["", ""],
    "DAT-09": ["", ""],
    "DAT-11": ["F220; N404 ply=1 expected=Ra5; N404 ply=2 expected=Rb8#"],
    "DAT-12": [""],
    "DAT-13": ["D601 ply=7; D601 ply=8; E514 ply=17"],
    "BIG-02": ["D601 ply=7; D601 ply=8; E514 ply=17; E515 ply=151"],
    "BIG-03": [""],
    "BIG-04": [""],
    "BIG-05": [""],
}

# ---------------------------------------------------------------------------------------------- reading cases


def positions(text: str, *tags: str) -> str:
    """One game without moves for each FEN."""
    head = "".join(f"{tag}\n" for tag in tags)
    return "".join(f'{head}[SetUp "1"]\n[FEN "{line}"]\n\n*\n\n' for line in text.splitlines())


def puzzle(row: str) -> str:
    """A row of a puzzle file (FEN, moves in UCI form) as a game."""
    fen, moves = row.strip().split(",")
    return f'[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} *\n'


# Input that is not PGN as it stands: bare FENs, a puzzle row.
BUILT: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(
        ("FEN-02", "FEN-05", "FEN-06", "FEN-08", "FEN-11", "FEN-14", "FEN-15", "FEN-16", "FEN-17", "VAR-08"), positions
    ),
    "VAR-03": lambda text: positions(text, '[Variant "Three-check"]'),
    "DAT-11": puzzle,
}
# The text of a `generator`, and the same written down here, so that no text of a file is run.
GENERATED: dict[str, tuple[str, Callable[[], str]]] = {
    "BIG-02": (
        r"' '.join(['Nf3','Nf6','Ng1','Ng8'][i%4] for i in range(20000))+' *\n'",
        lambda: " ".join(["Nf3", "Nf6", "Ng1", "Ng8"][i % 4] for i in range(20000)) + " *\n",
    ),
    "BIG-03": (r"'1. e4 {'+'x y z\n'*833333+'} e5 *\n'", lambda: "1. e4 {" + "x y z\n" * 833333 + "} e5 *\n"),
    "BIG-04": (r"'1. e4 '+'$1 '*200000+'e5 *\n'", lambda: "1. e4 " + "$1 " * 200000 + "e5 *\n"),
    "BIG-05": (
        r"""''.join('[T%d "v"]\n'%i for i in range(100000))+'\n1. e4 *\n'""",
        lambda: "".join(f'[T{i} "v"]\n' for i in range(100000)) + "\n1. e4 *\n",
    ),
}


class Case:
    """One case of the file, and what the library makes of it."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.id: str = record["id"]

    @cached_property
    def text(self) -> str:
        return str(self.record["minimal_input"])

    @cached_property
    def data(self) -> bytes:
        if self.id in GENERATED:
            generator, made = GENERATED[self.id]
            assert self.record["generator"] == generator
            return made().encode()
        if self.id in BUILT:
            return BUILT[self.id](self.text).encode()
        if "minimal_input_b64" in self.record:
            return base64.b64decode(self.record["minimal_input_b64"])
        return self.text.encode()

    @cached_property
    def games(self) -> list[Game]:
        return read(self.data)

    @property
    def game(self) -> Game:
        return self.games[0]

    @cached_property
    def tables(self) -> dict[str, list[dict[str, Any]]]:
        return {name: table.to_pylist() for name, table in scan(Source.from_bytes(self.data)).to_tables().items()}


def read(data: bytes | str) -> list[Game]:
    return list(games(Source.from_bytes(data.encode() if isinstance(data, str) else data)))


def play(fen: str, moves: str) -> Game:
    """A game from a position."""
    (game,) = read(f'[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} *\n')
    return game


@cache
def cases() -> dict[str, Case]:
    lines = CASES.read_bytes().splitlines()
    return {record["id"]: Case(record) for record in map(json.loads, lines)}


def sans(line: Line) -> list[str]:
    return [ply.san for ply in line.plies]


def relevant(game: Game) -> list[Finding]:
    return [finding for finding in game.findings if finding.code != "P106"]


def reason_of(game: Game, code: str) -> str:
    """The reason given by the first finding with that code."""
    return str(next(finding for finding in game.findings if finding.code == code).evidence["reason"])


def bad(game: Game) -> list[str]:
    """Codes of the findings about moves."""
    return [finding.code for finding in game.findings if finding.code[0] in "MN"]


# ---------------------------------------------------------------------------------------------- the tests

# Ours differs from `expected_games` where that has "*" for a result that is missing (missing data is null), and where it takes a
# lenient reading that we do not.
DIFFERENT: dict[str, list[dict[str, Any]]] = {
    "TAG-11": [{"result": None}, {"result": None}],
    "SAN-12": [
        {
            "mainline": ["e4", "e5"],
            "final_fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "final_fen_pgn_ep": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
        },
        {},
    ],
}


def expected_games(case: Case) -> list[dict[str, Any]]:
    games = case.record.get("expected_games") or []
    return [game | ours for game, ours in zip(games, DIFFERENT.get(case.id, [{}] * len(games)), strict=True)]


def test_no_case_is_left_out() -> None:
    assert len(FINDINGS) == 95
    assert set(cases()) == set(FINDINGS)
    assert {name for name, case in cases().items() if not case.record.get("expected_games")} <= set(SAYS)


@pytest.mark.parametrize("name", FINDINGS)
def test_a_test_of_the_projects_own_stands_for_the_case(name: str) -> None:
    own = Path(__file__).parent.glob("test_known_faults_*.py")
    named = {
        word
        for path in own
        for line in path.read_text("utf-8").splitlines()
        if "# " in line
        for word in re.split("[^A-Z0-9-]", line)
    }
    assert name in named


@pytest.mark.parametrize("name", FINDINGS)
def test_moves_results_tags_and_positions(name: str) -> None:
    case = cases()[name]
    assert len(case.games) == len(FINDINGS[name])
    for game, expected in zip(case.games, expected_games(case), strict="expected_games" in case.record):
        assert sans(game.facts.mainline) == expected["mainline"]
        assert game.final_fen == expected["final_fen"]
        assert game.to_chess().end().board().fen(en_passant="fen") == expected.get("final_fen_pgn_ep", expected["final_fen"])
        assert {tag: game.tags.get(tag) for tag in expected["tags"]} == expected["tags"]
        if "start_fen" in expected:
            assert game.start_fen == expected["start_fen"]
        if expected["result"] is not None or case.id in DIFFERENT:
            assert game.result == expected["result"]


@pytest.mark.parametrize("name", FINDINGS)
def test_findings(name: str) -> None:
    for game, text in zip(cases()[name].games, FINDINGS[name], strict=True):
        wanted = [wanted_of(spec) for spec in text.split(";") if spec]
        found = [facts_of(finding) for finding in relevant(game)]
        seen = [{key: facts.get(key) for key in want} for facts, want in zip(found, wanted, strict=False)]
        assert [facts["code"] for facts in found] == [want["code"] for want in wanted]
        assert seen == wanted


def wanted_of(spec: str) -> dict[str, str]:
    code, *facts = spec.split()
    return {"code": code, **dict(fact.split("=", 1) for fact in facts)}


def facts_of(finding: Finding) -> dict[str, str]:
    where = finding.where
    facts: dict[str, object] = {"code": finding.code, "severity": finding.severity.value, "token": finding.token}
    facts |= {"line": where.line, "byte": where.byte_offset, "ply": where.ply, "variation": where.variation}
    return {key: str(value).replace(" ", "") for key, value in {**facts, **finding.evidence}.items()}


# ---------------------------------------------------------------------------------------------- what the cases say in words

SAYS: dict[str, Callable[[Case], None]] = {}


def says(name: str) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    def register(check: Callable[[Case], None]) -> Callable[[Case], None]:
        SAYS[name] = check
        return check

    return register


@pytest.mark.parametrize("name", FINDINGS)
def test_what_the_case_says(name: str) -> None:
    case = cases()[name]
    if name in SAYS:
        SAYS[name](case)
    else:
        # All that the text says is in the moves, the tags and the findings.
        assert case.record["expected_games"]


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


@says("RES-01")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["result"], row["termination_marker"], row["legal_ply_count"]) == ("1/2-1/2", "0-1", 2)
    assert sans(case.game.facts.mainline) == ["e4", "e5"]


@says("RES-03")
def _(case: Case) -> None:
    rows = case.tables["games"][:2]
    assert [(row["result"], row["termination_marker"], row["result_value"]) for row in rows] == [("0-0", "0-0", None)] * 2


@says("RES-05")
def _(case: Case) -> None:
    assert case.game.facts.mainline.comments == ["Both players were late"]


@says("RES-07")
def _(case: Case) -> None:
    assert [game.tags["Result"] for game in case.games] == ["0.5-0.5", "1:0"]


@says("FEN-02")
def _(case: Case) -> None:
    moves = ("dxe6", "exd3", "dxe6")
    for game, move, code in zip(case.games, moves, ("M307", "M336", "M310"), strict=True):
        assert bad(play(game.tags["FEN"], move)) == [code]
        assert game.start_fen is not None
        assert game.start_fen.split()[3] == "-"


@says("FEN-05")
def _(case: Case) -> None:
    # Our policy: EPD operations are read, and said to be there.
    assert case.games[0].start_fen == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert case.games[1].start_fen == "nqrbbkrn/pppppppp/8/8/8/8/PPPPPPPP/NQRBBKRN w KQkq - 0 1"


@says("FEN-06")
def _(case: Case) -> None:
    assert [str(game.start_fen).split()[2] for game in case.games] == ["kq", "-", "KQq"]
    assert bad(play(case.games[0].tags["FEN"], "O-O")) == ["M321"]
    written = [game.to_chess().headers["FEN"].split()[2] for game in case.games]
    assert written == ["kq", "-", "KQq"]


@says("FEN-08")
def _(case: Case) -> None:
    outer, inner = (play(game.tags["FEN"], "O-O-O") for game in case.games)
    (finding,) = [finding for finding in outer.findings if finding.code == "M326"]
    assert (finding.evidence["blocker"], outer.moves) == ("b1", [])
    assert (sans(inner.facts.mainline), inner.final_fen) == (["O-O-O"], "7k/8/8/8/8/8/8/R1KR4 b - - 1 1")
    boards = [game.facts.start.setup for game in case.games]
    assert [board and board.castling_shredder_fen() for board in boards] == ["A", "B"]


@says("FEN-10")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4", "e5", "d3", "d6"]
    assert case.game.start_fen == "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1"
    assert case.game.facts.start.setup is not None
    assert case.game.facts.start.setup.castling_shredder_fen() == "FCfc"
    assert case.tables["games"][0]["rules"] == "chess960"


@says("FEN-11")
def _(case: Case) -> None:
    assert case.game.start_fen == "rkrbnnbq/pppppppp/8/8/8/8/PPPPPPPP/RKRBNNBQ w - - 0 1"


@says("FEN-12")
def _(case: Case) -> None:
    assert (sans(case.game.facts.mainline), case.game.final_fen) == (["O-O"], "4k3/8/8/8/8/8/8/5RK1 b - - 1 1")


@says("FEN-14")
def _(case: Case) -> None:
    reasons = [reason_of(game, "F201") for game in case.games]
    for reason, named in zip(reasons, ("rank 6", "rank 6", "rank 7", "side to move"), strict=True):
        assert named in reason
    # Our policy: "44" is an error and has one meaning all the same.
    assert [game.start_fen for game in case.games] == [None, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None, None]


@says("FEN-15")
def _(case: Case) -> None:
    assert "400" in reason_of(case.games[0], "F208")
    drawn, negative, huge = case.tables["games"]
    assert drawn["first_seventyfive_ply"] == 0  # the game was over before it began
    assert negative["start_fen"] == "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"
    assert huge["start_fen"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert "out of range" in reason_of(case.games[2], "F201")


@says("FEN-16")
def _(case: Case) -> None:
    assert [game.start_fen for game in case.games] == ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] * 2
    reasons = [reason_of(game, "F202") for game in case.games]
    assert [reason.split()[0] for reason in reasons] == ["1", "2"]


@says("FEN-17")
def _(case: Case) -> None:
    assert bad(play(case.games[1].tags["FEN"], "dxe6")) == ["M336"]


@says("VAR-01")
def _(case: Case) -> None:
    assert len(case.game.moves) == 11
    drops = {ply.number: ply.move.uci() for ply in case.game.moves if ply.move.drop}
    assert drops == {8: "P@e4", 11: "P@h6"}
    assert case.game.final_fen == "rnb1kbnr/ppp1pppp/4q2P/8/8/2Np4/PPP1BPPP/R1BQK1NR[p] b KQkq - 1 6"
    (standard,) = read(case.data.replace(b'[Variant "Crazyhouse"]\n', b""))
    assert (len(standard.moves), bad(standard)) == (7, ["M302", "M390"])


@says("VAR-03")
def _(case: Case) -> None:
    given, left, wrong = case.games
    assert given.start_fen == left.start_fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+2 0 1"
    assert wrong.start_fen is None
    standard = read(positions(case.text))
    assert [[finding.code for finding in relevant(game)] for game in standard] == [["P113", "F201"]] * 3
    assert [game.start_fen for game in standard] == [None] * 3


@says("VAR-04")
def _(case: Case) -> None:
    assert (sans(case.game.facts.mainline), case.game.final_fen) == (["O-O-O"], "7k/8/8/8/8/8/8/R1KR4 b - - 1 1")


@says("VAR-05")
def _(case: Case) -> None:
    first, second = case.tables["games"]
    assert (first["rules"], first["legal_ply_count"]) == ("chess960", 1)
    # Our policy: the game is kept as text, with rules and positions null; nothing in it is judged by the standard rules.
    assert (second["rules"], second["start_fen"], second["final_fen"]) == (None, None, None)
    assert (second["ply_count"], second["legal_ply_count"]) == (2, 0)
    spellings = ("Standard", "From Position", "normal", "Chess960", "chess 960", "fischerandom")
    text = "".join(f'[Variant "{spelling}"]\n\n1. e4 *\n\n' for spelling in spellings)
    rules = scan(Source.from_bytes(text.encode())).to_tables()["games"]["rules"].to_pylist()
    assert rules == ["standard"] * 3 + ["chess960"] * 3


@says("VAR-06")
def _(case: Case) -> None:
    assert (sans(case.game.facts.mainline), case.game.final_fen) == (["O-O"], "1k6/8/8/8/8/8/8/5RK1 b - - 1 1")


@says("VAR-08")
def _(case: Case) -> None:
    blocked, free = (play(game.tags["FEN"], "1... O-O") for game in case.games)
    (finding,) = [finding for finding in blocked.findings if finding.code[0] == "M"]
    assert (finding.code, finding.evidence["blocker"]) == ("M326", "d8")
    assert (bad(free), free.final_fen) == ([], "5rk1/8/8/8/8/8/8/1K6 w - - 1 2")


@says("RUL-01")
def _(case: Case) -> None:
    assert case.tables["games"][0]["first_threefold_ply"] == 10


@says("RUL-03")
def _(case: Case) -> None:
    assert case.tables["games"][0]["first_threefold_ply"] == 9


@says("RUL-04")
def _(case: Case) -> None:
    assert case.tables["games"][0]["first_threefold_ply"] is None
    assert max(row["repetition"] for row in case.tables["plies"]) == 2


@says("RUL-05")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["first_fifty_ply"], row["first_seventyfive_ply"]) == (3, None)
    early = play(case.game.tags["FEN"].replace("97", "50"), "Rh3 Ra2 81. Rh4")
    assert not [finding for finding in early.findings if finding.code[0] in "DE"]


@says("RUL-06")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["final_status"], row["end_reason"], row["result_value"]) == ("checkmate", "checkmate", "1-0")
    assert (row["first_fifty_ply"], row["first_seventyfive_ply"], row["unclaimed_draw"]) == (0, None, False)


@says("DAT-02")
def _(case: Case) -> None:
    rows = case.tables["plies"]
    assert [row["eval_mate"] for row in rows] == [-3, None, None, 1, None, None]
    assert [row["eval_cp"] for row in rows] == [None, 17, 641, None, None, None]
    assert [row["eval_depth"] for row in rows] == [None, 20, 12, None, None, None]
    assert rows[5]["comment"] == "+0.25/12 0.5s"


@says("DAT-03")
def _(case: Case) -> None:
    assert [row["eval_cp"] for row in case.tables["plies"]] == [30, -100]


@says("DAT-04")
def _(case: Case) -> None:
    rows = case.tables["plies"]
    assert [row["clock_ms"] for row in rows] == [600_000, 598_000]
    assert [row["eval_cp"] for row in rows] == [25, None]


@says("DAT-07")
def _(case: Case) -> None:
    rows = case.tables["games"]
    seconds = [(row["time_base_s"], row["time_increment_s"]) for row in rows]
    assert seconds == [(300, 3), *[(None, None)] * 5, (60, 0), *[(None, None)] * 3]
    assert [row["time_stages"] for row in rows] == [
        ["300+3"],
        None,
        None,
        ["1/86400"],  # one move in 86400 seconds
        ["40/7200", "3600"],
        ["*60"],
        ["60"],
        None,
        None,
        ["40/7200", "20/3600", "900+30"],
    ]
    assert rows[7]["time_control"] == "15'/game & 10"


@says("DAT-08")
def _(case: Case) -> None:
    assert [(game.tags["Event"], sans(game.facts.mainline)) for game in case.games] == [("A", ["e4"]), ("B", ["d4"])]
    assert read_until_error(case.data[:-3]) == [["e4"]]


@says("DAT-09")
def _(case: Case) -> None:
    members = [f'[Event "{game.tags["Event"]}"]\n\n{game.movetext}\n\n'.encode() for game in case.games]
    assert [sans(game.facts.mainline) for game in read(b"".join(map(bz2.compress, members)))] == [["e4"], ["d4"]]
    assert read_until_error(case.data[:-12])[0] == ["e4"]


def read_until_error(data: bytes) -> list[list[str]]:
    """The games that could be read before the error that must come."""
    found: list[list[str]] = []

    def follow(stream: Iterator[Game]) -> None:
        for game in stream:
            found.append(sans(game.facts.mainline))

    with pytest.raises(SourceError):
        follow(games(Source.from_bytes(data)))
    return found


@says("DAT-11")
def _(case: Case) -> None:
    # The position that the solver sees is the one after the first move.
    board = chess.Board(case.game.start_fen)
    board.push(case.game.moves[0].move)
    assert board.turn == chess.WHITE
    assert case.game.moves[1].move.uci() == "b1b8"


@says("DAT-12")
def _(case: Case) -> None:
    written = case.game.to_chess().accept(chess.pgn.StringExporter(headers=False))
    # python-chess writes blanks inside the brackets.
    assert written.replace("( ", "(").replace(" )", ")") == "1. e4 { c } 1... e5 (1... d5 2. exd5) 2. Nf3 *"
    (again,) = read(written)
    assert again.to_chess().accept(chess.pgn.StringExporter(headers=False)) == written


@says("DAT-13")
def _(case: Case) -> None:
    written = str(case.game.to_chess())
    exporter = chess.pgn.StringExporter(columns=80)
    wrapped = case.game.to_chess().accept(exporter)
    assert max(map(len, wrapped.splitlines())) <= 80
    assert wrapped.split() == written.split()
    assert wrapped.split()[-1] == "*"


@says("BIG-02")
def _(case: Case) -> None:
    (again,) = read(str(case.game.to_chess()))
    assert sans(again.facts.mainline) == sans(case.game.facts.mainline) == case.data.decode().split()[:-1]


@says("BIG-03")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4", "e5"]
    assert case.game.moves[0].comments == ["x y z " * 833332 + "x y z"]


@says("BIG-04")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4", "e5"]
    assert case.game.moves[0].nags == [1]


@says("BIG-05")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4"]
    assert len(case.game.tag_pairs) == 100000
