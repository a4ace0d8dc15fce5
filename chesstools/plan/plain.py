"""A plain file, whose text can be entered anywhere."""

from __future__ import annotations

from chesstools.plan.anchor import WINDOW_BYTES, find_anchor
from chesstools.plan.boundaries import Boundaries, boundaries_of_file
from chesstools.plan.stretch import Place
from chesstools.reference.window import LOOK_BEHIND
from chesstools.source import Source
from chesstools.step import Entry, Position


class PlainText:
    """What `chesstools.plan.survey` asks of a source."""

    def __init__(self, source: Source, engine: str | None) -> None:
        self._source = source
        self._engine = engine

    def anchor(self, start: int, stop: int) -> Place | None:
        """The first anchor in the text behind the stored byte `start`."""
        if start == 0:
            return Place(Position(), Entry())
        found = find_anchor(self._source.read_at(start, WINDOW_BYTES))
        return None if found is None else place_in_plain_text(Position(start + found))

    def begin(self, anchor: Place) -> PlainRun:
        """Go from region to region from an anchor on."""
        return PlainRun(self, boundaries_of_file(self._source, anchor.position, anchor.entry, self._engine), anchor)


class PlainRun:
    """A walk over the regions behind an anchor."""

    def __init__(self, text: PlainText, boundaries: Boundaries, anchor: Place) -> None:
        self.here = anchor.position.byte_offset
        self._text = text
        self._boundaries = boundaries

    def anchor(self, start: int, stop: int) -> int | None:
        """The byte of the text at which the anchor of another range stands."""
        found = self._text.anchor(start, stop)
        return None if found is None else found.position.byte_offset

    def place(self, start: int, stop: int) -> Place | None:
        """The first place in another range or behind it at which a region begins."""
        return place_in_plain_text(self.until(start))

    def until(self, offset: int) -> Position:
        """See `Boundaries`."""
        here = self._boundaries.until(offset)
        self.here = here.byte_offset
        return here


def place_in_plain_text(position: Position) -> Place:
    """A place between two regions of a plain text, and where to enter it so that all is there that is looked back at."""
    entry = max(0, position.byte_offset - LOOK_BEHIND)
    return Place(position, Entry(entry, entry))
