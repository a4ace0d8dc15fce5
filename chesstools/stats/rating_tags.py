"""The ratings in the tags of each player and year: what stands far from the others is mostly a slip of the pen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.stats.statistic import Base, Column, Statistic

if TYPE_CHECKING:
    import duckdb

FAR = 300
"""Rating points from the player's median of the year from which on a tag is far."""

ENOUGH = 3
"""Games of a player and year that are needed to tell which tag is right."""

TAGGED = ("no names", "no year", "no rating at all")


def _make_medians(connection: duckdb.DuckDBPyConnection, counted: str) -> None:
    """`rating_medians`, one row for each player and year, and `far_ratings`, each tag that is far from the median."""
    sides = " UNION ALL ".join(
        f"SELECT {side} AS player, year, {side}_elo AS elo, source, game_index FROM tagged "
        f"WHERE has_{side} AND {side}_elo IS NOT NULL"
        for side in ("white", "black")
    )
    names = "SELECT source, game_index, white, black FROM games"
    tagged = f"tagged AS (SELECT * FROM {counted} JOIN ({names}) USING (source, game_index))"
    connection.execute(
        f"""
        CREATE TABLE rating_medians AS
        WITH {tagged}
        SELECT player, year, count(*) AS games, min(elo) AS lowest, median(elo) AS median, max(elo) AS highest
        FROM ({sides}) GROUP BY player, year
        """
    )
    connection.execute(
        f"""
        CREATE TABLE far_ratings AS
        WITH {tagged}
        SELECT player, year, elo, games, source, game_index
        FROM ({sides})
        JOIN (SELECT * FROM rating_medians WHERE greatest(highest - median, median - lowest) >= {FAR}) USING (player, year)
        WHERE abs(elo - median) >= {FAR}
        """
    )


MEDIANS = Base("rating_medians", _make_medians, leaves_out=TAGGED)

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
    query="""
        SELECT player, year, lowest, median, highest, rating_medians.games, coalesce(far_games, 0) AS far_games, far_elo, source,
            game_index, line
        FROM rating_medians
        LEFT JOIN (
            SELECT player, year, count(*) AS far_games, arg_min(elo, (source, game_index)) AS far_elo,
                arg_min(source, (source, game_index)) AS source, arg_min(game_index, (source, game_index)) AS game_index
            FROM far_ratings GROUP BY player, year
        ) USING (player, year)
        LEFT JOIN (SELECT source, game_index, line FROM games SEMI JOIN far_ratings USING (source, game_index))
            USING (source, game_index)""",
    order="highest - lowest DESC, player, year",
    leaves_out=TAGGED,
    bases=(MEDIANS,),
)

STATISTICS = (RATING_TAGS,)
