"""Games that one would tell of: the greatest upsets, the longest and the shortest."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.partial import Best
from chesstools.stats.rating_tags import ENOUGH, FAR, MEDIANS, far_games
from chesstools.stats.statistic import Column, Statistic

MOST = 20
"""Games of each kind."""

PLAYED = 10
"""Plies that have to be played for a game to be an upset: shorter ones were mostly forfeited, or are not told."""

_UPSET = "CASE WHEN white_won THEN expected WHEN black_won THEN 1 - expected END"

_KINDS = {
    "upset": (f"CASE WHEN legal_ply_count >= {PLAYED} THEN {_UPSET} END", "ASC"),
    "drawn_upset": (f"CASE WHEN drawn AND legal_ply_count >= {PLAYED} THEN least(expected, 1 - expected) END", "ASC"),
    "longest": ("ply_count", "DESC"),
    "shortest_won": ("CASE WHEN (white_won OR black_won) AND ply_count > 0 THEN ply_count END", "ASC"),
    "shortest_mate": ("CASE WHEN final_status = 'checkmate' THEN ply_count END", "ASC"),
}
"""What each kind is ranked by, in SQL; null for games that are not of it."""


_ORDER = "measure, source, game_index"
"""What comes first: the measure, which is negative where more comes first."""


def _ranked(kind: str) -> str:
    measure, direction = _KINDS[kind]
    trusted = "ANTI JOIN far USING (source, game_index)" if "upset" in kind else ""
    return f"""(
        SELECT '{kind}' AS kind, {"" if direction == "ASC" else "-"}({measure})::DOUBLE AS measure, source, game_index, expected
        FROM {{counted}} AS kept {trusted} WHERE measure IS NOT NULL ORDER BY measure, source, game_index LIMIT {MOST}
    )"""


REMARKABLE = Statistic(
    name="remarkable_games",
    title="Remarkable games",
    meaning=f"The first {MOST} games of each kind. upset: won by the player of whom Elo's formula expected least; drawn_upset: "
    f"drawn where it expected least of one of them; both only of games of which at least {PLAYED} plies were played; "
    "longest: most plies; shortest_won: fewest plies of those with a winner; "
    "shortest_mate: fewest plies up to a mate on the board. Games that are equal in that stand in the order of their sources. "
    f"Errors in ratings and results look like upsets too, so these are worth a second look; games in which a rating stands {FAR} "
    f"or more from the median of the player and year are no upsets, where there are at least {ENOUGH} games to tell (see "
    "rating_tags).",
    columns=(
        Column("kind", pa.string(), "upset, drawn_upset, longest, shortest_won or shortest_mate."),
        Column("rank", pa.int32(), "Place among its kind, from 1."),
        Column("source", pa.string(), "The file the game is in."),
        Column("game_index", pa.int64(), "Number of the game in its source, from 0."),
        Column("line", pa.int64(), "Line of the file at which the game begins, from 1."),
        Column("event", pa.string(), "Tag Event, as written; null where the game has none."),
        Column("date", pa.string(), "Tag Date, as written."),
        Column("white", pa.string(), "Tag White."),
        Column("black", pa.string(), "Tag Black."),
        Column("white_elo", pa.int16(), "Rating of White; null where unknown."),
        Column("black_elo", pa.int16(), "Rating of Black; null where unknown."),
        Column("result", pa.string(), "The result: 1-0, 0-1, 1/2-1/2 or *; null where it cannot be read."),
        Column("plies", pa.int32(), "Plies of the mainline, as written."),
        Column("expected", pa.float64(), "What White could expect by Elo's formula, 0 to 1; null unless both ratings are known."),
    ),
    partial=Best(
        f"""
        WITH far AS MATERIALIZED ({far_games(ENOUGH)})
        SELECT kind, measure, source, game_index, line, event, date, white, black, white_elo, black_elo, result_value AS result,
            ply_count AS plies, round(expected, 9) AS expected
        FROM ({" UNION ALL ".join(map(_ranked, _KINDS))}) JOIN games USING (source, game_index)""",
        kinds="kind",
        order=_ORDER,
        most=MOST,
    ),
    query=f"SELECT *, row_number() OVER (PARTITION BY kind ORDER BY {_ORDER}) AS rank FROM {{partial}}",
    order=f"list_position({list(_KINDS)}, kind), rank",
    bases=(MEDIANS,),
    late=True,
)

STATISTICS = (REMARKABLE,)
