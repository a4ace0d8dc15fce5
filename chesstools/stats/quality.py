"""The quality of sources: findings per thousand games, by rule, source and year, and a score card for each source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.rules import all_rules
from chesstools.stats.partial import Sums
from chesstools.stats.statistic import Base, Column, Statistic

if TYPE_CHECKING:
    import duckdb

EVERY_GAME = "No game is left out."


def _make_findings(connection: duckdb.DuckDBPyConnection, counted: str) -> None:
    """How often each rule is broken, by source and year, with the names of rules; a few thousand rows."""
    names = pa.table({"code": [rule.code for rule in all_rules()], "rule": [rule.name for rule in all_rules()]})
    connection.from_arrow(names).create_view("_rules", replace=True)
    connection.execute(
        """
        CREATE TABLE finding_counts AS
        SELECT source, year, code, rule, severity, sum(findings)::BIGINT AS findings, count(game_index) AS games
        FROM (SELECT source, game_index, code, severity, count(*) AS findings FROM findings GROUP BY ALL)
        LEFT JOIN (SELECT source, game_index, year FROM all_games) USING (source, game_index)
        LEFT JOIN _rules USING (code)
        GROUP BY ALL
        """
    )
    connection.execute("DROP VIEW _rules")


FINDINGS = Base(
    "finding_counts",
    _make_findings,
    Sums("FROM finding_counts", keys=("source", "year", "code", "rule", "severity")),
    tables=("games", "findings"),
    everything=True,
)

_COLUMNS = (
    Column("code", pa.string(), "Code of the rule; 'chesstools rule CODE' explains it."),
    Column("rule", pa.string(), "Name of the rule; null where this version knows no such code."),
    Column("severity", pa.string(), "error, warning or info; a rule whose findings differ in it has several rows."),
    Column("findings", pa.int64(), "Findings."),
    Column("games_concerned", pa.int64(), "Games that have one; 0 where all stand outside of games."),
)

_SEVERITY = "list_position(['error', 'warning', 'info'], severity)"


def _by(name: str, title: str, meaning: str, keys: tuple[Column, ...], games: str, per_1000: str) -> Statistic:
    """How often each rule is broken, for each value of `keys`, which are columns of the findings and of the games alike."""
    names = ", ".join(key.name for key in keys)
    same = " AND ".join(f"found.{key.name} IS NOT DISTINCT FROM of_all.{key.name}" for key in keys)
    return Statistic(
        name=name,
        title=title,
        meaning=f"{meaning} {EVERY_GAME}",
        columns=(
            *keys,
            *_COLUMNS,
            Column("games", pa.int64(), games),
            Column("per_1000_games", pa.float64(), per_1000),
        ),
        partial=Sums(f"SELECT {names}, count(*) AS games FROM all_games GROUP BY ALL", keys=tuple(key.name for key in keys)),
        query=f"""
        SELECT found.*, games, 1000 * findings / nullif(games, 0) AS per_1000_games
        FROM (
            SELECT {names}, code, rule, severity, sum(findings) AS findings, sum(games) AS games_concerned
            FROM finding_counts GROUP BY ALL
        ) AS found
        LEFT JOIN {{partial}} AS of_all ON {same}""",
        order=f"{names}, {_SEVERITY}, findings DESC, code",
        everything=True,
        tables=("games", "findings"),
        bases=(FINDINGS,),
    )


_SOURCE = Column("source", pa.string(), "The file, or archive/member.")
_YEAR = Column("year", pa.int16(), "Year of the Date tag; null where unknown.")

BY_SOURCE = _by(
    "findings_by_source",
    "Findings by source and rule",
    "How often each rule is broken in each source, and for a thousand games of it.",
    (_SOURCE,),
    "Games of the source.",
    "Findings for 1,000 games of the source; null where it has none.",
)

BY_YEAR = _by(
    "findings_by_year",
    "Findings by year and rule",
    "How often each rule is broken in the games of each year of the Date tag, and for a thousand games of it. The year is null "
    "for games whose year is not known, and for findings outside of any game.",
    (_YEAR,),
    "Games of the year; null where none is of that year.",
    "Findings for 1,000 games of the year; null where there are none.",
)

BY_SOURCE_AND_YEAR = _by(
    "findings_by_source_and_year",
    "Findings by source, year and rule",
    "How often each rule is broken in the games of each year in each source, and for a thousand games of both. The year is null "
    "for games whose year is not known, and for findings outside of any game.",
    (_SOURCE, _YEAR),
    "Games of the year in the source; null where none is of that year.",
    "Findings for 1,000 of these games; null where there are none.",
)

_SHARES = {
    "with_event": ("has_event", "an Event tag that says something"),
    "with_date": ("date_value IS NOT NULL", "a Date with year, month and day"),
    "with_year": ("year IS NOT NULL", "a year"),
    "with_names": ("has_white AND has_black", "names of both players"),
    "with_result": ("points IS NOT NULL", "the result 1-0, 0-1 or 1/2-1/2"),
    "with_ratings": ("rated", "ratings of both players"),
    "with_eco": ("eco_tag IS NOT NULL", "a code in the ECO tag"),
    "with_time_control": ("time_class IS NOT NULL", "a TimeControl that can be read"),
}
"""Columns of the score card: what they are shares of, in SQL and in words."""

_SEVERITIES = ("errors", "warnings", "infos")

SOURCES = Statistic(
    name="sources",
    title="Score card of sources",
    meaning="One row for each source with games. The score is 100 for a source all of whose games are without errors and "
    "warnings: each game counts 1 where it has neither, one half where it has warnings only, and nothing where it has an "
    "error; the score is their mean, times 100. Which tags are there stands beside it and does not count, unless a rule that "
    "warns of them does. "
    f"{EVERY_GAME}",
    columns=(
        Column("source", pa.string(), "The file, or archive/member."),
        Column("games", pa.int64(), "Games."),
        Column("score", pa.float64(), "0 to 100, see above."),
        Column("games_with_errors", pa.int64(), "Games with findings of severity error."),
        Column("games_with_warnings", pa.int64(), "Games with findings of severity warning and none of error."),
        Column("clean_games", pa.int64(), "Games with neither."),
        Column("errors_per_1000_games", pa.float64(), "Findings of severity error for 1,000 games."),
        Column("warnings_per_1000_games", pa.float64(), "Findings of severity warning for 1,000 games."),
        Column("infos_per_1000_games", pa.float64(), "Findings of severity info for 1,000 games."),
        *(Column(name, pa.float64(), f"Share of games with {words}, 0 to 1.") for name, (_, words) in _SHARES.items()),
        Column("average_plies", pa.float64(), "Mean length, in plies."),
        Column("first_year", pa.int16(), "Earliest year of a Date tag; null where none is known."),
        Column("last_year", pa.int16(), "Latest year of a Date tag; null where none is known."),
    ),
    partial=Sums(
        f"""
        SELECT source, count(*) AS games, count(*) FILTER (errors > 0) AS games_with_errors,
            count(*) FILTER (errors = 0 AND warnings > 0) AS games_with_warnings,
            count(*) FILTER (errors = 0 AND warnings = 0) AS clean_games,
            sum(errors)::BIGINT AS errors, sum(warnings)::BIGINT AS warnings, sum(infos)::BIGINT AS infos,
            {", ".join(f"count(*) FILTER ({condition}) AS {name}" for name, (condition, _) in _SHARES.items())},
            sum(ply_count)::BIGINT AS plies, min(year) AS first_year, max(year) AS last_year
        FROM all_names GROUP BY source""",
        keys=("source",),
        how={"first_year": "min", "last_year": "max"},
    ),
    query=f"""
        SELECT source, games, 100 * (clean_games + games_with_warnings / 2) / games AS score, games_with_errors,
            games_with_warnings, clean_games,
            {", ".join(f"1000 * {name} / games AS {name}_per_1000_games" for name in _SEVERITIES)},
            {", ".join(f"{name} / games AS {name}" for name in _SHARES)},
            plies / games AS average_plies, first_year, last_year
        FROM {{partial}}""",
    order="score, games DESC, source",
    everything=True,
)

STATISTICS = (SOURCES, BY_SOURCE, BY_YEAR, BY_SOURCE_AND_YEAR)
