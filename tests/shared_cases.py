"""The collected cases of faults: their texts, what is found in each, and what the library makes of them.

The cases are not part of the project; where ``../shared`` is absent their tests are skipped.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from chesstools.finding import Finding
from chesstools.game import Game
from chesstools.reference.line import Line
from chesstools.scan import games, scan
from chesstools.source import Source

CASES = Path(__file__).parents[2] / "shared" / "cases" / "faults.jsonl"
needs_cases = pytest.mark.skipif(not CASES.is_file(), reason="the cases in ../shared are not here")

ON_TEXT = ("ENC", "TAG", "COM", "RAV", "SAN", "NUM")
"""Families of cases that are about how a game is written."""

# ---------------------------------------------------------------------------------------------- findings
# For each game of a case: code and evidence of every finding in the order of the text. P106 (missing roster tags) is left out,
# as nearly every case lacks some. The bare FENs of a case become games without moves (P113), one for each.

FINDINGS: dict[str, list[str]] = {
    "ENC-01": [""],
    "ENC-02": ["P101 found=bom byte=83", ""],
    "ENC-03": [""],
    "ENC-05": ["A801 count=1", "P101 found=cp1252 line=6; A801 count=1", ""],
    "ENC-06": [""],
    "ENC-07": ["P101 found=nul byte=44 count=16", ""],
    "ENC-09": [""],
    "ENC-10": ["P101 found=invisible line=1 byte=8; P101 found=bom byte=23"],  # byte 8 is column 9
    "ENC-12": ["E541 place=tag token=½-½ expected=1/2-1/2; E541 place=marker token=½-½ expected=1/2-1/2", ""],
    "TAG-01": [""],
    "TAG-02": ["P104 line=1 reason=unescaped-quote; P104 line=3 reason=unescaped-quote; T122 line=3"],
    "TAG-03": [""],
    "TAG-04": ["P104 line=1 reason=trailing-backslash; A801"],
    "TAG-07": ["", "P107 line=4"],
    "TAG-08": [""],
    "TAG-10": ["P105 line=3 token=White severity=warning; P105 line=5 token=Result; A801; E542 line=7 expected=1-0 found=0-1"],
    "TAG-11": ["F220; P109; P113 line=1; T124", "F220; P109; P113 line=3; T124"],
    "TAG-14": [""],
    "TAG-15": ["P104 line=1 reason=no-quotes; P104 line=2 reason=no-quotes"],
    "TAG-16": [""],
    "TAG-17": ["P104 line=1 reason=line-break; A801"],
    "TAG-20": [""],  # our policy: a tag "Fen" is a tag like any other
    "TAG-21": ["", "A801"],
    "TAG-22": [""],
    "COM-01": [""],
    "COM-02": [""],
    "COM-03": ["P102 byte=6 ply=1 reason=nested severity=error"],  # our policy: balanced braces are read as one comment
    "COM-05": [""],
    "COM-09": [""],
    "COM-10": ["N407 ply=5 token=?! expected=$6"],
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
    "SAN-08": [
        "F220; N404 ply=1 expected=O-O-O; N404 ply=2 expected=O-O",
        "F220; N404 ply=1 token=0-0 expected=O-O; N407 ply=1 token=!",
    ],
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
        "P113; E541 place=tag token=0-0; A802; E541 place=marker token=0-0",
        "E541 place=tag token=0-0; A802; E541 place=marker token=0-0",
        "",
    ],
    "RES-04": ["P113; A801 count=0", "P113", "A801 count=1"],
    "RES-05": ["P113; A801", "A801"],
    "RES-07": ["E541 place=tag expected=1/2-1/2; E541 place=marker expected=1/2-1/2", "E541 place=tag expected=1-0; A801"],
    "FEN-02": ["P113; F211 token=e6; F220", "P113; F211 token=d3; F220", "P113; F211 token=e6; F220"],
    "FEN-05": ["P113; F202; F220", "P113; F202; F220 reason=chess960-inferred"],
    "FEN-06": ["P113; F209 expected=kq; F220", "P113; F209 expected=-; F220", "P113; F209 expected=KQq; F220"],
    "FEN-08": ["P113; F220 reason=position", "P113; F220 reason=chess960-inferred"],
    "FEN-10": ["F220 reason=chess960-inferred"],
    "FEN-11": ["P113; F209 expected=-; F220"],
    "FEN-12": ["F220 reason=chess960-inferred"],
    "FEN-14": ["P113; F201 severity=error", "P113; F201; F220", "P113; F201", "P113; F201"],
    "FEN-15": ["P113; D612 ply=0; F208; F220; E543 reason=seventyfive", "P113; F201; F201; F220", "P113; F201; F220"],
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
    "DAT-11": ["F220; N404 ply=1 expected=Ra5; N404 ply=2 expected=Rb8#; E543 reason=checkmate"],
    "DAT-12": [""],
    "DAT-13": ["D601 ply=7; D601 ply=8; D603 ply=16; E514 ply=17; E543 reason=fivefold"],
    "BIG-02": ["D601 ply=7; D601 ply=8; D603 ply=16; E514 ply=17; D612 ply=150; E515 ply=151; E543 reason=fivefold"],
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


Check = Callable[[Case], None]


class Sayings(dict[str, Check]):
    """What cases say in words, by their ids: each a function that asserts it."""

    def __call__(self, name: str) -> Callable[[Check], Check]:
        def register(check: Check) -> Check:
            self[name] = check
            return check

        return register

    def check(self, name: str) -> None:
        """Assert what the case says."""
        case = cases()[name]
        if name in self:
            self[name](case)
        else:
            # All that the text says is in the moves, the tags and the findings.
            assert case.record["expected_games"]
