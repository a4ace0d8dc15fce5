"""How much is looked at, game by game, to know whether a side can still mate: what the options of a run ask for.

The answers are those of `chesstools.winnable`.
"""

from __future__ import annotations

from chesstools import engines
from chesstools.errors import OptionError

MODES = ("quick", "full")

SCAN_NODES = 20_000
"""How many positions ``full`` looks at for each question that a game in an archive raises: a fraction of a second."""

MAX_NODES = 1_000_000
"""More takes more memory than a question is worth: some kilobytes for a position."""


def scan_nodes(mode: str, nodes: int | None, engine: str) -> int | None:
    """The positions that a run over games may look at for each question; None for ``quick``. `engine` is native or reference.

    >>> scan_nodes("quick", None, "reference"), scan_nodes("full", None, "native"), scan_nodes("full", 5, "native")
    (None, 20000, 5)

    Raises OptionError for an unknown mode, for a number that cannot be used or has no use, and for ``full`` without the core.
    """
    if mode not in MODES:
        raise OptionError(f"unwinnable is {mode!r}; choose from {', '.join(MODES)}.")
    if nodes is not None and not 1 <= nodes <= MAX_NODES:
        raise OptionError(f"nodes is {nodes}; it must be from 1 to {MAX_NODES}.")
    if mode == "quick":
        if nodes is not None:
            raise OptionError("nodes is a limit for the mode full of unwinnable; quick has its own.")
        return None
    if engine != "native":
        raise OptionError(f"The mode full of unwinnable needs the native core: {engines.HOW_TO_GET_IT}.")
    return SCAN_NODES if nodes is None else nodes
