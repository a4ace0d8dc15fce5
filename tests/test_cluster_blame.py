"""Who is to blame where workers die: Dask blames all tasks that a worker had, a run only what kills with nothing beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import cluster_tasks
import pytest
from distributed.scheduler import KilledWorker

from chesstools.cluster import Cluster, connected
from chesstools.cluster import run as run_module
from chesstools.cluster.run import DIED, MOST_DEAD_ALONE, NO_WORKER
from chesstools.errors import ChesstoolsError


@pytest.mark.parametrize(("deadly", "most"), [(2, 20), (6, 2)])
def test_only_what_kills_is_blamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deadly: int, most: int) -> None:
    """Dask blames all that a worker had when it died. Where many die alone one after the other, the others are left untried."""
    import dask

    monkeypatch.setattr("chesstools.cluster.run.MOST_DEAD_ALONE", most)
    names = [str(tmp_path / f"deadly{n}") for n in range(deadly)] + [str(tmp_path / f"fine{n}") for n in range(12)]
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), connected("local:1") as cluster:
        done = {one.item: one for one in cluster.run(cluster_tasks.deadly_and_marked, names, key=lambda name: Path(name).name)}
    assert len(done) == len(names)
    for name, one in done.items():
        assert one.error == (DIED if one.lost else None)
        assert one.lost == ("deadly" in Path(name).name) or deadly > most
    assert sum(len(path.read_text().split()) for path in tmp_path.iterdir()) <= deadly + most


class Future:
    """A task that is done, or that killed its workers."""

    def __init__(self, result: object, *, is_killed: bool) -> None:
        self.status = "error" if is_killed else "finished"
        self._result = result

    def add_done_callback(self, function: Callable[[Future], None]) -> None:
        function(self)

    def result(self) -> object:
        return self._result

    def exception(self) -> KilledWorker:
        return KilledWorker("task", cast(Any, None), 3)


class Client:
    """Does tasks at once; `kills` says of an item, and how often it was tried before, whether its workers die."""

    status = "running"
    cluster = None

    def __init__(self, kills: Callable[[int, int], bool]) -> None:
        self.tried: Counter[int] = Counter()
        self._kills = kills

    def nthreads(self) -> dict[str, int]:
        return {"tcp://x:1": 1}

    def submit(self, _call: object, _versions: object, _function: object, item: int, **_: object) -> Future:
        is_killed = self._kills(item, self.tried[item])
        self.tried[item] += 1
        return Future(item, is_killed=is_killed)

    def cancel(self, futures: list[Future], *, force: bool) -> None: ...


def failed(client: Client, items: int, alone: Callable[[int], bool]) -> set[int]:
    cluster = Cluster(cast(Any, client), None, "tcp://x:1", 0.0)
    return {done.item for done in cluster.run(abs, range(items), key=str, alone=alone) if done.lost}


def test_deaths_alone_count_where_they_follow_each_other() -> None:
    """All are blamed at first. Many of them kill, but never twenty one after the other."""
    killers = {n for n in range(200) if n % MOST_DEAD_ALONE}
    client = Client(lambda item, before: before == 0 or item in killers)
    assert failed(client, 200, lambda item: True) == killers


def test_deaths_of_items_with_parts_do_not_count() -> None:
    """Items under 100 are not tried alone, as their caller tries parts of them."""
    client = Client(lambda item, before: before == 0)
    assert failed(client, 150, lambda item: item >= 100) == set(range(100))
    assert set(client.tried.values()) == {1, 2}


def test_twenty_deaths_alone_are_enough() -> None:
    client = Client(lambda item, before: True)
    assert failed(client, 50, lambda item: True) == set(range(50))
    assert sum(client.tried.values()) == 50 + MOST_DEAD_ALONE


class Dying(Client):
    """A cluster of this machine whose workers end as soon as they begin."""

    def __init__(self) -> None:
        super().__init__(lambda item, before: False)
        self.cluster = self  # type: ignore[assignment]
        self.worker_spec = {0: "worker"}
        self.begun = 0

    def nthreads(self) -> dict[str, int]:
        return {}

    def scale(self, count: int) -> None:
        self.begun += count

    def submit(self, *_: object, **__: object) -> Future:
        future = Future(0, is_killed=False)
        future.add_done_callback = lambda function: None  # type: ignore[method-assign]
        return future


def test_workers_that_never_live_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "TICK_SECONDS", 0.001)
    client = Dying()
    with pytest.raises(ChesstoolsError) as raised:
        failed(client, 3, lambda item: True)
    assert str(raised.value) == NO_WORKER
    assert client.begun == run_module.MOST_LOOKS_IN_VAIN
