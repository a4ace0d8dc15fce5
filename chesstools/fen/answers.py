"""What is asked of one position or of many is answered in the form in which they were given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from chesstools.errors import OptionError
from chesstools.fen.columns import Column
from chesstools.fen.problems import why_not_understood


def answer(fens: Any, work: Callable[[pa.StringArray], pa.Array], kind: pa.DataType, *, chess960: bool) -> Any:
    """What `work` (see `Column.map`) makes of positions; of one given as a string, a single value.

    OptionError is raised in place of None (null) for a string, with the reasons.

    >>> answer(["8/8", None], lambda texts: texts, pa.string(), chess960=False)
    ['8/8', None]
    """
    if not isinstance(fens, str):
        return Column(fens).map(work, kind)
    value = work(one_position(fens))[0].as_py()
    if value is None:
        raise OptionError(why_not_understood(fens, chess960=chess960))
    return value


def one_position(fen: str) -> pa.StringArray:
    """A single position as Arrow text. Raises OptionError for half of a surrogate pair, as bytes that are not UTF-8 become."""
    try:
        return pa.array([fen], pa.string())
    except UnicodeEncodeError:
        raise OptionError(f"The position {fen!r} has signs that are no Unicode text; convert it first.") from None
