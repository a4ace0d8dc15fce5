"""Many positions at once, by the engine that there is: the rows of `chesstools/reference/fen_rows.py`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from chesstools import engines
from chesstools.reference.fen_rows import Found
from chesstools.reference.normal_form import Form

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Seen(Protocol):
    """Positions that were seen; see `chesstools.reference.fen_rows.SeenPositions`."""

    def add(self, lines: pa.StringArray) -> pa.RecordBatch: ...


def check_rows(lines: pa.StringArray, *, chess960: bool = False, engine: str | None = None) -> tuple[pa.RecordBatch, list[Found]]:
    """Columns `read`, `playable` and `problems`, and the list of problems that the last column points into."""
    if engines.choose(engine) == "native":
        from chesstools import _core

        stream, found = _core.fen_check(lines, chess960=chess960)
        return _only_batch(stream), found
    from chesstools.reference import fen_rows

    return fen_rows.check_rows(lines, chess960=chess960)


def normalise_rows(lines: pa.StringArray, form: Form, *, chess960: bool = False, engine: str | None = None) -> pa.RecordBatch:
    """Columns `fen` and `changes`; null for a position that cannot be read in full or played."""
    if engines.choose(engine) == "native":
        from chesstools import _core

        return _only_batch(_core.fen_normalise(lines, **form._asdict(), chess960=chess960))
    from chesstools.reference import fen_rows

    return fen_rows.normalise_rows(lines, form=form, chess960=chess960)


def key_rows(lines: pa.StringArray, *, chess960: bool = False, engine: str | None = None) -> pa.RecordBatch:
    """Columns `position_key` and `position`; null for a position that cannot be read in full or played."""
    if engines.choose(engine) == "native":
        from chesstools import _core

        return _only_batch(_core.fen_key(lines, chess960=chess960))
    from chesstools.reference import fen_rows

    return fen_rows.key_rows(lines, chess960=chess960)


def moves_rows(lines: pa.StringArray, *, chess960: bool = False, engine: str | None = None) -> pa.RecordBatch:
    """Columns `san` and `uci`; null for a position that cannot be read in full or played."""
    if engines.choose(engine) == "native":
        from chesstools import _core

        return _only_batch(_core.fen_moves(lines, chess960=chess960))
    from chesstools.reference import fen_rows

    return fen_rows.moves_rows(lines, chess960=chess960)


def seen_positions(*, by_text: bool, chess960: bool = False, engine: str | None = None) -> Seen:
    """No positions yet."""
    if engines.choose(engine) == "native":
        return _NativeSeen(by_text, chess960)
    from chesstools.reference.fen_rows import SeenPositions

    return SeenPositions(by_text=by_text, chess960=chess960)


class _NativeSeen:
    def __init__(self, by_text: bool, chess960: bool) -> None:
        from chesstools import _core

        self._seen = _core.SeenPositions(by_text=by_text, chess960=chess960)

    def add(self, lines: pa.StringArray) -> pa.RecordBatch:
        return _only_batch(self._seen.add(lines))


def in_order(items: Iterable[Item], work: Callable[[Item], Answer], jobs: int) -> Iterator[Answer]:
    """What `work` makes of each item, in their order, on `jobs` threads; few wait, so that memory stays flat.

    >>> list(in_order(range(5), lambda number: number * number, 2))
    [0, 1, 4, 9, 16]
    """
    if jobs <= 1:
        yield from map(work, items)
        return
    waiting: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for left in waiting:
                left.cancel()


def _only_batch(stream: Any) -> pa.RecordBatch:
    return pa.RecordBatchReader.from_stream(stream).read_next_batch()
