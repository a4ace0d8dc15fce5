"""What a worker is given to call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chesstools import __version__
from chesstools.cluster.alike import other_version
from chesstools.errors import ChesstoolsError


@dataclass(frozen=True, slots=True)
class Failed:
    """In place of a result: what went wrong, in a sentence. Errors themselves do not all travel."""

    sentence: str
    of_worker: bool = False
    """Whether no task can be done by this worker."""


def call(version: str, function: Callable[[Any], object], item: object) -> object:
    """Call a function with an item, if the worker has the same chesstools as the client: that of `version`."""
    if version != __version__:
        return Failed(other_version("A worker", __version__), of_worker=True)
    try:
        return function(item)
    except ChesstoolsError as error:
        return Failed(str(error))
