"""dedupe(): each position once."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from chesstools.errors import OptionError
from chesstools.fen.columns import Column
from chesstools.fen.rows import seen_positions

BY = ("position", "text")


def dedupe(fens: Any, *, by: str = "position", chess960: bool = False, engine: str | None = None) -> Any:
    """The positions without those that came before, in their order and as they were written.

    `by` is ``position``: the same under FIDE 9.2.3, whatever the counters are (what cannot be understood is told by its text);
    or ``text``: the same signs, but for blanks at the ends. Nulls all stay. Each distinct position takes 16 bytes and its share
    of a table (20 to 40 in all with the native core, about 100 without): a hash of 128 bits, in which two positions that differ
    are not to be expected to be the same before 10^18 of them.

    >>> dedupe(["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 9 40", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"])
    ['4k3/8/8/8/8/8/8/4K3 w - - 0 1', '4k3/8/8/8/8/8/8/4K3 b - - 0 1']

    Raises OptionError for an unknown `by`, and for a single string.
    """
    if by not in BY:
        raise OptionError(f"by is {by!r}; choose from {', '.join(BY)}.")
    if isinstance(fens, str):
        raise OptionError("A single position has no duplicates; give a list of them.")
    column = Column(fens)
    seen = seen_positions(by_text=by == "text", chess960=chess960, engine=engine)
    return column.filter(pa.chunked_array([seen.add(lines).column("is_new") for lines in column.slices()], pa.bool_()))
