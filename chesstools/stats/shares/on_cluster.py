"""Statistics of datasets worked out by the workers of a Dask cluster."""

from __future__ import annotations

import secrets
import shutil
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chesstools.dataset import Dataset
from chesstools.errors import ChesstoolsError
from chesstools.folder import Folder, folder_at
from chesstools.local_folder import LocalFolder
from chesstools.stats.run import Computation
from chesstools.stats.shares.cut import MOST_GAMES, games_of, shares
from chesstools.stats.shares.scratch import Scratch
from chesstools.stats.shares.spread import Doing, Task, perform, spread
from chesstools.stats.shares.work import Work
from chesstools.stats.statistic import Options
from chesstools.table_folder import writing

if TYPE_CHECKING:
    from chesstools.cluster import Cluster, Done
    from chesstools.run import Progress

SHARES_A_WORKER = 4
"""Shares that a worker gets at least, where there are so many parts: so none waits long for the last one."""

MOST_ATTEMPTS = 3
"""So often a task is tried that fails without killing its worker."""

SCRATCH = ".partial"
"""The folder for partial tables, in that of the statistics; hidden, and gone when they are there."""


@contextmanager
def computation_on_cluster(
    cluster: Cluster,
    datasets: Sequence[Dataset],
    options: Options,
    names: Sequence[str] | None,
    folder: Folder,
    *,
    place: str | None = None,
    progress: Progress | None = None,
) -> Iterator[Computation]:
    """Get ready to compute statistics as `chesstools.stats.run.computation`, which gives the same, on a cluster.

    All workers have to reach the datasets and the place of the partial tables, under the same names.

    Args:
        folder: that of the statistics; only one run may write to it.
        place: a folder, or its URI in a store, for the partial tables: about a megabyte for each 50,000 games, gone at the end.
            Default: a hidden one in `folder`.
        progress: called with the games that are done so far, twice.

    Raises what `computation` raises, and ChesstoolsError where a task cannot be done.
    """
    scratch = scratch_at(folder, place)
    most = max(1, min(MOST_GAMES, games_of(datasets) // (SHARES_A_WORKER * max(1, cluster.workers))))
    try:
        cut = shares(datasets, most)
        with spread(datasets, options, names, shares=cut, scratch=scratch, doing=_doing(cluster, progress)) as work:
            yield work
    finally:
        scratch.clear()
        if isinstance(folder, LocalFolder):
            _remove(folder.path.absolute() / SCRATCH)


def scratch_at(folder: Folder, place: str | None) -> Scratch:
    """Room for partial tables at a place, or in a folder that no other run writes to. Raises OutputError."""
    own = secrets.token_hex(4)
    if place is None and not isinstance(folder, LocalFolder):
        Scratch(folder, f"{SCRATCH}-").clear()  # of a run that was killed
        return Scratch(folder, f"{SCRATCH}-{own}-")
    where = folder_at(place) if place is not None else folder
    if isinstance(where, LocalFolder):
        path = where.path.absolute() if place is not None else where.path.absolute() / SCRATCH
        if place is None:
            _remove(path)  # of a run that was killed
        with writing(path):
            path.mkdir(parents=True, exist_ok=True)
        where = LocalFolder(path)
    return Scratch(where, f"chesstools-{own}-")


def _remove(folder: Path) -> None:
    """Remove a folder, also while a task that nobody waits for any more writes to it: under another name it does not find it."""
    with suppress(OSError):
        folder.rename(folder.with_name(f"{folder.name}-gone-{secrets.token_hex(4)}"))
    for gone in folder.parent.glob(f"{folder.name}-gone*"):  # also of a run that was killed while it removed
        shutil.rmtree(gone, ignore_errors=True)


def _doing(cluster: Cluster, progress: Progress | None) -> Doing:
    games = 0

    def doing(tasks: Iterable[Task | None]) -> Iterator[Any]:
        nonlocal games
        wanted = _Wanted(tasks)
        with closing(cluster.run(perform, wanted.items(), key=_key)) as run:
            for done in run:
                if wanted.must_again(done):
                    continue
                if isinstance(done.item, Work) and not done.item.late and progress is not None:
                    games += games_of([done.item.share.dataset])
                    progress(games, games)
                yield done.result

    return doing


class _Wanted:
    """Tasks, and those again that failed: a store or a disk may be away for a moment, and the others are done already."""

    def __init__(self, tasks: Iterable[Task | None]) -> None:
        self._tasks = iter(tasks)
        self._again: deque[Task] = deque()
        self._attempts: Counter[str] = Counter()
        self._running = 0

    def items(self) -> Iterator[Task | None]:
        """The tasks; None while one that runs may have to be done again."""
        while True:
            task: Task | None = None
            try:
                task = self._again.popleft() if self._again else next(self._tasks)
            except StopIteration:
                if not self._running:
                    return
            self._running += task is not None
            yield task

    def must_again(self, done: Done[Task]) -> bool:
        """Whether a task must be done again. Raises ChesstoolsError where it failed too often."""
        self._running -= 1
        if done.error is None:
            return False
        self._attempts[done.item.name] += 1
        if done.lost or self._attempts[done.item.name] >= MOST_ATTEMPTS:
            raise ChesstoolsError(f"{_subject(done.item)}: {done.error}")
        self._again.append(done.item)
        return True


def _subject(task: Task) -> str:
    """What a task was about: the dataset and the parts of its share, or what of all shares was put together."""
    share = getattr(task, "share", None)
    if share is None:
        return f"What shares gave could not be put together ({task.name})"
    parts = [part.name for part in share.dataset.manifest.parts]
    named = f"{parts[0]} to {parts[-1]}" if len(parts) > 1 else (parts or ["no part"])[0]
    return f"{share.dataset.path} ({named}) could not be counted"


def _key(task: Task) -> str:
    return task.name
