"""Statistics of datasets, worked out share by share: by the workers of a cluster, or one share after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from chesstools.database import check_sources, connect
from chesstools.dataset import Dataset
from chesstools.stats.counted import reasons_of
from chesstools.stats.run import Computation, bases_of, choose_for, concluded_of, names_of_sources
from chesstools.stats.shares.adding import FAN, Adding, partials_of
from chesstools.stats.shares.cut import Share, games_of
from chesstools.stats.shares.repeats import BUCKET_GAMES, Bucket, Sorting
from chesstools.stats.shares.scratch import Scratch, reach
from chesstools.stats.shares.tables import LEFT_OUT, OWN, WALKED, added
from chesstools.stats.shares.work import ALL, Work
from chesstools.stats.statistic import Options, Statistic
from chesstools.stats.walk import retold

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File

    Files: TypeAlias = dict[str, list[File]]


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

    Args:
        shares: all parts of the datasets, each in one share.
        scratch: for partial tables: all who do tasks have to reach it.
        doing: does the tasks.
        fan: how many folders of partial tables are added up at a time.

    Raises what `computation` raises, and ChesstoolsError where a task cannot be done.
    """
    check_sources(datasets)
    chosen, skipped = choose_for(datasets, names)
    repeats, files = _repeats(games_of(datasets), options, shares, scratch, doing)
    job = _Job(tuple(one.name for one in chosen), options, files, scratch, doing, fan)
    early = _files(job.statistics, scratch, job.partials(shares, late=False), late=False)
    with connect([], tables=[], further=[file for files in early.values() for file in files]) as connection:
        _make(connection, chosen, early)
        partials = _relations(connection, job.statistics, early, late=False)
        counts = _left_out(connection, early)
        if any(one.late for one in chosen):
            for name in concluded_of(chosen):
                scratch.write(connection, f"FROM {name}", f"{name}.parquet")
            late = _files(job.statistics, scratch, job.partials(shares, late=True), late=True)
            reach(connection, [file for files in (early | late).values() for file in files])
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
        yield Computation(
            connection, options, chosen, skipped, left_out, games, 0 if options.unique else repeats, sources, partials
        )


def _repeats(
    games: int, options: Options, shares: Sequence[Share], scratch: Scratch, doing: Doing
) -> tuple[int, tuple[str, ...]]:
    """How many games came before, and the files that name them where they do not count."""
    buckets = games // BUCKET_GAMES + 1
    sortings = (Sorting(share, buckets, scratch, f"games-{share.number:06}.parquet") for share in shares)
    files = tuple(doing(sortings))
    named = [f"repeats-{number:06}.parquet" for number in range(buckets)]
    count = sum(doing(Bucket(options, number, files, scratch, name) for number, name in enumerate(named)))
    for file in files:
        scratch.remove(file)
    return count, tuple(named) if options.unique else ()


class _Job:
    """Partial tables of all shares, added up while they come."""

    def __init__(
        self,
        statistics: tuple[str, ...],
        options: Options,
        repeats: tuple[str, ...],
        scratch: Scratch,
        doing: Doing,
        fan: int,
    ) -> None:
        self.statistics = statistics
        self._options = options
        self._repeats = repeats
        self._scratch = scratch
        self._doing = doing
        self._fan = fan

    def partials(self, shares: Sequence[Share], *, late: bool) -> list[str]:
        """Have the partial tables made and added up, until there are few folders of them."""
        word = "late" if late else "partial"
        ready: deque[str] = deque()
        waiting, running, sums = deque(shares), 0, 0
        adding: dict[str, tuple[str, ...]] = {}

        def tasks() -> Iterator[Task | None]:
            nonlocal running, sums
            while waiting or running or len(ready) > self._fan:
                if len(ready) >= self._fan and (waiting or running or len(ready) > self._fan):
                    folders = tuple(ready.popleft() for _ in range(self._fan))
                    target = f"{word}-sum-{sums:06}"
                    sums += 1
                    adding[target] = folders
                    task: Task = Adding(self.statistics, late, folders, self._scratch, target)
                elif waiting:
                    share = waiting.popleft()
                    name = f"{word}-{share.number:06}"
                    task = Work(share, self._options, self.statistics, self._repeats, late, self._scratch, name)
                else:
                    yield None
                    continue
                running += 1
                yield task

        for folder in self._doing(tasks()):
            running -= 1
            ready.append(folder)
            for done in adding.pop(folder, ()):
                self._scratch.remove(done)
        return list(ready)


def _files(statistics: tuple[str, ...], scratch: Scratch, folders: Sequence[str], *, late: bool) -> Files:
    """The files of partial tables in the folders that are left, by table."""
    return {name: [scratch.file(f"{folder}/{name}.parquet") for folder in folders] for name in partials_of(statistics, late=late)}


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
