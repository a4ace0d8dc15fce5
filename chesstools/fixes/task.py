"""The parts of a source: games and stretches of text of no game, each with what may be repaired in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chesstools.fixes.judged import Context
from chesstools.held import Held
from chesstools.profile_choice import Choice
from chesstools.reference.window import LOOK_BEHIND

AFTER_BYTES = 64 << 10
"""So much text behind a game is looked at to tell where it ends."""


class Region(NamedTuple):
    """A game (`game_index` is its number) or a stretch of text of no game, and what is wrong with it."""

    game_index: int | None
    start: int
    end: int
    line: int
    codes: frozenset[str]
    counts: tuple[int, int, int]
    """Errors, warnings, infos."""


class Task(NamedTuple):
    """A region that may be repaired, as it travels to the processor that does it."""

    text: bytes
    context: Context
    region: Region
    wanted: frozenset[str]
    unsafe: bool


@dataclass(frozen=True, slots=True)
class Tasks:
    """Makes tasks of the regions of a source, whose bytes are in `held`."""

    source: str
    held: Held
    choice: Choice
    wanted: frozenset[str]
    unsafe: bool

    def task(self, region: Region) -> Task:
        """The task that a region is."""
        held = self.held
        text = held.bytes(region.start, region.end)
        before = held.bytes(region.start - LOOK_BEHIND, region.start)
        after = held.bytes(region.end, region.end + AFTER_BYTES)
        context = Context(self.source, region.game_index, region.start, region.line, before, after, self.choice)
        return Task(text, context, region, self.wanted, self.unsafe)
