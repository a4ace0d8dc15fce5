"""What a worker is given to call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chesstools.cluster.alike import difference, versions_here
from chesstools.errors import ChesstoolsError


@dataclass(frozen=True, slots=True)
class Failed:
    """In place of a result: what went wrong, in a sentence. Errors themselves do not all travel."""

    sentence: str
    of_worker: bool = False
    """Whether no task can be done by this worker."""


def call(versions: Mapping[str, str], function: Callable[[Any], object], item: object) -> object:
    """Call a function with an item, if the worker has what the client has (`chesstools.cluster.alike.versions_here`)."""
    if wrong := difference("A worker", versions_here(), versions):
        return Failed(wrong, of_worker=True)
    try:
        return function(item)
    except ChesstoolsError as error:
        return Failed(str(error))
