"""An interrupt at any line of chosen functions, as Ctrl-C may come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any


@contextmanager
def interrupted_at(line: int, *functions: Callable[..., object]) -> Iterator[list[str]]:
    """Raises KeyboardInterrupt before the `line`-th line (from 0) that is done of these functions.

    Gives a list of where that was: it stays empty where so many lines were not done.
    """
    chosen: set[CodeType] = {function.__code__ for function in functions}
    left = line
    where: list[str] = []

    def traced(frame: FrameType, event: str, argument: object) -> Any:
        return lines if frame.f_code in chosen else None

    def lines(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left
        if event == "line" and not where:
            if left == 0:
                where.append(f"{frame.f_code.co_qualname}:{frame.f_lineno}")
                raise KeyboardInterrupt
            left -= 1
        return lines

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        yield where
    finally:
        sys.settrace(before)
