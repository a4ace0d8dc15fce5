"""Whether all of a cluster can take part: a task travels as the name of a function, which must mean the same everywhere."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from chesstools import __version__
from chesstools.engines import why_not_native
from chesstools.errors import ChesstoolsError

if TYPE_CHECKING:
    from distributed import Client


def check_versions(client: Client) -> None:
    """Raise ChesstoolsError where the scheduler or a worker has another Dask or Python, or a worker another chesstools, pyarrow
    or DuckDB, or no native core where this process has it.

    Workers that come later are looked at by each of their tasks (`chesstools.cluster.task`).
    """
    told: Mapping[str, Any] = client.get_versions()
    ours = _told(told["client"])
    for place, versions in {"The scheduler": told["scheduler"], **told["workers"]}.items():
        theirs = _told(versions or {})
        if wrong := difference(place if place == "The scheduler" else f"The worker {place}", {**ours, **theirs}, ours):
            raise ChesstoolsError(wrong)
    for worker, found in client.run(_chesstools_version, on_error="return").items():
        if isinstance(found, str | ModuleNotFoundError) and found != __version__:  # other errors: it left meanwhile
            raise ChesstoolsError(other_version(f"The worker {worker}", found if isinstance(found, str) else None))
    here = versions_here()
    for worker, found in client.run(versions_here, on_error="return").items():
        if isinstance(found, dict) and (wrong := difference(f"The worker {worker}", found, here)):
            raise ChesstoolsError(wrong)


@cache
def versions_here() -> dict[str, str]:
    """Those of this process: of what tasks are made of, and of libraries by which a part that is written again may differ, or a
    game falls into another bucket."""
    python = ".".join(map(str, sys.version_info[:2]))
    found = {"chesstools": __version__, "Python": python, "Dask": version("distributed")}
    libraries = {"pyarrow": version("pyarrow"), "DuckDB": version("duckdb")}
    return {**found, **libraries, "engine": "reference" if why_not_native() else "native"}


def difference(who: str, theirs: Mapping[str, str], ours: Mapping[str, str]) -> str | None:
    """What one has otherwise than this machine, in a sentence; None where that does not matter.

    >>> difference("A worker", {"Python": "3.11", "pyarrow": "24.0"}, {"Python": "3.11", "pyarrow": "26.0"})
    'A worker has pyarrow 24.0 and this machine has 26.0; install the same on all of them.'
    >>> difference("A worker", {"engine": "reference"}, {"engine": "native"})
    'A worker has no native core and this machine has one; install the same on all of them.'
    """
    for what, own in ours.items():
        found = theirs.get(what)
        if what == "engine":
            if (found, own) == ("reference", "native"):  # the other way round nobody asks for it
                return f"{who} has no native core and this machine has one; install the same on all of them."
        elif found != own:
            return f"{who} has {what} {found} and this machine has {own}; install the same on all of them."
    return None


def other_version(who: str, found: str | None) -> str:
    """What is said of a worker with another chesstools, or with none.

    >>> other_version("The worker tcp://10.0.0.8:1234", None)
    'The worker tcp://10.0.0.8:1234 has no chesstools; install chesstools-pgn[cluster] there as it is here.'
    """
    if found is None:
        return f"{who} has no chesstools; install chesstools-pgn[cluster] there as it is here."
    return f"{who} has chesstools {found} and this machine has {__version__}; install the same on all of them."


def _chesstools_version() -> str:
    return __version__


def _told(told: Mapping[str, Any]) -> dict[str, str]:
    """What Dask tells of itself, to the full, as its messages change; of Python the minor version."""
    packages, host = told.get("packages") or {}, dict(told.get("host") or {})
    found = {"Dask": packages.get("distributed")}
    if python := host.get("python"):
        found["Python"] = ".".join(str(python).split(".")[:2])
    return {what: str(told_of) for what, told_of in found.items() if told_of}
