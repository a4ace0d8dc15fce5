"""From sources to what tasks do: large sources are cut as surveys of them come in, small ones are taken together.

Surveys are tasks of the cluster too, and each tells what can be done next. So the first stretches are judged while later ones
are not yet known, and no source is opened long before its turn.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.surveying import Look, Unknown
from chesstools.errors import OptionError, SourceError
from chesstools.plan import Folding, Ranges, Survey, ranges, why_one
from chesstools.source import Source
from chesstools.stores import is_uri

BATCH_SOURCES = 200
"""Small sources that one task does at most."""


def for_workers(sources: Iterable[Source]) -> list[Source]:
    """The sources as workers find them, whose working folder may be another one.

    Raises OptionError for what only this process can read.
    """
    found = []
    for source in sources:
        if not source.resumable:
            advice = "save it as a file that the workers can read, or leave --cluster out"
            raise OptionError(f"{source.name} can be read by this process only; {advice}.")
        found.append(replace(source, path=_anywhere(source.path), dataset=_anywhere(source.dataset), _reading=None))
    return found


def _anywhere(path: str | None) -> str | None:
    """A path as it is right in another working folder; a URI is."""
    return path if path is None or is_uri(path) else os.path.abspath(path)


@dataclass(slots=True)
class Cut:
    """How far a source is cut."""

    folding: Folding = field(default_factory=Folding)
    count: int = 0
    """How many stretches are known."""
    unknown: set[int] = field(default_factory=set)
    """Where ranges begin that could not be surveyed."""


Begun = tuple[Cut, Sequence[Piece]]
"""How far an earlier run had come with a source, and the pieces of it that are known and not done."""


def _from_the_beginning(number: int, source: Source) -> Begun:
    return Cut(), ()


class Planner:
    """Gives what is to be done next: pieces that are known, or surveys that tell of more.

    Attributes:
        why_whole: sentences on sources that are not cut although they are large, by their number.
    """

    def __init__(
        self,
        sources: Iterable[tuple[int, Source]],
        stretch_bytes: int,
        engine: str,
        begun: Callable[[int, Source], Begun] = _from_the_beginning,
        unread: Callable[[int, SourceError], bool] = lambda number, error: False,
    ) -> None:
        """For sources behind their numbers; `begun` is asked for each that is to be cut, when its turn comes.

        `unread` is told of one that could not be looked at, and says whether it is to be passed over; else whoever judges it
        as a whole tells why.
        """
        self.why_whole: dict[int, str] = {}
        self._sources = deque(sources)
        self._stretch_bytes = stretch_bytes
        self._engine = engine
        self._begun = begun
        self._unread = unread
        self._ready: deque[Batch] = deque()
        self._looks: Iterator[Look] = iter(())
        self._cuts: dict[int, Cut] = {}

    @property
    def is_done(self) -> bool:
        """Whether everything was given that is to be given."""
        return not (self._ready or self._cuts or self._sources)

    def next(self) -> Look | Batch | None:
        """The next item; None where one must be done before.

        >>> source = Source.from_bytes(b"1. e4 *\\n\\n" * 4)
        >>> small = Source.from_bytes(b"1. e4 *")
        >>> planner = Planner(enumerate([small, small, source]), 20, "reference")
        >>> while (item := planner.next()) is not None:
        ...     if isinstance(item, Look):
        ...         print(item.key, [piece.place for piece in planner.took(item, item.work())])
        ...     else:
        ...         print(item.key, [(piece.number, piece.stretch.start.game_index) for piece in item.pieces])
        0-0-0-with-1 [(0, 0), (1, 0)]
        survey-2-0 [0, 1]
        2-0-0 [(2, 0)]
        2-1-0 [(2, 3)]
        """
        while True:
            if self._ready:
                return self._ready.popleft()
            look = next(self._looks, None)
            if look is not None or not self._sources:
                return look
            if self._is_small(self._sources[0][1]):
                self._take_small()
            else:
                self._begin(*self._sources.popleft())

    def took(self, look: Look, found: Survey | Unknown | None) -> list[Piece]:
        """Take in a survey, and return the pieces that are known by that; they are given by `next` too.

        None is for one that could not be made: then what stands there is one piece, and whoever does it tells why.
        """
        number, pieces = look.number, list[Piece]()
        if (cut := self._cuts.get(number)) is None:  # surveys before it went over its range, up to the end
            return pieces
        if isinstance(found, Survey):
            cut.folding.add(found)
        else:
            cut.unknown.add(look.start)
        while (begin := cut.folding.wanted) is not None:
            stretches = cut.folding.next()
            if stretches is None and begin in cut.unknown:
                stretches = [cut.folding.rest()]
            if stretches is None:
                break
            end = (look.source.size or 0) if cut.folding.wanted is None else cut.folding.wanted
            for stretch in stretches:
                pieces.append(Piece(number, look.source, cut.count, stretch, (end - begin) // len(stretches)))
                cut.count += 1
        self._ready += [Batch((piece,)) for piece in pieces]
        if cut.folding.wanted is None:
            del self._cuts[number]
            if cut.count == 1 and not cut.unknown and (why := why_one(look.source, self._stretch_bytes)):
                self.why_whole[number] = why
        return pieces

    def give_up(self, number: int) -> None:
        """Make no more surveys of a source, as one of them cannot be made."""
        self._cuts.pop(number, None)

    def _is_small(self, source: Source) -> bool:
        return source.size is not None and source.size <= self._stretch_bytes

    def _take_small(self) -> None:
        pieces: list[Piece] = []
        stored = 0
        while self._sources and len(pieces) < BATCH_SOURCES and stored < self._stretch_bytes:
            if not self._is_small(self._sources[0][1]):
                break
            pieces.append(_whole(*self._sources.popleft()))
            stored += pieces[-1].stored_bytes
        self._ready.append(Batch(tuple(pieces)))

    def _begin(self, number: int, source: Source) -> None:
        """Begin with a large source, which has a task of its own where it cannot be cut."""
        try:
            found = ranges(source, self._stretch_bytes)
        except SourceError as error:
            if self._unread(number, error):
                return
            found = Ranges(())
        if found.why_whole is not None:
            self.why_whole[number] = found.why_whole
        if not found.ranges:
            self._ready.append(Batch((_whole(number, source),)))
            return
        cut, pieces = self._begun(number, source)
        self._ready += [Batch((piece,)) for piece in pieces]
        if cut.folding.wanted is None:
            return
        self._cuts[number] = cut
        self._looks = (
            Look(number, source, start, stop, self._engine)
            for start, stop in found.ranges
            if number in self._cuts and cut.folding.wanted is not None and start >= cut.folding.wanted
        )


def _whole(number: int, source: Source) -> Piece:
    return Piece(number, source, 0, Folding().rest(), source.size or 0, is_whole=True)
