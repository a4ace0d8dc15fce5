"""Positions and moves with their counts, from the tables of `chesstools.openings.walks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chesstools.stats.outcome import performance, wilson_high, wilson_low

if TYPE_CHECKING:
    import duckdb

_SUMS = """
    count(*) AS games,
    count(white_won) AS white_won,
    count(drawn) AS drawn,
    count(black_won) AS black_won,
    count(rated_points) AS rated_games,
    sum(white_elo) AS white_elos,
    sum(black_elo) AS black_elos,
    sum(rated_points) AS rated_points,
    min(year) AS first_year,
    max(year) AS last_year"""

_POINTS = "(white_won + drawn / 2)"
_DECIDED = "(white_won + drawn + black_won)"

RESULTS = f"""
    white_won, drawn, black_won,
    {_POINTS} / nullif({_DECIDED}, 0) AS score,
    {wilson_low(_POINTS, _DECIDED)} AS score_low,
    {wilson_high(_POINTS, _DECIDED)} AS score_high,
    rated_games,
    white_elos / nullif(rated_games, 0) AS white_elo,
    black_elos / nullif(rated_games, 0) AS black_elo,
    {performance("black_elos", "rated_points", "rated_games")} AS white_performance,
    {performance("white_elos", "(rated_games - rated_points)", "rated_games")} AS black_performance,
    first_year, last_year"""
"""SQL of the columns `chesstools.openings.columns.RESULTS` from the sums."""


def make_positions(connection: duckdb.DuckDBPyConnection, root: int, min_games: int) -> None:
    """Make the temporary table `tree_positions`: sums, and where the position stands: `at_game` and `at_ply`.

    That is the first game of those that came there in the least number of plies. Positions that fewer than `min_games` games
    passed are left out, but for the root.
    """
    kept = "true"
    if min_games > 1:  # first which ones: most positions of an archive stood in one game only
        connection.execute(
            "CREATE TEMP TABLE tree_kept AS SELECT position_key FROM tree_walks WHERE first GROUP BY position_key "
            "HAVING count(*) >= $min_games OR position_key = $root",
            {"min_games": min_games, "root": root},
        )
        kept = "position_key IN (FROM tree_kept)"
    connection.execute(
        f"""
        CREATE TEMP TABLE tree_positions AS
        SELECT
            position_key, {_SUMS}, count(*) FILTER (next_key IS NULL) AS ended, min(ply)::INTEGER AS at_ply,
            -- Both numbers in one, so that the same game is found in whichever order rows come.
            (min(ply::BIGINT * 4294967296 + game) % 4294967296)::INTEGER AS at_game
        FROM tree_walks JOIN tree_games USING (game)
        WHERE first AND {kept}
        GROUP BY position_key"""
    )


def make_moves(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary table `tree_moves`: sums of each move that was played in one of `tree_positions`.

    The view `tree_next` tells of how many games stood in the position after a move, as far as it is one of them.
    """
    connection.execute(
        f"""
        CREATE TEMP TABLE tree_moves AS
        SELECT position_key, uci, min(san) AS san, min(next_key) AS next_key, {_SUMS}
        FROM tree_walks SEMI JOIN tree_positions USING (position_key) JOIN tree_games USING (game)
        WHERE first AND next_key IS NOT NULL
        GROUP BY position_key, uci"""
    )
    connection.execute("CREATE TEMP VIEW tree_next AS SELECT position_key AS next_key, games FROM tree_positions")


def moves_sql() -> str:
    """SQL of the table of moves, in the order of its rows, from `tree_moves`, `tree_positions` and `tree_next`."""
    return f"""
        SELECT
            position_key, uci, san, next_key AS next_position_key, move.games, move.games / position.games AS share,
            next.games AS next_games, {RESULTS}
        FROM tree_moves AS move
        JOIN (SELECT position_key, games FROM tree_positions) AS position USING (position_key)
        LEFT JOIN tree_next AS next USING (next_key)
        ORDER BY position_key, move.games DESC, uci"""


def results_sql() -> str:
    """SQL of the results of positions alone, from `tree_positions`."""
    return f"SELECT position_key, games, ended, {RESULTS} FROM tree_positions"


def families_sql() -> str:
    """SQL of the results by family, from `tree_games` and `game_openings`."""
    return f"""
        SELECT opening_family, games, {RESULTS}
        FROM (
            SELECT opening_family, {_SUMS}
            FROM tree_games LEFT JOIN game_openings USING (source, game_index)
            GROUP BY opening_family
        )
        ORDER BY games DESC, opening_family"""
