"""How many processors there are to work on."""

from __future__ import annotations

import os


def processors() -> int:
    """How many processors this process may use.

    >>> processors() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
