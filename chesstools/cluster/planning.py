"""From sources to pieces of them: surveys are tasks of the cluster too, and each tells what can be judged next."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from chesstools.cluster.piece import Piece
from chesstools.cluster.stretches import Look, Unknown
from chesstools.errors import OptionError, SourceError
from chesstools.plan import Folding, Ranges, Survey, ranges, why_one
from chesstools.source import Source


def for_workers(sources: Iterable[Source]) -> list[Source]:
    """The sources as workers find them, whose working folder may be another one.

    Raises OptionError for what only this process can read.
    """
    found = []
    for source in sources:
        if not source.resumable:
            advice = "save it as a file that the workers can read, or leave --cluster out"
            raise OptionError(f"{source.name} can be read by this process only; {advice}.")
        found.append(replace(source, path=None if source.path is None else os.path.abspath(source.path), _reading=None))
    return found


@dataclass(slots=True)
class _Cut:
    """A source that is being cut."""

    folding: Folding = field(default_factory=Folding)
    count: int = 0
    """How many stretches are known."""
    unknown: set[int] = field(default_factory=set)
    """Where ranges begin that could not be surveyed."""


class Planner:
    """Gives what is to be done next: pieces that are known, or surveys that tell of more.

    Attributes:
        why_whole: sentences on sources that are not cut although they are large, by their number.
    """

    def __init__(self, sources: Sequence[Source], stretch_bytes: int, engine: str) -> None:
        self.why_whole: dict[int, str] = {}
        self._sources = sources
        self._stretch_bytes = stretch_bytes
        self._engine = engine
        self._next = 0
        self._looks: Iterator[Look] = iter(())
        self._pieces: deque[Piece] = deque()
        self._cuts: dict[int, _Cut] = {}

    @property
    def is_done(self) -> bool:
        """Whether everything was given that is to be given."""
        return not (self._pieces or self._cuts) and self._next == len(self._sources)

    def next(self) -> Look | Piece | None:
        """The next item; None where one must be done before."""
        while True:
            if self._pieces:
                return self._pieces.popleft()
            look = next(self._looks, None)
            if look is not None or self._next == len(self._sources):
                return look
            self._begin(self._next)
            self._next += 1

    def took(self, look: Look, found: Survey | Unknown | None) -> None:
        """Take in a survey; None where it could not be made: then what stands there is one piece, and that tells why."""
        number = look.number
        if (cut := self._cuts.get(number)) is None:  # surveys before it went over its range, up to the end
            return
        if isinstance(found, Survey):
            cut.folding.add(found)
        else:
            cut.unknown.add(look.start)
        while (begin := cut.folding.wanted) is not None:
            stretches = cut.folding.next()
            if stretches is None and begin in cut.unknown:
                stretches = [cut.folding.rest()]
            if stretches is None:
                return
            for stretch in stretches:
                self._pieces.append(Piece(number, look.source, cut.count, stretch))
                cut.count += 1
        del self._cuts[number]
        if cut.count == 1 and not cut.unknown:
            self.why_whole[number] = why_one(look.source)

    def _begin(self, number: int) -> None:
        source = self._sources[number]
        try:
            found = ranges(source, self._stretch_bytes)
        except SourceError:  # whoever judges it is told
            found = Ranges(())
        if found.why_whole is not None:
            self.why_whole[number] = found.why_whole
        if not found.ranges:
            self._pieces.append(Piece(number, source, 0, Folding().rest()))
            return
        cut = self._cuts[number] = _Cut()
        self._looks = (
            Look(number, source, *one, self._engine)
            for one in found.ranges
            if cut.folding.wanted is not None and one[0] >= cut.folding.wanted
        )


def pieces(sources: Sequence[Source], stretch_bytes: int, engine: str) -> Iterator[Piece]:
    """All pieces, planned here.

    >>> source = Source.from_bytes(b"1. e4 *\\n\\n1. d4 *\\n\\n1. c4 *\\n")
    >>> [(piece.key, piece.stretch.start.game_index) for piece in pieces([source, source], 10, "reference")]
    [('0-0-0', 0), ('0-1-0', 2), ('1-0-0', 0), ('1-1-0', 2)]
    """
    planner = Planner(sources, stretch_bytes, engine)
    while (item := planner.next()) is not None:
        if isinstance(item, Look):
            planner.took(item, item.work())
        else:
            yield item
