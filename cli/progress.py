"""The progress bar: on a terminal only, only when the work is long, and gone when it is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .terminal import both_on_one_terminal, console, printable
from .words import Words

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from chesstools.cluster import State
    from chesstools.source import Source

WIDE = 110
"""Columns of a terminal that hold all that there is to say of a cluster with millions of games."""

PATIENCE = 0.5
"""Seconds of work before a bar is worth showing."""


class Bar:
    """Shows bytes, games (or what else `unit` names), how many a second and the time left. Call `update` as often as you like.

    Without `in_bytes` the total is a number of games (or what else), and no bytes are shown. `on_cluster` says that `tasks` will
    be told.
    """

    def __init__(
        self, total: int | None, lang: str, *, visible: bool, unit: str = "games", in_bytes: bool = True, on_cluster: bool = False
    ) -> None:
        self._total = total
        self._unit = unit
        self._in_bytes = in_bytes
        self._lang = lang
        self._visible = visible
        self._started = time.monotonic()
        self._shared = both_on_one_terminal()
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._on_cluster = on_cluster
        self._tasks = ""
        self._last = (0, 0)
        self.complained: set[str] = set()
        """What `complain` was told."""

    def update(self, stored_bytes_read: int, games: int) -> None:
        """Tell how far the work has come."""
        elapsed = time.monotonic() - self._started
        if not self._visible or (self._progress is None and elapsed < PATIENCE):
            return
        if self._progress is None:
            self._start()
        assert self._progress is not None
        assert self._task is not None
        words = Words(self._lang)
        speed = words(f"{self._unit}_a_second", speed=round(games / elapsed)) if elapsed > 0 else ""
        left = ""
        if self._total and 0 < stored_bytes_read < self._total:  # by the average: games are much alike
            seconds = elapsed * (self._total - stored_bytes_read) / stored_bytes_read
            left = words("progress_left", time=words.duration(seconds))
        read = words(f"progress_{self._unit}", count=games)
        self._progress.update(self._task, completed=stored_bytes_read, games=read, speed=speed, left=left, tasks=self._tasks)
        self._last = (stored_bytes_read, games)

    def tasks(self, state: State) -> None:
        """Tell how far a cluster has come with its tasks."""
        self._tasks = Words(self._lang)("progress_tasks", done=state.done, failed=state.failed or None, workers=state.workers)
        self.update(*self._last)

    def print(self, line: str) -> None:
        """One line of results to standard output, above the bar where both are on one terminal."""
        if self._shared and self._progress is not None:
            from rich.text import Text

            self._progress.console.print(Text.from_ansi(line), soft_wrap=True)
        else:
            sys.stdout.write(line + "\n")

    def complain(self, sentence: str) -> None:
        """What went wrong, on standard error, above the bar."""
        self.complained.add(sentence)
        self.say(f"chesstools: {sentence}")

    def say(self, sentence: str) -> None:
        """One line on standard error, above the bar."""
        line = printable(sentence)
        if self._progress is not None:
            from rich.text import Text

            self._progress.console.print(Text(line), soft_wrap=True)
        else:
            sys.stderr.write(line + "\n")

    def close(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _start(self) -> None:
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
        from rich.table import Column

        # Where both streams are one terminal the bar must know of the results printed, so one console writes both.
        screen = console(sys.stdout if self._shared else sys.stderr)
        is_narrow = self._on_cluster and screen.width < WIDE
        self._progress = Progress(
            # With one more column the bar takes what is left of the line.
            BarColumn(bar_width=None) if self._on_cluster else BarColumn(),
            *([DownloadColumn(table_column=Column(no_wrap=True))] if self._in_bytes else []),
            TextColumn("{task.fields[games]}"),
            *([] if is_narrow else [TextColumn("{task.fields[speed]}")]),
            TextColumn("{task.fields[left]}"),
            *([TextColumn("{task.fields[tasks]}")] if self._on_cluster else []),
            console=screen,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("", total=self._total, games="", speed="", left="", tasks="")
        self._progress.start()


def stored_bytes(sources: Iterable[Source]) -> int | None:
    """What there is to read in all; None where one of the sources does not tell."""
    total = 0
    for source in sources:
        if source.size is None:
            return None
        total += source.size
    return total


@contextmanager
def progress_bar(
    total: int | None, lang: str, *, quiet: bool, unit: str = "games", in_bytes: bool = True, on_cluster: bool = False
) -> Iterator[Bar]:
    """A bar for `total` bytes (None: not known), with words of that language, that is taken away at the end, whatever happens.

    `unit` is games or positions; without `in_bytes` the total is a number of these. `on_cluster`: as for `Bar`.
    """
    visible = not quiet and sys.stderr.isatty()
    bar = Bar(total, lang, visible=visible, unit=unit, in_bytes=in_bytes, on_cluster=on_cluster)
    try:
        yield bar
    finally:
        bar.close()


@contextmanager
def waiting(sentence: str, *, quiet: bool) -> Iterator[None]:
    """A sentence on a terminal while work goes on whose end cannot be foreseen; it is taken away at the end."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    with console(sys.stderr).status(sentence):
        yield
