"""Statistics of kings: castling, how far they travel, and where they stand."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import MOVES, POINTS
from chesstools.stats.outcome import OUTCOME_COLUMNS, by, outcomes
from chesstools.stats.partial import Sums
from chesstools.stats.scores import OWN, SCORE_COLUMNS, SCORES
from chesstools.stats.statistic import Column, Statistic

_SIDE = Column("side", pa.string(), "white or black: whose king.")
_MOVE = "Moves are numbered from the start of the game, also where that is not the usual array."

CASTLING = Statistic(
    name="castling",
    title="Which wings both sides castle to",
    meaning="One row for each pair of wings: outcomes of the games in which White castled to the one and Black to the other.",
    columns=(
        Column("white_wing", pa.string(), "kingside, queenside, or none: White did not castle in the game."),
        Column("black_wing", pa.string(), "kingside, queenside, or none: Black did not castle in the game."),
        *OUTCOME_COLUMNS,
    ),
    partial=by(
        {"white_wing": "coalesce(w.wing, 'none')", "black_wing": "coalesce(b.wing, 'none')"},
        "{counted} AS g JOIN kings AS w ON w.game = g.game AND w.side = 'white' JOIN kings AS b ON b.game = g.game AND b.side "
        "= 'black'",
    ),
    finish=outcomes,
    order="white_wing, black_wing",
    leaves_out=(*MOVES, *POINTS),
    walked=("kings",),
)

CASTLING_MOVES = Statistic(
    name="castling_moves",
    title="When the sides castle, and what they score then",
    meaning=f"One row for each side, wing and number of the move. {_MOVE}",
    columns=(
        _SIDE,
        Column("wing", pa.string(), "kingside or queenside."),
        Column("move", pa.int32(), "Number of the move that castled, from 1."),
        Column("games", pa.int64(), "Games in which the side castled so."),
        Column("share", pa.float64(), "Share of all games that count, 0 to 1."),
        *SCORE_COLUMNS,
    ),
    partial=Sums(
        f"""SELECT side, wing, castled AS move, {OWN} FROM kings WHERE wing IS NOT NULL GROUP BY side, wing, castled""",
        keys=("side", "wing", "move"),
    ),
    query=f"""SELECT side, wing, move, games, games / {{games}} AS share, {SCORES}
        FROM {{partial}}""",
    order="side DESC, wing, move",
    leaves_out=MOVES,
    walked=("kings",),
)

_TRAVELLED = ", ".join(
    f"sum({name})::BIGINT AS {name}_sum" for name in ("castled", "moves", "squares", "rank", "rank_with_queen")
)

ROUTES = Statistic(
    name="king_routes",
    title="How far kings travel",
    meaning="One row for each side and wing. What is told are means over the games of each king.",
    columns=(
        _SIDE,
        Column("wing", pa.string(), "kingside, queenside, or none: the side did not castle in the game."),
        Column("games", pa.int64(), "Games."),
        Column("share", pa.float64(), "Share of all games that count, 0 to 1."),
        *SCORE_COLUMNS,
        Column("castling_move", pa.float64(), "Mean number of the move that castled; null for none."),
        Column("moves", pa.float64(), "Mean number of moves of the king, castling among them."),
        Column("squares", pa.float64(), "Mean number of different squares on which it stood, that of the start among them."),
        Column("rank", pa.float64(), "Mean of the farthest rank that it reached, 1 at its own edge of the board."),
        Column(
            "rank_with_queen", pa.float64(), "The same, up to the move on which the other side had no queen for the first time."
        ),
        Column("still_share", pa.float64(), "Share of the games in which it did not move at all, 0 to 1."),
    ),
    partial=Sums(
        f"""SELECT side, coalesce(wing, 'none') AS wing, {OWN}, count(castled) AS castled, {_TRAVELLED},
            count(*) FILTER (moves = 0) AS still FROM kings GROUP BY ALL""",
        keys=("side", "wing"),
    ),
    query=f"""SELECT side, wing, games, games / {{games}} AS share, {SCORES},
            castled_sum / nullif(castled, 0) AS castling_move, moves_sum / games AS moves, squares_sum / games AS squares,
            rank_sum / games AS rank, rank_with_queen_sum / games AS rank_with_queen, still / games AS still_share
        FROM {{partial}}""",
    order="side DESC, wing",
    leaves_out=MOVES,
    walked=("kings",),
)

WALKS = Statistic(
    name="king_walks",
    title="King walks: the farthest rank that kings reach, and what their side scores",
    meaning="Two rows for each side and rank: over the whole game, and while the other side had a queen, where a walk is an "
    "adventure. A promoted queen counts too, but once a side had none, what comes later does not count.",
    columns=(
        _SIDE,
        Column("until", pa.string(), "end: the whole game; queen: until the other side had no queen for the first time."),
        Column("rank", pa.int32(), "The farthest rank that the king reached, 1 at its own edge of the board to 8."),
        Column("games", pa.int64(), "Games."),
        Column("share", pa.float64(), "Share of all games that count, 0 to 1."),
        *SCORE_COLUMNS,
    ),
    partial=Sums(
        f"""SELECT side, 'end' AS until, rank, {OWN} FROM kings GROUP BY ALL
            UNION ALL SELECT side, 'queen', rank_with_queen, {OWN} FROM kings GROUP BY ALL""",
        keys=("side", "until", "rank"),
    ),
    query=f"SELECT side, until, rank, games, games / {{games}} AS share, {SCORES} FROM {{partial}}",
    order="side DESC, until, rank",
    leaves_out=MOVES,
    walked=("kings",),
)

SQUARES_OF_KINGS = Statistic(
    name="king_squares",
    title="Heat maps of the kings",
    meaning="One row for each side and square. The square on which a king stands at the start counts as visited, not as an "
    "arrival.",
    columns=(
        _SIDE,
        Column("square", pa.string(), "The square, a1 to h8."),
        Column("arrivals", pa.int64(), "Moves of the king to the square, castling among them."),
        Column("visited", pa.int64(), "Games in which the king stood on the square."),
        Column("visited_share", pa.float64(), "Share of all games that count, 0 to 1; null for none."),
        Column("last", pa.int64(), "Games in which it stood there at the end."),
        Column("last_share", pa.float64(), "Share of all games that count, 0 to 1; null for none."),
        Column("mated", pa.int64(), "Games in which it was mated there."),
    ),
    query="""SELECT *, visited / nullif({games}, 0) AS visited_share,
            last / nullif({games}, 0) AS last_share
        FROM king_squares""",
    order="side DESC, square[2], square",
    leaves_out=MOVES,
    walked=("kings",),
)

STATISTICS = (CASTLING, CASTLING_MOVES, ROUTES, WALKS, SQUARES_OF_KINGS)
