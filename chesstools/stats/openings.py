"""Outcomes by opening: the first move, and ECO codes and names by position; by the source's own ECO tag beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.openings import add_game_openings
from chesstools.stats.counted import POINTS
from chesstools.stats.outcome import OUTCOME_COLUMNS, added, by, outcomes, sums
from chesstools.stats.outcomes import FIRST_YEAR, HOW_YEARS, LAST_YEAR, YEARS
from chesstools.stats.partial import Sums
from chesstools.stats.statistic import Base, Column, Statistic

if TYPE_CHECKING:
    import duckdb

STANDARD = ("variant", "setup", *POINTS, "no moves")
"""Only games from the usual array have openings."""

_KEYS = {"first_move": "first_move", "eco": "eco_by_moves", "opening": "opening_by_moves", "family": "opening_family"}


def _make_sums(connection: duckdb.DuckDBPyConnection, counted: str) -> None:
    """The games added up by first move, code and name: some ten thousand rows, of which all tables here are made."""
    add_game_openings(connection)
    games = f"""(
        SELECT games.*, first_move, eco_by_moves, opening_by_moves, opening_family
        FROM {counted} AS games
        LEFT JOIN game_openings USING (source, game_index)
    )"""
    more = {"tagged_games": "count(eco_tag)", "agreeing_games": "count(*) FILTER (eco_tag = eco_by_moves)", **YEARS}
    connection.execute(f"CREATE TABLE opening_sums AS {sums(games, _KEYS, more)}")


SUMS = Base(
    "opening_sums",
    _make_sums,
    Sums("FROM opening_sums", tuple(_KEYS), HOW_YEARS),
    tables=("games", "plies"),
    leaves_out=STANDARD,
)

_MORE = {
    "tagged_games": "sum(tagged_games)::BIGINT",
    "agreeing_games": "sum(agreeing_games)::BIGINT",
    "first_year": "min(first_year)",
    "last_year": "max(last_year)",
}

_MORE_COLUMNS = (
    Column("tagged_games", pa.int64(), "Of the games, those with a code in the ECO tag."),
    Column("agreeing_games", pa.int64(), "Of these, games whose ECO tag says the same code as the position."),
    FIRST_YEAR,
    LAST_YEAR,
)

BY_POSITION = (
    "An opening is the deepest named position that the game passed, however it was reached (see `chesstools.openings`), "
    "whatever the tags of the source say."
)


def _statistic(
    name: str,
    title: str,
    meaning: str,
    keys: dict[str, str],
    columns: tuple[Column, ...],
    order: str,
    more: dict[str, str] | None = None,
    relation: str = SUMS.name,
) -> Statistic:
    """A table that is added up from the sums; games without a named position have null there."""
    others = {**(more or {}), **_MORE}
    return Statistic(
        name=name,
        title=title,
        meaning=meaning,
        columns=(*columns, *_MORE_COLUMNS, *OUTCOME_COLUMNS),
        query=added(relation, keys, others),
        finish=outcomes,
        order=order,
        leaves_out=STANDARD,
        tables=("games", "plies"),
        bases=(SUMS,),
    )


_ECO = Column("eco", pa.string(), "ECO code of the opening, by position; null for games that pass no named position.")


def _commonest(column: str) -> str:
    """SQL of the value that most games of a group have; of equally common ones the first, null where all are null."""
    return f"arg_min({column}, (-games, {column}))"


_FAMILY = "Such as Sicilian Defense; null for games that pass no position that Lichess names."
_FAMILY_OF_NAME = (
    "The family that most of these games have by outcomes_by_opening_family, of equally common ones the first: names that are "
    "not of Lichess stand for positions that are reached from several families."
)

BY_FIRST_MOVE = _statistic(
    "outcomes_by_first_move",
    "Outcomes by first move",
    "White's first move, in games from the usual array.",
    {"first_move": "first_move"},
    (Column("first_move", pa.string(), "White's first move, in standard notation; null where it could not be played."),),
    "games DESC, first_move",
)

BY_VOLUME = _statistic(
    "outcomes_by_eco_volume",
    "Outcomes by volume of ECO",
    f"The letter of the ECO code. {BY_POSITION}",
    {"volume": "left(eco, 1)"},
    (Column("volume", pa.string(), "A to E, by position; null for games that pass no named position."),),
    "volume",
)

BY_ECO = _statistic(
    "outcomes_by_eco",
    "Outcomes by ECO code",
    BY_POSITION,
    {"eco": "eco"},
    (_ECO, Column("opening", pa.string(), "The commonest name among games of the code, of equally common ones the first.")),
    "eco",
    {"opening": _commonest("opening")},
    f"({added(SUMS.name, {'eco': 'eco', 'opening': 'opening'}, _MORE)})",
)

BY_FAMILY = _statistic(
    "outcomes_by_opening_family",
    "Outcomes by opening",
    f"Openings without their variations: the first part of the deepest name that Lichess gives. {BY_POSITION}",
    {"family": "family"},
    (Column("family", pa.string(), _FAMILY),),
    "games DESC, family",
)

BY_OPENING = _statistic(
    "outcomes_by_opening",
    "Outcomes by opening and variation",
    f"One row for each code and full name; one name may stand under several codes. {BY_POSITION}",
    {"eco": "eco", "opening": "opening"},
    (
        _ECO,
        Column("opening", pa.string(), "Full name; null for games that pass no named position."),
        Column("family", pa.string(), f"{_FAMILY_OF_NAME} {_FAMILY}"),
    ),
    "games DESC, eco, opening",
    {"family": _commonest("family")},
    f"({added(SUMS.name, {name: name for name in ('eco', 'opening', 'family')}, _MORE)})",
)

BY_TAG = Statistic(
    name="outcomes_by_eco_tag",
    title="Outcomes by ECO code, as the source has it",
    meaning="The code in the ECO tag, as the source has it, of all games with one; outcomes_by_eco has ours, by position.",
    columns=(Column("eco_tag", pa.string(), "Code in the ECO tag: a letter from A to E and two digits."), *OUTCOME_COLUMNS),
    partial=by({"eco_tag": "eco_tag"}),
    finish=outcomes,
    order="eco_tag",
    leaves_out=(*POINTS, "no ECO tag"),
)

STATISTICS = (BY_FIRST_MOVE, BY_VOLUME, BY_ECO, BY_FAMILY, BY_OPENING, BY_TAG)
