"""Faults that real tools have with what comments and tags say by machine, with packed sources, puzzles and exports.

The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

import bz2
import gzip
from typing import Any

import chess
import chess.pgn
import pytest
import zstandard

from chesstools.errors import SourceError
from chesstools.game import Game
from chesstools.reference.line import Line
from chesstools.scan import games, scan
from chesstools.source import Source


def read(data: str | bytes) -> list[Game]:
    return list(games(Source.from_bytes(data.encode() if isinstance(data, str) else data)))


def plies(text: str) -> list[dict[str, Any]]:
    """The plies table."""
    found: list[dict[str, Any]] = scan(Source.from_bytes(text.encode())).to_tables()["plies"].to_pylist()
    return found


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.moves]


def faults(text: str) -> list[tuple[str, int | None, object]]:
    """Code, ply and reason of each finding about a comment."""
    (game,) = read(text)
    return [(finding.code, finding.where.ply, finding.evidence["reason"]) for finding in game.findings if finding.code[0] == "C"]


# ---------------------------------------------------------------------------------------------- evaluations and clocks


# DAT-02
@pytest.mark.parametrize(
    ("value", "cp", "mate", "depth"),
    [
        ("1.27", 127, None, None),
        ("-0.5", -50, None, None),
        ("+3.00", 300, None, None),
        ("0.33,18", 33, None, 18),
        ("4.80/22", 480, None, 22),
        ("#5", None, 5, None),
        ("#-2", None, -2, None),
        ("#4,30", None, 4, 30),
    ],
)
def test_evaluation_is_centipawns_or_moves_to_mate_and_never_both(
    value: str, cp: int | None, mate: int | None, depth: int | None
) -> None:
    text = f"1. g3 {{[%eval {value}]}} *"
    (row,) = plies(text)
    assert (row["eval_cp"], row["eval_mate"], row["eval_depth"]) == (cp, mate, depth)
    assert faults(text) == []


# DAT-02
@pytest.mark.parametrize(
    ("value", "mate", "reason"),
    [("M3", 3, "non-standard"), ("-M4", -4, "non-standard"), ("1,35", None, "ambiguous"), ("good", None, "syntax")],
)
def test_evaluation_in_another_form_is_reported_and_null_where_it_is_doubtful(value: str, mate: int | None, reason: str) -> None:
    text = f"1. g3 {{[%eval {value}]}} *"
    (row,) = plies(text)
    assert (row["eval_cp"], row["eval_mate"], row["eval_depth"]) == (None, mate, None)
    assert row["comment"] == f"[%eval {value}]"
    assert faults(text) == [("C706", 1, reason)]


# DAT-02
def test_comment_of_an_engine_stays_text_where_nothing_says_whose_view_it_is() -> None:
    (row,) = plies("1. g3 {-0.31/17 2.4s} *")
    assert (row["eval_cp"], row["elapsed_ms"], row["comment"]) == (None, None, "-0.31/17 2.4s")


# DAT-03
def test_evaluation_belongs_to_the_ply_before_it_and_is_from_the_side_of_white() -> None:
    rows = plies("1. g3 {[%eval 0.10]} g5 {[%eval 0.90]} 2. f4 {[%eval -2.15]} gxf4 {[%eval #-4]} 3. Nc3 *")
    assert [row["eval_cp"] for row in rows] == [10, 90, -215, None, None]
    assert [row["eval_mate"] for row in rows] == [None, None, None, -4, None]


# DAT-04
@pytest.mark.parametrize("blank", [" ", "\n", "\r\n", "\n  "])
def test_line_break_inside_a_command_is_a_blank(blank: str) -> None:
    text = f"1. g3 {{[%clk{blank}1:29:58] [%eval{blank}0.12]}} g6 {{so [%emt{blank}0:00:07]{blank}it went}} *"
    first, second = plies(text)
    assert (first["clock_ms"], first["eval_cp"]) == (5_398_000, 12)
    assert (second["elapsed_ms"], second["comment"]) == (7000, "so [%emt 0:00:07] it went")
    assert faults(text) == []


# DAT-04
def test_clock_that_cannot_be_read_is_null_and_reported() -> None:
    text = "1. g3 {[%clk 1:75:00]} g6 {[%clk soon]} *"
    assert [row["clock_ms"] for row in plies(text)] == [None, None]
    assert [fault[:2] for fault in faults(text)] == [("C701", 1), ("C701", 2)]


# ---------------------------------------------------------------------------------------------- time controls


# DAT-07
@pytest.mark.parametrize(
    ("text", "base", "increment", "stages"),
    [
        ("180+2", 180, 2, ["180+2"]),
        ("900", 900, 0, ["900"]),
        ("-", None, None, None),
        ("?", None, None, None),
        ("1/259200", None, None, ["1/259200"]),
        ("40/5400+30:1800+30", None, None, ["40/5400+30", "1800+30"]),
        ("*180", None, None, ["*180"]),
    ],
)
def test_time_control_is_seconds_where_it_is_one_period_for_the_game(
    text: str, base: float | None, increment: float | None, stages: list[str] | None
) -> None:
    (row,) = scan(Source.from_bytes(f'[TimeControl "{text}"]\n\n1. g3 *'.encode())).to_tables()["games"].to_pylist()
    assert (row["time_base_s"], row["time_increment_s"], row["time_stages"]) == (base, increment, stages)
    assert (row["time_control"], "T122" in row["codes"]) == (text, False)


# DAT-07
@pytest.mark.parametrize("text", ["G/90", "3 min", "90'+30''", "5|3", "1800 + 15", "300+", "40/:60"])
def test_time_control_in_free_words_is_kept_as_text_and_reported(text: str) -> None:
    (row,) = scan(Source.from_bytes(f'[TimeControl "{text}"]\n\n1. g3 *'.encode())).to_tables()["games"].to_pylist()
    assert (row["time_base_s"], row["time_increment_s"], row["time_stages"]) == (None, None, None)
    assert (row["time_control"], "T122" in row["codes"]) == (text, True)


# ---------------------------------------------------------------------------------------------- packed sources

PARTS = [f'[Event "Part {number}"]\n\n1. {move} *\n\n'.encode() for number, move in enumerate(("g3", "b3", "c3"))]
SKIPPABLE = b"\x5a\x2a\x4d\x18\x04\x00\x00\x00skip"


def frames() -> list[bytes]:
    """Each part in a frame of its own, with a frame before it that readers skip."""
    return [SKIPPABLE + zstandard.ZstdCompressor().compress(part) for part in PARTS]


PACKED = {"zstd": frames(), "gzip": list(map(gzip.compress, PARTS)), "bzip2": list(map(bz2.compress, PARTS))}


# DAT-08, DAT-09
@pytest.mark.parametrize("kind", PACKED)
def test_every_frame_of_a_packed_file_is_read(kind: str) -> None:
    found = read(b"".join(PACKED[kind]))
    assert [(game.tags["Event"], sans(game)) for game in found] == [("Part 0", ["g3"]), ("Part 1", ["b3"]), ("Part 2", ["c3"])]


# DAT-08, DAT-09
@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("cut", [1, 4, 9])
def test_packed_file_that_is_cut_off_is_an_error_behind_the_games_before_the_cut(kind: str, cut: int) -> None:
    stream = games(Source.from_bytes(b"".join(PACKED[kind])[:-cut]))
    assert [next(stream).tags["Event"] for _ in range(2)] == ["Part 0", "Part 1"]
    with pytest.raises(SourceError, match="ends in the middle"):
        list(stream)


# ---------------------------------------------------------------------------------------------- puzzles


# DAT-11
def test_puzzle_that_starts_before_the_move_of_the_opponent_keeps_its_start() -> None:
    fen, moves = "3q2k1/5ppp/8/8/8/8/5PPP/4R1K1 b - - 3 31", "d8a5 e1e8"
    (game,) = read(f'[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} *\n')
    assert (sans(game), game.start_fen) == (["Qa5", "Re8#"], fen)
    solver = chess.Board(fen)
    solver.push(game.moves[0].move)
    assert solver.turn == chess.WHITE
    assert game.moves[1].move == chess.Move.from_uci("e1e8")


# ---------------------------------------------------------------------------------------------- exports


def shape(line: Line) -> list[object]:
    """A line with everything that hangs on it, to compare."""
    return [
        line.comments,
        [(ply.san, ply.nags, ply.comments, [shape(variation) for variation in ply.variations]) for ply in line.plies],
    ]


# DAT-12
def test_export_gives_black_a_move_number_behind_a_comment_or_a_variation() -> None:
    (game,) = read("1. g3 {slow} g6 (d5 2. Bg2 (2. d4 c5)) 2. Bg2 ! Bg7 (e5 {why not}) *")
    written = game.to_chess().accept(chess.pgn.StringExporter(headers=False, columns=None))
    assert written == ("1. g3 { slow } 1... g6 ( 1... d5 2. Bg2 ( 2. d4 c5 ) ) 2. Bg2 $1 Bg7 ( 2... e5 { why not } ) *")
    (again,) = read(written)
    assert shape(again.facts.mainline) == shape(game.facts.mainline)
    assert not [finding for finding in again.findings if finding.code == "N420"]
