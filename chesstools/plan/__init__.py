"""One source cut into stretches that can be judged by processes that know nothing of each other.

What `plan` does can be done by such processes too: `ranges` says which parts of the file to look at, `survey` looks at one of
them, and `fold` puts together what they found. Each stretch can then be judged by `chesstools.scan.scan_source`; the rows of
all of them, one after the other, are those of the whole, and so are the counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.plan.ranges import Ranges, ranges, rest_of, why_one
from chesstools.plan.stretch import Folding, Place, Stretch, Survey, fold
from chesstools.plan.survey import survey
from chesstools.source import Source

__all__ = ["Folding", "Place", "Plan", "Ranges", "Stretch", "Survey", "fold", "plan", "ranges", "rest_of", "survey", "why_one"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The stretches of a source, in order and without gaps."""

    stretches: list[Stretch]
    why_whole: str | None = None
    """Why there is one only although the source is larger: a sentence that says what to do."""


def plan(source: Source, stretch_bytes: int, *, engine: str | None = None) -> Plan:
    """Cut a source into stretches of about `stretch_bytes` stored bytes. They depend on nothing but the bytes.

    A stretch is longer where games are, or where nothing tells what a place in the file is without reading what stands before it.

    Raises OptionError where `stretch_bytes` is less than 1, SourceError if the source cannot be read.

    >>> from chesstools.scan import scan_source
    >>> source = Source.from_bytes(b"1. e4 *\\n\\n1. d4 *\\n\\n1. c4 *\\n")
    >>> stretches = plan(source, 10).stretches
    >>> [(stretch.start.byte_offset, stretch.start.line, stretch.start.game_index) for stretch in stretches]
    [(0, 1, 0), (18, 5, 2)]
    >>> [
    ...     step.batches["games"]["game_index"].to_pylist()
    ...     for stretch in stretches
    ...     for step in scan_source(source, start=stretch.start, stop=stretch.stop, entry=stretch.entry)
    ... ]
    [[0, 1], [2]]
    """
    found = ranges(source, stretch_bytes)
    stretches = fold([survey(source, *one, engine=engine) for one in found.ranges])
    return Plan(stretches, why_one(source, stretch_bytes) if found.ranges and len(stretches) == 1 else found.why_whole)
