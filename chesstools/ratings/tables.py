"""The Arrow schemas of what ratings come to: a table of games and one of players for each method, and the state between runs.

Each column tells its meaning in its field metadata (key ``meaning``), as those of `chesstools.schema`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from chesstools.ratings.scale import STORED_PLACES
from chesstools.schema import GAMES as DATASET_GAMES

POINTS = pa.decimal128(38, STORED_PLACES)


def _field(name: str, kind: pa.DataType, meaning: str, *, nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=nullable, metadata={"meaning": meaning})


def _both(name: str, kind: pa.DataType, meaning: str, *, nullable: bool = False) -> Iterator[pa.Field]:
    """A column for each side; {} in `meaning` is who it is."""
    for side in ("White", "Black"):
        yield _field(name.format(side.lower()), kind, meaning.format(side), nullable=nullable)


_GAME = [
    _field("seq", pa.int64(), "Number of the game among those that were counted, in the order of rating, from 1."),
    *(DATASET_GAMES.field(name) for name in ("source", "game_index", "game_id")),
    _field("date", pa.string(), "UTCDate, or else Date, by which the game was put in order; ?? for what is not known."),
    *_both("{}", pa.string(), "{}: the first way in which the name was written, the same for all games of a player."),
    _field("result", pa.string(), "1-0, 0-1 or 1/2-1/2: the recorded result."),
    _field("tainted", pa.bool_(), "Whether an illegal move (M301 to M343) was found in the game."),
    *_both("{}_games", pa.int32(), "Games of {} that were counted before this one."),
]

_PERIOD = _field(
    "period",
    pa.string(),
    "Rating period, such as 2024-01; undated for games without a year; null where each game is one.",
    nullable=True,
)

_RATED = pa.float64()
_BEFORE = "Rating of {} that this game was counted with: that at the beginning of the period."
_AFTER = "Rating of {} with this game and those before it in the period; with the last one, that at its end."

GAMES = {
    "elo": pa.schema(
        [
            *_GAME,
            _PERIOD,
            *_both("{}_before", _RATED, _BEFORE),
            _field("expected", _RATED, "Score of White that was to be expected, from 0 to 1; that of Black is 1 less it."),
            *_both("{}_k", _RATED, "Coefficient K of {}, for all games of the period so far."),
            *_both("{}_after", _RATED, _AFTER),
        ]
    ),
    "glicko2": pa.schema(
        [
            *_GAME,
            _PERIOD,
            *_both("{}_before", _RATED, _BEFORE),
            *_both("{}_deviation_before", _RATED, "Rating deviation of {} at the beginning of the period, in points."),
            *_both("{}_volatility_before", _RATED, "Volatility of {} at the beginning of the period."),
            *_both(
                "{}_expected",
                _RATED,
                "Score of {} that was to be expected, from 0 to 1, given how sure the opponent's rating is.",
            ),
            *_both("{}_after", _RATED, _AFTER),
            *_both("{}_deviation_after", _RATED, "Rating deviation of {}, as the rating after."),
            *_both("{}_volatility_after", _RATED, "Volatility of {}, as the rating after."),
        ]
    ),
    "points": pa.schema(
        [
            *_GAME,
            *_both("{}_before", POINTS, "Points of {} before the game, rounded to four places."),
            _field("difference", POINTS, "Difference of the points before the game, never negative, rounded to four places."),
            _field("branch", pa.string(), "Row of the table: draw, lower_wins, higher_wins, equal_wins or undefined."),
            _field("class", pa.string(), "Class of the difference: under_10, 10_to_99, 100_to_199 or 200_and_more."),
            _field("transfer", POINTS, "What White gains and Black loses, rounded to four places; negative where White loses."),
            *_both("{}_after", POINTS, "Points of {} after the game, rounded to four places."),
            *_both("{}_before_exact", pa.string(), "Points of {} before the game, all decimal places."),
            _field(
                "transfer_exact",
                pa.string(),
                "What White gains, all decimal places; points after are exactly those before with it.",
            ),
            *_both("{}_level_before", pa.int8(), "Level of {} before the game, from 30 up to 1; null for none.", nullable=True),
            *_both("{}_level_after", pa.int8(), "Level of {} after the game; null for none.", nullable=True),
            *_both("{}_provisional", pa.bool_(), "Whether {} had fewer than 50 games before this one."),
            _field(
                "ambiguous",
                pa.string(),
                "Why the printed table has not one answer: no_class, two_classes or same_level (see G950); null where it has.",
                nullable=True,
            ),
            _field("rounded", pa.bool_(), "Whether the transfer was rounded."),
            _field("capped", pa.bool_(), "Whether it was cut because the loser has no more above the floor."),
        ]
    ),
}

_PLAYER = [
    _field("rank", pa.int32(), "Place in the order of ratings or points, from 1; the same for equal ones."),
    _field("name", pa.string(), "The first way in which the name was written, as in the table of games."),
    _field("games", pa.int32(), "Counted games."),
    _field("wins", pa.int32(), "Games won."),
    _field("draws", pa.int32(), "Games drawn."),
    _field("losses", pa.int32(), "Games lost."),
    _field("score", _RATED, "Points by game, a draw being half a point: from 0 to 1."),
    _field("first_date", pa.string(), "Date of the first counted game; ?? for what is not known."),
    _field("last_date", pa.string(), "Date of the last counted game."),
]

PLAYERS = {
    "elo": pa.schema([*_PLAYER, _field("rating", _RATED, "Rating after the last game.")]),
    "glicko2": pa.schema(
        [
            *_PLAYER,
            _field("rating", _RATED, "Rating after the last game."),
            _field("deviation", _RATED, "Rating deviation after the last game, in points."),
            _field("deviation_now", _RATED, "The same with the periods since then, up to the last one of all games."),
            _field("volatility", _RATED, "Volatility after the last game."),
        ]
    ),
    "points": pa.schema(
        [
            *_PLAYER,
            _field("points", POINTS, "Points, rounded to four places."),
            _field("points_exact", pa.string(), "Points, all decimal places."),
            _field("level", pa.int8(), "Level, from 30 up to 1; null for none.", nullable=True),
            _field("provisional", pa.bool_(), "Whether there are fewer than 50 games."),
        ]
    ),
}
