"""From region to region without judging them: where they begin, on which line, and how many games there were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from chesstools.bytestream import skipped
from chesstools.engines import choose
from chesstools.reference.segment import Segmenter
from chesstools.reference.window import LOOK_BEHIND, Window
from chesstools.source import BLOCK_BYTES, Source
from chesstools.step import Entry, Position

if TYPE_CHECKING:
    from chesstools import _core

Blocks = Callable[[int], Iterator[bytes]]
"""Gives the text from a place on."""


class Boundaries(Protocol):
    """Goes from region to region."""

    def until(self, offset: int) -> Position:
        """The first place between two regions at `offset` or behind it, or the end of the text. Places only come in order."""


class ReadableBoundaries:
    """With the readable engine."""

    def __init__(self, blocks: Blocks, start: Position, begin: int) -> None:
        base = max(begin, start.byte_offset - LOOK_BEHIND)
        window = Window(blocks(base), base)
        self._segmenter = Segmenter(window, start.byte_offset, start.line, glued=start.glued, too_long=start.too_long)
        self._regions = iter(self._segmenter)
        self._here = start

    def until(self, offset: int) -> Position:
        """See `Boundaries`."""
        games = self._here.game_index
        segmenter = self._segmenter
        while segmenter.offset < offset and (region := next(self._regions, None)) is not None:
            games += region.is_game
            self._here = Position(segmenter.offset, segmenter.line, games, segmenter.glued, segmenter.too_long)
        return self._here


def boundaries_of_blocks(blocks: Blocks, start: Position, begin: int, engine: str | None = None) -> Boundaries:
    """The boundaries of a text from `start` on. `blocks` has all text from `begin` on."""
    if choose(engine) != "native":
        return ReadableBoundaries(blocks, start, begin)
    return _native(None, blocks, start)


def boundaries_of_file(source: Source, start: Position, entry: Entry, engine: str | None = None) -> Boundaries:
    """The boundaries of a source from `start` on; it is read from `entry` on."""

    def blocks(offset: int) -> Iterator[bytes]:
        return skipped(source.open(BLOCK_BYTES, entry=entry.stored), offset - entry.offset)

    if choose(engine) != "native":
        return ReadableBoundaries(blocks, start, entry.offset)
    from chesstools.native import open_file

    return _native(open_file(source, entry=entry), blocks, start)


def _native(file: _core.File | None, blocks: Blocks, start: Position) -> Boundaries:
    from chesstools import _core

    begin = (start.byte_offset, start.line, start.game_index, start.glued, start.too_long)
    return NativeBoundaries(_core.Boundaries(file, blocks, start=begin))


class NativeBoundaries:
    """With the native core."""

    def __init__(self, core: _core.Boundaries) -> None:
        self._core = core

    def until(self, offset: int) -> Position:
        """See `Boundaries`."""
        return Position(*self._core.until(offset))
