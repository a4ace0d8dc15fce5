"""Move numbers that are not the ones due: wrong ones (N420), and jumps that say that moves are missing (N421)."""

from __future__ import annotations

from bisect import bisect_right

from chesstools.finding import Severity
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import Kind, Token
from chesstools.reference.line import Line
from chesstools.reference.notation import WrongNumber
from chesstools.reference.tags import Tags
from chesstools.time_control import TimeControl

NEED_NOT_RECORD_MS = 300_000
"""Who has less time left than this need not record his moves ..."""

MUST_RECORD_INCREMENT_S = 30
"""... unless so much time is added for each move (FIDE 8.4; seed article 11.2)."""


def report_numbers(facts: Facts, tags: Tags, line: Line, wrong: list[WrongNumber], base: int) -> None:
    """Report the wrong numbers of the mainline, which started with the shift `base`.

    Where a number skips some, at least one later number goes on from it, and all moves are legal, moves seem to be missing.
    """
    starts = _numbers(facts) if wrong else []
    for index, one in enumerate(wrong):
        end = wrong[index + 1].token.start if index + 1 < len(wrong) else facts.region.offset + len(facts.region.data)
        goes_on = bisect_right(starts, end - 1) > bisect_right(starts, one.token.start)
        gap = one.skipped > 0 and one.shift > base and goes_on and not line.stopped
        if not gap:
            facts.add("N420", one.token, one.place, token=one.text, expected=one.expected, found=one.text)
            continue
        clock = _clock_before(line, one.place.ply or 1)
        hurried = clock is not None and clock < NEED_NOT_RECORD_MS and not _must_record(tags)
        facts.add(
            "N421",
            one.token,
            one.place,
            token=one.text,
            severity=Severity.INFO if hurried else None,
            expected=one.expected,
            found=one.text,
            count=one.skipped,
            clock=_shown(clock) if hurried and clock is not None else None,
        )


def _numbers(facts: Facts) -> list[int]:
    """Where the move numbers of the mainline stand."""
    region = facts.region
    starts: list[int] = []
    depth = 0
    tokens: list[Token] = region.tokens[: region.terminator]
    for token in tokens:
        if token.kind is Kind.OPEN:
            depth += 1
        elif token.kind is Kind.CLOSE:
            depth = max(depth - 1, 0)
        elif token.kind is Kind.NUMBER and depth == 0:
            starts.append(token.start)
    return starts


def _clock_before(line: Line, ply: int) -> int | None:
    """The shorter of the times that the players had left before this ply, in milliseconds; None where none is known."""
    clocks = [one.annotations.clock_ms for one in line.plies[max(ply - 3, 0) : ply - 1]]
    return min((clock for clock in clocks if clock is not None), default=None)


def _must_record(tags: Tags) -> bool:
    control = TimeControl.parse(tags.get("TimeControl") or "")
    return control is not None and (control.increment_s or 0) >= MUST_RECORD_INCREMENT_S


def _shown(milliseconds: int) -> str:
    """A time as H:MM:SS; below zero as none.

    >>> _shown(299_999)
    '0:04:59'
    """
    seconds = max(milliseconds, 0) // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
