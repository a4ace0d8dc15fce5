"""Clock times that do not fit the time control or the end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from generator.faults import Maker, insert_after, kind
from generator.play import Play
from generator.score import Sheet, Token
from generator.styles import Draft

SILENT = ("twic",)
"""Styles that write no comments of their own."""

START = 300
"""Seconds that each player has."""


def _clock(seconds: int) -> str:
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'-' if seconds < 0 else ''}0:{minutes:02}:{rest:02}"


def _times(maker: Maker, plies: int) -> list[int]:
    """The clock behind each ply, of players who take a few seconds for every move."""
    left = [START, START]
    times = []
    for ply in range(plies):
        left[ply % 2] -= maker.rng.randrange(1, 5)
        times.append(left[ply % 2])
    return times


def _write(maker: Maker, play: Play, control: str, times: Sequence[int]) -> Sheet:
    """A game with a clock behind each of its first plies."""
    sheet = maker.write(Draft.of(play))
    sheet.put("TimeControl", control)
    for ply, seconds in enumerate(times, start=1):
        insert_after(sheet, ply, [Token("comment", "{[%clk " + _clock(seconds) + "]}")])
    return sheet


@kind("clock-gains", "C702", SILENT)
def clock_gains(maker: Maker) -> Sheet | None:
    """A player has a minute more than before."""
    play = maker.open_game()
    times = _times(maker, len(play))
    ply = maker.rng.randrange(3, len(play) + 1)
    for at in range(ply - 1, len(play), 2):
        times[at] += 60
    sheet = _write(maker, play, str(START), times)
    sheet.add("C702", "warning", ply, sheet.move(ply), "a minute more")
    return sheet


def _overstepped(maker: Maker, code: str, control: str) -> Sheet:
    """A clock is below zero, and the game goes on; no clock is written after that."""
    play = maker.open_game()
    ply = maker.rng.randrange(1, len(play) - 1)
    times = _times(maker, ply)
    times[-1] = -maker.rng.randrange(1, 30)
    sheet = _write(maker, play, control, times)
    sheet.add(code, "warning", ply, sheet.move(ply), "below zero")
    return sheet


@kind("clock-exhausted", "C703", SILENT)
def clock_exhausted(maker: Maker) -> Sheet | None:
    """The time for the whole game was over."""
    return _overstepped(maker, "C703", str(START))


@kind("control-not-met", "C704", SILENT)
def control_not_met(maker: Maker) -> Sheet | None:
    """The time for the first moves was over before they were made."""
    return _overstepped(maker, "C704", f"200/{START}:{START}")


@kind("flag-unconfirmed", "C705", SILENT)
def flag_unconfirmed(maker: Maker) -> Sheet | None:
    """Said to be lost on time by a player who had nearly all of it."""
    play = maker.open_game()
    if play.result not in ("1-0", "0-1"):
        return None
    times = [min(START, max(time, START - 60)) for time in _times(maker, len(play))]
    sheet = _write(maker, play, str(START), times)
    sheet.put("Termination", "time forfeit")
    return sheet
