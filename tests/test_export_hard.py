"""Export of senseless and hostile input: every case of `hard_inputs.py`, by both engines, and in time that grows with its size.

pgn-extract reads what we write without a complaint.
"""

from __future__ import annotations

import re
import subprocess
import time

import corpora
import pytest
from exported import difference, pgn, written
from hard_inputs import CASES, LARGE
from strategies import FULL
from test_pgn_extract import PROGRAM

from chesstools.engines import why_not_native

needs_core = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

SIZES = {**CASES, **LARGE} if FULL else CASES


OTHER_AGAIN = {
    "a tag over the limit": "a tag pair is cut where the limit is, and escaped it is longer",
    "a comment over the limit": "a comment is cut where the limit is, and written it is longer by its blanks",
    "a game of 40 MB": "a game is cut where the limit is, and with other line ends that is elsewhere",
    "random bytes": "they are no UTF-8, and what they mean in UTF-8 may be blanks",
}
"""Whose export is not the same when it is exported again, and why."""


@needs_core
@pytest.mark.parametrize("name", SIZES)
def test_the_core_writes_on_to_the_next_game(name: str) -> None:
    data = SIZES[name].text()
    text, games, _ = written(data, "jsonl", "native")
    lines = text.splitlines()
    assert len(lines) == games >= 2
    assert b'["Event","before"]' in lines[0]
    assert b'["Event","after"]' in lines[-1]
    once = pgn(data, engine="native")
    if name not in OTHER_AGAIN:
        assert pgn(once, engine="native") == once


@needs_core
@pytest.mark.parametrize("name", CASES)
def test_engines_agree_on_less_of_it(name: str) -> None:
    case = CASES[name]
    data = case.text(case.less or max(1, case.amount // 1000))
    for form in ("pgn", "jsonl"):
        assert (told := difference(data[:200_000], form)) is None, told


COSTLY = {
    "variations": lambda count: b"1. e4 " + b"( 1. d4 " * count + b"*\n",
    "brackets": lambda count: b"1. e4 e5 2. Ke3 " + b"(" * count + b" *\n",
    "side by side": lambda count: b"1. e4 " + b"(1. d4 d5) " * count + b"*\n",
    "plies": lambda count: b" ".join([b"Nf3", b"Nf6", b"Ng1", b"Ng8"][at % 4] for at in range(count)) + b" *\n",
    "comment": lambda count: b"1. e4 {" + b"word [%clk " * count + b"} e5 *\n",
    "blanks": lambda count: b"1. e4 {" + b"x " + b" " * count + b"[%clk 1] } e5 *\n",
    "numbers": lambda count: b"1. e4 " + b"2. " * count + b"e5 *\n",
    "glyphs": lambda count: b"1. e4 " + b"$1 $999 " * count + b"e5 *\n",
    "odd signs": lambda count: b"1. e4 " + b"[ ] % " * count + b"e5 *\n",
    "tags": lambda count: b"".join(b'[T%d "v"]\n["v"]\n' % at for at in range(count)) + b"\n1. e4 *\n",
    "rest": lambda count: b"1. e4 e5 2. Ke3 " + b"{a} b ;c }\n" * count + b"*\n",
}
"""What could take time by the square."""


@needs_core
@pytest.mark.parametrize("name", COSTLY)
def test_time_grows_no_faster_than_the_input(name: str) -> None:
    """Sixteen times as much takes less than 60 times as long: by the square it would take 256 times."""

    def cost(count: int) -> float:
        data = b'[Event "x"]\n\n' + COSTLY[name](count)
        spent = []
        for _ in range(3):
            started = time.process_time()
            for options in ({}, {"clocks": False}):
                pgn(data, engine="native", **options)
            written(data, "jsonl", "native")
            spent.append(time.process_time() - started)
        return min(spent)

    small, large = cost(2_500), cost(40_000)
    assert large < 60 * max(small, 0.004), (small, large)


@pytest.mark.skipif(PROGRAM is None, reason="pgn-extract is not installed")
@corpora.needs_corpus
@pytest.mark.parametrize("name", ["otb", "lichess_clk", "lichess_db", "chesscom", "fastchess", "tcec_semicolon"])
@pytest.mark.parametrize("width", [80, 40])
def test_pgn_extract_reads_it_without_a_complaint(name: str, width: int) -> None:
    """It passes on as many games, with the same moves, and says nothing that it did not say of the archive."""
    assert PROGRAM is not None
    data = corpora.text(name)[: 2_000_000 if FULL else 300_000]
    data = data[: data.rindex(b"\n\n[") + 1]
    told = []
    for text in (data, pgn(data, line_width=width)):
        result = subprocess.run([PROGRAM, "-Wuci", "-C", "-N", "-V", "-w100000"], input=text, capture_output=True, timeout=120)
        errors = result.stderr.decode("latin-1")
        matched = re.search(r"(\d+) games? matched out of (\d+)", errors)
        assert matched
        complaints = [line for line in errors.splitlines() if " on line " in line or "Unknown" in line or "issing" in line]
        told.append(
            (matched.groups(), re.findall(r"^[a-h][1-8].*$", result.stdout.decode("latin-1"), re.MULTILINE), len(complaints))
        )
    assert told[0][:2] == told[1][:2]
    assert told[1][2] <= told[0][2]
