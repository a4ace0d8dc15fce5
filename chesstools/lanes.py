"""Threads beside the one that judges: each does what it is given, one thing after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

WAITING = 1
"""Things that wait in a lane at most, beside the one that is being done; memory stays flat."""


class Lane:
    """Does things in order, in a thread of its own if `has_thread`, else on the spot.

    What goes wrong is raised by the call after it, `do` or `wait`.
    """

    def __init__(self, *, has_thread: bool) -> None:
        self._thread = ThreadPoolExecutor(1) if has_thread else None
        self._waiting: deque[Future[Any]] = deque()

    def do(self, work: Callable[..., object], *args: object) -> None:
        """Have something done. Waits while enough is waiting already."""
        if self._thread is None:
            work(*args)
            return
        while len(self._waiting) > WAITING or (self._waiting and self._waiting[0].done()):
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(work, *args))

    def wait(self) -> None:
        """Wait until all is done."""
        while self._waiting:
            self._waiting.popleft().result()

    def drop(self) -> None:
        """Forget what was not begun, and wait for what was. Raises nothing."""
        while self._waiting:
            done = self._waiting.pop()
            if not done.cancel():
                done.exception()

    def close(self) -> None:
        """Drop all, and end the thread."""
        self.drop()
        if self._thread is not None:
            self._thread.shutdown()
