"""A cluster that was joined: who works there, whether its scheduler is there, and how it is joined again."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from importlib.metadata import version
from typing import TYPE_CHECKING

from chesstools.cluster.alike import check_versions
from chesstools.cluster.run import TICK_SECONDS, Done, Item, Run, State
from chesstools.errors import ChesstoolsError

if TYPE_CHECKING:
    from distributed import Client, Future

ATTEMPT_SECONDS = 5.0
"""So long it is tried at a time to join a scheduler again."""


class Cluster:
    """A cluster that was joined by `chesstools.cluster.connected`."""

    def __init__(
        self,
        client: Client,
        again: Callable[[float], Client] | None,
        address: str,
        patience: float,
        tell: Callable[[State], None] | None = None,
    ) -> None:
        """`again` joins a cluster whose scheduler was lost once more, within so many seconds; None where that cannot be.

        `patience` is how many seconds there are for that in all.
        """
        self.client = client
        self._again = again
        self._address = address
        self._patience = patience
        self._tell = tell

    @property
    def workers(self) -> int:
        """How many workers there are now."""
        return len(self.threads() or ())

    @property
    def scheduler(self) -> str | None:
        """The address of the scheduler; None where it is of this process, which begins workers itself."""
        return None if self._again is None or self.client.scheduler is None else str(self.client.scheduler.address)

    @property
    def dashboard(self) -> str | None:
        """The address of Dask's own page on what the cluster does; None where it has none."""
        with suppress(Exception):  # of a scheduler without bokeh, which makes the page: Dask names an address all the same
            self.client.run_on_scheduler(version, "bokeh")
            return self.client.dashboard_link or None
        return None

    def run(
        self,
        function: Callable[[Item], object],
        items: Iterable[Item | None],
        *,
        key: Callable[[Item], str],
        tell: Callable[[State], None] | None = None,
        alone: Callable[[Item], bool] = lambda item: True,
    ) -> Generator[Done[Item], None, None]:
        """Call a function for each item on the workers; what comes of it is given in the order in which it is ready.

        A task that died with its worker is given to another one, as often as Dask is set to (``allowed-failures``). It may so be
        done twice. As Dask blames all tasks that a worker had when it died, an item that is blamed too often is tried once more
        at the end with nothing beside it. What goes wrong with one item is told in its `Done.error`, and the rest goes on. A
        scheduler that is lost is waited for, and what was not done by then is begun again.

        Args:
            function: is found by its name on the workers, so it must be one of an installed module.
            items: are asked for when there is room, a few for each worker. None says that none is there before something that
                runs is done: then it is asked again.
            key: a short text for an item, no two alike. It is seen on Dask's page.
            tell: is told now and then, once a second at least, how far the work has come. Default: what `connected` was given.
            alone: whether an item that is blamed for the death of workers is tried alone; the caller tries parts of the others.

        Raises ChesstoolsError where the scheduler does not come back, and where workers have no chesstools, or another one.
        """
        run = Run(self, function, items, key, tell or self._tell, alone)
        try:
            yield from run
        finally:
            run.drop()

    def threads(self) -> dict[str, int] | None:
        """The threads of each worker; None where no scheduler answers."""
        if not _is_there(self.client):
            return None
        try:
            found: dict[str, int] = self.client.nthreads()
            return found
        except Exception:  # Dask has many errors for that
            return None

    def forget(self, futures: list[Future]) -> None:
        """Let the cluster drop tasks whose results nobody wants any more."""
        if _is_there(self.client):
            with suppress(Exception):  # it drops them when it sees that the client is gone
                self.client.cancel(futures, force=True)

    @property
    def is_of_this_machine(self) -> bool:
        """Whether the workers are processes of this machine, for this run only."""
        return self.client.cluster is not None

    def refill(self, workers: int) -> None:
        """Begin workers of this machine that are missing: Dask begins a dead one again, but not one that died as it began."""
        own = self.client.cluster
        if own is not None and workers < len(own.worker_spec):
            own.scale(len(own.worker_spec))

    def join_again(self) -> None:
        """Join a cluster again whose scheduler was lost.

        Raises ChesstoolsError where it does not come back, and where it or a worker came back with other versions.
        """
        _close(self.client)
        lost = (
            f"The scheduler at {self._address} was lost and has not come back; start it again, then give the same command again."
        )
        if self._again is None:
            raise ChesstoolsError(lost)
        deadline = time.monotonic() + self._patience
        while True:
            client = None
            with suppress(ChesstoolsError):  # nobody answers yet
                client = self._again(min(max(TICK_SECONDS, deadline - time.monotonic()), ATTEMPT_SECONDS))
            if client is not None and _checked(client):
                self.client = client
                return
            if time.monotonic() >= deadline:
                raise ChesstoolsError(lost)
            time.sleep(TICK_SECONDS)


def _is_there(client: Client) -> bool:
    """Whether a client has its scheduler. One that has lost it waits long for every answer."""
    return bool(client.status == "running")


def _checked(client: Client) -> bool:
    """Compare versions; False, and the client is closed, where the scheduler was lost again at once."""
    try:
        check_versions(client)
    except ChesstoolsError:  # waiting does not mend that
        _close(client)
        raise
    except Exception:  # Dask has many errors for that
        _close(client)
        return False
    return True


def _close(client: Client) -> None:
    with suppress(Exception):
        client.close(timeout=1)
