"""One range of a source: where its first anchor stands, and what stands between that and the anchor of a later range."""

from __future__ import annotations

from typing import Protocol

from chesstools.errors import SourceError
from chesstools.plan.ranges import text_of
from chesstools.plan.stretch import Place, Survey
from chesstools.source import Source
from chesstools.step import Position


class Run(Protocol):
    """A walk over the regions behind an anchor."""

    @property
    def here(self) -> int:
        """How far it has come: an anchor before that is passed over."""

    def anchor(self, start: int, stop: int) -> int | None:
        """The byte of the text at which the anchor of another range stands; None where it has none."""

    def place(self, start: int, stop: int) -> Place | None:
        """The first place in another range, or behind it, at which a region begins and where the text can be entered."""

    def until(self, offset: int) -> Position:
        """The first place between two regions at `offset` or behind it, or the end of the text. Places only come in order."""


class Text(Protocol):
    """The text of a source, which can be entered at other places than its beginning."""

    def anchor(self, start: int, stop: int) -> Place | None:
        """The first anchor that can be found in a range of the stored bytes."""

    def begin(self, anchor: Place) -> Run:
        """Go from region to region from an anchor on."""


def survey(source: Source, start: int, stop: int, *, engine: str | None = None) -> Survey:
    """Survey the stored bytes from `start` to `stop`, one of the ranges of `chesstools.plan.ranges`.

    It reads from the first anchor of the range on up to the first anchor of a later one, and nothing else: so all surveys
    together read each byte once, but for the `WINDOW_BYTES` in which an anchor is looked for. A range without one is read by
    the survey before it, which then tells where stretches can begin there. What comes behind the last of those places is not read
    where no anchor follows: nobody asks how many games that has.

    It depends on the bytes alone. Raises SourceError if the source cannot be read or changes meanwhile.
    """
    text: Text = text_of(source, engine)
    first = text.anchor(start, stop)
    if first is None:
        return Survey(start)
    run = text.begin(first)
    size, step = source.size or 0, stop - start
    places = [first]
    for other in range(stop, size, step):
        behind = min(other + step, size)
        anchor = run.anchor(other, behind)
        if anchor is not None and anchor > first.position.byte_offset and anchor >= run.here:
            end = run.until(anchor)
            if end.byte_offset != anchor:
                raise SourceError(f"{source.name} changed while it was surveyed; make the plan again when it is complete.")
            return Survey(start, tuple(place for place in places if place.position.byte_offset < anchor), end, other)
        place = run.place(other, behind)
        if place is not None and place.position.byte_offset > places[-1].position.byte_offset:
            places.append(place)
    if len(places) > 1 and run.until(places[-1].position.byte_offset + 1) == places[-1].position:
        places.pop()  # nothing comes behind it
    return Survey(start, tuple(places))
