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
    of_output: bool = False
    """Whether it is because nothing could be written to where the results go."""


def call(versions: Mapping[str, str], function: Callable[[Any], object], item: object) -> object:
    """Call a function with an item, if the worker has what the client has (`chesstools.cluster.alike.versions_here`)."""
    if wrong := difference(_who(), versions_here(), versions):
        return Failed(wrong, of_worker=True)
    try:
        return function(item)
    except ChesstoolsError as error:
        return Failed(str(error))


def _who() -> str:
    """This process, in words."""
    from distributed import get_worker

    try:
        return f"The worker {get_worker().address}"
    except ValueError:  # in a test
        return "A worker"
