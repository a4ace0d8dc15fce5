"""Statistics of datasets worked out by the workers of a Dask cluster."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chesstools.dataset import Dataset
from chesstools.errors import ChesstoolsError
from chesstools.stats.run import Computation
from chesstools.stats.shares.cut import MOST_GAMES, games_of, shares
from chesstools.stats.shares.spread import Doing, Task, perform, spread
from chesstools.stats.statistic import Options
from chesstools.table_folder import writing

if TYPE_CHECKING:
    from chesstools.cluster import Cluster

SHARES_A_WORKER = 4
"""Shares that a worker gets at least, where there are so many parts: so none waits long for the last one."""

SCRATCH = ".partial"
"""The folder for partial tables, in that of the statistics; hidden, and gone when they are there."""


@contextmanager
def computation_on_cluster(
    cluster: Cluster, datasets: Sequence[Dataset], options: Options, names: Sequence[str] | None, folder: Path
) -> Iterator[Computation]:
    """Get ready to compute statistics as `chesstools.stats.run.computation`, which gives the same, on a cluster.

    All workers have to reach the datasets and `folder`, under the same paths. In it stand the partial tables meanwhile, a few
    hundred kilobytes for each 50,000 games; only one run may write to it.

    Raises what `computation` raises, and ChesstoolsError where a task cannot be done.
    """
    scratch = folder.absolute() / SCRATCH
    most = max(1, min(MOST_GAMES, games_of(datasets) // (SHARES_A_WORKER * max(1, cluster.workers))))
    try:
        shutil.rmtree(scratch, ignore_errors=True)  # of a run that was killed
        with writing(scratch):
            scratch.mkdir(parents=True)
        cut = shares(datasets, most)
        with spread(datasets, options, names, shares=cut, scratch=scratch, doing=_doing(cluster)) as work:
            yield work
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _doing(cluster: Cluster) -> Doing:
    def doing(tasks: Iterable[Task | None]) -> Iterator[Any]:
        for done in cluster.run(perform, tasks, key=_key):
            if done.error is not None:
                raise ChesstoolsError(done.error)
            yield done.result

    return doing


def _key(task: Task) -> str:
    return task.name
