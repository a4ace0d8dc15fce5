"""Stretches of many sources, as items of a cluster's run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from chesstools.plan import Stretch
from chesstools.source import Source
from chesstools.sources.in_turn import in_turn


@dataclass(frozen=True, slots=True)
class Piece:
    """Some consecutive games of a source."""

    number: int
    """That of the source among all."""
    source: Source
    place: int
    """The number of the stretch among those of the source."""
    stretch: Stretch
    stored_bytes: int
    """About how many bytes of the source it has, as stored."""
    is_whole: bool = False
    """Whether it is all of a source that was not surveyed."""
    rests: int = 0
    """How often a task has left something of the stretch for another one."""

    @property
    def turn(self) -> tuple[int, int, int]:
        """Pieces in the order of these are in the order of sources and games."""
        return self.number, self.place, self.rests

    def after(self, rest: Stretch | None) -> tuple[int, int, int]:
        """The turn behind this one, if `rest` was left of it."""
        if rest is not None:
            return self.number, self.place, self.rests + 1
        return (self.number + 1, 0, 0) if self.stretch.stop is None else (self.number, self.place + 1, 0)

    def rest(self, stretch: Stretch) -> Piece:
        """The piece of what was left of this one."""
        return replace(self, stretch=stretch, rests=self.rests + 1)


@dataclass(frozen=True, slots=True)
class Batch:
    """What one task does: a piece, or several small sources that stand one behind the other."""

    pieces: tuple[Piece, ...] = field(repr=False)

    @property
    def turn(self) -> tuple[int, int, int]:
        """That of its first piece."""
        return self.pieces[0].turn

    @property
    def key(self) -> str:
        """A short text that says what is in it: no other batch of a run has the same, but one of the same pieces."""
        first = "-".join(map(str, self.turn))
        return first if len(self.pieces) == 1 else f"{first}-with-{len(self.pieces) - 1}"

    def each(self) -> list[Batch]:
        """A batch for each piece. Of several that were tried together it is not known which one is to blame."""
        return [Batch((piece,)) for piece in self.pieces]

    def in_order(self) -> Iterator[Piece]:
        """The pieces one after the other; of small objects, the next are fetched while one is judged."""
        sources = in_turn(piece.source for piece in self.pieces)
        return (piece for piece, _ in zip(self.pieces, sources, strict=True))

    def behind(self, count: int) -> Batch | None:
        """What is left when so many pieces are done."""
        return Batch(self.pieces[count:]) if count < len(self.pieces) else None
