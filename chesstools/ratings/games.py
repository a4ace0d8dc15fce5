"""The games of datasets in the order in which they are rated: by date, time, round, board, and as they were given.

DuckDB sorts them, within a limit of memory; what does not fit goes to a scratch folder. Of the games only the columns that
ratings need are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from chesstools.catalogue import all_rules
from chesstools.database import MEMORY_MB, connect
from chesstools.finding import Severity

if TYPE_CHECKING:
    import duckdb

    from chesstools.dataset import Dataset

UNDATED = 99_99_99_99
"""The day of games without a year: behind all others."""

BATCH_ROWS = 16_384

_FIELDS = (
    *("source", "game_index", "game_id", "line", "byte_offset", "byte_length", "profile", "white", "black", "result", "plies"),
    *("end_reason", "both_lose", "illegal", "white_elo", "black_elo", "day", "time", "round", "board"),
)


class Game(NamedTuple):
    """What ratings need of a game."""

    source: str
    game_index: int
    game_id: str
    line: int
    byte_offset: int
    byte_length: int
    profile: str
    white: str | None
    black: str | None
    result: str | None
    """As `result_value` in the games table."""
    plies: int
    """As written."""
    end_reason: str | None
    both_lose: bool
    """The game was declared lost for both sides (A802)."""
    illegal: bool
    """An illegal move was found in it (errors M301 to M343)."""
    white_elo: int | None
    black_elo: int | None
    day: int
    """UTCDate, or else Date, as the number YYYYMMDD; 99 for an unknown month or day, `UNDATED` where the year is not known."""
    time: str | None
    """UTCTime, or else Time; None where it is no time."""
    round: list[int] | None
    """The numbers in Round: ``3.12`` is [3, 12]; None where there are none."""
    board: list[int] | None
    """The same for Board."""

    @property
    def is_dated(self) -> bool:
        """Whether the year is known."""
        return self.day != UNDATED

    @property
    def place(self) -> list[object]:
        """What games are ordered by, but for the order in which they were given: comparable, and JSON."""
        parts = (self.time, self.round, self.board)
        return [self.day, *(value for part in parts for value in (part is None, part or ""))]


# What is no number of a time, round or board comes last, as what is not known does.
_QUERY = """
SELECT {fields} FROM (
    SELECT g.source AS source, game_index, game_id, line, byte_offset, byte_length, profile, white, black,
        result_value AS result, ply_count AS plies, end_reason, list_contains(codes, 'A802') AS both_lose,
        list_has_any(codes, {illegal}) AS illegal, white_elo, black_elo,
        coalesce(
            CASE WHEN regexp_full_match(utc_date, '[0-9]{{4}}\\.[0-9]{{2}}\\.[0-9]{{2}}')
                THEN cast(strftime(try_strptime(utc_date, '%Y.%m.%d'), '%Y%m%d') AS INTEGER) END,
            year::INTEGER * 10000 + coalesce(month::INTEGER * 100 + coalesce(day, 99), 9999),
            {undated}
        ) AS day,
        CASE WHEN regexp_full_match(coalesce(utc_time, {time}), '[0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]+)?)?')
            THEN coalesce(utc_time, {time}) END AS time,
        {round} AS round, {board} AS board, given.place AS place
    FROM games AS g LEFT JOIN given ON given.source = g.source
)
ORDER BY day, time NULLS LAST, round NULLS LAST, board NULLS LAST, place, game_index
"""


def in_order(datasets: Sequence[Dataset], *, memory_mb: int = MEMORY_MB, threads: int | None = None) -> Iterator[list[Game]]:
    """All games of `datasets`, many at a time, in order. Raises DatasetError as `chesstools.database.connect`."""
    with connect(datasets, tables=["games"], memory_mb=memory_mb, threads=threads) as connection:
        _tell_order(connection, datasets)
        illegal = [rule.code for rule in all_rules() if rule.code.startswith("M3") and rule.severity is Severity.ERROR]
        query = _QUERY.format(
            fields=", ".join(_FIELDS),
            illegal=str(illegal),
            undated=UNDATED,
            time=_tag("Time"),
            round=_numbers("round"),
            board=_numbers(_tag("Board")),
        )
        for batch in connection.sql(query).to_arrow_reader(BATCH_ROWS):
            columns = [batch.column(name).to_pylist() for name in _FIELDS]
            yield [Game(*row) for row in zip(*columns, strict=True)]


def _tell_order(connection: duckdb.DuckDBPyConnection, datasets: Sequence[Dataset]) -> None:
    """A table with the place of each source among all that were given."""
    names = [entry.name for dataset in datasets for entry in dataset.manifest.sources]
    table = pa.table({"source": pa.array(names, pa.string()), "place": pa.array(range(len(names)), pa.int64())})
    connection.from_arrow(table).create("given")


def _tag(name: str) -> str:
    """The first tag of that name, as SQL; a map may hold a name twice."""
    return f"list_filter(map_entries(tags), lambda entry: entry.key = '{name}')[1].value"


def _numbers(text: str) -> str:
    """The numbers in a text, as SQL; null where there are none, and the largest for one that is larger."""
    found = f"regexp_extract_all({text}, '[0-9]+')"
    return f"nullif(list_transform({found}, lambda number: coalesce(try_cast(number AS BIGINT), {2**63 - 1})), [])"
