"""Statistics of datasets worked out by the workers of a Dask cluster."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from chesstools.dataset import Dataset
from chesstools.errors import ChesstoolsError
from chesstools.folder import folder_at
from chesstools.stats.run import Computation, choose_for
from chesstools.stats.shares.cut import MOST_GAMES, games_of, shares
from chesstools.stats.shares.place import Place, state_of
from chesstools.stats.shares.scratch import Scratch
from chesstools.stats.shares.spread import Doing, Task, perform, spread
from chesstools.stats.shares.work import Work
from chesstools.stats.statistic import Options

if TYPE_CHECKING:
    from chesstools.cluster import Cluster, Done
    from chesstools.run import Progress

SHARES_A_WORKER = 4
"""Shares that a worker gets at least, where there are so many parts: so none waits long for the last one."""

MOST_ATTEMPTS = 3
"""So often a task is tried that fails without killing its worker."""

MOST_FAILED = 10
"""When so many tasks have failed for good, the others are left."""

NOTE = "shares.json"
"""How the datasets are cut: as the first run did, with however many workers."""


@contextmanager
def computation_on_cluster(
    cluster: Cluster,
    datasets: Sequence[Dataset],
    options: Options,
    names: Sequence[str] | None,
    place: Place,
    *,
    progress: Progress | None = None,
) -> Iterator[Computation]:
    """Get ready to compute statistics as `chesstools.stats.run.computation`, which gives the same, on a cluster.

    All workers have to reach the datasets and the place of the partial tables, under the same names. What an earlier run of the
    same work has left in that place is not made again; what others have left there that wrote to the same folder is removed.

    Args:
        place: for the partial tables: about a megabyte for each 50,000 games.
        progress: called with the games that are done so far, twice.

    Raises what `computation` raises, and ChesstoolsError where a task cannot be done, when all others are.
    """
    chosen, _ = choose_for(datasets, names)
    scratch = Scratch(folder_at(place.room(state_of(datasets, options, [one.name for one in chosen]))))
    place.clear(of_others=True)
    most = max(1, min(MOST_GAMES, games_of(datasets) // (SHARES_A_WORKER * max(1, cluster.workers))))
    cut = shares(datasets, _noted(scratch, most))
    with spread(datasets, options, names, shares=cut, scratch=scratch, doing=_doing(cluster, progress)) as work:
        yield work


def _noted(scratch: Scratch, games: int) -> int:
    """The games of a share: as an earlier run has noted them, or so many, which are noted now."""
    try:
        return int(json.loads(scratch.read(NOTE) or b"")["games"])
    except (ValueError, KeyError, TypeError):  # nothing was done so far
        scratch.write_bytes(json.dumps({"games": games}).encode(), NOTE)
    return games


def _doing(cluster: Cluster, progress: Progress | None) -> Doing:
    games = 0

    def doing(tasks: Iterable[Task | None]) -> Iterator[Any]:
        nonlocal games
        wanted = _Wanted(tasks)
        with closing(cluster.run(perform, wanted.items(), key=_key)) as run:
            for done in run:
                if not wanted.is_done(done):
                    continue
                if isinstance(done.item, Work) and not done.item.late and progress is not None:
                    games += games_of([done.item.share.dataset])
                    progress(games, games)
                yield done.result
        wanted.check()

    return doing


class _Wanted:
    """Tasks, and those again that failed: a store or a disk may be away for a moment."""

    def __init__(self, tasks: Iterable[Task | None]) -> None:
        self._tasks = iter(tasks)
        self._again: deque[Task] = deque()
        self._attempts: Counter[str] = Counter()
        self._failed: list[str] = []
        self._running = 0

    def items(self) -> Iterator[Task | None]:
        """The tasks, and behind them what has to be tried again; None while one that runs may have to be."""
        while True:
            task = next(self._tasks, None)
            if task is None and self._again:
                task = self._again.popleft()
            if task is None and not self._running:  # nothing is left, or what is left needs something that failed
                return
            self._running += task is not None
            yield task

    def is_done(self, done: Done[Task]) -> bool:
        """Whether a task was done; else it is tried again, or its failure noted. Raises ChesstoolsError where too many failed."""
        self._running -= 1
        if done.error is None:
            return True
        self._attempts[done.item.name] += 1
        if not done.lost and self._attempts[done.item.name] < MOST_ATTEMPTS:
            self._again.append(done.item)
            return False
        self._failed.append(f"{_subject(done.item)}: {done.error}")
        if len(self._failed) >= MOST_FAILED:
            self.check()
        return False

    def check(self) -> None:
        """Raise ChesstoolsError where a task failed."""
        if self._failed:
            others = len(self._failed) - 1
            more = f" ({others} more could not be done.)" if others else ""
            raise ChesstoolsError(f"{self._failed[0]}{more}")


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
