"""One walk through the plies for all statistics of moves: those tallies that they read look at every block.

What these counted becomes tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from chesstools.stats.activity import Activity
from chesstools.stats.blocks import blocks
from chesstools.stats.clocks import Clocks
from chesstools.stats.counted import MOVES, chain, counted
from chesstools.stats.evaluations import Evaluations
from chesstools.stats.games import Games, rows_of_games
from chesstools.stats.kings import Kings
from chesstools.stats.material import Material
from chesstools.stats.survival import Survival
from chesstools.stats.tally import Tally

if TYPE_CHECKING:
    import duckdb

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


def walk(connection: duckdb.DuckDBPyConnection, files: Iterable[Path], options: Options, names: Collection[str]) -> None:
    """Walk through the plies of all games that statistics of moves count, and make a table of each that the named tallies tell.

    `files` are the part files of the table plies. The games are those that `MOVES` leaves; a statistic that leaves out more
    has to see to it by itself, or rest on a tally that does.

    Memory is that of a block and of what `Games` holds: about 20 bytes for each game.
    """
    games = Games(*rows_of_games(connection, counted(chain(MOVES, options))))
    tallies = [make(games, connection) for name, make in TALLIES.items() if name in names]
    for block in blocks(files, games):
        for tally in tallies:
            tally.add(block)
    for tally in tallies:
        for name, table in tally.tables().items():
            connection.from_arrow(table).create(name)
    for name, told in (("timed", games.timed), ("clocked", games.clocked), ("evaluated", games.evaluated)):
        if told.any():
            numbers = pa.table({"game": np.flatnonzero(told).astype(np.uint32)})
            connection.register("told", numbers)
            connection.execute(f"UPDATE all_games SET {name} = true WHERE game IN (SELECT game FROM told)")
            connection.unregister("told")
