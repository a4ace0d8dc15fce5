"""Clocks, times and evaluations in the comments of real archives, against python-chess or a pattern written here."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from corpora import judged, needs_corpus, text, verdicts

pytestmark = needs_corpus

FASTCHESS = re.compile(r"([+-]?)(?:M(\d+)|(\d+\.\d\d))/(\d+) (\d+\.\d\d\d)s(?:, .*)?", re.DOTALL)
PAIR = re.compile(r"(\w+)=([^,]*),")

Values = tuple[int | None, ...]


def expect(name: str, columns: tuple[str, ...], read: Callable[[int, str], Values]) -> int:
    """Compare columns of plies with what `read` makes of ply number and comment; how many plies have a value."""
    stated = 0
    for index, (ours, verdict) in enumerate(zip(judged(name).plies_of_games(*columns), verdicts(name), strict=True)):
        theirs = [read(number, " ".join(ply.comments)) for number, ply in enumerate(verdict.plies, 1)]
        assert ours == theirs, f"{name}, game {index}"
        stated += sum(value is not None for values in theirs for value in values)
    return stated


@pytest.mark.parametrize("name", ["lichess_clk", "lichess_db", "chesscom"])
def test_clocks_are_those_that_python_chess_reads(name: str) -> None:
    stated = 0
    for ours, verdict in zip(judged(name).plies_of_games("clock_ms", "elapsed_ms"), verdicts(name), strict=True):
        assert ours == [(ply.clock_ms, None) for ply in verdict.plies]
        stated += sum(ply.clock_ms is not None for ply in verdict.plies)
    assert stated == text(name).count(b"[%clk") > 0


@pytest.mark.parametrize("name", ["lichess_clk", "lichess_db", "chesscom"])
def test_evaluations_are_those_that_python_chess_reads(name: str) -> None:
    stated = 0
    for ours, verdict in zip(judged(name).plies_of_games("eval_cp", "eval_mate", "eval_depth"), verdicts(name), strict=True):
        assert ours == [(ply.eval_cp, ply.eval_mate, None) for ply in verdict.plies]
        stated += sum(ply.eval_cp is not None or ply.eval_mate is not None for ply in verdict.plies)
    assert stated == text(name).count(b"[%eval")


def test_fastchess_comments() -> None:
    starts = [verdict.tags["FEN"].split()[1] for verdict in verdicts("fastchess")]

    def read(sign: int, comment: str) -> Values:
        match = FASTCHESS.fullmatch(comment)
        if match is None:
            return (None, None, None, None)
        sign = -sign if match[1] == "-" else sign
        mate = None if match[2] is None else sign * int(match[2])
        pawns = None if match[3] is None else sign * int(match[3].replace(".", ""))
        return (pawns, mate, int(match[4]), int(match[5].replace(".", "")))

    columns = ("eval_cp", "eval_mate", "eval_depth", "elapsed_ms")
    stated = 0
    for start, ours, verdict in zip(starts, judged("fastchess").plies_of_games(*columns), verdicts("fastchess"), strict=True):
        first = 1 if start == "w" else -1  # the evaluation is the mover's own
        theirs = [read(first if number % 2 else -first, " ".join(ply.comments)) for number, ply in enumerate(verdict.plies, 1)]
        assert ours == theirs
        stated += sum(depth is not None for _, _, depth, _ in theirs)
    assert stated == judged("fastchess").summary.plies


def milliseconds(text: str | None) -> int | None:
    """``hh:mm:ss`` in milliseconds."""
    if text is None or not re.fullmatch(r"\d\d:\d\d:\d\d", text):
        return None
    hours, minutes, seconds = (int(part) for part in text.split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def test_tcec_comments() -> None:
    def read(_: int, comment: str) -> Values:
        pairs = dict(PAIR.findall(comment))
        value = pairs.get("wv")
        evaluation = mate = None
        if value is not None and "M" in value:
            mate = int(value.replace("M", ""))
        elif value is not None:
            evaluation = int(value.replace(".", ""))
        return (
            evaluation,
            mate,
            int(pairs["d"]) if value else None,
            milliseconds(pairs.get("mt")),
            milliseconds(pairs.get("tl")),
        )

    stated = expect("tcec_chess960", ("eval_cp", "eval_mate", "eval_depth", "elapsed_ms", "clock_ms"), read)
    assert stated > 3.9 * judged("tcec_chess960").summary.plies


def test_old_tcec_comments_do_not_say_whose_evaluation_it_is() -> None:
    def read(_: int, comment: str) -> Values:
        pairs = dict(PAIR.findall(comment))
        return (None, None, None, milliseconds(pairs.get("mt")), milliseconds(pairs.get("tl")))

    stated = expect("tcec_semicolon", ("eval_cp", "eval_mate", "eval_depth", "elapsed_ms", "clock_ms"), read)
    assert stated > 1.9 * judged("tcec_semicolon").summary.plies
