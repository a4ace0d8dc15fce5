"""What went wrong with the pieces of one source, in as few sentences as tell all of it."""

from __future__ import annotations

from chesstools.cluster.piece import Piece

MOST_PLACES = 3
"""So many stretches are named that nobody could do, and the others counted."""


class Troubles:
    """Collects what goes wrong with the pieces of a source, in their order.

    >>> from chesstools.plan import Stretch
    >>> from chesstools.source import Source
    >>> from chesstools.step import Entry, Position
    >>> source, troubles = Source.from_bytes(b"", "a.pgn"), Troubles()
    >>> for at in range(0, 50, 10):
    ...     stretch = Stretch(Position(at), at + 10 if at < 40 else None, Entry())
    ...     troubles.lost(Piece(0, source, at, stretch, 10), "every worker that tried it died.")
    >>> troubles.take()
    'a.pgn was not judged from byte 0 to 10, from 10 to 20, from 20 to 30, and in 2 more places: every worker that tried it died.'
    >>> troubles.take()
    """

    def __init__(self, done: str = "judged") -> None:
        self._done = done
        """What was to be done with the pieces."""
        self._name = ""
        self._errors: list[str] = []
        self._lost: dict[str, list[str]] = {}
        """Where, by why."""
        self._count: dict[str, int] = {}

    def error(self, sentence: str) -> None:
        """What is wrong with the source itself."""
        if sentence not in self._errors:
            self._errors.append(sentence)

    def lost(self, piece: Piece, why: str) -> None:
        """Nobody could do a piece."""
        self._name = piece.source.name
        start, stop = piece.stretch.start.byte_offset, piece.stretch.stop
        places = self._lost.setdefault(why, [])
        self._count[why] = self._count.get(why, 0) + 1
        if len(places) < MOST_PLACES:
            places.append(f"{start} to {'its end' if stop is None else stop}")

    def take(self) -> str | None:
        """All of it; None where nothing went wrong. Then it begins anew, for another source."""
        told = [f"{self._name} was not {self._done} from byte {self._places(why)}: {why}" for why in self._lost]
        told += self._errors
        self._errors, self._lost, self._count = [], {}, {}
        return " ".join(told) or None

    def _places(self, why: str) -> str:
        more = self._count[why] - len(self._lost[why])
        named = ", from ".join(self._lost[why])
        return named if not more else f"{named}, and in {more} more place{'s' if more > 1 else ''}"
