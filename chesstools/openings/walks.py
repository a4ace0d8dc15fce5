"""The positions that games passed, as temporary tables of a database: what trees of openings are counted from.

`tree_games` has one row for each game that counts, with what is counted of it. `tree_walks` has one row for each position that
such a game passed, from the root of the tree to `depth` plies behind it, with the move that was played there:

=================  ===================================================================================================
`game`             number of the game in `tree_games`
`ply`              after which ply of the game the position stood, 0 is its start
`position_key`     the position
`first`            whether the game stands there for the first time since the root: only these are counted
`next_key` `uci` `san`  the move that was played then and the position after it; null where the game ends there
=================  ===================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chesstools import usual_array
from chesstools.stats.counted import REASONS, count_left_out, counted, make_games
from chesstools.stats.statistic import Options, Reason

if TYPE_CHECKING:
    import duckdb


def make_all_games(connection: duckdb.DuckDBPyConnection, options: Options) -> dict[str, int]:
    """Make the table `all_games` of `chesstools.stats.counted`, and tell how many games are left out for each reason.

    Games with errors, repeated ones where these do not count, and those of variants, from other start positions (so of Chess960)
    and without moves are no part of a tree. ``counted`` tells how many are left. Games without a known result do count.
    """
    make_games(connection, options)
    (left_out,) = count_left_out(connection, [_reasons(options)])
    return left_out


def counted_games(options: Options) -> str:
    """SQL of the games that count, a part of `all_games`."""
    return counted(_reasons(options))


def _reasons(options: Options) -> list[Reason]:
    names = [*(() if options.include_invalid else ("errors",)), *(("repeated",) if options.unique else ())]
    return [REASONS[name] for name in (*names, "variant", "setup", "no moves")]


def make_walks(connection: duckdb.DuckDBPyConnection, options: Options, depth: int) -> None:
    """Make `tree_games` and `tree_walks` of all games, from the usual array. `make_all_games` comes first."""
    connection.execute(_tree_games(counted_games(options), "0"))
    stood = """
        SELECT game, 0 AS start_ply, 0 AS ply, $root::UBIGINT AS position_key, true AS first, NULL AS uci, NULL AS san
        FROM tree_games
        UNION ALL
        SELECT game, start_ply, ply, position_key, repetition = 1, uci, san_standard
        FROM plies JOIN tree_games USING (source, game_index)
        WHERE ply <= $depth + 1"""
    connection.execute(_tree_walks(stood, "first"), {"root": usual_array.KEY, "depth": depth})


def make_walks_from(connection: duckdb.DuckDBPyConnection, options: Options, root: int, depth: int) -> int:
    """Make `tree_games` and `tree_walks` of the games that pass the position `root`, from where it stands for the first time.

    It makes `all_games` too. Returns how many more games pass that position but do not count.
    """
    make_games(connection, options)
    if root == usual_array.KEY:
        visits = "SELECT source, game_index, 0 AS start_ply FROM all_games WHERE from_array AND ply_count > 0"
    else:
        visits = (
            f"SELECT source, game_index, min(ply) AS start_ply FROM plies WHERE position_key = {root} GROUP BY source, game_index"
        )
    connection.execute(f"CREATE TEMP TABLE tree_visits AS {visits}")
    connection.execute(_tree_games(f"{counted_games(options)} AS one JOIN tree_visits USING (source, game_index)", "start_ply"))
    stood = """
        SELECT game, start_ply, start_ply AS ply, $root::UBIGINT AS position_key, NULL AS uci, NULL AS san FROM tree_games
        UNION ALL
        SELECT game, start_ply, ply, position_key, uci, san_standard
        FROM plies JOIN tree_games USING (source, game_index)
        WHERE ply > start_ply AND ply <= start_ply + $depth + 1"""
    first = "ply = min(ply) OVER (PARTITION BY game, position_key)"
    connection.execute(_tree_walks(stood, first), {"root": root, "depth": depth})
    ((more,),) = connection.sql("SELECT (SELECT count(*) FROM tree_visits) - (SELECT count(*) FROM tree_games)").fetchall()
    return int(more)


def _tree_games(relation: str, start: str) -> str:
    # What is counted is null where it is not the case: counting such a column is the fastest that there is.
    return f"""
        CREATE TEMP TABLE tree_games AS
        SELECT
            row_number() OVER (ORDER BY source, game_index)::INTEGER AS game, source, game_index, {start}::INTEGER AS start_ply,
            CASE WHEN white_won THEN true END AS white_won,
            CASE WHEN drawn THEN true END AS drawn,
            CASE WHEN black_won THEN true END AS black_won,
            CASE WHEN rated THEN points END AS rated_points,
            CASE WHEN rated AND points IS NOT NULL THEN white_elo::INTEGER END AS white_elo,
            CASE WHEN rated AND points IS NOT NULL THEN black_elo::INTEGER END AS black_elo,
            year
        FROM {relation}"""


def _tree_walks(stood: str, first: str) -> str:
    return f"""
        CREATE TEMP TABLE tree_walks AS
        WITH stood AS ({stood})
        SELECT
            game, ply, position_key, {first} AS first,
            lead(position_key) OVER walk AS next_key, lead(uci) OVER walk AS uci, lead(san) OVER walk AS san
        FROM stood
        WINDOW walk AS (PARTITION BY game ORDER BY ply)
        QUALIFY ply - start_ply <= $depth"""
