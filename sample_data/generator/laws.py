"""What the Laws say about draws in a finished game, by brute force: the truth that a validator is compared with.

Nothing here is clever. Position index i is the position after i plies; a claim window is an index at which the side to
move could have claimed a draw; a run is a series of windows of one side without a gap at its turns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import chess

from generator.play import diagram_key, position_key

THREEFOLD, FIVEFOLD = 3, 5
FIFTY, FIFTY_ANNOUNCED, SEVENTYFIVE = 100, 99, 150
"""Plies without capture or pawn move: claim (9.3), claim with an announced move, automatic draw (9.6.2)."""


@dataclass(frozen=True)
class DrawFact:
    """A finding about draws: D601 (threefold), D611 (fifty moves) or D605 (only the diagram was repeated).

    `index` to `last` is the run of claim windows; for D605 both are the index at which the diagram stood again.
    """

    code: str
    severity: str
    index: int
    last: int
    side: str
    detail: str


def end_index(start: chess.Board, moves: Sequence[chess.Move]) -> tuple[int | None, str]:
    """The first index at which the game was over by itself, and why; (None, "") where it never was."""
    board = start.copy(stack=False)
    seen: Counter[Hashable] = Counter()
    for index in range(len(moves) + 1):
        if index:
            board.push(moves[index - 1])
        key = position_key(board)
        seen[key] += 1
        if not any(board.generate_legal_moves()):
            return index, "checkmate" if board.is_check() else "stalemate"
        if board.is_insufficient_material():
            return index, "dead"
        if board.halfmove_clock >= SEVENTYFIVE:
            return index, "seventyfive"
        if seen[key] >= FIVEFOLD:
            return index, "fivefold"
    return None, ""


def draw_facts(start: chess.Board, moves: Sequence[chess.Move], result: str) -> list[DrawFact]:
    """Every D601, D605 and D611 that a validator has to report for these moves and this result.

    A run of claim windows is a warning where a player who had the right lost the game, and a note otherwise.
    """
    board = start.copy(stack=False)
    seen: Counter[Hashable] = Counter()
    diagrams: dict[Hashable, list[int]] = defaultdict(list)
    looks: dict[Hashable, int] = {}
    threefold: list[int] = []
    fifty: list[int] = []
    repeated = False
    over = False
    for index in range(len(moves) + 1):
        if index:
            board.push(moves[index - 1])
        if board.halfmove_clock == 0:
            repeated = False
        key = position_key(board)
        diagram = diagram_key(board)
        seen[key] += 1
        diagrams[diagram].append(index)
        repeated = repeated or seen[key] >= 2
        if len(diagrams[diagram]) >= 3 and seen[key] < THREEFOLD:
            looks.setdefault(diagram, index)
        busy = repeated or board.halfmove_clock >= FIFTY_ANNOUNCED or chess.popcount(board.occupied) <= 4
        if not busy:
            continue
        over = (
            over
            or seen[key] >= FIVEFOLD
            or board.halfmove_clock >= SEVENTYFIVE
            or board.is_insufficient_material()
            or not any(board.generate_legal_moves())
        )
        if over:
            continue
        if repeated and _threefold_window(board, seen, seen[key]):
            threefold.append(index)
        if _fifty_window(board):
            fifty.append(index)
    facts = [DrawFact("D605", "info", index, index, "", f"diagram at {diagrams[diagram]}") for diagram, index in looks.items()]
    for code, windows in (("D601", threefold), ("D611", fifty)):
        facts += [_fact(code, run, start.turn, len(moves), result) for run in _runs(windows)]
    return sorted(facts, key=lambda fact: (fact.index, fact.code))


def right_facts(start: chess.Board, moves: Sequence[chess.Move], facts: Sequence[DrawFact]) -> list[DrawFact]:
    """D602 where a right to claim lapsed and came back, D603 and D612 where the game was drawn by itself."""
    found: list[DrawFact] = []
    for code in ("D601", "D611"):
        for side in ("white", "black"):
            own = [fact for fact in facts if (fact.code, fact.side) == (code, side)]
            for one, other in pairwise(own):
                detail = f"{side}, lost at {one.last + 1}, back at {other.index}"
                found.append(DrawFact("D602", "info", one.last + 1, other.index, side, detail))
    board = start.copy(stack=False)
    seen: Counter[Hashable] = Counter()
    first: dict[str, int] = {}
    for index in range(len(moves) + 1):
        if index:
            board.push(moves[index - 1])
        key = position_key(board)
        seen[key] += 1
        if seen[key] >= FIVEFOLD:
            first.setdefault("D603", index)
        if board.halfmove_clock >= SEVENTYFIVE and any(board.generate_legal_moves()):
            first.setdefault("D612", index)
    found += [DrawFact(code, "info", index, index, "", f"index {index}") for code, index in first.items()]
    return sorted(found, key=lambda fact: (fact.index, fact.code))


def _threefold_window(board: chess.Board, seen: Counter[Hashable], count: int) -> bool:
    if count >= THREEFOLD:
        return True
    for move in list(board.legal_moves):
        if board.is_zeroing(move):
            continue
        board.push(move)
        key = position_key(board)
        board.pop()
        if seen[key] >= THREEFOLD - 1:
            return True
    return False


def _fifty_window(board: chess.Board) -> bool:
    if board.halfmove_clock >= FIFTY:
        return True
    return board.halfmove_clock >= FIFTY_ANNOUNCED and any(not board.is_zeroing(move) for move in board.legal_moves)


def _runs(windows: list[int]) -> list[list[int]]:
    """Windows of one side in a row are two indices apart."""
    runs: list[list[int]] = []
    for parity in (0, 1):
        own = [index for index in windows if index % 2 == parity]
        for index in own:
            if runs and runs[-1][-1] == index - 2:
                runs[-1].append(index)
            else:
                runs.append([index])
    return runs


def _fact(code: str, run: list[int], first_turn: chess.Color, last: int, result: str) -> DrawFact:
    white = first_turn == (run[0] % 2 == 0)
    wins, loses = ("1-0", "0-1") if white else ("0-1", "1-0")
    if result == loses:
        effect = "decisive_against_claimant"
    elif result == wins:
        effect = "decisive_for_claimant"
    elif result == "1/2-1/2":
        effect = "ended_here" if run[-1] == last else "drawn_later"
    else:
        effect = "unfinished"
    severity = "warning" if effect == "decisive_against_claimant" else "info"
    side = "white" if white else "black"
    return DrawFact(code, severity, run[0], run[-1], side, f"{side}, indices {run[0]}-{run[-1]}, {effect}")
