"""What statistics, queries and reports are made of: datasets, or sources that become one for the time being.

Everything that looks at games through tables takes both: a folder that `chesstools.dataset.ingest` wrote is opened as it is;
all else (PGN files, folders of them, globs, ``-``) is judged and written to a dataset in a scratch folder first.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import xxhash

from chesstools import __version__
from chesstools.database import check_sources
from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError, OptionError, SourceError
from chesstools.folder import folder_at
from chesstools.manifest import COMPLETE, FILE_NAME
from chesstools.profile_choice import AUTO, read_choice
from chesstools.schema import SCHEMA_VERSION, TABLES
from chesstools.scratch import scratch_folder, scratching
from chesstools.source import Source, find_sources

if TYPE_CHECKING:
    from chesstools.cluster import Cluster
    from chesstools.profiles import Profile
    from chesstools.run import Progress
    from chesstools.summary import Summary

One: TypeAlias = "str | os.PathLike[str] | Source | Dataset"
"""A dataset, or the path of one; or a source as `chesstools.source.find_sources` takes it."""

AnyGiven: TypeAlias = "One | Iterable[One]"


@dataclass(frozen=True, slots=True)
class Given:
    """The datasets, and what was wrong with sources that could not be read to their end (their other games are there)."""

    datasets: list[Dataset]
    errors: list[str]


def is_dataset(path: str | os.PathLike[str]) -> bool:
    """Whether a folder, on a disk or in a store, holds a dataset. Raises DatasetError where a store cannot be asked.

    >>> is_dataset("sample_data")
    False
    """
    return folder_at(path).has(FILE_NAME)


@contextmanager
def opened(
    given: AnyGiven,
    *,
    tables: Sequence[str] = TABLES,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    engine: str | None = None,
    progress: Progress | None = None,
    raise_source_errors: bool = True,
    cluster: Cluster | None = None,
    room: Callable[[str], str] | None = None,
    failed: Callable[[str], None] | None = None,
) -> Iterator[Given]:
    """The datasets among `given`, and one more behind them, for the time being, of all sources among them.

    Datasets keep the order in which they are given, and so do sources, but all sources come after all datasets. A dataset that
    is given twice is there once.

    Args:
        given: datasets, paths of datasets, sources.
        tables: the tables that are needed of sources. A dataset may hold others; who asks it for one that it lacks is told.
        profile, profile_file, jobs, engine, progress: as for `chesstools.dataset.ingest`; a dataset stays as it was judged.
        raise_source_errors: whether a source that cannot be read to its end raises. If not, `Given.errors` tells.
        cluster, failed: whose workers judge sources, and who is told of those that could not be, as for `ingest`.
        room: gives the folder, or its URI, for the dataset that a cluster makes of sources: one for each text, which tells
            what is judged and how. What a run that was stopped has left there is gone on with. Who gives it removes the folder.

    Raises SourceError, DatasetError and OptionError as `ingest` and `Dataset.open`, and DatasetError where the same source is
    there twice: in two datasets, or in one and beside it.

    >>> with opened(Source.from_bytes(b"1. e4 e5 *", "a.pgn")) as given:
    ...     [dataset.summary.games for dataset in given.datasets]
    [1]
    """
    found: dict[str, Dataset] = {}
    named: list[str | os.PathLike[str] | Source] = []
    for one in [given] if isinstance(given, (str, os.PathLike, Source, Dataset)) else given:
        if isinstance(one, Dataset):
            found.setdefault(one.folder.identity, one)
        elif not isinstance(one, Source) and is_dataset(one):
            dataset = Dataset.open(one)
            found.setdefault(dataset.folder.identity, dataset)
        else:
            named.append(one)
    datasets = list(found.values())
    check_sources(datasets)
    if not named:
        if not datasets:
            raise OptionError("Name at least one source or dataset.")
        yield Given(datasets, [])
        return
    sources = find_sources(named)
    _check_beside(datasets, sources)
    judging: dict[str, Any] = {"tables": tables, "profile": profile, "profile_file": profile_file, "engine": engine}
    judging |= {"jobs": jobs, "progress": progress, "raise_source_errors": False}
    with ExitStack() as stack:
        if room is not None:
            folder = room(f"sources-{_digest(sources, tables, read_choice(profile, profile_file).label)}")
            summary = _judged(folder) or ingest(sources, folder, cluster=cluster, failed=failed, **judging)
        else:
            scratch = stack.enter_context(scratch_folder())
            folder = str(scratch / "dataset")
            with scratching(scratch):
                summary = ingest(sources, folder, **judging)
        errors = [source.error for source in summary.sources if source.error]
        if errors and raise_source_errors:
            raise SourceError(errors[0])
        yield Given([*datasets, Dataset.open(folder)], errors)


def _digest(sources: Sequence[Source], tables: Sequence[str], profile: str) -> str:
    """Digits that tell what is judged, and how."""
    judged = [[source.name, source.size, source.mtime_ns] for source in sources]
    return xxhash.xxh3_64_hexdigest(json.dumps([__version__, SCHEMA_VERSION, list(tables), profile, judged]).encode())


def _judged(folder: str) -> Summary | None:
    """The summary of a dataset that an earlier run has brought to its end."""
    if not is_dataset(folder):
        return None
    dataset = Dataset.open(folder)
    return dataset.summary if dataset.manifest.state == COMPLETE else None


def _check_beside(datasets: Sequence[Dataset], sources: Sequence[Source]) -> None:
    """See that none of the sources is in a dataset already. Raises DatasetError, before anything is judged."""
    names = {source.name for source in sources}
    for dataset in datasets:
        for entry in dataset.manifest.sources:
            if entry.name in names:
                raise DatasetError(f"{dataset.path} holds the source {entry.name} already; give one of them only.")
