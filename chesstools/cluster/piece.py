"""A stretch of one of many sources, as an item of a cluster's run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chesstools.plan import Stretch
from chesstools.source import Source


@dataclass(frozen=True, slots=True)
class Piece:
    """Some consecutive games of a source."""

    number: int
    """That of the source among all."""
    source: Source
    place: int
    """The number of the stretch among those of the source."""
    stretch: Stretch
    part: int = 0
    """How often a task has left something of the stretch for another one."""

    @property
    def turn(self) -> tuple[int, int, int]:
        """Pieces in the order of these are in the order of sources and games."""
        return self.number, self.place, self.part

    @property
    def key(self) -> str:
        """A short text, no two alike."""
        return "-".join(map(str, self.turn))

    def after(self, rest: Stretch | None) -> tuple[int, int, int]:
        """The turn behind this one, if `rest` was left of it."""
        if rest is not None:
            return self.number, self.place, self.part + 1
        return (self.number + 1, 0, 0) if self.stretch.stop is None else (self.number, self.place + 1, 0)

    def rest(self, stretch: Stretch) -> Piece:
        """The piece of what was left of this one."""
        return replace(self, stretch=stretch, part=self.part + 1)
