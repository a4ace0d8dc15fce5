"""Outcomes: how games ended, of all games and by rules, year, event, time class, titles and length."""

from __future__ import annotations

import pyarrow as pa

from chesstools.stats.counted import POINTS
from chesstools.stats.outcome import OUTCOME_COLUMNS, by, outcomes
from chesstools.stats.partial import Sums
from chesstools.stats.statistic import Column, Statistic
from chesstools.time_class import TIME_CLASSES

FIRST_YEAR = Column("first_year", pa.int16(), "Earliest year of a Date tag among them; null where none is known.")
LAST_YEAR = Column("last_year", pa.int16(), "Latest year of a Date tag among them; null where none is known.")
YEARS = {"first_year": "min(year)", "last_year": "max(year)"}
HOW_YEARS = {"first_year": "min", "last_year": "max"}

ALL = Statistic(
    name="outcomes",
    title="Outcomes of all games",
    meaning="One row: all games with a result, whatever rules they were played by and from whatever position. Games without "
    "moves count where they have a result.",
    columns=OUTCOME_COLUMNS,
    partial=by({}),
    finish=outcomes,
    order="games",
    leaves_out=POINTS,
)

BY_RULES = Statistic(
    name="outcomes_by_rules",
    title="Outcomes by rules and start position",
    meaning="Standard chess from the usual array, standard chess from other positions, Chess960 and each variant.",
    columns=(
        Column("rules", pa.string(), "The rules that the moves were judged by; null where the variant is not known."),
        Column("from_array", pa.bool_(), "Whether the games begin with the usual array of standard chess."),
        *OUTCOME_COLUMNS,
    ),
    partial=by({"rules": "rules", "from_array": "coalesce(from_array, false)"}),
    finish=outcomes,
    order="games DESC, rules, from_array",
    leaves_out=POINTS,
)

BY_YEAR = Statistic(
    name="outcomes_by_year",
    title="Outcomes by year",
    meaning="One row for each year of the Date tag that has games with a result.",
    columns=(Column("year", pa.int16(), "Year of the Date tag."), *OUTCOME_COLUMNS),
    partial=by({"year": "year"}),
    finish=outcomes,
    order="year",
    leaves_out=(*POINTS, "no year"),
)

BY_EVENT = Statistic(
    name="outcomes_by_event",
    title="Outcomes by event",
    meaning="One row for each text of the Event tag, as written: an event under two names has two rows, and two events of one "
    "name, as in several years, have one.",
    columns=(Column("event", pa.string(), "The Event tag."), FIRST_YEAR, LAST_YEAR, *OUTCOME_COLUMNS),
    partial=by({"event": "event"}, "{named}", YEARS, HOW_YEARS),
    finish=outcomes,
    order="games DESC, event",
    leaves_out=(*POINTS, "no event"),
)


BY_TIME_CLASS = Statistic(
    name="outcomes_by_time_class",
    title="Outcomes by time class",
    meaning="Time controls by the seconds a player has for a game of 40 moves: base time, or all periods, and 40 increments or "
    "delays of the first. Under 30 ultrabullet, 180 bullet, 480 blitz, 1500 rapid, else classical, as Lichess draws the lines "
    "(lichess.org/faq#time-controls); correspondence with a day or more for some moves, unlimited without a clock.",
    columns=(
        Column("time_class", pa.string(), "ultrabullet, bullet, blitz, rapid, classical, correspondence or unlimited."),
        *OUTCOME_COLUMNS,
    ),
    partial=by({"time_class": "time_class"}),
    finish=outcomes,
    order=f"list_position({list(TIME_CLASSES)}, time_class)",
    leaves_out=(*POINTS, "no time control"),
)


def _title(side: str) -> Column:
    return Column(f"{side}_title", pa.string(), f"Title of {side.title()}; null where there is none, or it is - or ?.")


BY_TITLES = Statistic(
    name="outcomes_by_titles",
    title="Outcomes by titles of the players",
    meaning="One row for each pair of titles, as the tags WhiteTitle and BlackTitle write them, in capitals.",
    columns=(_title("white"), _title("black"), *OUTCOME_COLUMNS),
    partial=by(
        {f"{side}_title": f"CASE WHEN has_{side}_title THEN upper(trim({side}_title)) END" for side in ("white", "black")},
        "{named}",
    ),
    finish=outcomes,
    order="games DESC, white_title, black_title",
    leaves_out=(*POINTS, "no titles"),
)

PLIES_IN_A_BAND = 20

_BAND = f"(ply_count - 1) // {PLIES_IN_A_BAND} * {PLIES_IN_A_BAND}"

BY_LENGTH = Statistic(
    name="outcomes_by_length",
    title="Outcomes by length",
    meaning=f"Games by their number of plies, in bands of {PLIES_IN_A_BAND} (ten moves of each side).",
    columns=(
        Column("plies_from", pa.int32(), "Fewest plies of the band."),
        Column("plies_to", pa.int32(), "Most plies of the band."),
        *OUTCOME_COLUMNS,
    ),
    partial=by(
        {"plies_from": f"{_BAND} + 1"},
        more={"plies_to": f"any_value({_BAND} + {PLIES_IN_A_BAND})"},
        how={"plies_to": "any_value"},
    ),
    finish=outcomes,
    order="plies_from",
    leaves_out=(*POINTS, "no moves"),
)

LENGTHS = Statistic(
    name="lengths",
    title="Lengths of games",
    meaning="A histogram: how many games have just so many plies, by result. Lengths that no game has are missing; games without "
    "moves have 0.",
    columns=(
        Column("plies", pa.int32(), "Plies of the mainline, as written."),
        Column("games", pa.int64(), "Games of this length."),
        Column("white_won", pa.int64(), "Of these, won by White."),
        Column("drawn", pa.int64(), "Of these, drawn."),
        Column("black_won", pa.int64(), "Of these, won by Black."),
        Column("no_points", pa.int64(), "Of these, with the result * or none that can be read."),
    ),
    partial=Sums(
        """
        SELECT ply_count AS plies, count(*) AS games, count(*) FILTER (white_won) AS white_won, count(*) FILTER (drawn) AS drawn,
            count(*) FILTER (black_won) AS black_won, count(*) FILTER (points IS NULL) AS no_points
        FROM {counted} GROUP BY 1""",
        keys=("plies",),
    ),
    order="plies",
)

STATISTICS = (ALL, BY_RULES, BY_YEAR, BY_EVENT, BY_TIME_CLASS, BY_TITLES, BY_LENGTH, LENGTHS)
