"""How positions of a tree look: FEN, the line that leads there, and the name, each from the game that came there first.

The FENs come from the exporter of the engine, which replays the opening moves of those games, some thousands at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from chesstools.openings.counting import RESULTS
from chesstools.openings.names import load

if TYPE_CHECKING:
    import duckdb

GAMES_AT_ONCE = 5_000
"""What is in memory at a time: some hundred bytes for each ply of these."""


def make_lines(connection: duckdb.DuckDBPyConnection, engine: str | None = None) -> None:
    """Make the temporary table `tree_lines`: `position_key`, `fen`, `line` of each of `tree_positions`, from the usual array."""
    connection.execute("CREATE TEMP TABLE tree_lines (position_key UBIGINT, fen VARCHAR, line VARCHAR)")
    connection.execute(
        """
        CREATE TEMP TABLE line_games AS
        WITH needed AS (SELECT at_game AS game, max(at_ply) AS plies FROM tree_positions GROUP BY at_game)
        SELECT
            game, row_number() OVER (ORDER BY game) - 1 AS number,
            coalesce(list(san ORDER BY ply) FILTER (ply < plies), []) AS moves
        FROM tree_walks JOIN needed USING (game)
        GROUP BY game"""
    )
    (count,) = connection.sql("SELECT count(*) FROM line_games").fetchall()[0]
    for start in range(0, count, GAMES_AT_ONCE):
        part = f"number >= {start} AND number < {start + GAMES_AT_ONCE}"
        games = connection.sql(
            "SELECT array_to_string(moves, ' ') AS moves, len(moves) + 1 AS positions "
            f"FROM line_games WHERE {part} ORDER BY number"
        ).to_arrow_table()
        positions = connection.sql(
            f"""
            SELECT number - {start} AS number, at_ply, position_key, array_to_string(moves[:at_ply], ' ') AS line
            FROM tree_positions JOIN line_games ON game = at_game WHERE {part}"""
        ).to_arrow_table()
        ends = pc.cumulative_sum(games["positions"].combine_chunks())
        begins = pc.subtract(ends, games["positions"].combine_chunks())
        places = pc.add(begins.take(positions["number"].combine_chunks()), positions["at_ply"].combine_chunks())
        replayed = _fens(games["moves"].to_pylist(), engine)
        assert len(replayed) == ends[-1].as_py(), "a move that was replayed once could not be replayed again"
        fens = replayed.take(places)
        rows = pa.table({"position_key": positions["position_key"], "fen": fens, "line": positions["line"]})
        connection.from_arrow(rows).insert_into("tree_lines")


def _fens(games: list[str], engine: str | None) -> pa.StringArray:
    """All positions of all games, one after the other."""
    from chesstools.texts import convert_text  # brings much with it

    # The tag keeps the games apart.
    text = "".join(f'[Event "?"]\n\n{moves} *\n\n' for moves in games)
    fens = convert_text(text, "fen", positions="every", engine=engine)
    return pc.split_pattern(pa.scalar(fens, pa.large_string()), "\n").values


def positions_sql() -> str:
    """SQL of the table of positions, in the order of its rows, from `tree_positions`, `tree_lines` and `named_positions`."""
    return f"""
        SELECT
            position_key, at_ply AS ply, tree_lines.fen, line, named.eco AS eco, named.name AS opening, passed.ply AS opening_ply,
            games, ended, {RESULTS}
        FROM (
            SELECT *
            FROM tree_positions ASOF LEFT JOIN (
                SELECT game AS at_game, ply, number
                FROM tree_walks JOIN named_positions USING (position_key) SEMI JOIN line_games USING (game)
                WHERE ply > 0 AND ply <= {load().depth}
            ) AS passed ON passed.at_game = tree_positions.at_game AND tree_positions.at_ply >= passed.ply
        ) AS passed
        JOIN tree_lines USING (position_key)
        LEFT JOIN named_positions AS named USING (number)
        ORDER BY at_ply, games DESC, position_key"""
