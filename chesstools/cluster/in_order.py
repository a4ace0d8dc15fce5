"""Pieces of sources done by a cluster, and what came of them in the order of sources and games."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Generic, Protocol, TypeVar

from chesstools.cluster.joined import Cluster
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.planning import Planner
from chesstools.cluster.run import Done
from chesstools.cluster.surveying import Look
from chesstools.cluster.waiting import Turn, Waiting
from chesstools.plan import Stretch
from chesstools.scan import Progress
from chesstools.scratch import scratch_folder

AHEAD_BYTES = 1 << 30
"""So much may wait for its turn; then no more pieces are begun before that of which the turn is."""


class Result(Protocol):
    """What comes of a piece."""

    @property
    def rest(self) -> Stretch | None: ...
    @property
    def size(self) -> int: ...
    @property
    def games(self) -> int: ...
    @property
    def stored_bytes_read(self) -> int: ...


Some = TypeVar("Some", bound=Result)
Item = Batch | Look


def in_order(
    cluster: Cluster,
    planner: Planner,
    work: Callable[[Item], object],
    failed: Callable[[Piece, str], Some],
    *,
    ahead_bytes: int = AHEAD_BYTES,
    progress: Progress | None = None,
) -> Iterator[tuple[Piece, Some]]:
    """Do all pieces of the sources of a planner, and give what came of them in their order.

    Args:
        work: what the workers call: it does `Look.work`, or makes a list of results: of the pieces of a batch, or of the first of
            them, one at least; another task then does the others.
        failed: makes the result of a piece that could not be done, with the sentence that tells why.
        ahead_bytes: how much may wait for its turn.
        progress: called with the stored bytes read and the games done so far, whether their turn has come or not.

    Memory is bounded: what came before its turn lies in a temporary folder where it is large.
    """
    with scratch_folder() as folder:
        ordered = _Ordered[Some](planner, Waiting(folder), ahead_bytes)
        run: Iterator[Done[Item]] = cluster.run(work, ordered.items(), key=_key)
        for done in run:
            ordered.take(done, failed)
            if progress is not None:
                progress(ordered.stored_bytes_read, ordered.games)
            yield from ordered.ready()


def _key(item: Item) -> str:
    return item.key


class _Ordered(Generic[Some]):
    def __init__(self, planner: Planner, waiting: Waiting[Some], ahead_bytes: int) -> None:
        self._planner = planner
        self._waiting = waiting
        self._ahead_bytes = ahead_bytes
        self._turn = (0, 0, 0)
        self._rests: deque[Batch] = deque()
        self._held_back: list[tuple[Turn, Batch]] = []
        """A heap of batches that are not begun while too much waits."""
        self._pieces: dict[Turn, Piece] = {}
        """The pieces of what waits."""
        self._begun = 0
        self._read: Counter[int] = Counter()
        self.games = 0

    @property
    def stored_bytes_read(self) -> int:
        """How much was read of all sources, where what is read twice counts once."""
        return self._read.total()

    def items(self) -> Iterator[Item | None]:
        """What is to be done next; None where something must be done before."""
        while True:
            item = self._next()
            if item is not None:
                self._begun += 1
            elif not (self._begun or self._held_back) and self._planner.is_done:
                return
            yield item

    def _next(self) -> Item | None:
        if self._rests:
            return self._rests.popleft()
        may_run_ahead = self._waiting.bytes < self._ahead_bytes
        if self._held_back and (may_run_ahead or self._held_back[0][0] == self._turn):
            return heappop(self._held_back)[1]
        while isinstance(item := self._planner.next(), Batch) and not may_run_ahead and item.turn != self._turn:
            self._hold_back(item)
        return item

    def take(self, done: Done[Item], failed: Callable[[Piece, str], Some]) -> None:
        """Take in what came of an item."""
        self._begun -= 1
        item = done.item
        if isinstance(item, Look):
            self._planner.took(item, done.result)
            return
        if done.error is not None and len(item.pieces) > 1:
            for one in item.each():
                self._hold_back(one)
            return
        results: list[Some] = [failed(item.pieces[0], done.error)] if done.error is not None else done.result
        for piece, result in zip(item.pieces, results, strict=False):
            self._keep(piece, result)
        if (left := item.behind(len(results))) is not None:
            self._hold_back(left)

    def _hold_back(self, batch: Batch) -> None:
        """To be begun as soon as may be."""
        heappush(self._held_back, (batch.turn, batch))

    def _keep(self, piece: Piece, result: Some) -> None:
        read = self._read[piece.number] + result.stored_bytes_read
        self._read[piece.number] = read if piece.source.size is None else min(read, piece.source.size)
        self.games += result.games
        if result.rest is not None:
            self._rests.append(Batch((piece.rest(result.rest),)))
        self._pieces[piece.turn] = piece
        self._waiting.put(piece.turn, result, result.size)

    def ready(self) -> Iterator[tuple[Piece, Some]]:
        """What came of the pieces whose turn it is."""
        while (result := self._waiting.take(self._turn)) is not None:
            piece = self._pieces.pop(self._turn)
            self._turn = piece.after(result.rest)
            yield piece, result
