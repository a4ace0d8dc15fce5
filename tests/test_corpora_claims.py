"""Windows in which a draw could be claimed (D601, D611), against python-chess asked at every position of real games."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest
from corpora import FULL, judged, needs_corpus, verdicts
from independent_replay import Verdict, start_board

pytestmark = needs_corpus

# Asking python-chess takes far longer than a table of positions: by default one archive of long games is enough.
NAMES = ["tcec_semicolon", "tcec_chess960", "chesscom", "lichess_db", "fastchess"] if FULL else ["tcec_semicolon"]

Window = tuple[str, str, int, int, int]
"""Code, side, first and last index of the position, how many of them."""


def expected_windows(verdict: Verdict) -> Iterator[Window]:
    """The windows of one game: runs of consecutive positions in which the side to move could claim."""
    board = start_board(verdict.tags)
    moves = [chess.Move.from_uci(ply.uci) for ply in verdict.plies]
    possible: dict[tuple[str, str], list[int]] = {}
    for index in range(len(moves) + 1):
        if index:
            board.push(moves[index - 1])
        side = "white" if board.turn else "black"
        if board.is_game_over():  # by mate, stalemate, dead position, fivefold repetition or 75 moves
            break
        if board.can_claim_threefold_repetition():
            possible.setdefault(("D601", side), []).append(index)
        if board.can_claim_fifty_moves():
            possible.setdefault(("D611", side), []).append(index)
    for (code, side), indices in possible.items():
        run: list[int] = []
        for index in indices:
            if run and index != run[-1] + 2:
                yield code, side, run[0], run[-1], len(run)
                run = []
            run.append(index)
        yield code, side, run[0], run[-1], len(run)


@pytest.mark.parametrize("name", NAMES)
def test_windows_are_those_in_which_python_chess_lets_claim(name: str) -> None:
    columns = ["game_index", "code", "side", "first_ply", "last_ply", "count"]
    found: dict[int, set[Window]] = {}
    for row in judged(name).findings.select(columns).to_pylist():
        if row["code"] in ("D601", "D611"):
            index, *window = row.values()
            found.setdefault(index, set()).add(tuple(window))
    asked = 0
    for index, verdict in enumerate(verdicts(name)):
        # Short games without a window are left out.
        if index in found or len(verdict.plies) > 120:
            asked += 1
            assert found.get(index, set()) == set(expected_windows(verdict)), f"{name}, game {index}"
    assert asked > 10
