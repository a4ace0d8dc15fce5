"""The argument SOURCE|DATASET… of the commands that look at games through tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from . import options
from .engine import chosen_engine
from .progress import progress_bar
from .validate import tell_errors

if TYPE_CHECKING:
    from chesstools.given import Given


def given(command: options.Command) -> options.Command:
    """The argument itself, and the options for those that are sources: --profile, --profile-file, --jobs, --engine."""
    command = options.profile(options.jobs(options.engine(command)))
    return click.argument("given", nargs=-1, required=True, metavar="SOURCE|DATASET...")(command)


@contextmanager
def opened(
    names: Sequence[str], *, tables: Sequence[str], lang: str, quiet: bool, jobs: int, engine: str | None, **judging: Any
) -> Iterator[Given]:
    """The datasets that are named, and one of all sources, which are judged first, with a progress bar.

    `judging` is profile and profile_file. What was wrong with sources is told when the work on the others is done; the command
    then returns `2 if given.errors else 0`.
    """
    from chesstools.given import is_dataset
    from chesstools.given import opened as open_them
    from chesstools.source import find_sources

    datasets = [name for name in names if is_dataset(name)]
    named = [name for name in names if name not in datasets]
    sources = find_sources(named) if named else []
    sizes = [source.size for source in sources]
    chosen = chosen_engine(engine, quiet=quiet) if sources else engine
    with (
        progress_bar(None if None in sizes else sum(size or 0 for size in sizes), lang, quiet=quiet) as bar,
        open_them(
            [*datasets, *sources],
            tables=tables,
            jobs=jobs,
            engine=chosen,
            progress=bar.update,
            raise_source_errors=False,
            **judging,
        ) as found,
    ):
        bar.close()
        yield found
        tell_errors(found.errors)
