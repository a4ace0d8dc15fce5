"""Whatever is killed while `ingest` works on a cluster, and whenever: the dataset is that of an undisturbed run."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from cluster_ingest import check_same, command, killing, wait_for, write_archive
from datasets import POSIX, manifest, pgn, sentence
from strategies import FULL

from chesstools.cluster import Cluster, connected
from chesstools.dataset import Dataset, ingest
from chesstools.errors import ChesstoolsError
from chesstools.manifest import FILE_NAME

pytestmark = POSIX

STRETCH = 20_000
SOURCES = ["a.pgn", "b.pgn", "c.pgn"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with connected("local:2") as joined:
        yield joined


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sources, and their dataset as one machine makes it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_archive(folder / "a.pgn")
    (folder / "b.pgn").write_text(pgn(0, 20))
    (folder / "c.pgn").write_text(pgn(20, 1000))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        ingest(SOURCES, "one")
    return folder


@pytest.fixture
def there(undisturbed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """In the folder of the sources; returns where to write to."""
    monkeypatch.chdir(undisturbed)
    return tmp_path / "many"


@pytest.mark.parametrize("seed", range(10 if FULL else 1))
def test_workers(there: Path, cluster: Cluster, seed: int) -> None:
    told: list[str] = []
    with killing(cluster, 2, random.Random(seed)) as killed:
        ingest(SOURCES, there, cluster=cluster, stretch_bytes=STRETCH, failed=told.append, raise_source_errors=False)
    assert killed
    if told:  # the same task was hit again and again: it is left, and told, and done by the next run
        assert manifest(str(there))["state"] == "running"
        ingest(SOURCES, there, cluster=cluster, stretch_bytes=STRETCH)
    check_same(there, "one")


class Deadly:
    """Lets a worker die whenever it is given one of the sources."""

    def setup(self, worker: object) -> None:
        from chesstools.cluster import stretches

        judge = stretches.judge

        def deadly(job: stretches.Job, piece: stretches.Piece) -> stretches.Judged:
            if piece.source.name == "b.pgn":
                os._exit(9)
            return judge(job, piece)

        stretches.judge = deadly


def test_a_source_that_kills_every_worker(there: Path) -> None:
    """It stands in one task with another one, which is judged all the same. (Dask would try four workers, not one.)"""
    import dask
    from distributed import WorkerPlugin

    plugin = type("Plugin", (Deadly, WorkerPlugin), {})()
    told: list[str] = []
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), connected("local:2") as cluster:
        cluster.client.register_plugin(plugin, name="deadly")
        summary = ingest(SOURCES, there, cluster=cluster, stretch_bytes=100_000, failed=told.append, raise_source_errors=False)
        assert told == [
            "b.pgn could not be judged: every worker that tried it died, perhaps for want of memory; give workers more memory, "
            "then give the same command again."
        ]
        assert [source.error for source in summary.sources] == [None, told[0], None]
        assert [entry.done for entry in Dataset.open(there).manifest.sources] == [True, False, True]
        cluster.client.unregister_worker_plugin("deadly")
    with connected("local:1") as cluster:
        ingest(SOURCES, there, cluster=cluster, stretch_bytes=100_000)
    check_same(there, "one")


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_the_command(there: Path, sign: signal.Signals) -> None:
    """And the same command again. Its workers end with it."""
    words = command("ingest", *SOURCES, "-o", there, "--cluster", "local:2", "--stretch", STRETCH)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        wait_for(lambda: process.poll() is not None or len(_parts(there)) >= 3)
        if sign == signal.SIGINT:
            os.killpg(process.pid, sign)  # as a terminal does: all processes of the run get it
        else:
            os.kill(process.pid, sign)
        _, errors = process.communicate(timeout=60)
    wait_for(lambda: not _lives(process.pid))
    document = manifest(str(there))
    assert document["state"] == "running"
    if sign == signal.SIGINT:
        assert process.returncode == 130
        again = f"Interrupted; the finished parts are in {there}, and the same command again goes on from there."
        assert errors.decode() == f"chesstools: {again}\n"
    dataset = Dataset.open(there)
    assert dataset.to_pandas("games").shape[0] == dataset.summary.games
    done = {there / "games" / part.name: 0 for part in dataset.manifest.parts}
    done = {path: path.stat().st_mtime_ns for path in done}
    run = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")
    assert {path: path.stat().st_mtime_ns for path in done} == done
    check_same(there, "one")


def _parts(dataset: Path) -> list[object]:
    with suppress(FileNotFoundError, ValueError):
        return [part for source in manifest(str(dataset))["sources"] for part in source["parts"]]
    return []


def _lives(group: int) -> bool:
    with suppress(ProcessLookupError):
        os.killpg(group, 0)
        return True
    return False


class Daemons:
    """`dask scheduler` and `dask worker` as people start them."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        port = self.address.rpartition(":")[2]
        self._run("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
        self._run("worker", self.address, "--nthreads", "1", "--nworkers", "2", "--no-dashboard", "--host", "127.0.0.1")

    def kill(self) -> None:
        """The scheduler without notice; its workers then end by themselves, or are ended."""
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes.clear()

    def _run(self, *words: str) -> None:
        code = "import sys; from dask.__main__ import main; sys.exit(main())"
        self._processes.append(
            subprocess.Popen(
                [sys.executable, "-c", code, *words], cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        )


@pytest.fixture
def daemons(tmp_path: Path) -> Iterator[Daemons]:
    folder = tmp_path / "elsewhere"  # names of files must not depend on where a worker was started
    folder.mkdir()
    started = Daemons(folder)
    started.start()
    yield started
    started.kill()


def test_the_scheduler(there: Path, daemons: Daemons, tmp_path: Path) -> None:
    """One that comes back is gone on with; one that does not is told."""
    restarted = threading.Event()

    def restart() -> None:
        wait_for(lambda: (there / FILE_NAME).is_file() and _parts(there))
        daemons.kill()
        time.sleep(0.5)
        daemons.start()
        restarted.set()

    thread = threading.Thread(target=restart)
    thread.start()
    with connected(daemons.address, patience=60) as cluster:
        ingest(SOURCES, there, cluster=cluster, stretch_bytes=STRETCH)
        thread.join()
        assert restarted.is_set()
        check_same(there, "one")
    other = tmp_path / "other"

    def kill(stored: int, games: int) -> None:
        daemons.kill()

    with connected(daemons.address, patience=1) as cluster:
        with pytest.raises(
            ChesstoolsError, match=rf"^The scheduler at {daemons.address} was lost and has not come back; start"
        ) as error:
            ingest(SOURCES, other, cluster=cluster, stretch_bytes=STRETCH, progress=kill)
        sentence(error)
    assert manifest(str(other))["state"] == "running"
    with connected("local:1") as cluster:
        ingest(SOURCES, other, cluster=cluster, stretch_bytes=STRETCH)
    check_same(other, "one")
