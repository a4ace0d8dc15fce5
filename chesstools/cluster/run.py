"""A function called for many items by the workers of a cluster, a bounded number of them at a time."""

from __future__ import annotations

import queue
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chesstools.cluster.alike import other_version, versions_here
from chesstools.cluster.task import Failed, call
from chesstools.errors import ChesstoolsError

if TYPE_CHECKING:
    from distributed import Future

    from chesstools.cluster.joined import Cluster

Item = TypeVar("Item")

TASKS_PER_THREAD = 3
LEAST_TASKS = 16
"""So many tasks are with the scheduler at a time: enough that no worker waits and a cluster that grows with its work does so."""

MOST_ATTEMPTS = 3
"""So often an item is done whose result does not arrive though the scheduler is there; after that it has failed."""

MOST_DEAD_ALONE = 20
"""After so many items in a row that let every worker die with nothing beside them, it is the workers that are too small."""

MOST_LOOKS_IN_VAIN = 120
"""So often no worker of this machine may be there, with nothing done meanwhile, before it is no use to begin more of them."""

NO_WORKER = "The workers on this machine end as soon as they begin, perhaps for want of memory; start fewer of them (local:N)."
DIED = "every worker that tried it died, perhaps for want of memory; give workers more memory, then give the same command again."
GONE = "; give the same command again when the cause is gone."

TICK_SECONDS = 1.0
"""So often it is looked whether the scheduler is still there."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Item]):
    """One item that was done, or could not be."""

    item: Item
    result: Any = None
    error: str | None = None
    """Why there is no result: one sentence."""
    lost: bool = False
    """Whether that is because every worker that tried it died."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a run has come."""

    done: int
    failed: int
    workers: int


@dataclass(slots=True)
class _Wanted(Generic[Item]):
    """An item that is not done, and how often its result did not arrive from a scheduler that is there."""

    item: Item
    attempts: int = 0
    is_alone: bool = False


