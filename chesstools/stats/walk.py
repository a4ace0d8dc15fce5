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
from chesstools.stats.games import COLUMNS, Games
from chesstools.stats.kings import Kings
from chesstools.stats.material import Material
from chesstools.stats.survival import Survival
from chesstools.stats.tally import Tally

if TYPE_CHECKING:
    import duckdb

    from chesstools.stats.statistic import Options


TALLIES: dict[str, Callable[[Games], Tally]] = {
    "activity": lambda _: Activity(),
    "survival": Survival,
    "kings": Kings,
    "material": Material,
    "clocks": Clocks,
    "evaluations": Evaluations,
}
"""What statistics name under `walked`."""


def walk(connection: duckdb.DuckDBPyConnection, files: Iterable[Path], options: Options, names: Collection[str]) -> None:
    """Walk through the plies of all games that statistics of moves count, and make a table of each that the named tallies tell.

    `files` are the part files of the table plies. The games are those that `MOVES` leaves; a statistic that leaves out more
    has to see to it by itself, or rest on a tally that does.
    """
    games = Games(connection.sql(f"SELECT {COLUMNS} FROM {counted(chain(MOVES, options))}").to_arrow_table())
    tallies = [make(games) for name, make in TALLIES.items() if name in names]
    for block in blocks(files, games):
        for tally in tallies:
            tally.add(block)
    for tally in tallies:
        for name, table in tally.tables().items():
            connection.from_arrow(table).create(name)
    for name, told in (("timed", games.timed), ("clocked", games.clocked), ("evaluated", games.evaluated)):
        if told.any():
            numbers = pa.table({"game": np.flatnonzero(told)})
            connection.register("told", numbers)
            connection.execute(f"UPDATE all_games SET {name} = true WHERE game IN (SELECT game FROM told)")
            connection.unregister("told")
