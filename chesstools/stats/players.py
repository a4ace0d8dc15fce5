"""Players: games, points, colours, opponents, performance."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import POINTS
from chesstools.stats.outcome import performance, wilson_high, wilson_low
from chesstools.stats.partial import Sums
from chesstools.stats.statistic import Column, Statistic


def _latest_title(side: str) -> str:
    """The year in five digits, and the title in that year, so that the greatest text has the latest title."""
    return f"max(CASE WHEN has_{side}_title THEN (10000 + coalesce(year, 0))::VARCHAR || upper(trim({side}_title)) END)"


_SIDES = f"""
    SELECT white, black, GROUPING(white) = 0 AS is_white, count(*) AS games, count_if(white_won)::BIGINT AS white_won,
        count_if(drawn)::BIGINT AS drawn, count_if(black_won)::BIGINT AS black_won,
        sum(white_elo)::BIGINT AS white_elos, count(white_elo) AS white_known, max(white_elo) AS white_highest,
        sum(black_elo)::BIGINT AS black_elos, count(black_elo) AS black_known, max(black_elo) AS black_highest,
        count(mean_elo) AS rated_games, sum(points) FILTER (rated) AS rated_points, sum(expectation) AS expectations,
        sum(mean_elo) AS both_elos, sum(difference)::BIGINT AS differences, sum(ply_count)::BIGINT AS plies,
        min(year) AS first_year, max(year) AS last_year,
        {_latest_title("white")} AS white_title, {_latest_title("black")} AS black_title
    FROM {{named}} GROUP BY GROUPING SETS ((white), (black))"""
"""What each name did with White, and what each did with Black: the games are read once."""

_HOW = {
    **{f"{side}_{name}": "max" for side in ("white", "black") for name in ("highest", "title")},
    "first_year": "min",
    "last_year": "max",
}


def _side(side: str, other: str) -> str:
    """The rows of one side, in the view of the player."""
    of_white = side == "white"
    return f"""
        SELECT {side} AS player, games, is_white, {side}_won AS won, drawn, {other}_won AS lost, {side}_elos AS elos,
            {side}_known AS known, {side}_highest AS highest, {other}_elos AS elos_of_others, {other}_known AS others_known,
            rated_games, {"rated_points" if of_white else "rated_games - rated_points"} AS rated_points,
            {"expectations" if of_white else "rated_games::DECIMAL(38, 15) - expectations"} AS expectations,
            both_elos {"-" if of_white else "+"} differences / 2 AS rated_others, plies, first_year, last_year,
            {side}_title AS title
        FROM {{partial}} WHERE is_white = {of_white} AND trim({side}) NOT IN ('', '?')"""


_SUMS = f"""
    SELECT player, substr(max(title), 6) AS title, sum(games) AS games, sum(games) FILTER (is_white) AS white_games,
        sum(games) FILTER (NOT is_white) AS black_games, sum(won) AS won, sum(drawn) AS drawn, sum(lost) AS lost,
        sum(won + drawn / 2) AS points, sum(won + drawn / 2) FILTER (is_white) AS white_points,
        sum(won + drawn / 2) FILTER (NOT is_white) AS black_points, sum(elos) / sum(known) AS average_elo,
        max(highest) AS highest_elo, sum(elos_of_others) / sum(others_known) AS average_opponent,
        sum(rated_games) AS rated_games, sum(rated_points) AS rated_points, sum(expectations) AS expectations,
        sum(rated_others) AS rated_others, sum(plies) / sum(games) AS average_plies,
        min(first_year) AS first_year, max(last_year) AS last_year
    FROM ({_side("white", "black")} UNION ALL {_side("black", "white")}) GROUP BY player"""

PLAYERS = Statistic(
    name="players",
    title="Players",
    meaning="One row for each name, as the tags White and Black write it: a player under two names has two rows, and players "
    "of one name have one, for nothing is merged. A game counts for both players. Names that are missing, empty or ? have no "
    "row.",
    columns=(
        Column("player", pa.string(), "The name."),
        Column(
            "title", pa.string(), "The title in the latest year in which the tags tell one, in capitals; null where none is told."
        ),
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
    partial=Sums(_SIDES, keys=("white", "black", "is_white"), how=_HOW),
    query=f"""
        SELECT * EXCLUDE (white_games, black_games), coalesce(white_games, 0) AS white_games,
            coalesce(black_games, 0) AS black_games, points / games AS score,
            {wilson_low("points", "games")} AS score_low, {wilson_high("points", "games")} AS score_high,
            white_points / white_games AS white_score, black_points / black_games AS black_score,
            rated_points / rated_games AS rated_score, round(expectations::DOUBLE / rated_games, 9) AS expected_score,
            {performance("rated_others", "rated_points", "rated_games")} AS performance
        FROM ({_SUMS})""",
    order="games DESC, player",
    leaves_out=(*POINTS, "no names"),
)

STATISTICS = (PLAYERS,)
