"""The cluster that --cluster names, for as long as a command works on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from chesstools.stores import shown_name

from .notes import told_whole
from .terminal import printable
from .words import Words

if TYPE_CHECKING:
    from chesstools.cluster import Cluster, State

WAIT_SECONDS = 3.0
"""So long there may be no worker before it is told: one that died is often there again at once."""


def only_on_cluster(address: str | None, **given: object) -> None:
    """Refuse options, by their names, that were given without --cluster."""
    for name, value in given.items():
        if address is None and value is not None:
            raise click.UsageError(f"--{name} is for work on a cluster; add --cluster")


def say(line: str) -> None:
    """One line on standard error."""
    click.echo(printable(line), err=True)


@contextmanager
def joined(
    address: str | None,
    words: Words,
    *,
    quiet: bool,
    tell: Callable[[State], None] | None = None,
    say: Callable[[str], None] = say,
) -> Iterator[Cluster | None]:
    """The cluster, having told where Dask shows what it does; None without an address, and then nothing of Dask is loaded.

    `tell` is told how far the work has come; `say` shows a line: that there are no workers to wait for, or no scheduler.
    """
    if address is None:
        yield None
        return
    from chesstools.cluster import connected
    from chesstools.cluster.connect import PATIENCE

    waits = _Waits(tell)

    def lost() -> None:
        if not quiet:
            say(words("scheduler_lost", address=shown_name(address), time=words.duration(PATIENCE)))

    with connected(address, tell=waits, lost=lost) as cluster:
        if not quiet:
            if cluster.dashboard:
                say(words("dashboard", address=cluster.dashboard))
            if cluster.scheduler is not None:
                waits.say = lambda: say(words("no_workers", address=cluster.scheduler))
        yield cluster


class _Waits:
    """Is told how far the work has come, and says once, each time that no workers are left, that they are waited for."""

    def __init__(self, tell: Callable[[State], None] | None) -> None:
        self.say: Callable[[], None] | None = None
        self._tell = tell
        self._since: float | None = None
        self._is_said = False

    def __call__(self, state: State) -> None:
        now = time.monotonic()
        if state.workers:
            self._since, self._is_said = None, False
        elif self._since is None:
            self._since = now
        elif not self._is_said and self.say is not None and now - self._since >= WAIT_SECONDS:
            self.say()
            self._is_said = True
        if self._tell is not None:
            self._tell(state)


MOST_WHOLE = 5
"""Sources of which it is told why they were not cut."""


def tell_whole(sentences: Iterable[str], words: Words) -> None:
    """Why sources were worked on by one process each, and what to do about it, on standard error."""
    told = list(sentences)
    for sentence in told[:MOST_WHOLE]:
        say(told_whole(sentence, words.lang))
    if len(told) > MOST_WHOLE:
        say(words("more_whole", count=len(told) - MOST_WHOLE))
