"""The columns of the tables that `chesstools openings` writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.stats.statistic import Column

if TYPE_CHECKING:
    import duckdb

BATCH_ROWS = 50_000

RESULTS = (
    Column("white_won", pa.int64(), "Of these, games that White won."),
    Column("drawn", pa.int64(), "Of these, games that were drawn."),
    Column("black_won", pa.int64(), "Of these, games that Black won. What is left has no known result."),
    Column("score", pa.float64(), "Mean points of White, 0 to 1, over games with a known result; null where there are none."),
    Column("score_low", pa.float64(), "Lower end of the 95 % interval of the score (Wilson, on the safe side with draws)."),
    Column("score_high", pa.float64(), "Upper end of it."),
    Column("rated_games", pa.int64(), "Games in which both ratings and the result are known."),
    Column("white_elo", pa.float64(), "Mean rating of White in these; null where there are none."),
    Column("black_elo", pa.float64(), "Mean rating of Black in these."),
    Column("white_performance", pa.float64(), "Performance of White in these; null also where White scored all or nothing."),
    Column("black_performance", pa.float64(), "Performance of Black in these; null also where Black scored all or nothing."),
    Column("first_year", pa.int16(), "Year of the first of the games; null where no year is known."),
    Column("last_year", pa.int16(), "Year of the last of them."),
)
"""What is told of the games of a position or move."""

POSITIONS = (
    Column("position_key", pa.uint64(), "The position: joins to plies, and to moves and next_position_key of the other table."),
    Column("ply", pa.int32(), "The least number of plies after which a game stood there; 0 is the usual array."),
    Column("fen", pa.string(), "The position as it stood in the first game that came there in so many plies, with its counters."),
    Column("line", pa.string(), "The moves of that game up to there, in SAN, with a blank between; empty for the array."),
    Column("eco", pa.string(), "Code of the position, or else of the last named one on that line; null where there is none."),
    Column("opening", pa.string(), "Name of the same."),
    Column(
        "opening_ply",
        pa.int32(),
        "The ply of that line after which the named position stood; it is `ply` for a position with a name.",
    ),
    Column("games", pa.int64(), "Games that stood there within the depth of the tree, each once, however they came there."),
    Column(
        "ended",
        pa.int64(),
        "Of these, games that ended there, or at a move that is not legal. With the games of its moves they make up `games`.",
    ),
    *RESULTS,
)
"""One row for each position."""

MOVES = (
    Column("position_key", pa.uint64(), "The position in which the move was played."),
    Column("uci", pa.string(), "The move in UCI form."),
    Column("san", pa.string(), "The move in standard algebraic notation."),
    Column("next_position_key", pa.uint64(), "The position after it."),
    Column("games", pa.int64(), "Games that played it there, when they first stood there."),
    Column("share", pa.float64(), "Share of the games that passed the position, 0 to 1."),
    Column(
        "next_games",
        pa.int64(),
        "Games of the position after it, however they came there; null where that position is no row of positions.",
    ),
    *RESULTS,
)
"""One row for each move that was played in a position of the other table."""

GAMES = (
    Column("source", pa.string(), "The file, or archive/member, that the game was read from."),
    Column("game_index", pa.int64(), "Number of the game in its source, from 0."),
    Column("line", pa.int64(), "Line of its first byte, from 1."),
    Column("eco", pa.string(), "Tag ECO, as written; null where there is none."),
    Column("opening", pa.string(), "Tag Opening, as written; null where there is none."),
    Column("eco_by_moves", pa.string(), "Code of the deepest named position that the game passed; null where there is none."),
    Column("opening_by_moves", pa.string(), "Name of that position."),
    Column("opening_family", pa.string(), "First part of the name that Lichess gives to the deepest position that it names."),
    Column("opening_ply", pa.int32(), "The ply after which the deepest named position stood."),
    Column(
        "eco_agrees",
        pa.bool_(),
        "Whether the code in the tag is that by moves (B20a is B20); null where one of them is missing, or the tag is no code.",
    ),
    Column(
        "eco_contradicted",
        pa.bool_(),
        "Whether the game came nowhere near the code of the tag (rule T126); null where that judges nothing (A00, a finer code, "
        "no code).",
    ),
)
"""One row for each game, also for those that are no part of the tree."""


FAMILIES = (
    Column("opening_family", pa.string(), "As in the table of games; null for games that passed no position that Lichess names."),
    Column("games", pa.int64(), "Games of the tree."),
    *RESULTS,
)
"""One row for each family of openings."""


def schema(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow schema, with the meaning of each column in its metadata."""
    return pa.schema([pa.field(column.name, column.type, metadata={"meaning": column.meaning}) for column in columns])


def typed(rows: duckdb.DuckDBPyRelation, wanted: pa.Schema) -> pa.RecordBatchReader:
    """Rows of a query as a stream, brought to the columns and types of a schema."""

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in rows.to_arrow_reader(BATCH_ROWS):
            arrays = [batch.column(field.name).cast(field.type) for field in wanted]
            yield pa.RecordBatch.from_arrays(arrays, schema=wanted)

    return pa.RecordBatchReader.from_batches(wanted, batches())
