"""A worker that is cut off from its scheduler in the midst of a task, and goes on with it when another one has done it again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster_ingest import wait_for
from distributed import WorkerPlugin

from chesstools.errors import DatasetError
from chesstools.parts import PartWriter
from chesstools.store_folder import StoreFolder

if TYPE_CHECKING:
    from chesstools.cluster import Cluster
    from chesstools.manifest import Part


class CutOff(WorkerPlugin):  # type: ignore[misc]  # Dask has no types
    """The first worker that has written a part of this beginning loses its scheduler before the part gets its name.

    Marks in a folder tell how far it is: `held` with its process and the name of the part, `redone` when the same part was
    written by another worker, `over` with what became of it, and `go` lets it go on.
    """

    def __init__(self, folder: Path, part: str, *, is_checked: bool) -> None:
        """`is_checked` says that it has seen before that the run is still its own."""
        self._folder = folder
        self._part = part
        self._is_checked = is_checked

    def setup(self, worker: Any) -> None:
        finish = PartWriter.finish
        self._finish = finish

        def finished(writer: PartWriter) -> Part:
            if not writer.name.startswith(self._part):
                return finish(writer)
            try:
                held = os.open(self._folder / "held", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            except FileExistsError:
                part = finish(writer)
                (self._folder / "redone").touch()
                return part
            worker.close = _stay  # a worker ends itself where it knows in time
            worker.loop.add_callback(lambda: worker.batched_stream.comm.abort())
            os.write(held, f"{os.getpid()} {writer.name}".encode())
            os.close(held)
            return self._go_on(writer)

        PartWriter.finish = finished  # type: ignore[method-assign]

    def teardown(self, worker: Any) -> None:
        PartWriter.finish = self._finish  # type: ignore[method-assign]

    def _go_on(self, writer: PartWriter) -> Part:
        check = StoreFolder.check_claim

        def checked(folder: StoreFolder) -> None:
            if self._is_checked:
                check(folder)
            self._wait()
            if not self._is_checked:
                check(folder)

        StoreFolder.check_claim = checked  # type: ignore[method-assign]
        try:
            part = self._finish(writer)
        except DatasetError as error:
            self._tell(str(error))
            raise
        self._tell("written")
        return part

    def _wait(self) -> None:
        while not (self._folder / "go").exists():
            time.sleep(0.01)

    def _tell(self, text: str) -> None:
        mark = self._folder / "over.part"
        mark.write_text(text)
        mark.rename(self._folder / "over")


async def _stay(*_: object, **__: object) -> None:
    """In place of `Worker.close`."""


class Marks:
    """What the test sees of a `CutOff`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def is_redone(self) -> bool:
        return (self._folder / "redone").exists()

    def let_go(self) -> str:
        """Let the worker go on that was cut off, and return what became of its part."""
        assert self._held()
        (self._folder / "go").touch()
        wait_for(lambda: (self._folder / "over").exists(), 600)
        return (self._folder / "over").read_text()

    def kill(self) -> None:
        """End it: a nanny starts another one in its place."""
        if held := self._held():
            with suppress(ProcessLookupError):
                os.kill(int(held[0]), signal.SIGKILL)

    def _held(self) -> list[str]:
        mark = self._folder / "held"
        return mark.read_text().split() if mark.exists() else []


@contextmanager
def cut_off(cluster: Cluster, folder: Path, part: str, *, is_checked: bool) -> Iterator[Marks]:
    """A worker of a cluster is cut off with a part while the block runs."""
    marks = Marks(folder)
    cluster.client.register_plugin(CutOff(folder, part, is_checked=is_checked), name="cut off")
    try:
        yield marks
    finally:
        cluster.client.unregister_worker_plugin("cut off")
        marks.kill()


class DiesOnce(WorkerPlugin):  # type: ignore[misc]  # Dask has no types
    """The first worker that begins with its third task dies, as the system ends it where memory ends."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark
        self._begun = 0

    def setup(self, worker: Any) -> None:
        self._begun = 0

    def transition(self, key: object, start: str, finish: str, **_: object) -> None:
        self._begun += finish == "executing"
        if self._begun == 3:
            with suppress(FileExistsError):
                os.close(os.open(self._mark, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def dies_once(cluster: Cluster, folder: Path) -> Iterator[None]:
    """A worker of a cluster dies at its third task while the block runs."""
    mark = folder / "died"
    cluster.client.register_plugin(DiesOnce(mark), name="dies once")
    try:
        yield
    finally:
        cluster.client.unregister_worker_plugin("dies once")
    assert mark.exists()
