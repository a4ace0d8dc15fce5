"""Questions to the database that are asked in other threads, and do not outlive an interrupt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import duckdb

Answer = TypeVar("Answer")

TICK_SECONDS = 0.05
"""So often questions are interrupted again: one that asks several things one after the other may be between two of them."""


class Together:
    """Asks questions in other threads, each over a cursor of its own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, pool: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._pool = pool
        self._asked: list[Future[Any]] = []
        self._asking: dict[int, duckdb.DuckDBPyConnection] = {}

    def submit(self, ask: Callable[..., Answer], *arguments: Any) -> Future[Answer]:
        """Call a function with a new cursor and these arguments as soon as a thread is free."""
        future = self._pool.submit(self._call, len(self._asked), self._connection.cursor(), ask, arguments)
        self._asked.append(future)
        return future

    def results(self) -> list[Any]:
        """What all of them gave, in the order in which they were asked. Raises the error of the first that fails, at once."""
        # A wait without an end does not hear of Ctrl-C everywhere.
        while True:
            done, rest = wait(self._asked, TICK_SECONDS, FIRST_EXCEPTION)
            for future in done:
                future.result()
            if not rest:
                return [future.result() for future in self._asked]

    def _call(
        self, number: int, cursor: duckdb.DuckDBPyConnection, ask: Callable[..., Answer], arguments: tuple[Any, ...]
    ) -> Answer:
        self._asking[number] = cursor
        try:
            return ask(cursor, *arguments)
        finally:
            del self._asking[number]

    def stop(self) -> None:
        """Let what was not begun be, interrupt what is being asked, and wait for that."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        begun = [future for future in self._asked if not future.cancelled()]
        while wait(begun, TICK_SECONDS).not_done:
            for cursor in list(self._asking.values()):
                cursor.interrupt()


@contextmanager
def together(connection: duckdb.DuckDBPyConnection, threads: int) -> Iterator[Together]:
    """Ask questions in so many threads within a block, which may ask its own meanwhile and ends when all are answered.

    An error in the block, such as Ctrl-C, ends all questions at once.

    >>> from chesstools.database import connect
    >>> with connect([]) as connection, together(connection, 1) as asking:
    ...     _ = asking.submit(lambda cursor, number: cursor.sql(f"SELECT {number} + 1").fetchall(), 2)
    ...     asking.results()
    [[(3,)]]
    """
    with ThreadPoolExecutor(threads) as pool:
        asking = Together(connection, pool)
        try:
            yield asking
        except BaseException:
            asking.stop()
            raise
