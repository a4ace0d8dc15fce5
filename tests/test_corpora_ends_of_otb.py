"""Ends of games over the board: what is said of mates, repetitions, counts and dead positions, against python-chess.

All games of the archive are judged, each by the Laws of its day; those that something is said of are replayed by python-chess.
"""

from __future__ import annotations

import io
from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import chess
import chess.pgn
import corpora
import pyarrow as pa
import pytest

from chesstools.engines import why_not_native
from chesstools.scan import scan
from chesstools.source import Source, find_sources

pytestmark = [
    corpora.needs_corpus,
    pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here"),
]

COLUMNS = [
    *("game_index", "byte_offset", "byte_length", "date", "result_value", "final_status", "first_fivefold_ply"),
    *("first_seventyfive_ply", "first_dead_ply", "legal_ply_count", "plies_past_automatic_draw", "codes"),
]
LAW = "2014.07.01"
"""From this day on the fifth repetition, and 75 moves, end a game."""


class Otb(NamedTuple):
    """The archive, and what chesstools makes of it."""

    text: bytes
    games: list[dict[str, Any]]

    def said(self, code: str) -> list[dict[str, Any]]:
        """The games of which something is said."""
        return [row for row in self.games if code in row["codes"]]

    def boards(self, row: dict[str, Any]) -> list[chess.Board]:
        """All positions of a game, as python-chess replays it."""
        start = row["byte_offset"]
        game = chess.pgn.read_game(io.StringIO(self.text[start : start + row["byte_length"]].decode("latin-1")))
        assert game is not None
        board = game.board()
        boards = [board.copy()]
        for move in game.mainline_moves():
            board.push(move)
            boards.append(board.copy())
        assert len(boards) == row["legal_ply_count"] + 1
        return boards


@cache
def otb() -> Otb:
    (source,) = find_sources(corpora.path("otb"))
    text = b"".join(source.open())
    tables = scan(Source.from_bytes(text, "otb"), tables=["games"]).to_tables()
    table: pa.Table = tables["games"].select(COLUMNS)
    assert table.num_rows == corpora.GAMES["otb"]
    return Otb(text, table.to_pylist())


def test_mates_and_stalemates_have_their_result_but_for_one() -> None:
    results = Counter((row["final_status"], row["result_value"]) for row in otb().games)
    assert results["checkmate", "1-0"] + results["checkmate", "0-1"] == 1_244
    assert results["stalemate", "1/2-1/2"] == 221
    assert {result for status, result in results if status == "stalemate"} == {"1/2-1/2"}
    (wrong,) = otb().said("E501")
    last = otb().boards(wrong)[-1]
    assert last.is_checkmate()
    assert wrong["result_value"] == "1-0"
    assert last.turn == chess.WHITE  # White is mated


def test_games_past_the_fifth_repetition_by_date() -> None:
    """Where the rule was not yet there nothing is said; later, that the game went on. Both columns tell of both."""
    found: Counter[tuple[bool, ...]] = Counter()
    for row in otb().games:
        if (ply := row["first_fivefold_ply"]) is None:
            assert not {"D603", "E514"} & set(row["codes"])
            continue
        boards = otb().boards(row)
        assert [board.is_repetition(5) for board in boards[: ply + 1]] == [False] * ply + [True]
        went_on = row["legal_ply_count"] > ply
        assert went_on or "E514" not in row["codes"]
        found[row["date"] >= LAW, went_on, "D603" in row["codes"], "E514" in row["codes"]] += 1
    assert found == {
        (False, False, False, False): 6,
        (False, True, False, False): 26,
        (True, False, True, False): 6,
        (True, True, True, True): 22,
        (True, True, False, False): 1,  # 2015, when the five had to follow one another
        (True, False, False, False): 2,  # played on a server, where three are enough
    }


def test_games_past_75_moves_by_date() -> None:
    found: Counter[tuple[bool, ...]] = Counter()
    for row in otb().games:
        if (ply := row["first_seventyfive_ply"]) is None:
            assert not {"D612", "E515"} & set(row["codes"])
            continue
        boards = otb().boards(row)
        assert next(number for number, board in enumerate(boards) if board.is_seventyfive_moves()) == ply
        went_on = row["legal_ply_count"] - ply
        assert went_on > 0
        if "E515" in row["codes"]:
            assert row["plies_past_automatic_draw"] == went_on
        found[row["date"] >= LAW, "D612" in row["codes"], "E515" in row["codes"]] += 1
    assert found == {(False, False, False): 2, (True, True, True): 4}


def test_games_that_the_board_had_drawn_were_won() -> None:
    wrong = otb().said("E516")
    assert len(wrong) == 5
    for row in wrong:
        assert row["result_value"] in ("1-0", "0-1")
        assert otb().boards(row)[row["first_fivefold_ply"]].is_repetition(5)
        assert row["date"] >= LAW


WALLS = {
    "8/8/1p1k4/pP1p1p1p/P1KP1P1P/8/8/8 w - - 0 60",
    "4k3/5p2/4pPp1/3pP1Pp/1p1P3P/1P4K1/8/8 b - - 0 47",
}
"""Walls of pawns without a gap: no king can cross, and no pawn can move."""


def ends_dead(board: chess.Board, plies: int = 3) -> bool:
    """Whether all lines of some plies lead to a draw by material or stalemate."""
    if board.is_insufficient_material() or board.is_stalemate():
        return True
    moves = list(board.legal_moves)
    if plies == 0 or not moves:
        return False
    for move in moves:
        board.push(move)
        dead = ends_dead(board, plies - 1)
        board.pop()
        if not dead:
            return False
    return True


def test_dead_positions_played_on() -> None:
    played_on = otb().said("E513")
    assert len(played_on) == 81
    for row in played_on:
        boards, ply = otb().boards(row), row["first_dead_ply"]
        assert row["legal_ply_count"] > ply
        assert ends_dead(boards[ply]) or boards[ply].fen() in WALLS
        assert not boards[ply - 1].is_insufficient_material()
        assert not any(board.is_checkmate() for board in boards[ply:])
    dead = [row for row in otb().games if row["first_dead_ply"] is not None]
    assert len(dead) == 878
    assert sum(row["legal_ply_count"] > row["first_dead_ply"] for row in dead) == len(played_on)