class Run(Generic[Item]):
    """What `Cluster.run` does: the items that the cluster has, and those that it had and must be given again."""

    def __init__(
        self,
        cluster: Cluster,
        function: Callable[[Item], object],
        items: Iterable[Item | None],
        key: Callable[[Item], str],
        tell: Callable[[State], None] | None,
        alone: Callable[[Item], bool],
    ) -> None:
        self._cluster = cluster
        self._function = function
        self._items = iter(items)
        self._key = key
        self._tell = tell
        self._alone = alone
        self._token = secrets.token_hex(4)  # of two runs that do the same each has its own tasks
        self._begun: dict[str, tuple[_Wanted[Item], Future]] = {}
        self._ready: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._again: deque[_Wanted[Item]] = deque()
        self._suspects: deque[_Wanted[Item]] = deque()
        self._dead_alone = 0
        self._exhausted = False
        self._count = self._done = self._failed = 0
        self._workers = self._most = 0
        self._looks_in_vain = 0
        self._looked_at = -TICK_SECONDS

    def __iter__(self) -> Iterator[Done[Item]]:
        while True:
            self._look()
            self._fill()
            if not self._begun:
                if self._suspects and not self._again:
                    yield from self._try_alone(self._suspects.popleft())
                elif not self._again and self._exhausted:
                    return
                continue
            with suppress(queue.Empty):
                done = self._take(self._ready.get(timeout=TICK_SECONDS))
                if done is not None:
                    yield done

    def drop(self) -> None:
        """Let the cluster forget what is not done."""
        futures = [future for _, future in self._begun.values()]
        self._begun.clear()
        self._cluster.forget(futures)

    def _look(self) -> None:
        """See whether the scheduler is there and who works for it, and tell how far the work has come."""
        if time.monotonic() - self._looked_at < TICK_SECONDS:
            return
        threads = self._cluster.threads()
        if threads is None:
            self._begin_again()
            threads = {}
        if self._cluster.is_of_this_machine:
            self._cluster.refill(len(threads))
            self._looks_in_vain += not threads
            if self._looks_in_vain >= MOST_LOOKS_IN_VAIN:
                raise ChesstoolsError(NO_WORKER)
        self._looked_at = time.monotonic()
        self._workers = len(threads)
        self._most = max(LEAST_TASKS, TASKS_PER_THREAD * sum(threads.values()))
        self._report()

    def _report(self) -> None:
        if self._tell is not None:
            self._tell(State(self._done, self._failed, self._workers))

    def _begin_again(self) -> None:
        """With a new scheduler, which knows of nothing."""
        self._again.extend(wanted for wanted, _ in self._begun.values())
        self._begun.clear()
        for wanted in self._again:
            wanted.attempts, wanted.is_alone = 0, False
        self._workers = 0
        self._report()
        self._cluster.join_again()

    def _fill(self) -> None:
        first = next(iter(self._begun.values()), None)
        if first is not None and first[0].is_alone:  # nothing is to be beside it
            return
        while len(self._begun) < self._most:
            if self._again:
                self._submit(self._again.popleft())
                continue
            if self._exhausted:
                return
            try:
                item = next(self._items)
            except StopIteration:
                self._exhausted = True
                return
            if item is None:
                if not self._begun and not self._suspects:
                    raise RuntimeError("Nothing runs, so nothing can become ready that an item waits for.")
                return
            self._submit(_Wanted(item))

    def _try_alone(self, wanted: _Wanted[Item]) -> Iterator[Done[Item]]:
        """Try one that is blamed for the death of workers, unless so many others did die of themselves that it is no use."""
        if self._dead_alone >= MOST_DEAD_ALONE:
            yield self._told(Done(wanted.item, error=DIED, lost=True))
        else:
            wanted.is_alone = True
            self._submit(wanted)

    def _submit(self, wanted: _Wanted[Item]) -> None:
        self._count += 1
        # Tasks are asked for in the order in which they are wanted: the number keeps two attempts of one item apart.
        key = f"{self._key(wanted.item)}-{self._token}-{self._count}"
        try:
            future = self._cluster.client.submit(
                call, versions_here(), self._function, wanted.item, key=key, pure=False, priority=-self._count
            )
        except Exception:
            if self._cluster.threads() is not None:
                raise  # it is the item that cannot travel
            self._again.appendleft(wanted)
            self._begin_again()
            return
        self._begun[key] = (wanted, future)
        future.add_done_callback(lambda _: self._ready.put(key))

    def _take(self, key: str) -> Done[Item] | None:
        """What came of a task; None where it must be done again."""
        if key not in self._begun:  # of a scheduler that was lost
            return None
        wanted, future = self._begun.pop(key)
        self._looks_in_vain = 0
        done = self._outcome(wanted, future)
        if done is None:
            return None
        if wanted.is_alone:
            self._dead_alone = self._dead_alone + 1 if done.lost else 0
        return self._told(done)

    def _outcome(self, wanted: _Wanted[Item], future: Future) -> Done[Item] | None:
        item = wanted.item
        if future.status == "error":
            done = _why_not(item, future)
            if done.lost and not wanted.is_alone and self._alone(item):
                self._suspects.append(wanted)
                return None
            return done
        try:
            if future.status == "cancelled":  # the connection was lost, or somebody restarted the workers
                raise ConnectionError("the task was cancelled")
            result = future.result()
        except Exception as error:
            self._looked_at = -TICK_SECONDS  # see at once whether the scheduler is there
            wanted.attempts += 1
            if wanted.attempts >= MOST_ATTEMPTS and self._cluster.threads() is not None:
                return Done(item, error=f"its result did not arrive {MOST_ATTEMPTS} times ({_in_words(error)}){GONE}")
            self._again.append(wanted)
            return None
        if isinstance(result, Failed):
            if result.of_worker:
                raise ChesstoolsError(result.sentence)
            return Done(item, error=result.sentence)
        return Done(item, result)

    def _told(self, done: Done[Item]) -> Done[Item]:
        self._failed += done.error is not None
        self._done += done.error is None
        self._report()
        return done


def _why_not(item: Item, future: Future) -> Done[Item]:
    """What Dask says of a task that could not be done."""
    from distributed.scheduler import KilledWorker

    error = future.exception()
    if isinstance(error, KilledWorker):
        return Done(item, error=DIED, lost=True)
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == "chesstools":
        raise ChesstoolsError(other_version("A worker", None))
    return Done(item, error=f"{_in_words(error)}{GONE}")


def _in_words(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0].rstrip(".: ")
