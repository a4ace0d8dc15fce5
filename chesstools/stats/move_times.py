"""Statistics of move times and clocks."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.clocks import LOW
from chesstools.stats.counted import MOVES
from chesstools.stats.games import BAND, BANDS
from chesstools.stats.scores import SCORE_COLUMNS, SCORES
from chesstools.stats.statistic import Column, Statistic
from chesstools.stats.tally import LAST_MOVE

_RULE = (
    "Times are `used_ms` of plies: as the source states them, or as its clocks tell exactly; moves without are not counted, "
    "and nothing is made up for them."
)
_TIME_CLASS = Column(
    "time_class", pa.string(), "Class of the time control, see outcomes_by_time_class; null where it is not known."
)
_TIMES = (
    Column("moves", pa.int64(), "Moves of which the time is known."),
    Column("mean_s", pa.float64(), "Mean time of a move, in seconds."),
    Column(
        "median_s",
        pa.float64(),
        "Median time of a move (the lower one of two), in seconds: cut off to tenths below 10 s, whole seconds below 2 "
        "minutes, 5 s below 20 minutes, minutes below 4 hours, else hours.",
    ),
    Column(
        "base_share",
        pa.float64(),
        "Mean of the time of a move by the time at the start, in games in which this is one number; null where there are none.",
    ),
)

BY_MOVE = Statistic(
    name="move_times",
    title="Time per move through the game",
    meaning=f"One row for each time class and number of a move; {LAST_MOVE} holds all later moves. {_RULE}",
    columns=(_TIME_CLASS, Column("move", pa.int32(), "Number of the move, from 1; both sides' moves count."), *_TIMES),
    query="SELECT * REPLACE (nullif(time_class, '') AS time_class) FROM times_by_move",
    order="nth, move",
    leaves_out=(*MOVES, "no move times"),
    walked=("clocks",),
)

BY_RATING = Statistic(
    name="move_times_by_rating",
    title="Time per move by rating of the player",
    meaning=f"One row for each time class and band of {BAND} rating points of the player who moves. {_RULE}",
    columns=(
        _TIME_CLASS,
        Column(
            "rating_from",
            pa.int32(),
            f"Lowest rating of the band; {BAND * (BANDS - 2)} holds all higher ones; null where the rating is not known.",
        ),
        *_TIMES,
    ),
    query="SELECT * REPLACE (nullif(time_class, '') AS time_class), "
    f"CASE WHEN band < {BANDS - 1} THEN band * {BAND} END AS rating_from FROM times_by_rating",
    order="nth, rating_from NULLS LAST",
    leaves_out=(*MOVES, "no move times"),
    walked=("clocks",),
)

TROUBLE = Statistic(
    name="time_trouble",
    title="What sides score whose clock was low",
    meaning=f"Two rows for each time class and side: games in which its clock, after one of its moves, showed less than "
    f"{LOW:.0%} of the time at the start, and those in which it never did. Games of which the source tells clocks and one time "
    "at the start count, for each side of which there is a clock.",
    columns=(
        _TIME_CLASS,
        Column("side", pa.string(), "white or black: whose clock."),
        Column("low", pa.bool_(), f"Whether it showed less than {LOW:.0%} of the time at the start after a move."),
        Column("games", pa.int64(), "Games."),
        *SCORE_COLUMNS,
    ),
    query=f"""SELECT nullif(time_class, '') AS time_class, side, low, games, {SCORES}, nth
        FROM (SELECT time_class, side, low, min(nth) AS nth, sum(games) AS games,
                sum(games) FILTER (result = CASE side WHEN 'white' THEN '1-0' ELSE '0-1' END) AS won,
                sum(games) FILTER (result = '1/2-1/2') AS drawn,
                sum(games) FILTER (result = CASE side WHEN 'white' THEN '0-1' ELSE '1-0' END) AS lost
            FROM clocks_by_side GROUP BY time_class, side, low)
        WHERE games > 0""",
    order="nth",
    leaves_out=(*MOVES, "no clocks"),
    walked=("clocks",),
)

STATISTICS = (BY_MOVE, BY_RATING, TROUBLE)
