"""The games, once for all statistics: `all_games`, one row per game with what statistics ask of it, and which of them count.

Columns that every statistic may use, beside those of games by the same name (`source`, `game_index`, `year`, `white_elo`,
`black_elo`, `rules`, `ply_count`, `final_status`, `end_reason`, `end_basis`, the plies of draws, `unclaimed_draw`, `errors`,
`warnings`, `infos`):

====================  ================================================================================================
`result`              `result_value` of games
`points`              what White got: 1, 0.5 or 0; null where the result is ``*`` or not known
`white_won` …         `white_won`, `drawn`, `black_won`: false where the points are not known
`time_class`          see `TIME_CLASS`
`rated`               whether both ratings are known
`mean_elo`            the mean of both ratings, and `rating_from`, the 200 points that it lies in; null unless rated
`difference`          White's rating less Black's, and `difference_from`, the 50 points around a multiple of 50 that it lies in
`expected`            what White could expect by Elo's formula, 0 to 1; null unless rated; `expectation` is the same with 15
                      digits, of which sums are exact, however the games are split
`from_array`          whether the game begins with the usual array of standard chess; null where its start is not known
`has_event` …         `has_event`, `has_white`, `has_black`, `has_white_title`, `has_black_title`: whether the tag says something
`eco_tag`             the code in the ECO tag (`chesstools.eco_tag`), a letter and two digits; null where there is none
`other_start`         FEN of the start position where it is another than the usual array, else null
`time_base_s`         as in games
`timed` …             `timed`: whether the source tells of a move how long it took; `clocked`: whether it tells clocks, and one
                      time at the start; `evaluated`: whether it gives an evaluation. All three are told by
                      `chesstools.stats.walk`, and false where no statistic asks for them
`game`                a number that belongs to the game in this run
`repeated`            whether the same game (`game_id`) came before, among those without errors where only these count; false
                      unless asked for
====================  ================================================================================================

Names (event, site, players, titles, ECO and Opening tags) are wide, so they stay in the dataset: `all_names` is a view with them
beside these columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chesstools.eco_tag import code_sql
from chesstools.elo_expected import EXPECTED_SQL
from chesstools.stats.statistic import Base, Options, Reason, Statistic
from chesstools.time_class import class_sql
from chesstools.usual_array import STANDARD_SQL, STARTS_SQL

if TYPE_CHECKING:
    import duckdb

_PERIOD_S = "list_sum([p.seconds FOR p IN time_periods])"
_GAIN_S = "coalesce(time_periods[1].increment, 0) + coalesce(time_periods[1].delay, 0)"

DURATION_S = f"({_PERIOD_S} + 40 * ({_GAIN_S}))"
"""Seconds that a player has for a game of 40 moves: all periods, and 40 increments or delays of the first."""

TIME_CLASS = f"""CASE
    WHEN time_control_kind = 'correspondence' THEN 'correspondence'
    WHEN time_control_kind = 'none' THEN 'unlimited'
    WHEN time_control_kind = 'per_move' THEN
        {class_sql("40 * time_periods[1].seconds", "bullet")}
    WHEN time_control_kind IN ('sudden_death', 'increment', 'delay', 'periods') THEN
        {class_sql(DURATION_S)}
