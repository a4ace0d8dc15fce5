"""Whether all of a cluster can take part: a task travels as the name of a function, which must mean the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from chesstools import __version__
from chesstools.errors import ChesstoolsError

if TYPE_CHECKING:
    from distributed import Client


def check_versions(client: Client) -> None:
    """Raise ChesstoolsError where the scheduler or a worker has another Dask or Python, or a worker other libraries.

    Those are chesstools, pyarrow and DuckDB.
    Workers that come later are looked at by their first task (`chesstools.cluster.task`).
    """
    told: Mapping[str, Any] = client.get_versions()
    ours = _versions(told["client"])
    for place, versions in {"The scheduler": told["scheduler"], **told["workers"]}.items():
        theirs = _versions(versions or {})
        for what, own in ours.items():
            if theirs.get(what) not in (None, own):
                who = place if place == "The scheduler" else f"The worker {place}"
                raise ChesstoolsError(
                    f"{who} has {what} {theirs[what]} and this machine has {own}; install the same on all of them."
                )
    for worker, found in client.run(_chesstools_version, on_error="return").items():
        if isinstance(found, str | ModuleNotFoundError) and found != __version__:  # other errors: it left meanwhile
            raise ChesstoolsError(other_version(f"The worker {worker}", found if isinstance(found, str) else None))
    here = _library_versions()
    for worker, libraries in client.run(_library_versions, on_error="return").items():
        for name, own in here.items():
            if isinstance(libraries, dict) and libraries.get(name) != own:
                raise ChesstoolsError(
                    f"The worker {worker} has {name} {libraries.get(name)} and this machine has {own}; install the same on "
                    "all of them."
                )


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


def _library_versions() -> dict[str, str]:
    """Those of the libraries by which a part that is written again may differ, or a game falls into another bucket."""
    return {name: version(name) for name in ("pyarrow", "duckdb")}


def _versions(told: Mapping[str, Any]) -> dict[str, str]:
    """Dask to the full, as its messages change; Python to its minor version."""
    packages, host = told.get("packages") or {}, dict(told.get("host") or {})
    found = {"Dask": packages.get("distributed")}
    if python := host.get("python"):
        found["Python"] = ".".join(str(python).split(".")[:2])
    return {what: str(told_of) for what, told_of in found.items() if told_of}
