"""Read by the workers of a cluster that is started for a run (`chesstools.cluster.connect`), before they take tasks."""

from __future__ import annotations

import signal
import threading


def dask_setup(worker: object) -> None:
    """An interrupt from the terminal reaches all processes of a run; only the one that was started answers it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
