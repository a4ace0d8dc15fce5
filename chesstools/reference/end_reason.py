"""Why a game ended, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from chesstools.profiles import Profile
from chesstools.reference.ending import Ending
from chesstools.reference.flags import why_drawn_on_time
from chesstools.reference.replay import Replay
from chesstools.reference.said import Said
from chesstools.reference.tags import Tags
from chesstools.reference.unclaimed import automatic_draws
from chesstools.reference.verdicts import DECISIVE, DRAW


def find_reason(tags: Tags, replay: Replay, ending: Ending, judged: bool, said: Sequence[Said]) -> None:
    """Why the game ended: the first of these that tells.

    The board (mate, stalemate, dead position, fivefold, 75 moves); Termination and TerminationDetails; the last comment; again
    the board, by a claim that the last position bears out (not one with a written move: the board does not show that it was
    made); what Lichess calls normal where only one thing is left; the loser's clock.
    """
    watch, board = replay.watch, replay.board
    last = len(replay.mainline.plies)
    drawn = ending.result == DRAW
    if judged and ending.status in ("checkmate", "stalemate", "dead"):
        ending.reason, ending.basis = ("dead_position" if ending.status == "dead" else ending.status), "board"
        return
    if judged and drawn and watch is not None:
        for index, name in automatic_draws(watch):
            if index == last:
                ending.reason, ending.basis = name, "board"
                return
    stated = next((words for words in said if words.reason is not None), None)
    if stated is not None:
        ending.reason, ending.basis = stated.reason, stated.basis
        if stated.reason == "time" and drawn and judged and watch is not None and _drawn_on_time(board, watch.profile):
            ending.reason = "timeout_v_insufficient_material"
        return
    if judged and drawn and watch is not None:
        for run in watch.runs:
            if run.last == run.complete == last:
                ending.reason = "threefold" if run.kind == "repetition" else "fifty"
                ending.basis = "board"
                return
    if judged and ending.status == "none" and any(words.normal for words in said) and _is_from_lichess(tags):
        # Its other words are for time, rules and games that were left; and it knows no claims with a written move.
        ending.reason = "agreement" if drawn else "resignation" if ending.result in DECISIVE else None
        ending.basis = None if ending.reason is None else "termination"
    elif judged and not said and ending.result in DECISIVE and _is_out_of_time(replay, not DECISIVE[ending.result]):
        ending.reason, ending.basis = "time", "clock"


def _drawn_on_time(board: chess.Board | None, profile: Profile) -> bool:
    return board is not None and any(why_drawn_on_time(board, side, profile) for side in chess.COLORS)


def _is_from_lichess(tags: Tags) -> bool:
    return "lichess.org" in (tags.get("Site") or "")


def _is_out_of_time(replay: Replay, side: chess.Color) -> bool:
    """Whether the clock behind the last move of `side` shows nothing left."""
    board, plies = replay.board, replay.mainline.plies
    assert board is not None
    own = plies[-1:] if board.turn != side else plies[-2:-1]
    clock = own[0].annotations.clock_ms if own else None
    return clock is not None and clock <= 0
