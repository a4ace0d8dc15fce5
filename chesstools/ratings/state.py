"""Where a run stopped: a Parquet file with a row for each method and player, from which a later run goes on.

It is a plain table, which anybody can look at. The metadata of the file (key ``chesstools.ratings``) tell how games were rated,
the place of the last one, and which sources were counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from chesstools.bytestream import reason
from chesstools.errors import OptionError, SourceError
from chesstools.places import cannot_write, complete
from chesstools.ratings.settings import Settings
from chesstools.ratings.tables import _field

VERSION = 1
KEY = b"chesstools.ratings"

SCHEMA = pa.schema(
    [
        _field("method", pa.string(), "elo, glicko2 or points."),
        _field("player", pa.string(), "What tells the player, by the option names."),
        _field("name", pa.string(), "The first way in which the name was written."),
        _field("games", pa.int32(), "Counted games."),
        _field("wins", pa.int32(), "Games won."),
        _field("draws", pa.int32(), "Games drawn."),
        _field("losses", pa.int32(), "Games lost."),
        _field(
            "first_day",
            pa.int32(),
            "Day of the first counted game as YYYYMMDD, 99 for an unknown month or day; 99999999: undated.",
        ),
        _field("last_day", pa.int32(), "Day of the last counted game, the same way."),
        _field("period", pa.int64(), "Number of the last period with a game; null for points.", nullable=True),
        _field("rating", pa.float64(), "Rating at the beginning of that period; null for points.", nullable=True),
        _field("games_before", pa.int32(), "Elo: games before that period.", nullable=True),
        _field("reached", pa.float64(), "Elo: the highest rating at the beginning of a period.", nullable=True),
        _field("in_period", pa.int32(), "Elo: games in that period.", nullable=True),
        _field("deviation", pa.float64(), "Glicko-2: rating deviation at the beginning of that period.", nullable=True),
        _field("volatility", pa.float64(), "Glicko-2: volatility at the beginning of that period.", nullable=True),
        _field("precision", pa.float64(), "Glicko-2: 1 / v of the games in that period.", nullable=True),
        _field(
            "surprise",
            pa.float64(),
            "Score above expectation in that period; Glicko-2: with the weights of the games.",
            nullable=True,
        ),
        _field("points", pa.string(), "Points system: the points, exactly.", nullable=True),
    ]
)


@dataclass(slots=True)
class State:
    """What a run leaves to the next one, beside the rows."""

    settings: dict[str, str]
    """As `Settings.told`, with what players began with."""
    place: list[Any] | None = None
    """`Game.place` of the last game that was counted; None before the first."""
    read: int = 0
    """Games that were looked at."""
    counted: int = 0
    period: dict[str, int] = field(default_factory=dict)
    """Number of the last period, by method."""
    undated: bool = False
    """Whether games without a year were counted: none with one can come behind them."""
    sources: dict[str, str] = field(default_factory=dict)
    """Hashes of the sources that were counted, with their names."""


def read(path: Path, settings: dict[str, str]) -> tuple[State, list[dict[str, Any]]]:
    """The state in a file, and its rows.

    Raises SourceError where the file is none, OptionError where games were rated in another way than `settings` tells.
    """
    try:
        with pq.ParquetFile(path) as file:
            about = json.loads((file.schema_arrow.metadata or {})[KEY])
            rows = file.read().to_pylist()
        version = about.pop("version")
        state = State(**about)
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({reason(error)}); check the file.") from None
    except (pa.ArrowInvalid, KeyError, ValueError, TypeError):
        raise SourceError(f"{path} holds no state of ratings; name another file for it.") from None
    if version != VERSION:
        raise SourceError(f"{path} is of version {version}, and this chesstools reads version {VERSION}; rate all games anew.")
    for name in sorted({*state.settings, *settings}):
        had, has = (told.get(name) for told in (state.settings, settings))
        if had != has:
            raise OptionError(
                f"The state in {path} was made with {name} {had}, not {has}; give that again, or rate all games anew."
            )
    return state, rows


def write(path: Path, state: State, rows: Iterable[dict[str, Any]]) -> None:
    """Write the file, which takes its name when it is complete. Raises OutputError where it cannot be written."""
    about = json.dumps({"version": VERSION, **asdict(state)})
    schema = SCHEMA.with_metadata({KEY: about.encode()})
    table = pa.Table.from_pylist([{name: row.get(name) for name in SCHEMA.names} for row in rows], schema=schema)
    with complete(path) as place:
        try:
            pq.write_table(table, place, compression="zstd")
        except OSError as error:
            raise cannot_write(path, error) from None


def settings_of(settings: Settings, initial: Iterable[object]) -> dict[str, str]:
    """What a state is told apart by."""
    return settings.told() | {"initial": " ".join(map(str, initial)) or "default"}
