"""What is wrong with the clock times of a game (C702 to C705): one finding for each kind, at the first ply that shows it."""

from __future__ import annotations

import chess

from chesstools.reference.allowance import Allowance
from chesstools.reference.clocks import Clocks, Seen
from chesstools.reference.ending import Ending
from chesstools.reference.facts import Facts, Place
from chesstools.reference.line import Line
from chesstools.reference.setup_check import side_name
from chesstools.reference.start import Start
from chesstools.reference.tags import Tags
from chesstools.reference.values import parse_termination
from chesstools.time_control import TimeControl

COMFORTABLE_MS = 600_000
"""With so much time left nobody is about to lose on time, where no more is known than that."""

COMFORTABLE_PART = 2
"""Where the time control is known, it is the time at the start divided by this instead,"""

COMFORTABLE_LEAST_MS = 60_000
"""but no less than this."""

_WINNER = {"1-0": chess.WHITE, "0-1": chess.BLACK}


def judge_clocks(facts: Facts, tags: Tags, start: Start, line: Line, ending: Ending) -> None:
    """Set the time used for each ply of the mainline, and report what is wrong with clock times."""
    if start.board is None or start.setup is None:
        return
    control = TimeControl.parse(tags.get("TimeControl") or "")
    board = start.setup  # the other one was played on
    from_move_one = board.fullmove_number == 1 and board.turn == chess.WHITE
    allowance = Allowance.of(control, from_move_one=from_move_one)
    clocks = Clocks(allowance, board.turn == chess.WHITE)
    for ply in line.plies:
        ply.used_ms = clocks.add(ply.annotations.clock_ms, ply.annotations.elapsed_ms)
    _report_gain(facts, line, clocks)
    _report_exhausted(facts, line, clocks)
    if not line.stopped or line.over:
        _report_flag(facts, tags, line, clocks, control, ending)


def _report_gain(facts: Facts, line: Line, clocks: Clocks) -> None:
    seen = clocks.risen
    if seen is None:
        return
    allowed = seen.allowed_ms or 0
    _report(
        facts, "C702", line, clocks, seen,
        expected=clock_text(seen.before_ms or 0), found=clock_text(seen.after_ms), limit=allowed // 1000, count=seen.count,
        before_ms=seen.before_ms, after_ms=seen.after_ms, allowed_ms=allowed,
    )  # fmt: skip


def _report_exhausted(facts: Facts, line: Line, clocks: Clocks) -> None:
    """A clock that had run out is a control that was not met (C704) where moves were due, else just that (C703)."""
    missed = clocks.missed
    shown = [clocks.negative, clocks.zero if clocks.fine or clocks.many_zeros else None]
    known = [seen for seen in shown if seen is not None]
    if known:
        seen = min(known, key=lambda seen: seen.ply)
        if seen.due is not None:
            if missed is None or seen.ply < missed.ply:
                missed = seen
        else:
            count = sum(seen.count for seen in known)
            _report(facts, "C703", line, clocks, seen, found=clock_text(seen.after_ms), count=count, after_ms=seen.after_ms)
    if missed is not None:
        _report(
            facts, "C704", line, clocks, missed, count=missed.made, limit=missed.due,
            before_ms=missed.before_ms, after_ms=missed.after_ms, allowed_ms=missed.allowed_ms,
        )  # fmt: skip


def _report_flag(facts: Facts, tags: Tags, line: Line, clocks: Clocks, control: TimeControl | None, ending: Ending) -> None:
    """Termination says that time was over, but the loser's clock showed a lot of it with his last move (C705)."""
    if (
        ending.result not in _WINNER
        or ending.status == "checkmate"
        or parse_termination(tags.get("Termination") or "")[1] != "time"
    ):
        return
    if control is not None and control.kind in ("per_move", "correspondence"):
        return  # the clock begins anew
    loser = not _WINNER[ending.result]
    player = clocks.player(white=loser == chess.WHITE)
    if player.last_ms is None or player.last_move != player.moves:
        return
    comfortable = COMFORTABLE_MS
    if clocks.allowance is not None:
        comfortable = max(clocks.allowance.start_ms // COMFORTABLE_PART, COMFORTABLE_LEAST_MS)
    if player.last_ms >= comfortable:
        last = clocks.ply if clocks.is_white(clocks.ply) == (loser == chess.WHITE) else clocks.ply - 1
        seen = Seen(last, None, player.last_ms)
        _report(facts, "C705", line, clocks, seen, found=clock_text(player.last_ms), after_ms=player.last_ms)


def _report(facts: Facts, code: str, line: Line, clocks: Clocks, seen: Seen, **evidence: object) -> None:
    side = side_name(chess.WHITE if clocks.is_white(seen.ply) else chess.BLACK)
    facts.add(code, line.plies[seen.ply - 1].token, Place(seen.ply), {"side": side, **evidence})


def clock_text(milliseconds: int) -> str:
    """A clock time as `[%clk]` has it.

    >>> clock_text(3_723_500), clock_text(-1000)
    ('1:02:03.5', '-0:00:01')
    """
    seconds, parts = divmod(abs(milliseconds), 1000)
    decimals = f".{parts:03}".rstrip("0") if parts else ""
    return f"{'-' if milliseconds < 0 else ''}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{decimals}"
