"""The argument SOURCE|DATASET… of the commands that look at games through tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from . import options
from .engine import chosen_engine
from .progress import Bar, progress_bar, stored_bytes
from .validate import tell_errors

if TYPE_CHECKING:
    from chesstools.cluster import Cluster, State
    from chesstools.given import Given


def given(command: options.Command) -> options.Command:
    """The argument itself, and the options for those that are sources: --profile, --profile-file, --jobs, --engine."""
    command = options.profile(options.jobs(options.engine(command)))
    return click.argument("given", nargs=-1, required=True, metavar="SOURCE|DATASET...")(command)


class Told:
    """Passes what a cluster tells of its tasks on to the bar that is there."""

    def __init__(self) -> None:
        self._tell: Callable[[State], None] | None = None

    def __call__(self, state: State) -> None:
        if self._tell is not None:
            self._tell(state)

    @contextmanager
    def to(self, bar: Bar) -> Iterator[None]:
        """As long as the block takes, this bar is there."""
        before, self._tell = self._tell, bar.tasks
        try:
            yield
        finally:
            self._tell = before


@dataclass(frozen=True, slots=True)
class OnCluster:
    """A cluster that judges sources, a folder for what it makes of them (`chesstools.given.opened`), and what it tells."""

    cluster: Cluster
    room: Callable[[str], str]
    told: Told


@contextmanager
def opened(
    names: Sequence[str],
    *,
    tables: Sequence[str],
    lang: str,
    quiet: bool,
    jobs: int,
    engine: str | None,
    on_cluster: OnCluster | None = None,
    **judging: Any,
) -> Iterator[Given]:
    """The datasets that are named, and one of all sources, which are judged first, with a progress bar.

    `judging` is profile and profile_file. `on_cluster` says whose workers judge. What was wrong with sources is told when the
    work on the others is done, or at once where a cluster could not do it; then the command returns `2 if given.errors else 0`.
    """
    from chesstools.given import is_dataset
    from chesstools.given import opened as open_them
    from chesstools.source import find_sources

    datasets = [name for name in names if is_dataset(name)]
    named = [name for name in names if name not in datasets]
    sources = find_sources(named) if named else []
    chosen = chosen_engine(engine, quiet=quiet) if sources else engine
    if on_cluster is not None:
        judging |= {"cluster": on_cluster.cluster, "room": on_cluster.room}
    with (
        progress_bar(stored_bytes(sources), lang, quiet=quiet, on_cluster=on_cluster is not None) as bar,
        on_cluster.told.to(bar) if on_cluster is not None else nullcontext(),
        open_them(
            [*datasets, *sources],
            tables=tables,
            jobs=jobs,
            engine=chosen,
            progress=bar.update,
            failed=bar.complain,
            raise_source_errors=False,
            **judging,
        ) as found,
    ):
        bar.close()
        yield found
        tell_errors(error for error in found.errors if error not in bar.complained)
