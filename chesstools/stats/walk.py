"""One walk through the plies for all statistics of moves: each tally looks at every block, and what it counted becomes tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools.stats.activity import Activity
from chesstools.stats.blocks import blocks
from chesstools.stats.counted import MOVES, chain, counted
from chesstools.stats.games import Games
from chesstools.stats.kings import Kings
from chesstools.stats.material import Material
from chesstools.stats.survival import Survival

if TYPE_CHECKING:
    import duckdb

    from chesstools.stats.statistic import Options
    from chesstools.stats.tally import Tally


def walk(connection: duckdb.DuckDBPyConnection, files: Iterable[Path], options: Options) -> None:
    """Walk through the plies of all games that statistics of moves count, and make a temporary table of each that tallies tell.

    `files` are the part files of the table plies. The games are those that `MOVES` leaves; a statistic that leaves out more
    has to see to it by itself, or rest on a tally that does.
    """
    games = Games(
        connection.sql(
            f"SELECT game, source, game_index, points, from_array, other_start FROM {counted(chain(MOVES, options))}"
        ).to_arrow_table()
    )
    tallies: list[Tally] = [Activity(), Survival(games), Kings(games), Material(games)]
    for block in blocks(files, games):
        for tally in tallies:
            tally.add(block)
    for tally in tallies:
        for name, table in tally.tables().items():
            connection.from_arrow(table).create(name)
