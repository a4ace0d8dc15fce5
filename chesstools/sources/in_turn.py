"""Sources one after the other: of small ones in stores, the next are fetched while one is read.

A small object, or a small member of an archive, costs some trips to the store and back that take longer than what it holds. So
the next objects are fetched whole, and members that stand side by side as one range.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from chesstools.archive import HEADER_BYTES
from chesstools.found_object import FoundObject, Range
from chesstools.sources.one import Source

SMALL_BYTES = 1 << 20
"""Bytes of a range that is fetched before anybody reads it, at most."""

AHEAD = 8
"""So many ranges are in hand or under way, beside the one that is read."""


@dataclass(slots=True)
class _Lot:
    """Sources that one range brings, which is nothing for those that are not small, or in no store."""

    sources: list[Source]
    stored: FoundObject | None = None
    start: int = 0
    end: int = 0


def in_turn(sources: Iterable[Source]) -> Generator[Source, None, None]:
    """The sources as they are. Each is to be read before the next is asked for; what is not asked for any more is given up.

    Up to `AHEAD` + 1 times `SMALL_BYTES` (9 MB) are held. What cannot be fetched is told when its source is read.

    >>> [source.name for source in in_turn([Source.from_bytes(b"1. e4 *", "a"), Source.from_bytes(b"1. d4 *", "b")])]
    ['a', 'b']
    """
    lots = _lots(sources)
    waiting: deque[tuple[_Lot, Future[Range] | None]] = deque()
    pool = ThreadPoolExecutor(AHEAD, "in-turn")  # which starts no thread before it has something to do
    try:
        while True:
            while len(waiting) <= AHEAD and (lot := next(lots, None)) is not None:
                waiting.append((lot, _begin(lot, pool.submit)))
            if not waiting:
                return
            lot, coming = waiting.popleft()
            for source in lot.sources:
                source.begun = coming
                try:
                    yield source
                finally:
                    source.begun = None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _begin(lot: _Lot, submit: Callable[..., Future[Range]]) -> Future[Range] | None:
    return None if lot.stored is None else submit(lot.stored.read_range, lot.start, lot.end - lot.start)


def _lots(sources: Iterable[Source]) -> Iterator[_Lot]:
    lot: _Lot | None = None
    for source in sources:
        start, end = _span(source)
        if end - start > SMALL_BYTES or end <= start:
            start = end = 0
        stored = source.object if end else None
        if (
            lot is not None
            and stored is not None
            and stored == lot.stored
            and lot.start <= start <= end <= lot.start + SMALL_BYTES
        ):
            lot.sources.append(source)
            lot.end = max(lot.end, end)
            continue
        if lot is not None:
            yield lot
        lot = _Lot([source], stored, start, end)
    if lot is not None:
        yield lot


def _span(source: Source) -> tuple[int, int]:
    """Where what is read of an object begins and ends; both 0 where it is none."""
    if source.object is None:
        return 0, 0
    if source.member is None:
        return 0, source.object.size
    return source.member.offset, min(source.member.offset + HEADER_BYTES + source.member.packed_bytes, source.object.size)
