"""How positions of a tree look: FEN, the line that leads there, and the name, each from the game that came there first.

The FENs come from the exporter of the engine, which replays the opening moves of those games, some thousands at a time.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from chesstools.openings.counting import RESULTS
from chesstools.openings.names import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

GAMES_AT_ONCE = 1_000
"""What is in memory at a time: some hundred bytes for each ply of these, and the line that leads there."""


def make_lines(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary tables `line_games` (numbered, with the moves that lead to the positions) and `tree_rows`.

    `tree_rows` is `tree_positions` with the number of the game that came there first and the deepest name on its line. Both are
    in the order of these numbers, so that a part of them is found without looking at all.
    """
    connection.execute(
        """
        CREATE TEMP TABLE line_games AS
        WITH needed AS (SELECT at_game AS game, max(at_ply) AS plies FROM tree_positions GROUP BY at_game)
        SELECT
            game, row_number() OVER (ORDER BY game) - 1 AS number,
            coalesce(list(san ORDER BY ply) FILTER (ply < plies), []) AS moves
        FROM tree_walks JOIN needed USING (game)
        GROUP BY game
        ORDER BY game"""
    )
    connection.execute(
        f"""
        CREATE TEMP TABLE tree_rows AS
        SELECT line_games.number, passed.*
        FROM (
            SELECT tree_positions.*, named.number AS named_number, named.ply AS opening_ply
            FROM tree_positions ASOF LEFT JOIN (
                SELECT game AS at_game, ply, number
                FROM tree_walks JOIN named_positions USING (position_key) SEMI JOIN line_games USING (game)
                WHERE ply > 0 AND ply <= {load().depth}
            ) AS named ON named.at_game = tree_positions.at_game AND tree_positions.at_ply >= named.ply
        ) AS passed JOIN line_games ON game = at_game
        ORDER BY at_game, at_ply"""
    )


def position_batches(connection: duckdb.DuckDBPyConnection, schema: pa.Schema, engine: str | None) -> Iterator[pa.RecordBatch]:
    """The rows of the table of positions, in the order of the games that came there first and of their plies."""
    ((count,),) = connection.sql("SELECT count(*) FROM line_games").fetchall()
    for start in range(0, count, GAMES_AT_ONCE):
        part = f"number >= {start} AND number < {start + GAMES_AT_ONCE}"
        games = connection.sql(
            "SELECT array_to_string(moves, ' ') AS moves, len(moves) + 1 AS positions "
            f"FROM line_games WHERE {part} ORDER BY number"
        ).to_arrow_table()
        rows = connection.sql(
            f"""
            SELECT
                place.number - {start} AS place, position_key, at_ply AS ply,
                named.eco AS eco, named.name AS opening, opening_ply, games, ended, {RESULTS}
            FROM (SELECT * FROM tree_rows WHERE {part}) AS place
            LEFT JOIN (SELECT number, eco, name FROM named_positions) AS named ON named.number = named_number
            ORDER BY place.number, at_ply"""
        ).to_arrow_table()
        ends = pc.cumulative_sum(games["positions"].combine_chunks())
        begins = pc.subtract(ends, games["positions"].combine_chunks())
        moves = games["moves"].to_pylist()
        replayed = _fens(moves, engine)
        assert len(replayed) == ends[-1].as_py(), "a move that was replayed once could not be replayed again"
        stood = pc.add(begins.take(rows["place"].combine_chunks()), rows["ply"].combine_chunks())
        table = rows.append_column("fen", replayed.take(stood)).append_column("line", _lines(moves).take(stood))
        arrays = [table[field.name].cast(field.type).combine_chunks() for field in schema]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _lines(games: list[str]) -> pa.StringArray:
    """The moves that lead to each position of all games, one after the other.

    >>> _lines(["e4 e5", ""]).to_pylist()
    ['', 'e4', 'e4 e5', '']
    """
    found = []
    for moves in games:
        found.append("")
        found += accumulate(moves.split(), lambda line, san: f"{line} {san}")
    return pa.array(found, pa.string())


def _fens(games: list[str], engine: str | None) -> pa.StringArray:
    """All positions of all games, one after the other."""
    from chesstools.texts import convert_text  # brings much with it

    # The tag keeps the games apart.
    text = "".join(f'[Event "?"]\n\n{moves} *\n\n' for moves in games)
    fens = convert_text(text, "fen", positions="every", engine=engine)
    return pc.split_pattern(pa.scalar(fens, pa.large_string()), "\n").values
