"""Into a cluster and out of it again, and what of Dask a person need not see."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
import warnings
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from chesstools.cluster.address import Local, Running, read_address
from chesstools.cluster.alike import check_versions
from chesstools.cluster.joined import Cluster
from chesstools.cluster.later import interrupted_later
from chesstools.cluster.run import State
from chesstools.errors import ChesstoolsError

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 15.0
"""So long a scheduler may take to answer at first."""

PATIENCE = 120.0
"""So long one that was lost may take to come back."""

_LOGGERS = ("distributed", "tornado", "asyncio", "bokeh")

# A task gives back a few kilobytes, so nothing is worth to be spilled to a disk; what a worker has beyond its limit is the memory
# of the task itself, which ends with the worker.
_CONFIG = {
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": 0.95,
    # A task that only waits at a worker is taken for one that killed it, too; ours are long enough to wait at the scheduler.
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.worker.preload": ["chesstools.cluster.preload"],
    # Dask tries so long to reach a worker that died with a result, before it has the task done again.
    "distributed.comm.timeouts.connect": "5s",
}


@contextmanager
def connected(
    address: str,
    *,
    patience: float = PATIENCE,
    tell: Callable[[State], None] | None = None,
    lost: Callable[[], None] | None = None,
) -> Iterator[Cluster]:
    """Join a cluster, or start one on this machine, for as long as the block takes.

    Args:
        address: ``local`` (a worker for each processor) or ``local:N`` for a cluster of processes on this machine, each with its
            share of the memory; ``tcp://HOST:PORT`` (or ``tls://``) of a scheduler; or the file that it wrote
            (``dask scheduler --scheduler-file FILE``).
        patience: seconds that a scheduler that was lost may take to come back.
        tell: told by every run on the cluster, once a second at least, how far the work has come.
        lost: told each time that the scheduler is lost, and waited for.

    Raises OptionError for an address that is none, ChesstoolsError where the extra ``cluster`` is not installed, where no
    scheduler answers, and where scheduler or workers have other versions than this process.

    A script that gives ``local`` does so under ``if __name__ == "__main__":``, as each worker is a process that reads it too.

    >>> with connected("local:1") as cluster:
    ...     squares = {done.item: done.result for done in cluster.run(abs, [-3], key=str)}
    >>> squares
    {-3: 3}
    """
    where = read_address(address)
    _need_extra()
    with _quiet():
        if isinstance(where, Local):
            with _local(where) as client:
                yield Cluster(client, None, address, 0.0, tell)
        else:
            cluster = Cluster(_joined(where, CONNECT_SECONDS), _Again(where, lost), address, patience, tell)
            try:
                check_versions(cluster.client)
                yield cluster
            finally:
                with suppress(Exception):
                    cluster.client.close(timeout=5)


def _need_extra() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ChesstoolsError("A cluster needs Dask: pip install 'chesstools-pgn[cluster]'.") from None


@contextmanager
def _local(where: Local) -> Iterator[Client]:
    """A cluster of processes on this machine, each with one thread and an equal share of the memory."""
    import dask
    from distributed import Client, LocalCluster
    from distributed.system import MEMORY_LIMIT

    with ExitStack() as stack:
        stack.enter_context(dask.config.set(_CONFIG))
        with interrupted_later():  # Dask cannot end what is half begun
            try:
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=where.workers,
                        threads_per_worker=1,
                        processes=True,
                        memory_limit=MEMORY_LIMIT // where.workers,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",  # any free port, also where bokeh is missing, which makes the page
                        silence_logs=logging.CRITICAL,
                    )
                )
            except RuntimeError:  # all that Dask says is that they did not start
                raise ChesstoolsError(
                    "The workers on this machine did not start; in a file that Python runs, join a cluster under "
                    '`if __name__ == "__main__":`, as each worker reads the file too.'
                ) from None
            client = stack.enter_context(Client(cluster, set_as_default=False))
        yield client


def _joined(where: Running, seconds: float) -> Client:
    """A client of a running cluster. Raises ChesstoolsError where no scheduler answers in that time."""
    from distributed import Client

    address = where.now()
    try:
        _knock(address, seconds)
        _in_a_thread(_see_scheduler(address, seconds))
        return Client(address, timeout=seconds, set_as_default=False)
    except Exception as error:  # what answers there may be anything
        place = f"{address}, which {where.shown} names" if where.file else address
        raise ChesstoolsError(
            f"No Dask scheduler answers at {place} ({_why(error)}); start one with `dask scheduler`, or check the address."
        ) from None


def _in_a_thread(asking: Coroutine[None, None, None]) -> None:
    """Wait for an answer: this thread may have a loop of its own, and an interrupt must not wait for the answer."""
    answer: Future[None] = Future()

    def ask() -> None:
        try:
            answer.set_result(asyncio.run(asking))
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    answer.result()


class _Again:
    """Joins a cluster again whose scheduler was lost. Where that does not succeed it is called once more."""

    def __init__(self, where: Running, lost: Callable[[], None] | None) -> None:
        self._where = where
        self._lost = lost
        self._is_told = False

    def __call__(self, seconds: float) -> Client:
        if self._lost is not None and not self._is_told:
            self._lost()
        self._is_told = True
        client = _joined(self._where, seconds)
        self._is_told = False
        return client


def _knock(address: str, seconds: float) -> None:
    """See that somebody listens there. A client that waits for it in vain, and is interrupted, takes long to be gone.

    Raises OSError where nobody does in that time, and at once where there is no such host.
    """
    place = urlsplit(address)
    if place.scheme not in ("tcp", "tls") or place.port is None:
        return
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((place.hostname, place.port), timeout=max(1.0, deadline - time.monotonic())).close()
            return
        except socket.gaierror:
            raise
        except OSError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(0.2)


async def _see_scheduler(address: str, seconds: float) -> None:
    """See that it is a scheduler who listens: a client that talks to anybody else waits for an answer without end.

    Raises TimeoutError for who does not know Dask, ValueError for others of a cluster, and TypeError where encryption is not
    set up.
    """
    from distributed import Security
    from distributed.core import rpc

    async def ask() -> str:
        async with rpc(address, timeout=seconds, connection_args=Security().get_connection_args("client")) as found:
            return str((await found.identity())["type"])

    kind = await asyncio.wait_for(ask(), seconds)
    if not kind.endswith("Scheduler"):
        raise ValueError(f"there is a {kind}")


def _why(error: Exception) -> str:
    """In a few words: Dask's own text is long."""
    if isinstance(error, TimeoutError):
        return "timed out"
    if not isinstance(error, OSError | ValueError | TypeError | ImportError):  # of what Dask made of the bytes
        return "who answers there is none"
    text = (isinstance(error, OSError) and error.strerror) or str(error).split("\n")[0]
    return text.rstrip(".") or type(error).__name__


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing of Dask's own logs and warnings on the terminal: what matters is told in sentences."""
    below = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _LOGGERS]  # with levels of their own
    levels = {name: logging.getLogger(name).level for name in {*_LOGGERS, *below}}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            for category in (UserWarning, RuntimeWarning, DeprecationWarning, FutureWarning):
                warnings.filterwarnings("ignore", category=category, module=r"(distributed|dask|tornado)(\..*)?")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
