"""The named positions as a table, and with it the openings of all games of a database at once.

What looks at openings through SQL joins plies with these positions by ``position_key``, as
`chesstools.openings.openings_of` does for a table in memory; the answers are the same for games of standard chess from the array,
and others have none here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chesstools.openings.names import load
from chesstools.usual_array import FIRST_MOVES, STANDARD_SQL

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


@cache
def named_positions() -> pa.Table:
    """All named positions, one row each, in the order in which sources count (see `chesstools.openings.names`).

    Columns: `position_key` (each once), `number` (of the row, from 0), `eco`, `name`, `family` (null where Lichess does not name
    the position), `codes` (all that sources give it, `eco` first), `depth` (plies from the array by the counters of its FEN),
    `is_first` (whether it is one of the twenty after the first move) and `fen`.

    Raises OptionError as `load`.

    >>> named_positions().filter(named_positions()["position_key"].is_valid()).num_rows > 11_000
    True
    """
    import pyarrow as pa

    entries = load().by_key
    rows = list(entries.values())
    columns = {
        "position_key": pa.array(entries, pa.uint64()),
        "number": pa.array(range(len(rows)), pa.int32()),
        "eco": pa.array([entry.eco for entry in rows], pa.string()),
        "name": pa.array([entry.name for entry in rows], pa.string()),
        "family": pa.array([entry.family for entry in rows], pa.string()),
        "codes": pa.array([entry.codes for entry in rows], pa.list_(pa.string())),
        "depth": pa.array([entry.depth for entry in rows], pa.int32()),
        "is_first": pa.array([key in FIRST_MOVES for key in entries], pa.bool_()),
        "fen": pa.array([entry.fen for entry in rows], pa.string()),
    }
    return pa.table(columns)


def add_named_positions(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary table `named_positions` in a connection, with the columns of the function of that name."""
    relation = connection.from_arrow(named_positions())
    relation.create_view("_named_positions", replace=True)
    connection.execute("CREATE OR REPLACE TEMP TABLE named_positions AS FROM _named_positions")
    connection.execute("DROP VIEW _named_positions")


def add_game_openings(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary tables `named_positions` and `game_openings` in a connection with the views `games` and `plies`.

    `game_openings` has one row for each game that has an opening, so games are joined to it by a left join on (`source`,
    `game_index`). Columns: these two, `eco_by_moves`, `opening_by_moves`, `opening_family` (the first part of the name that
    Lichess gives to the deepest position that it names: one spelling for each family), `opening_ply` and `first_move` (White's,
    in standard notation). Games from another start position and those of variants, Chess960 too, have no row, nor have games that
    begin with a null move.

    Reading the names takes a quarter of a second of processor time, ten million plies a third of a second.

    >>> from chesstools.database import connect
    >>> from chesstools.given import opened
    >>> from chesstools.source import Source
    >>> with opened(Source.from_bytes(b"1. c4 d5 2. d4 *", "a.pgn")) as given, connect(given.datasets) as connection:
    ...     add_game_openings(connection)
    ...     connection.sql("SELECT * EXCLUDE first_move FROM game_openings").fetchall()
    [('a.pgn', 0, 'D06', "Queen's Gambit", "Queen's Gambit", 3)]
    """
    add_named_positions(connection)
    moves = ", ".join(f"({key}::UBIGINT, '{san}')" for key, san in FIRST_MOVES.items())
    connection.execute(_GAME_OPENINGS.replace("{moves}", moves), {"depth": load().depth})


_GAME_OPENINGS = f"""
CREATE OR REPLACE TEMP TABLE game_openings AS
WITH passed AS (
    SELECT
        source,
        game_index,
        any_value(position_key) FILTER (ply = 1) AS first_key,
        max(ply) AS opening_ply,
        arg_max(number, ply) AS deepest,
        arg_max(number, ply) FILTER (family IS NOT NULL) AS deepest_of_family
    FROM plies JOIN named_positions USING (position_key)
    WHERE ply <= $depth
    GROUP BY ALL
    -- All of the twenty positions after a first move have names; a null move leads to none of them.
    HAVING bool_or(ply = 1 AND is_first)
)
SELECT
    source,
    game_index,
    named.eco AS eco_by_moves,
    named.name AS opening_by_moves,
    family.family AS opening_family,
    opening_ply,
    first_move
FROM passed
JOIN (SELECT source, game_index FROM games WHERE {STANDARD_SQL}) AS standard USING (source, game_index)
JOIN (VALUES {{moves}}) AS first_moves(first_key, first_move) USING (first_key)
JOIN named_positions AS named ON named.number = deepest
LEFT JOIN named_positions AS family ON family.number = deepest_of_family
"""
