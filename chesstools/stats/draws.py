"""Draws by the Laws that nobody claimed or saw: games played on after an automatic draw, and claims that were not made."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.partial import Rows, Sums
from chesstools.stats.statistic import Column, Statistic

AUTOMATIC = {"E513": "dead_position", "E514": "repetition", "E515": "moves_without_progress"}
"""Findings of games that went on after the Laws had ended them, and what had."""

CLAIMS = {"D601": "repetition", "D611": "moves_without_progress"}
"""Findings of draws that could be claimed, and by what."""

LOST = "decisive_against_claimant"
"""The effect of a claim not made that cost half a point: the player who could have claimed lost."""

EVERY_GAME = "Games with errors count too: a decisive result after an automatic draw is an error itself."

_KEPT = "SEMI JOIN {counted} AS kept USING (source, game_index)"
"""The games that count, of `games`."""

_BEGINS = """(2 * try_cast(split_part(start_fen, ' ', 6) AS INTEGER) - 2 + (split_part(start_fen, ' ', 2) = 'b')::INTEGER)"""
"""SQL of how many plies are before the start by its FEN, which counts moves and tells who moves."""


def _move(ply: str) -> str:
    """SQL of the number of the move that made this ply (1 is the first of the game), as people count."""
    return f"({_BEGINS} + {ply} + 1) // 2"


def _side(ply: str) -> str:
    """SQL of who made this ply."""
    return f"CASE ({_BEGINS} + {ply}) % 2 WHEN 1 THEN 'white' WHEN 0 THEN 'black' END"


_GAME = (
    Column("source", pa.string(), "The file the game is in."),
    Column("game_index", pa.int64(), "Number of the game in its source, from 0."),
    Column("line", pa.int64(), "Line of the file at which the game begins, from 1."),
    Column("event", pa.string(), "Tag Event, as written; null where the game has none."),
    Column("site", pa.string(), "Tag Site."),
    Column("date", pa.string(), "Tag Date, as written."),
    Column("year", pa.int16(), "Year of Date; null where unknown."),
    Column("round", pa.string(), "Tag Round."),
    Column("white", pa.string(), "Tag White."),
    Column("black", pa.string(), "Tag Black."),
    Column("result", pa.string(), "The result: 1-0, 0-1, 1/2-1/2 or *; null where it cannot be read."),
    Column("profile", pa.string(), "The edition of the Laws the game was judged by."),
)

_GAME_SQL = "source, game_index, line, event, site, date, year, round, white, black, result_value AS result, games.profile"


def _named(names: dict[str, str]) -> str:
    """SQL that gives what a code stands for."""
    return f"CASE code {' '.join(f'WHEN {code!r} THEN {name!r}' for code, name in names.items())} END"


def _codes(names: dict[str, str]) -> str:
    return f"code IN ({', '.join(map(repr, names))})"


PLAYED_PAST = Statistic(
    name="moves_after_draws",
    title="Games played on after an automatic draw",
    meaning="One row for each game and rule by which it was over without a claim (75 moves, fivefold repetition, a dead "
    "position, as the edition of the Laws that it was judged by has them), where moves follow nevertheless: findings E513, "
    "E514 and E515. A single ply "
    f"after a dead position is mostly the board's last registered move. {EVERY_GAME}",
    columns=(
        Column("rule", pa.string(), "moves_without_progress (75 moves), repetition (fivefold) or dead_position."),
        Column("limit", pa.int32(), "How many moves or repetitions the Laws in force allow; null for dead positions."),
        Column("drawn_ply", pa.int32(), "The ply after which the game was drawn; 0 is the start."),
        Column("drawn_move", pa.int32(), "The number of the move that made this ply, as players count; null at the start."),
        Column("drawn_side", pa.string(), "white or black: who made it; null at the start."),
        Column("plies_past", pa.int32(), "Plies that follow."),
        *_GAME,
    ),
    partial=Rows(f"""
        SELECT {_named(AUTOMATIC)} AS rule, "limit", drawn_ply, "count" AS plies_past,
            CASE WHEN drawn_ply > 0 THEN {_move("drawn_ply")} END AS drawn_move,
            CASE WHEN drawn_ply > 0 THEN {_side("drawn_ply")} END AS drawn_side, {_GAME_SQL}
        FROM (SELECT source, game_index, code, "limit", first_ply AS drawn_ply, "count" FROM findings WHERE {_codes(AUTOMATIC)})
        JOIN games USING (source, game_index) {_KEPT}"""),
    order="rule = 'moves_without_progress' DESC, rule, plies_past DESC, source, game_index",
    with_errors=True,
    tables=("games", "findings"),
)

UNCLAIMED = Statistic(
    name="unclaimed_draws",
    title="Draws that were not claimed, and lost",
    meaning="One row for each game in which a player could have claimed a draw, by repetition or by the 50-move rule, did "
    "not, and lost: "
    f"findings D601 and D611 with that effect. {EVERY_GAME}",
    columns=(
        Column("rule", pa.string(), "repetition or moves_without_progress (50 moves)."),
        Column("side", pa.string(), "white or black: who could have claimed."),
        Column("first_ply", pa.int32(), "First position (0 is the start) at which the claim was possible."),
        Column("first_move", pa.int32(), "The number of the move that this side had to make there, as players count."),
        Column("last_ply", pa.int32(), "Last such position."),
        Column("last_move", pa.int32(), "The number of the move that this side had to make there."),
        Column("positions", pa.int32(), "At how many positions of the game it was."),
        *_GAME,
    ),
    partial=Rows(f"""
        SELECT {_named(CLAIMS)} AS rule, side, first_ply, {_move("first_ply + 1")} AS first_move, last_ply,
            {_move("last_ply + 1")} AS last_move, positions, {_GAME_SQL}
        FROM (
            SELECT source, game_index, code, any_value(side) AS side, min(first_ply) AS first_ply, max(last_ply) AS last_ply,
                sum("count")::BIGINT AS positions
            FROM findings WHERE {_codes(CLAIMS)} AND effect = '{LOST}' GROUP BY source, game_index, code
        )
        JOIN games USING (source, game_index) {_KEPT}"""),
    order="rule, source, game_index",
    with_errors=True,
    tables=("games", "findings"),
)

_COUNTS = (
    Column("games", pa.int64(), "All games, also those with errors."),
    Column("reached_fifty", pa.int64(), "Games in which 50 moves by each side passed without capture or pawn move."),
    Column("reached_seventyfive", pa.int64(), "Games in which 75 moves did, whether or not the Laws in force ended them so."),
    Column("past_seventyfive", pa.int64(), "Games that broke the 75-move rule: moves follow after it had ended them (E515)."),
    Column("reached_fivefold", pa.int64(), "Games in which a position stood five times, whether or not that ended them."),
    Column("past_fivefold", pa.int64(), "Games with moves after a repetition had ended them (E514)."),
    Column("past_dead_position", pa.int64(), "Games with moves after a dead position (E513)."),
    Column("decided_after_draw", pa.int64(), "Games with a winner although an automatic draw had ended them (E516)."),
    Column("unclaimed_draws", pa.int64(), "Games lost by a player who could have claimed a draw."),
)

_COUNTED = """count(*) AS games, count(first_fifty_ply) AS reached_fifty, count(first_seventyfive_ply) AS reached_seventyfive,
    count(*) FILTER (list_contains(codes, 'E515')) AS past_seventyfive, count(first_fivefold_ply) AS reached_fivefold,
    count(*) FILTER (list_contains(codes, 'E514')) AS past_fivefold,
    count(*) FILTER (list_contains(codes, 'E513')) AS past_dead_position,
    count(*) FILTER (list_contains(codes, 'E516')) AS decided_after_draw, count(*) FILTER (unclaimed_draw) AS unclaimed_draws"""

BY_EVENT = Statistic(
    name="draw_rules_by_event",
    title="Events in which draw rules were broken or draws not claimed",
    meaning="One row for each text of the Event tag and year with a game that is counted in a column behind `games`, those that "
    "broke the 75-move rule first; different events share a name, mostly of different years. moves_after_draws and "
    f"unclaimed_draws name the games. {EVERY_GAME}",
    columns=(
        Column("event", pa.string(), "Tag Event, as written; null where the games have none."),
        Column("year", pa.int16(), "Year of the Date tag; null where unknown."),
        *_COUNTS,
    ),
    partial=Sums(f"SELECT event, year, {_COUNTED} FROM games {_KEPT} GROUP BY event, year", keys=("event", "year")),
    query="""
        FROM {partial}
        WHERE reached_fifty + reached_seventyfive + past_seventyfive + reached_fivefold + past_fivefold + past_dead_position
            + decided_after_draw + unclaimed_draws > 0""",
    order="past_seventyfive DESC, reached_seventyfive DESC, past_fivefold DESC, unclaimed_draws DESC, games DESC, event, year",
    with_errors=True,
)

BY_YEAR = Statistic(
    name="draw_rules_by_year",
    title="Draw rules by year",
    meaning=f"The same counts for each year of the Date tag; null for games whose year is not known. {EVERY_GAME}",
    columns=(Column("year", pa.int16(), "Year of the Date tag; null where unknown."), *_COUNTS),
    partial=Sums(f"SELECT year, {_COUNTED} FROM games {_KEPT} GROUP BY year", keys=("year",)),
    order="year",
    with_errors=True,
)

STATISTICS = (PLAYED_PAST, UNCLAIMED, BY_EVENT, BY_YEAR)
