"""Results that came before their turn: in memory while they are few, in a temporary folder where they are many."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Generic, TypeVar

from chesstools.scratch import scratching

Result = TypeVar("Result")

MEMORY_BYTES = 64 << 20
"""So much is held in memory."""

Turn = tuple[int, ...]


class Waiting(Generic[Result]):
    """Results by when their turn is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     waiting: Waiting[str] = Waiting(Path(folder), memory_bytes=5)
    ...     waiting.put((2,), "second", 6)
    ...     waiting.put((1,), "first", 5)
    ...     waiting.bytes, [waiting.take((turn,)) for turn in (1, 2, 3)]
    (11, ['first', 'second', None])
    """

    def __init__(self, folder: Path, memory_bytes: int = MEMORY_BYTES) -> None:
        self._folder = folder
        self._memory_bytes = memory_bytes
        self._in_memory = 0
        self._held: dict[Turn, tuple[Result | Path, int]] = {}
        self.bytes = 0
        """How much waits, wherever it is."""

    def put(self, turn: Turn, result: Result, size: int) -> None:
        """Keep a result of about so many bytes. One that has the same turn as another is the same."""
        if turn in self._held:
            return
        self.bytes += size
        if self._in_memory + size <= self._memory_bytes:
            self._in_memory += size
            self._held[turn] = (result, size)
            return
        path = self._folder / "-".join(map(str, turn))
        with scratching(path):
            path.write_bytes(pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))
        self._held[turn] = (path, size)

    def take(self, turn: Turn) -> Result | None:
        """The result whose turn it is, which does not wait any longer; None where it has not come."""
        if turn not in self._held:
            return None
        held, size = self._held.pop(turn)
        self.bytes -= size
        if not isinstance(held, Path):
            self._in_memory -= size
            return held
        with scratching(held):
            result: Result = pickle.loads(held.read_bytes())
            held.unlink()
        return result
