"""Where along a game neither side could mate any more: found by halving, the same on both engines, and told with its proof."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from blocked import blocked_positions
from hypothesis import given
from hypothesis import strategies as st
from native_diff import compare

from chesstools.engines import why_not_native
from chesstools.reference.dead import first_dead, may_be_dead
from chesstools.reference.winnable import quick
from chesstools.scan import scan
from chesstools.source import Source

native = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")
ENGINES = ["reference", pytest.param("native", marks=native)]


def pgn(fen: str, moves: str, result: str, date: str = "2024.05.04") -> bytes:
    tags = {"Event": "?", "Site": "?", "Date": date, "Round": "?", "White": "?", "Black": "?", "Result": result}
    lines = [f'[{name} "{value}"]' for name, value in {**tags, "SetUp": "1", "FEN": fen}.items()]
    return ("\n".join(lines) + f"\n\n{moves} {result}\n").encode()


def judged(data: bytes, engine: str, **options: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The row of the game, and the findings on its end by code."""
    tables = scan(Source.from_bytes(data), engine=engine, select="E", **options).to_tables()
    (game,) = tables["games"].to_pylist()
    return game, {row["code"]: row for row in tables["findings"].to_pylist()}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_wall_of_pawns(engine: str) -> None:

    fen = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"
    game, findings = judged(pgn(fen, "1. Ke2 Ke7 2. Kd2", "1-0"), engine)
    assert (game["first_dead_ply"], game["final_status"], game["end_reason"]) == (0, "dead", "dead_position")
    assert dict(findings["E503"]["evidence"]) == {"method": "semi-static"}
    assert (findings["E503"]["first_ply"], findings["E503"]["expected"]) == (0, "1/2-1/2")
    assert (findings["E513"]["first_ply"], findings["E513"]["count"]) == (0, 3)
    assert dict(findings["E513"]["evidence"]) == {"method": "semi-static"}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_first_position_is_found(engine: str) -> None:
    """A rook is given away in front of a wall: dead from the ply at which it is gone."""
    fen = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/5R2/8/2B1K3 w - - 0 1"
    moves = "1. Kd2 Kd7 2. Re3 Kd6 3. Re6+ Kxe6 4. Kd3 Kd7"
    game, findings = judged(pgn(fen, moves, "1/2-1/2"), engine)
    assert game["first_dead_ply"] == 6
    assert list(findings) == ["E513"]
    assert (findings["E513"]["ply"], findings["E513"]["count"]) == (7, 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_can_be_claimed_where_the_game_was_over(engine: str) -> None:
    """Kings go to and fro behind a wall: no rights, as nobody could mate from the beginning, or from where a rook went."""
    wall, with_rook = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 90 60", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/5R2/8/2B1K3 w - - 0 1"
    to_and_fro = "1. Ke2 Ke7 2. Ke1 Ke8 3. Ke2 Ke7 4. Ke1 Ke8 5. Ke2 Ke7 6. Ke1 Ke8"
    before = "1. Kd2 Kd7 2. Kd1 Kd8 3. Kd2 Kd7 4. Kd1 Kd8 5. Kd2 Kd7 6. Re3 Kd6 7. Re6+ Kxe6"
    before += " 8. Kd3 Kd7 9. Kd2 Ke6 10. Kd3 Kd7 11. Kd2 Ke6 12. Kd3 Kd7"
    for fen, moves, last in ((wall, to_and_fro, None), (with_rook, before, 10)):
        data = pgn(fen, moves, "1-0")
        found = {}
        for profile in ("fide-2023", "seed-1992"):
            tables = scan(Source.from_bytes(data), engine=engine, profile=profile).to_tables()
            (game,) = tables["games"].to_pylist()
            columns = [value for name, value in game.items() if name.endswith(("_repetition_last_ply", "_fifty_last_ply"))]
            codes = {row["code"] for row in tables["findings"].to_pylist() if row["code"].startswith("D")}
            found[profile] = max((value for value in columns if value is not None), default=None), codes
            assert game["first_threefold_ply"] is not None
        assert found["fide-2023"][0] == last
        assert bool(found["fide-2023"][1]) == (last is not None)
        assert "D601" in found["seed-1992"][1]
        assert found["seed-1992"][0] >= (12 if last is None else 20)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_capture_that_was_forced(engine: str) -> None:
    """White must take the queen, so that the game was over a ply before kings alone were left."""
    fen = "8/8/8/8/8/1k6/1q6/K7 w - - 0 1"  # mate: no legal move, the game is not called dead
    game, findings = judged(pgn(fen, "", "0-1"), engine)
    assert (game["first_dead_ply"], game["final_status"]) == (None, "checkmate")
    fen = "8/8/8/8/8/2k5/1q6/K7 w - - 0 1"
    game, findings = judged(pgn(fen, "", "0-1"), engine)
    assert (game["first_dead_ply"], game["final_status"]) == (None, "checkmate")
    fen = "8/8/8/8/3k4/8/1q6/K7 w - - 0 1"
    game, findings = judged(pgn(fen, "1. Kxb2", "1/2-1/2"), engine)
    assert (game["first_dead_ply"], game["final_status"]) == (0, "dead")
    assert dict(findings["E513"]["evidence"]) == {"method": "forced"}


@pytest.mark.parametrize("engine", ENGINES)
def test_only_where_the_law_says_any_series_of_moves(engine: str) -> None:
    fen = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"
    game, findings = judged(pgn(fen, "1. Ke2", "1-0"), engine, profile="seed-1992")
    assert (game["first_dead_ply"], game["final_status"]) == (None, "none")
    assert not findings


@given(blocked_positions(), st.lists(st.integers(0, 30), max_size=12))
def test_all_positions_from_the_first_on_are_dead(board: chess.Board, choices: list[int]) -> None:
    start = board.copy(stack=False)
    material = 0 if board.is_insufficient_material() else None
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves or material is not None:
            break
        board.push(moves[choice % len(moves)])
        if board.is_insufficient_material():
            material = len(board.move_stack)
    found = first_dead(start, board.move_stack, material)
    if found is None:
        assert not (may_be_dead(board) and all(quick(board, side).verdict == "no" for side in chess.COLORS))
        return
    index, method = found
    at = start.copy(stack=False)
    for move in board.move_stack[:index]:
        at.push(move)
    assert all(quick(at, side).verdict == "no" for side in chess.COLORS)
    assert method != "mate"
    assert material is None or index <= material


@native
@given(blocked_positions(), st.lists(st.integers(0, 30), max_size=12), st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
def test_both_engines_find_the_same(board: chess.Board, choices: list[int], result: str) -> None:
    fen = board.fen()
    sans = []
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            break
        move = moves[choice % len(moves)]
        sans.append(board.san(move))
        board.push(move)
    assert (difference := compare(Source.from_bytes(pgn(fen, " ".join(sans), result), "text"))) is None, str(difference)
