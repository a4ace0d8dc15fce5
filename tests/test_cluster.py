"""Functions are called on the workers of a cluster, each once for certain, whatever happens to workers."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cluster_tasks
import pytest
from datasets import sentence

from chesstools import __version__
from chesstools.cluster import Cluster, State, connected
from chesstools.cluster import connect as connect_module
from chesstools.cluster.address import Local, Running, read_address
from chesstools.cluster.alike import check_versions, versions_here
from chesstools.cluster.task import Failed, call
from chesstools.errors import ChesstoolsError, OptionError

KILLED = (
    "every worker that tried it died, perhaps for want of memory; give workers more memory, then give the same command again."
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with connected("local:2") as joined:
        yield joined


def test_each_item_is_done_once(cluster: Cluster) -> None:
    assert cluster.workers == 2
    told: list[State] = []
    done = list(cluster.run(cluster_tasks.double, range(50), key=str, tell=told.append))
    assert sorted((one.item, one.result, one.error) for one in done) == [(n, 2 * n, None) for n in range(50)]
    assert told[-1] == State(50, 0, 2)
    assert list(cluster.run(cluster_tasks.double, [], key=str)) == []


def test_items_are_asked_for_when_there_is_room(cluster: Cluster) -> None:
    asked = 0

    def items() -> Iterator[int]:
        nonlocal asked
        while asked < 1000:
            asked += 1
            yield asked

    for count, _ in enumerate(cluster.run(cluster_tasks.double, items(), key=str)):
        assert asked <= count + 20
        if count == 30:
            break


def test_items_that_wait_for_others(cluster: Cluster) -> None:
    """Each number is ready when the one before it was doubled."""
    ready: list[int | None] = [1]

    def items() -> Iterator[int | None]:
        while (number := ready[-1]) is None or number < 20:
            if number is not None:
                ready.append(None)
            yield number

    found = []
    for done in cluster.run(cluster_tasks.double, items(), key=str):
        found.append(done.result)
        ready.append(done.result)
    assert found == [2, 4, 8, 16, 32]


def test_what_fails_is_told_and_the_rest_goes_on(cluster: Cluster) -> None:
    done = {one.item: one for one in cluster.run(cluster_tasks.fussy, range(8), key=str)}
    assert [n for n, one in sorted(done.items()) if one.result == n] == [0, 1, 2, 4, 6, 7]
    assert done[3].error == "3 is not wanted; give another number."
    assert done[5].error == (
        "ZeroDivisionError: integer division or modulo by zero; give the same command again when the cause is gone."
    )
    assert not done[3].lost


def test_a_task_that_dies_with_its_worker_is_done_by_another(cluster: Cluster, tmp_path: Path) -> None:
    (done,) = cluster.run(cluster_tasks.deadly_once, [str(tmp_path / "mark")], key=lambda path: "mark")
    assert done.error is None
    assert done.result > 0


def test_a_task_that_always_kills_its_worker_is_given_up(cluster: Cluster) -> None:
    import dask

    assert dask.config.get("distributed.scheduler.allowed-failures") == 3
    done = {one.item: one for one in cluster.run(cluster_tasks.deadly, [6, 7, 8], key=str)}
    assert done[7].lost
    assert done[7].error == KILLED
    assert [done[n].result for n in (6, 8)] == [6, 8]


def test_a_result_that_never_arrives_is_given_up(cluster: Cluster) -> None:
    told: list[State] = []

    def tell(state: State) -> None:
        told.append(state)
        assert len(told) < 40, "it is asked for without end"

    done = {one.item: one for one in cluster.run(cluster_tasks.unreadable, range(4), key=str, tell=tell)}
    assert [done[n].result for n in (0, 1, 3)] == [0, 1, 3]
    error = done[2].error or ""
    assert error.startswith("its result did not arrive 3 times (TypeError: ")
    assert error.endswith("); give the same command again when the cause is gone.")


class Client:
    """Counts how many were made and not closed."""

    open = 0

    def __init__(self) -> None:
        Client.open += 1

    def close(self, timeout: float) -> None:
        Client.open -= 1


def test_a_scheduler_that_comes_back_with_other_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = "The worker tcp://x:1 has chesstools 0.1 and this machine has 0.2; install the same on all of them."

    def check(client: Client) -> None:
        raise ChesstoolsError(sentences)

    monkeypatch.setattr("chesstools.cluster.joined.check_versions", check)
    lost: Any = Client()
    again: Any = lambda seconds: Client()  # noqa: E731
    with pytest.raises(ChesstoolsError, match=f"^{re.escape(sentences)}$"):
        Cluster(lost, again, "tcp://x:1", 5.0).join_again()
    assert Client.open == 0


class Clock:
    """Goes on only where somebody waits."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_scheduler_that_is_lost_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def again(seconds: float) -> Any:
        asked.append(seconds)
        return Client()

    def check(client: Client) -> None:
        raise OSError("gone")

    monkeypatch.setattr("chesstools.cluster.joined.check_versions", check)
    monkeypatch.setattr("chesstools.cluster.joined.time", Clock())
    lost: Any = Client()
    with pytest.raises(ChesstoolsError, match=r"was lost and has not come back") as error:
        Cluster(lost, again, "tcp://x:1", 4.0).join_again()
    sentence(error)
    assert Client.open == 0
    assert asked == [4.0, 3.0, 2.0, 1.0, 1.0]


