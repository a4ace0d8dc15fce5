"""Statistics of evaluations: what moves lose, the biggest swings, evaluations against scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.stats.counted import MOVES
from chesstools.stats.evaluations import CEILING, JUDGEMENTS, POINTS, STEEPNESS, SWINGS
from chesstools.stats.games import BAND, BANDS
from chesstools.stats.partial import SHARE, Best
from chesstools.stats.statistic import Column, Statistic
from chesstools.stats.tally import LAST_MOVE

if TYPE_CHECKING:
    import duckdb

_RULE = (
    "A move is judged where the source gives an evaluation before it (that of the move before) and one after it; for the start "
    "of a game none is made up, so first moves are not judged. What it loses is what the evaluation falls by, from the side "
    f"that moves, and 0 where it rises. Evaluations are cut off at {CEILING} centipawns, and a mate counts as much. Winning "
    f"percent are 100 / (1 + exp(-{STEEPNESS} centipawns)), as Lichess estimates them from its games "
    "(lichess.org/page/accuracy). Evaluations are as good as the engine that made them; where each engine told its own, a loss "
    "may be a difference of opinion."
)
_LOSSES = (
    Column("moves", pa.int64(), "Moves that are judged."),
    Column("mean_loss_cp", pa.float64(), "Mean loss of a move in centipawns; null for no moves."),
    Column("mean_loss_percent", pa.float64(), "Mean loss of a move in points of winning percent; null for no moves."),
    *(
        Column(
            name,
            pa.int64(),
            f"Moves that lose {least:g} points of winning percent or more"
            + (f", {', '.join(worse)} among them." if (worse := list(JUDGEMENTS)[nth + 1 :]) else ".")
            + (" The limits are those of Lichess's computer analysis (lila, Advice.scala)." if not nth else ""),
        )
        for nth, (name, least) in enumerate(JUDGEMENTS.items())
    ),
    Column("blunders_per_100", pa.float64(), "Blunders per 100 moves that are judged; null for no moves."),
)
_SUMS = ", ".join(f"sum({name}) AS {name}" for name in ("moves", "cp", "percent", *JUDGEMENTS))
_MEANS = f"""moves, cp / nullif(moves, 0) AS mean_loss_cp, percent / nullif(moves, 0) AS mean_loss_percent,
    {", ".join(JUDGEMENTS)}, 100 * blunders / nullif(moves, 0) AS blunders_per_100"""

BY_SIDE = Statistic(
    name="evaluation_losses",
    title="What moves lose by the evaluations",
    meaning=f"One row for each side and what became of it, and one for all its games. {_RULE}",
    columns=(
        Column("side", pa.string(), "white or black: who moves."),
        Column("outcome", pa.string(), "won, drawn, lost or unknown for the side; all for all its games."),
        *_LOSSES,
    ),
    query=f"""WITH own AS (
            SELECT *, CASE WHEN result = '*' THEN 'unknown' WHEN result = '1/2-1/2' THEN 'drawn'
                WHEN (result = '1-0') = (side = 'white') THEN 'won' ELSE 'lost' END AS outcome
            FROM losses_by_side)
        SELECT side, outcome, {_MEANS} FROM (
            SELECT side, outcome, {_SUMS} FROM own GROUP BY side, outcome
            UNION ALL SELECT side, 'all', {_SUMS} FROM own GROUP BY side)
        WHERE moves > 0""",
    order="side DESC, outcome",
    leaves_out=(*MOVES, "no evaluations"),
    walked=("evaluations",),
)

BY_MOVE = Statistic(
    name="evaluations_by_move",
    title="Evaluations and losses through the game",
    meaning=f"One row for each number of a move that has an evaluation; {LAST_MOVE} holds all later moves. {_RULE}",
    columns=(
        Column("move", pa.int32(), "Number of the move, from 1; both sides' moves count."),
        Column("evaluations", pa.int64(), "Moves with an evaluation after them."),
        Column("mean_cp", pa.float64(), "Mean evaluation from White's side, in centipawns."),
        Column("mean_distance_cp", pa.float64(), "Mean distance of the evaluation from 0, in centipawns: how far from equal."),
        *_LOSSES,
    ),
    query=f"SELECT move, evaluations, values / evaluations AS mean_cp, sizes / evaluations AS mean_distance_cp, {_MEANS} "
    "FROM losses_by_move WHERE evaluations > 0",
    order="move",
    leaves_out=(*MOVES, "no evaluations"),
    walked=("evaluations",),
)

BY_RATING = Statistic(
    name="evaluation_losses_by_rating",
    title="What moves lose by rating of the player",
    meaning=f"One row for each band of {BAND} rating points of the player who moves. {_RULE}",
    columns=(
        Column(
            "rating_from",
            pa.int32(),
            f"Lowest rating of the band; {BAND * (BANDS - 2)} holds all higher ones; null where the rating is not known.",
        ),
        *_LOSSES,
    ),
    query=f"SELECT CASE WHEN band < {BANDS - 1} THEN band * {BAND} END AS rating_from, {_MEANS} "
    "FROM losses_by_rating WHERE moves > 0",
    order="rating_from NULLS LAST",
    leaves_out=(*MOVES, "no evaluations"),
    walked=("evaluations",),
)

POSITIONS = Statistic(
    name="evaluation_scores",
    title="Evaluations against what White scored in the end",
    meaning=f"One row for each {POINTS} points of winning percent: all positions with such an evaluation, in games with a "
    "result. Positions of one game depend on each other, so there is no interval. Winning percent are worked out as in "
    "evaluation_losses.",
    columns=(
        Column("percent_from", pa.int32(), f"Winning percent of White from this, up to {POINTS} more."),
        Column("positions", pa.int64(), "Positions."),
        Column("won", pa.int64(), "Of these, positions of games that White won."),
        Column("drawn", pa.int64(), "Of these, positions of drawn games."),
        Column("lost", pa.int64(), "Of these, positions of games that White lost."),
        Column("score", pa.float64(), "Mean points of White, 0 to 1."),
        Column("expected_score", pa.float64(), "Mean winning percent of the evaluations, by 100."),
    ),
    query="""SELECT *, (won + drawn / 2) / positions AS score, percents / positions / 100 AS expected_score
        FROM (SELECT percent_from, sum(positions) AS positions, sum(percents) AS percents, sum(positions) FILTER (result =
                '1-0') AS won, sum(positions) FILTER (result = '1/2-1/2') AS drawn, sum(positions) FILTER (result = '0-1') AS lost
            FROM evaluated_positions WHERE result <> '*' GROUP BY percent_from)
        WHERE positions > 0""",
    order="percent_from",
    leaves_out=(*MOVES, "no evaluations"),
    walked=("evaluations",),
)


def _biggest(connection: duckdb.DuckDBPyConnection, counted: str) -> pa.Table:
    """The swings with the names and moves beside; plies are not read again where there is none.

    `part` and `nth` tell which stood first: `SHARE` is a number that grows from one share of the dataset to the next.
    """
    found = connection.sql("SELECT 1 FROM swings LIMIT 1").fetchall()
    plies = "plies" if found else "(FROM plies LIMIT 0)"
    return connection.sql(f"""
        SELECT coalesce(getvariable('{SHARE}'), 0)::BIGINT AS part, s.nth, s.rounded, g.source,
            g.game_index, n.white, n.black, s.ply, s.side, p.san_standard AS san, s.loss AS loss_percent,
            s.cp_before, s.mate_before, s.cp_after, s.mate_after
        FROM swings AS s JOIN {counted} AS g ON g.game = s.game
            JOIN games AS n ON n.source = g.source AND n.game_index = g.game_index
            JOIN {plies} AS p ON p.source = g.source AND p.game_index = g.game_index AND p.ply = s.ply""").to_arrow_table()


BIGGEST = Statistic(
    name="evaluation_swings",
    title="The moves that lost most",
    meaning=f"The {SWINGS} moves that lost most, {JUDGEMENTS['blunders']:g} points of winning percent or more; of equal ones "
    f"those that stand first. {_RULE}",
    columns=(
        Column("place", pa.int32(), "Place, from 1."),
        Column("source", pa.string(), "The source of the game."),
        Column("game_index", pa.int64(), "Number of the game in its source, from 0."),
        Column("white", pa.string(), "Tag White; null where there is none."),
        Column("black", pa.string(), "Tag Black; null where there is none."),
        Column("ply", pa.int32(), "Number of the ply."),
        Column("side", pa.string(), "white or black: who moved."),
        Column("san", pa.string(), "The move in standard algebraic notation."),
        Column("loss_percent", pa.float64(), "What it lost, in points of winning percent."),
        Column("cp_before", pa.int32(), "Evaluation before it in centipawns, from White's side; null for a mate."),
        Column("mate_before", pa.int32(), "The same as moves to mate, positive if White mates; null for centipawns."),
        Column("cp_after", pa.int32(), "Evaluation after it in centipawns, from White's side; null for a mate."),
        Column("mate_after", pa.int32(), "The same as moves to mate, positive if White mates; null for centipawns."),
    ),
    partial=Best(_biggest, kinds=None, order="rounded DESC, part, nth", most=SWINGS),
    query="SELECT *, row_number() OVER (ORDER BY rounded DESC, part, nth) AS place FROM {partial}",
    order="place",
    leaves_out=(*MOVES, "no evaluations"),
    tables=("games", "plies"),
    walked=("evaluations",),
)

STATISTICS = (BY_SIDE, BY_MOVE, BY_RATING, POSITIONS, BIGGEST)