END"""
"""The class of a time control (`chesstools.time_class`); null where TimeControl does not tell."""


def _known(tag: str, *nothing: str) -> str:
    """Whether a tag says something; ``?`` is what the standard has for not known."""
    return f"coalesce(trim({tag}) NOT IN {('', '?', *nothing)}, false)"


_DERIVED = f"""
    source, game_index, year, month, white_elo, black_elo, rules, ply_count, legal_ply_count, final_status, end_reason, end_basis,
    first_threefold_ply, first_fivefold_ply, first_fifty_ply, first_seventyfive_ply, first_dead_ply, first_automatic_draw_ply,
    plies_past_automatic_draw, unclaimed_draw, errors, warnings, infos,
    result_value AS result,
    CASE result_value WHEN '1-0' THEN 1.0::DOUBLE WHEN '1/2-1/2' THEN 0.5 WHEN '0-1' THEN 0 END AS points,
    coalesce(result_value = '1-0', false) AS white_won,
    coalesce(result_value = '1/2-1/2', false) AS drawn,
    coalesce(result_value = '0-1', false) AS black_won,
    {TIME_CLASS} AS time_class,
    white_elo IS NOT NULL AND black_elo IS NOT NULL AS rated,
    (white_elo::INTEGER + black_elo) / 2 AS mean_elo,
    ((white_elo::INTEGER + black_elo) // 400 * 200)::INTEGER AS rating_from,
    white_elo::INTEGER - black_elo AS difference,
    (floor((white_elo::INTEGER - black_elo + 25) / 50) * 50 - 25)::INTEGER AS difference_from,
    {EXPECTED_SQL} AS expected,
    ({EXPECTED_SQL})::DECIMAL(18, 15) AS expectation,
    {STANDARD_SQL} AS from_array,
    {_known("event")} AS has_event,
    {_known("white")} AS has_white,
    {_known("black")} AS has_black,
    {_known("white_title", "-")} AS has_white_title,
    {_known("black_title", "-")} AS has_black_title,
    {code_sql()} AS eco_tag,
    CASE WHEN NOT {STARTS_SQL} THEN start_fen END AS other_start,
    time_base_s, false AS timed, false AS clocked, false AS evaluated"""

NAMES = (
    "event",
    "site",
    "date",
    "date_value",
    "round",
    "white",
    "black",
    "white_title",
    "black_title",
    "eco",
    "opening",
    "profile",
)

REASONS = {
    reason.name: reason
    for reason in (
        Reason("errors", "errors > 0", "findings of severity error: what was played or how it ended is in doubt", "errors = 0"),
        Reason("repeated", "repeated", "the same game, by its roster tags and moves, was counted before"),
        Reason(
            "variant",
            "rules IS DISTINCT FROM 'standard'",
            "played by the rules of a variant, or of one that is not known",
            "rules = 'standard'",
        ),
        Reason(
            "other rules",
            "rules IS NULL OR rules NOT IN ('standard', 'chess960')",
            "played by the rules of a variant other than Chess960, or of one that is not known",
        ),
        Reason("setup", "from_array IS NOT true", "begins with another position than the usual array"),
        Reason("unfinished", "result = '*'", "the result is *: not finished, or not known to the source"),
        Reason("no result", "result IS NULL", "no result that can be read"),
        Reason("no moves", "ply_count = 0", "no move is written", "ply_count > 0"),
        Reason("no event", "NOT has_event", "Event is missing, empty or ?"),
        Reason("no names", "NOT has_white AND NOT has_black", "neither player is named: missing, empty or ?"),
        Reason("no ECO tag", "eco_tag IS NULL", "the ECO tag is missing, or is no code", "eco_tag IS NOT NULL"),
        Reason("no titles", "NOT has_white_title AND NOT has_black_title", "neither player has a title in the tags"),
        Reason("no legal moves", "legal_ply_count = 0", "no move is written, or the first one cannot be played"),
        Reason("no move times", "NOT timed", "the source does not tell of any move how long it took"),
        Reason("no clocks", "NOT clocked", "the source tells no clocks, or not one time at the start"),
        Reason("no evaluations", "NOT evaluated", "the source gives no evaluations"),
        Reason("no year", "year IS NULL", "the year is not known", "year IS NOT NULL"),
        Reason("no ratings", "NOT rated", "the rating of White, of Black or of both is not known", "mean_elo IS NOT NULL"),
        Reason("no rating at all", "white_elo IS NULL AND black_elo IS NULL", "the rating of neither player is known"),
        Reason(
            "no time control", "time_class IS NULL", "TimeControl is missing, cannot be read, or is ?", "time_class IS NOT NULL"
        ),
    )
}
"""All reasons that a game may be left out for."""

POINTS = ("unfinished", "no result")
"""Reasons of every statistic that counts points."""

MOVES = ("other rules", "no legal moves")
"""Reasons of every statistic of moves: those of `chesstools.stats.walk`."""


def make_games(connection: duckdb.DuckDBPyConnection, options: Options, repeats: str | None = None) -> None:
    """Make the table `all_games` and the view `all_names`, see above: every cursor of the connection sees them.

    `repeats` is a relation of the games that came before, where the connection does not have all of them.
    """
    if options.unique:
        connection.execute(f"CREATE TABLE repeats AS {repeats or repeated('games', options)}")
        was_before, join = "repeats.source IS NOT NULL", "LEFT JOIN repeats USING (source, game_index)"
    else:
        was_before, join = "false", ""
    derived = f"SELECT {_DERIVED}, {', '.join(NAMES)}, {was_before} AS repeated FROM games {join}"
    connection.execute(f"CREATE VIEW all_names AS {derived}")
    connection.execute(
        f"CREATE TABLE all_games AS SELECT row_number() OVER () - 1 AS game, * EXCLUDE ({', '.join(NAMES)}) FROM all_names"
    )


def repeated(relation: str, options: Options, columns: Sequence[str] = ("source", "game_index")) -> str:
    """SQL of the games of a relation that came before: all but the first of each `game_id`, with these columns of theirs."""
    # A copy without errors counts before one that is left out for them: else neither of them would count.
    order = "source, game_index" if options.include_invalid else "errors > 0, source, game_index"
    chosen = ", ".join(columns)
    return f"SELECT {chosen} FROM {relation} QUALIFY row_number() OVER (PARTITION BY game_id ORDER BY {order}) > 1"


def reasons_of(statistic: Statistic | Base, options: Options) -> list[Reason]:
    """The reasons a statistic or base leaves games out for, in the order in which they are told."""
    if statistic.everything:
        return [REASONS[name] for name in statistic.leaves_out]
    if isinstance(statistic, Statistic) and statistic.with_errors:
        options = replace(options, include_invalid=True)
    return chain(statistic.leaves_out, options)


def chain(names: Sequence[str], options: Options) -> list[Reason]:
    """Reasons by name, behind those that the options add."""
    before = [*(["errors"] if not options.include_invalid else []), *(["repeated"] if options.unique else [])]
    return [REASONS[name] for name in [*before, *names]]


def counted(reasons: list[Reason], *, names: bool = False) -> str:
    """The relation of the games that are left, as a subquery: a part of `all_games`, or of `all_names`.

    >>> counted([REASONS["errors"], REASONS["no year"]])
    '(SELECT * FROM all_games WHERE errors = 0 AND year IS NOT NULL)'
    """
    kept = {reason.name: reason.kept or f"({reason.condition}) IS NOT true" for reason in reasons}
    if kept.keys() >= set(POINTS):  # one question to the database instead of two
        kept = {name: condition for name, condition in kept.items() if name not in POINTS} | {"points": "points IS NOT NULL"}
    conditions = " AND ".join(kept.values())
    return f"(SELECT * FROM {'all_names' if names else 'all_games'}{f' WHERE {conditions}' if conditions else ''})"


def of_games(query: str, reasons: list[Reason]) -> str:
    """SQL with the games that count in the place of ``{counted}`` and ``{named}``."""
    return query.replace("{counted}", counted(reasons)).replace("{named}", counted(reasons, names=True))


def count_left_out(connection: duckdb.DuckDBPyConnection, chains: list[list[Reason]]) -> list[dict[str, int]]:
    """For each chain of reasons how many games each of them leaves out, and how many are ``counted``, in one pass."""
    reasons = {reason.name: reason for chain in chains for reason in chain}
    conditions = "".join(f"({reason.condition}) IS true, " for reason in reasons.values())
    # Games that fulfil the same reasons are counted together: there are few such groups, whatever the number of chains.
    groups = connection.sql(f"SELECT {conditions}count(*) FROM all_games GROUP BY ALL").fetchall()
    found = []
    for chain in chains:
        own = {reason.name: 0 for reason in chain} | {"counted": 0}
        for *fulfilled, games in groups:
            names = {name for name, holds in zip(reasons, fulfilled, strict=True) if holds}
            own[next((reason.name for reason in chain if reason.name in names), "counted")] += games
        found.append(own)
    return found


def count_repeats(connection: duckdb.DuckDBPyConnection) -> int:
    """How many games stand there before, by roster tags and moves."""
    ((repeats,),) = connection.sql("SELECT count(*) - count(DISTINCT game_id) FROM games").fetchall()
    return int(repeats)
