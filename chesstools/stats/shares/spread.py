"""Statistics of datasets, worked out share by share: by the workers of a cluster, or one share after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from chesstools.database import check_sources, connect
from chesstools.dataset import Dataset
from chesstools.scratch import scratch_folder
from chesstools.stats.counted import reasons_of
from chesstools.stats.run import Computation, bases_of, choose_for, concluded_of, names_of_sources
from chesstools.stats.shares.adding import FAN, Adding, partials_of
from chesstools.stats.shares.cut import Share
from chesstools.stats.shares.repeats import find
from chesstools.stats.shares.scratch import Scratch
from chesstools.stats.shares.summing import Node, Summing
from chesstools.stats.shares.tables import LEFT_OUT, OWN, WALKED, added
from chesstools.stats.shares.work import ALL, Before, Work
from chesstools.stats.statistic import Options, Statistic
from chesstools.stats.walk import retold

if TYPE_CHECKING:
    import duckdb

    Files: TypeAlias = dict[str, list[Path]]


class Task(Protocol):
    """Something to be done, which can be done again and is sent to whoever does it."""

    @property
    def name(self) -> str:
        """No two tasks of a kind have the same."""

    def do(self) -> Any:
        """Do it."""


Doing: TypeAlias = "Callable[[Iterable[Task | None]], Iterator[Any]]"
"""Does tasks and gives what comes of each as soon as it is done. None says that no task is ready until another one is done."""


def perform(task: Task) -> Any:
    """Do a task: a function that workers find by its name."""
    return task.do()


def one_by_one(tasks: Iterable[Task | None]) -> Iterator[Any]:
    """Do tasks here, one after the other."""
    for task in tasks:
        if task is not None:
            yield task.do()


@contextmanager
def spread(
    datasets: Sequence[Dataset],
    options: Options,
    names: Sequence[str] | None,
    *,
    shares: Sequence[Share],
    scratch: Scratch,
    doing: Doing = one_by_one,
    fan: int = FAN,
) -> Iterator[Computation]:
    """Get ready to compute statistics as `chesstools.stats.run.computation`, which gives the same: from partial tables of shares.

    How many games are repeats is not counted: no statistic tells it, and to find them takes all games once more.

    Args:
        shares: all parts of the datasets, each in one share.
        scratch: for partial tables: all who do tasks have to reach it. What stands there of the same work is not made again.
        doing: does the tasks.
        fan: how many partial tables are added up at a time.

    Raises what `computation` raises, and ChesstoolsError where a task cannot be done.
    """
    check_sources(datasets)
    chosen, skipped = choose_for(datasets, names)
    before = find(shares, options, scratch, doing, fan) if options.unique else None
    job = _Job(tuple(one.name for one in chosen), options, before, scratch, doing, fan)
    with scratch_folder() as here, connect([], tables=[]) as connection:
        early = _files(job.statistics, job.partials(shares, here, late=False), late=False)
        _make(connection, chosen, early)
        partials = _relations(connection, job.statistics, early, late=False)
        counts = _left_out(connection, early)
        if any(one.late for one in chosen):
            for name in concluded_of(chosen):
                scratch.write(connection, f"FROM {name}", f"{name}.parquet")
            late = _files(job.statistics, job.partials(shares, here, late=True), late=True)
            partials |= _relations(connection, job.statistics, late, late=True)
        # In the order of the reasons, which adding up does not keep.
        left_out = {
            one.name: {
                reason: counts[one.name, reason] for reason in [*(reason.name for reason in reasons_of(one, options)), "counted"]
            }
            for one in chosen
        }
        sources = names_of_sources(datasets)
        games = counts[ALL, "counted"]
        yield Computation(connection, options, chosen, skipped, left_out, games, 0 if options.unique else None, sources, partials)


class _Job:
    """Partial tables of all shares, added up while they come."""

    def __init__(
        self,
        statistics: tuple[str, ...],
        options: Options,
        before: Sequence[Before] | None,
        scratch: Scratch,
        doing: Doing,
        fan: int,
    ) -> None:
        self.statistics = statistics
        self._options = options
        self._before = before
        self._scratch = scratch
        self._doing = doing
        self._fan = fan

    def partials(self, shares: Sequence[Share], here: Path, *, late: bool) -> list[Path]:
        """Have the partial tables made and added up, until there are few of them: in folders on this machine, in `here`."""
        word = "late" if late else "partial"
        there = {name for name in self._scratch.there() if name.startswith(f"{word}-")}
        summing = Summing(word, len(shares), self._fan, there)
        for name in sorted(there - summing.kept):  # of use once, but added up since
            self._scratch.remove(name)
        nodes: dict[str, Node] = {}

        def tasks() -> Iterator[Task | None]:
            while not summing.is_done:
                node = summing.next()
                if node is None:
                    yield None
                    continue
                name = summing.name(node)
                nodes[name] = node
                if parts := summing.parts(node):
                    yield Adding(self.statistics, late, tuple(map(summing.name, parts)), self._scratch, name)
                else:
                    place = node[1]
                    before = None if self._before is None else self._before[place]
                    yield Work(shares[place], self._options, self.statistics, before, late, self._scratch, name)

        for name in self._doing(tasks()):
            for done in summing.done(nodes.pop(name)):
                self._scratch.remove(done)
        return [self._scratch.fetch(name, here) for name in summing.top]


def _files(statistics: tuple[str, ...], folders: Sequence[Path], *, late: bool) -> Files:
    """The files of partial tables in the folders that are left, by table."""
    return {name: [folder / f"{name}.parquet" for folder in folders] for name in partials_of(statistics, late=late)}


def _relations(connection: duckdb.DuckDBPyConnection, statistics: tuple[str, ...], files: Files, *, late: bool) -> dict[str, str]:
    """The partial tables of all games, in SQL."""
    return {name: f"({added(connection, partial, files[name])})" for name, partial in partials_of(statistics, late=late).items()}


def _make(connection: duckdb.DuckDBPyConnection, chosen: Sequence[Statistic], files: Files) -> None:
    """Make the tables of bases and tallies for all games."""
    names = tuple(one.name for one in chosen)
    relations = _relations(connection, names, files, late=False)
    for base in bases_of(chosen):
        connection.execute(f"CREATE TABLE {base.name} AS FROM {relations[base.name]}")
        if base.conclude is not None:
            base.conclude(connection)
    sums: dict[str, dict[str, tuple[Any, Any]]] = {tally: {} for one in chosen for tally in one.walked}
    walked = f"FROM {relations[WALKED]}"
    for tally, array in connection.sql(f"SELECT DISTINCT tally, counts FROM ({walked})").fetchall():
        rows = connection.execute(f"SELECT place, number FROM ({walked}) WHERE tally = $1 AND counts = $2", [tally, array])
        found = rows.fetchnumpy()
        sums[tally][array] = (np.asarray(found["place"]), np.asarray(found["number"]))
    if sums:
        retold(connection, sums)


def _left_out(connection: duckdb.DuckDBPyConnection, files: Files) -> dict[tuple[str, str], int]:
    sums = added(connection, OWN[LEFT_OUT], files[LEFT_OUT])
    rows = connection.sql(f"SELECT statistic, reason, games FROM ({sums})").fetchall()
    return {(statistic, reason): games for statistic, reason, games in rows}
