"""One walk through the plies for all statistics of moves: those tallies that they read look at every block.

What these counted becomes tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa

from chesstools.stats.activity import Activity
from chesstools.stats.blocks import blocks
from chesstools.stats.clocks import Clocks
from chesstools.stats.columns import Numbers
from chesstools.stats.counted import MOVES, chain, counted
from chesstools.stats.evaluations import Evaluations
from chesstools.stats.games import Games, rows_of_games
from chesstools.stats.kings import Kings
from chesstools.stats.material import Material
from chesstools.stats.survival import Survival
from chesstools.stats.tally import Tally

if TYPE_CHECKING:
    import duckdb

    from chesstools.folder import File
    from chesstools.stats.statistic import Options


TALLIES: dict[str, Callable[[Games, duckdb.DuckDBPyConnection], Tally]] = {
    "activity": lambda games, connection: Activity(),
    "survival": lambda games, connection: Survival(games),
    "kings": Kings,
    "material": lambda games, connection: Material(games),
    "clocks": lambda games, connection: Clocks(games),
    "evaluations": lambda games, connection: Evaluations(games),
}
"""What statistics name under `walked`."""

T = TypeVar("T")


def ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items; each is made in a thread of its own while the one before is looked at.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(1) as beside:
        waiting = beside.submit(next, items, None)
        while (item := waiting.result()) is not None:
            waiting = beside.submit(next, items, None)
            yield item


def walk(
    connection: duckdb.DuckDBPyConnection, files: Iterable[File], options: Options, names: Collection[str]
) -> dict[str, Tally]:
    """Walk through the plies of all games that statistics of moves count, and make a table of each that the named tallies tell.

    `files` are the part files of the table plies. The games are those that `MOVES` leaves; a statistic that leaves out more
    has to see to it by itself, or rest on a tally that does. Returns the tallies by name.

    Memory is that of three blocks and of what `Games` holds: about 20 bytes for each game.
    """
    games = Games(*rows_of_games(connection, counted(chain(MOVES, options))))
    tallies = {name: make(games, connection) for name, make in TALLIES.items() if name in names}
    for block in ahead(blocks(files, games)):
        for tally in tallies.values():
            tally.add(block)
    _tell(connection, tallies)
    for name, told in (("timed", games.timed), ("clocked", games.clocked), ("evaluated", games.evaluated)):
        if told.any():
            numbers = pa.table({"game": np.flatnonzero(told).astype(np.uint32)})
            connection.register("told", numbers)
            connection.execute(f"UPDATE all_games SET {name} = true WHERE game IN (SELECT game FROM told)")
            connection.unregister("told")
    return tallies


def retold(connection: duckdb.DuckDBPyConnection, sums: Mapping[str, Mapping[str, tuple[Numbers, Numbers]]]) -> None:
    """Make the tables of tallies that have counted what is in `sums`: by tally and array, places and the numbers there."""
    games = Games(0, [])
    tallies = {name: TALLIES[name](games, connection) for name in sums}
    for name, tally in tallies.items():
        arrays = tally.sums()
        for array, (places, numbers) in sums[name].items():
            arrays[array].reshape(-1)[places] = numbers
    _tell(connection, tallies)


def _tell(connection: duckdb.DuckDBPyConnection, tallies: Mapping[str, Tally]) -> None:
    for tally in tallies.values():
        for name, table in tally.tables().items():
            connection.from_arrow(table).create(name)
