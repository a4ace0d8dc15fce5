"""An interrupt that has to wait until something is begun that must not be half begun."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def interrupted_later() -> Iterator[None]:
    """Let Ctrl-C take effect at the end of a block, and not at all in processes and threads that begin in it.

    Elsewhere than in the main thread, which alone is interrupted, this does nothing.

    >>> try:
    ...     with interrupted_later():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("goes on")
    ... except KeyboardInterrupt:
    ...     print("ends")
    goes on
    ends
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    mask = None
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # as it begins it lets interrupts through again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
        if pressed:  # whatever went wrong meanwhile may come of it
            raise KeyboardInterrupt
