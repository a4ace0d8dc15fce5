"""The cluster that --cluster names, for as long as a command works on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from .terminal import printable
from .words import Words

if TYPE_CHECKING:
    from chesstools.cluster import Cluster, State


def only_on_cluster(address: str | None, **given: object) -> None:
    """Refuse options, by their names, that were given without --cluster."""
    for name, value in given.items():
        if address is None and value is not None:
            raise click.UsageError(f"--{name} is for work on a cluster; add --cluster")


@contextmanager
def joined(
    address: str | None, words: Words, *, quiet: bool, tell: Callable[[State], None] | None = None
) -> Iterator[Cluster | None]:
    """The cluster, having told where Dask shows what it does; None without an address, and then nothing of Dask is loaded.

    `tell` is told how far the work has come.
    """
    if address is None:
        yield None
        return
    from chesstools.cluster import connected

    with connected(address, tell=tell) as cluster:
        if not quiet and cluster.dashboard:
            click.echo(printable(words("dashboard", address=cluster.dashboard)), err=True)
        yield cluster


MOST_WHOLE = 5
"""Sources of which it is told why they were not cut."""


def tell_whole(sentences: Iterable[str], words: Words) -> None:
    """Why sources were worked on by one process each, and what to do about it, on standard error."""
    told = list(sentences)
    for sentence in told[:MOST_WHOLE]:
        click.echo(printable(sentence), err=True)
    if len(told) > MOST_WHOLE:
        click.echo(words("more_whole", count=len(told) - MOST_WHOLE), err=True)
