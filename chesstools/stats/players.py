"""Players: games, points, colours, opponents, performance."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import POINTS
from chesstools.stats.outcome import performance, wilson_high, wilson_low
from chesstools.stats.statistic import Column, Statistic

_SIDE = """
    SELECT {side} AS player, year, ply_count, {points} AS points, {side}_elo AS own, {other}_elo AS elo_of_other,
        '{side}' = 'white' AS is_white, {expected} AS expected,
        CASE WHEN has_{side}_title THEN upper(trim({side}_title)) END AS title
    FROM {{named}} WHERE has_{side}"""

_BOTH = " UNION ALL ".join(
    [
        _SIDE.format(side="white", other="black", points="points", expected="expected"),
        _SIDE.format(side="black", other="white", points="1 - points", expected="1 - expected"),
    ]
)

_RATED = "own IS NOT NULL AND elo_of_other IS NOT NULL"

_SUMS = f"""
    SELECT player, count(*) AS games, count(*) FILTER (is_white) AS white_games, count(*) FILTER (NOT is_white) AS black_games,
        count(*) FILTER (points = 1) AS won, count(*) FILTER (points = 0.5) AS drawn, count(*) FILTER (points = 0) AS lost,
        sum(points) AS points, sum(points) FILTER (is_white) AS white_points, sum(points) FILTER (NOT is_white) AS black_points,
        avg(own) AS average_elo, max(own) AS highest_elo, avg(elo_of_other) AS average_opponent,
        count(*) FILTER ({_RATED}) AS rated_games, sum(points) FILTER ({_RATED}) AS rated_points,
        sum(elo_of_other) FILTER ({_RATED}) AS elos_of_others, sum(expected) AS expectations,
        mode(title) AS title, avg(ply_count) AS average_plies, min(year) AS first_year, max(year) AS last_year
    FROM ({_BOTH}) GROUP BY player"""

PLAYERS = Statistic(
    name="players",
    title="Players",
    meaning="One row for each name, as the tags White and Black write it: a player under two names has two rows, and players "
    "of one name have one, for nothing is merged. A game counts for both players. Names that are missing, empty or ? have no "
    "row.",
    columns=(
        Column("player", pa.string(), "The name."),
        Column("title", pa.string(), "The commonest title in the tags, in capitals; null where none is told."),
        Column("games", pa.int64(), "Games."),
        Column("white_games", pa.int64(), "Of these, with White."),
        Column("black_games", pa.int64(), "Of these, with Black."),
        Column("won", pa.int64(), "Games won."),
        Column("drawn", pa.int64(), "Games drawn."),
        Column("lost", pa.int64(), "Games lost."),
        Column("points", pa.float64(), "Points made; a draw is 0.5."),
        Column("score", pa.float64(), "Points a game, 0 to 1."),
        Column("score_low", pa.float64(), "Lower end of the 95 % interval of the score (Wilson, on the safe side with draws)."),
        Column("score_high", pa.float64(), "Upper end of the 95 % interval of the score."),
        Column("white_score", pa.float64(), "Points a game with White; null for no such game."),
        Column("black_score", pa.float64(), "Points a game with Black; null for no such game."),
        Column("average_elo", pa.float64(), "Mean rating of the player; null where none is known."),
        Column("highest_elo", pa.int16(), "Highest rating of the player in these games; null where none is known."),
        Column("average_opponent", pa.float64(), "Mean rating of the opponents; null where none is known."),
        Column("rated_games", pa.int64(), "Games in which both ratings are known."),
        Column("rated_score", pa.float64(), "Points a game in these; null where there are none."),
        Column("expected_score", pa.float64(), "Mean of what could be expected in these by Elo's formula, 0 to 1."),
        Column("performance", pa.float64(), "Performance in these; null also where all or nothing was scored."),
        Column("average_plies", pa.float64(), "Mean length of the games, in plies."),
        Column("first_year", pa.int16(), "Earliest year of a Date tag; null where none is known."),
        Column("last_year", pa.int16(), "Latest year of a Date tag; null where none is known."),
    ),
    query=f"""
        SELECT *, points / games AS score, {wilson_low("points", "games")} AS score_low, {wilson_high("points", "games")} AS
            score_high, white_points / white_games AS white_score, black_points / black_games AS black_score,
            rated_points / rated_games AS rated_score, round(expectations / rated_games, 9) AS expected_score,
            {performance("elos_of_others", "rated_points", "rated_games")} AS performance
        FROM ({_SUMS})""",
    order="games DESC, player",
    leaves_out=(*POINTS, "no names"),
)

STATISTICS = (PLAYERS,)