def test_versions_are_compared(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    check_versions(cluster.client)
    here = versions_here()
    assert call(here, abs, -3) == 3
    told = call({**here, "chesstools": "0.0.1"}, abs, -3)
    assert isinstance(told, Failed)
    assert told.of_worker
    assert told.sentence == f"A worker has chesstools {__version__} and this machine has 0.0.1; install the same on all of them."
    monkeypatch.setattr("chesstools.cluster.run.versions_here", lambda: {**here, "DuckDB": "0.0.1"})
    with pytest.raises(
        ChesstoolsError, match=r"^The worker tcp://\S+ has DuckDB \S+ and this machine has 0\.0\.1; install"
    ) as error:
        list(cluster.run(cluster_tasks.double, range(3), key=str))
    sentence(error)
    monkeypatch.setattr("chesstools.cluster.alike.__version__", "0.0.1")
    with pytest.raises(
        ChesstoolsError, match=r"^The worker tcp://\S+ has chesstools .* and this machine has 0\.0\.1; install"
    ) as error:
        check_versions(cluster.client)
    sentence(error)
    versions = cluster.client.get_versions()
    versions["scheduler"]["packages"]["distributed"] = "1.0"
    monkeypatch.setattr(cluster.client, "get_versions", lambda: versions)
    with pytest.raises(ChesstoolsError, match=r"^The scheduler has Dask 1\.0 and this machine has ") as error:
        check_versions(cluster.client)
    sentence(error)


def test_a_worker_that_leaves_meanwhile_has_chesstools(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster.client, "run", lambda *_, on_error: {"tcp://x:1": OSError("it has left")})
    check_versions(cluster.client)
    missing = ModuleNotFoundError("No module named 'chesstools'")
    monkeypatch.setattr(cluster.client, "run", lambda *_, on_error: {"tcp://x:1": missing})
    with pytest.raises(ChesstoolsError, match=r"^The worker tcp://x:1 has no chesstools; install"):
        check_versions(cluster.client)


def test_libraries_that_make_other_files_are_compared(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = cluster.client.run

    def other(function: Any, on_error: str) -> dict[str, Any]:
        found = asked(function, on_error=on_error)
        return {worker: {**told, "pyarrow": "0.0.1"} if isinstance(told, dict) else told for worker, told in found.items()}

    monkeypatch.setattr(cluster.client, "run", other)
    with pytest.raises(
        ChesstoolsError, match=r"^The worker tcp://\S+ has pyarrow 0\.0\.1 and this machine has \d\S+; i"
    ) as error:
        check_versions(cluster.client)
    sentence(error)


def test_a_worker_has_its_share_of_the_memory(cluster: Cluster) -> None:
    from distributed.system import MEMORY_LIMIT

    workers = cluster.client.scheduler_info()["workers"].values()
    assert {worker["memory_limit"] for worker in workers} == {MEMORY_LIMIT // 2}
    assert {worker["nthreads"] for worker in workers} == {1}


def test_an_address_is_local_or_of_a_scheduler(here: Path) -> None:
    assert read_address("local:3") == Local(3)
    assert read_address("tls://a.example:8786") == Running("tls://a.example:8786", None)
    Path("scheduler.json").write_text("{}")
    assert read_address("scheduler.json") == Running(None, "scheduler.json")
    for wrong, said in {
        "local:0": "local:0 names no number of workers; give local, or local:2",
        "local:two": "local:two names no number of workers",
        "http://a:1": "http://a:1 is no address of a Dask scheduler; give local, local:N, tcp://HOST:PORT or the file",
        "nothing.json": "There is no scheduler file nothing.json; give local",
        "": "The address of the cluster is empty; give local",
        "tcp://a": "tcp://a names no port; give it too, as in tcp://a:8786.",
        "a:8786": "a:8786 does not say how to reach a Dask scheduler; give tcp://a:8786.",
        "s3://k:secret@b/a.json": "s3://b/a.json is no address of a Dask scheduler; give local",
    }.items():
        with pytest.raises(OptionError, match=said) as error:
            read_address(wrong)
        sentence(error)


def test_a_scheduler_that_does_not_answer(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect_module, "CONNECT_SECONDS", 0.2)
    for text, said in {
        "no JSON": "scheduler.json is no file of",
        "[1]": "scheduler.json is no file of",
        '{"address": 7}': "scheduler.json is no file of",
        '{"address": "inproc://a"}': "scheduler.json is no file of",
        '{"address": "tcp://127.0.0.1:9"}': "No Dask scheduler answers at tcp://127.0.0.1:9, which scheduler.json names",
    }.items():
        Path("scheduler.json").write_text(text)
        with pytest.raises(ChesstoolsError, match=f"^{said}") as error, connected("scheduler.json"):
            raise AssertionError
        sentence(error)


def test_dask_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ChesstoolsError, match=r"^A cluster needs Dask: pip install 'chesstools-pgn\[cluster\]'\.$"),
        connected("local"),
    ):
        raise AssertionError


def test_a_script_without_its_guard(here: Path) -> None:
    body = 'from chesstools.cluster import connected\nwith connected("local:1") as cluster:\n    print("joined")\n'
    Path("script.py").write_text(body)
    run = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 1
    last = run.stderr.rstrip().split("\n")[-1]
    assert last == (
        "chesstools.errors.ChesstoolsError: The workers on this machine did not start; in a file that Python runs, join a "
        'cluster under `if __name__ == "__main__":`, as each worker reads the file too.'
    )


def test_nothing_of_dask_is_imported_before_it_is_needed() -> None:
    program = "import sys, chesstools, chesstools.cluster, chesstools.cli.main; print({'dask', 'distributed'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_a_host_that_is_none_is_told_at_once() -> None:
    told = r"No Dask scheduler answers at tcp://none\.invalid:8786 \(.+\); start one"
    with pytest.raises(ChesstoolsError, match=told), connected("tcp://none.invalid:8786"):
        pass


def test_who_listens_may_be_no_scheduler(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client would wait for an answer without end."""
    worker = next(iter(cluster.client.scheduler_info()["workers"]))
    told = rf"^No Dask scheduler answers at {worker} \(there is a Worker\); start one"
    with pytest.raises(ChesstoolsError, match=told), connected(worker):
        pass
    monkeypatch.setattr(connect_module, "CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        told = rf"^No Dask scheduler answers at {address} \(timed out\); start one"
        with pytest.raises(ChesstoolsError, match=told), connected(address):
            pass
    with (
        pytest.raises(ChesstoolsError, match=r"^No Dask scheduler answers at tls:\S+ \("),
        connected(worker.replace("tcp", "tls")),
    ):
        pass
