"""The ratings in the tags of each player and year: what stands far from the others is mostly a slip of the pen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.stats.partial import Sums
from chesstools.stats.statistic import Base, Column, Statistic

if TYPE_CHECKING:
    import duckdb

FAR = 300
"""Rating points from the player's median of the year from which on a tag is far."""

ENOUGH = 3
"""Games of a player and year that are needed to tell which tag is right."""

TAGGED = ("no names", "no year", "no rating at all")


def _make_counts(connection: duckdb.DuckDBPyConnection, counted: str) -> None:
    """How many games there are of each player, year and rating: histograms, from which medians are exact."""
    sides = " UNION ALL ".join(
        f"SELECT {side} AS player, year, {side}_elo AS elo FROM tagged WHERE has_{side} AND {side}_elo IS NOT NULL"
        for side in ("white", "black")
    )
    names = "SELECT source, game_index, white, black FROM games"
    connection.execute(
        f"""
        CREATE TABLE rating_counts AS
        WITH tagged AS (SELECT * FROM {counted} JOIN ({names}) USING (source, game_index))
        SELECT player, year, elo, count(*) AS games FROM ({sides}) GROUP BY player, year, elo
        """
    )


def _conclude(connection: duckdb.DuckDBPyConnection) -> None:
    """`rating_medians`, one row for each player and year, and `far_ratings`, each rating that is far from the median."""
    connection.execute(
        """
        CREATE TABLE rating_medians AS
        SELECT player, year, any_value(total) AS games, min(elo) AS lowest, max(elo) AS highest,
            (min(elo) FILTER (upto >= (total + 1) // 2) + min(elo) FILTER (upto >= total // 2 + 1)) / 2 AS median
        FROM (
            SELECT *, sum(games) OVER (PARTITION BY player, year ORDER BY elo)::BIGINT AS upto,
                sum(games) OVER (PARTITION BY player, year)::BIGINT AS total
            FROM rating_counts
        )
        GROUP BY player, year
        """
    )
    connection.execute(
        f"""
        CREATE TABLE far_ratings AS
        SELECT player, year, elo, rating_medians.games
        FROM rating_counts
        JOIN (SELECT * FROM rating_medians WHERE greatest(highest - median, median - lowest) >= {FAR}) AS rating_medians
            USING (player, year)
        WHERE abs(elo - median) >= {FAR}
        """
    )


MEDIANS = Base(
    "rating_counts",
    _make_counts,
    Sums("FROM rating_counts", keys=("player", "year", "elo")),
    conclude=_conclude,
    concluded=("far_ratings",),
    leaves_out=TAGGED,
)


def far_games(enough: int = 0) -> str:
    """SQL of the games whose rating is far: player, year and rating, source, number and line, by player.

    `enough` is how many games of the player and year it takes.
    """
    return " UNION ALL ".join(
        f"SELECT far.player, far.year, far.elo, source, game_index, line FROM games JOIN far_ratings AS far "
        f"ON far.player = games.{side} AND far.year = games.year AND far.elo = games.{side}_elo WHERE far.games >= {enough}"
        for side in ("white", "black")
    )


RATING_TAGS = Statistic(
    name="rating_tags",
    title="Ratings of each player and year in the tags",
    meaning="One row for each name and year of the Date tag with a rating in WhiteElo or BlackElo, the widest apart first. A "
    f"rating that stands {FAR} points or more from the median of the player and year is mostly a slip (250 for 2500), or that of "
    "another player of the name; it may also be right, as where a source has ratings of several kinds.",
    columns=(
        Column("player", pa.string(), "The name, as the tags White and Black write it."),
        Column("year", pa.int16(), "Year of the Date tag."),
        Column("lowest", pa.int16(), "Lowest rating."),
        Column("median", pa.float64(), "Median of the ratings, each game once."),
        Column("highest", pa.int16(), "Highest rating."),
        Column("games", pa.int64(), "Games of the player and year with a rating of this player."),
        Column("far_games", pa.int64(), f"Of these, games whose rating stands {FAR} or more from the median."),
        Column("far_elo", pa.int16(), "The rating in the first of these games; null where there is none."),
        Column("source", pa.string(), "The file that game is in; null where there is none."),
        Column("game_index", pa.int64(), "Its number in the source, from 0; null where there is none."),
        Column("line", pa.int64(), "Line of the file at which it begins, from 1; null where there is none."),
    ),
    partial=Sums(
        f"""
        SELECT player, year, count(*) AS far_games,
            min({{'source': source, 'game_index': game_index, 'line': line, 'elo': elo}}) AS first
        FROM ({far_games()}) SEMI JOIN {{counted}} USING (source, game_index) GROUP BY player, year""",
        keys=("player", "year"),
        how={"first": "min"},
    ),
    query="""
        SELECT player, year, lowest, median, highest, games, coalesce(far_games, 0) AS far_games, first.elo AS far_elo,
            first.source AS source, first.game_index AS game_index, first.line AS line
        FROM rating_medians LEFT JOIN {partial} USING (player, year)""",
    late=True,
    order="highest - lowest DESC, player, year",
    leaves_out=TAGGED,
    bases=(MEDIANS,),
)

STATISTICS = (RATING_TAGS,)
