"""explore(): what archives know of one position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from chesstools import usual_array
from chesstools.database import connect
from chesstools.errors import OptionError
from chesstools.frames import to_pandas
from chesstools.given import AnyGiven, opened
from chesstools.openings import columns, counting, walks
from chesstools.openings.names import Opening, load
from chesstools.openings.outline import Branch, outline
from chesstools.openings.place import Place, by_fen, by_moves
from chesstools.stats.statistic import Column, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb
    import pandas as pd

    from chesstools.dataset import Dataset

MAX_DEPTH = 10

NOTABLE = 5
"""Games."""

NOTABLE_COLUMNS = (
    Column("source", pa.string(), "The file, or archive/member, that the game was read from."),
    Column("game_index", pa.int64(), "Number of the game in its source, from 0."),
    Column("line", pa.int64(), "Line of its first byte, from 1."),
    Column("ply", pa.int32(), "The ply after which the position stood there first; 0 is the start."),
    Column("white", pa.string(), "Tag White, as written."),
    Column("white_elo", pa.int16(), "Rating of White; null where it is not known."),
    Column("black", pa.string(), "Tag Black, as written."),
    Column("black_elo", pa.int16(), "Rating of Black; null where it is not known."),
    Column("result", pa.string(), "1-0, 0-1, 1/2-1/2 or *; null where it is not known."),
    Column("year", pa.int16(), "Year of Date; null where it is not known."),
    Column("event", pa.string(), "Tag Event, as written."),
)


@dataclass(frozen=True, slots=True)
class Explored:
    """What games tell of a position.

    Attributes:
        place: the position.
        opening: the deepest named position on the line that was asked for; for a FEN that of the position itself, or else of the
            game that came there first. None where there is none.
        position: the columns `games`, `ended` and those of results, as of the table of positions; all 0 and None where no game
            came there.
        branches: the moves, the commonest first, with what was played after them, `depth` plies deep.
        notable: the games with the highest mean rating, or the latest where none is known, those with the same moves once; with
            the columns `NOTABLE_COLUMNS`.
        left_out: games that came there but do not count: they have errors, or begin elsewhere.
    """

    place: Place
    opening: Opening | None
    position: dict[str, Any]
    branches: list[Branch]
    notable: pa.Table
    left_out: int

    @property
    def moves(self) -> pa.Table:
        """The moves as a table, with the columns `MOVES`."""
        rows = [
            {"line": " ".join(line), "eco": branch.eco, "opening": branch.opening, **branch.move}
            for one in self.branches
            for line, branch in one.lines()
        ]
        return pa.Table.from_pylist(rows, columns.schema(MOVES))

    def to_pandas(self) -> pd.DataFrame:
        """`moves` as a DataFrame, see `chesstools.frames.to_pandas`."""
        return to_pandas(self.moves)


MOVES = (
    Column("line", pa.string(), "The moves from the position on, in SAN, with a blank between."),
    Column("eco", pa.string(), "Code of the position after them; null where it has no name of its own."),
    Column("opening", pa.string(), "Its name."),
    *columns.MOVES,
)


def explore(
    given: AnyGiven,
    moves: str = "",
    *,
    fen: str | None = None,
    depth: int = 1,
    min_games: int = 1,
    include_invalid: bool = False,
    unique: bool = False,
    **judging: Any,
) -> Explored:
    """What was played in a position, and with which success.

    Args:
        given: datasets, paths of datasets, or sources, which are judged first (see `chesstools.given.opened`).
        moves: moves from the usual array in SAN, with or without numbers; none is the array itself.
        fen: the position as FEN in place of moves.
        depth: for so many plies, 1 to 10.
        min_games: leave out moves that fewer games played.
        include_invalid, unique: as for `chesstools.openings.tree`.
        judging: profile, profile_file, jobs, engine, progress for sources, as for `chesstools.dataset.ingest`.

    Games count as in `tree`. `next_games` of a move are all games of the position after it, however they came there.

    Raises OptionError for moves that are not legal, a FEN that cannot be read, moves and a FEN, or numbers that cannot be used;
    DatasetError and SourceError as `tree`.

    >>> from chesstools.source import Source
    >>> text = b"[Event \\"a\\"]\\n\\n1. d4 d5 2. c4 e6 1-0\\n\\n[Event \\"b\\"]\\n\\n1. c4 d5 2. d4 c6 *\\n"
    >>> found = explore(Source.from_bytes(text, "a.pgn"), "1. d4 d5 2. c4")
    >>> found.opening.name, found.position["games"], found.moves["line"].to_pylist()
    ("Queen's Gambit", 2, ['c6', 'e6'])
    """
    place = find(moves, fen)
    with opened(given, tables=("games", "plies"), **judging) as found:
        return explored(found.datasets, place, Options(include_invalid, unique), depth=depth, min_games=min_games)


def find(moves: str, fen: str | None) -> Place:
    """The position that is asked for. Raises OptionError where both are given, or it cannot be understood."""
    if fen is None:
        return by_moves(moves)
    if moves:
        raise OptionError("Give moves or a FEN, not both.")
    return by_fen(fen)


def explored(
    datasets: Sequence[Dataset], place: Place, options: Options, *, depth: int, min_games: int, threads: int | None = None
) -> Explored:
    """The work of `explore`, on datasets that are open."""
    if not 1 <= depth <= MAX_DEPTH:
        raise OptionError(f"depth must be 1 to {MAX_DEPTH} plies, not {depth}.")
    if min_games < 1:
        raise OptionError(f"min_games must be 1 or more, not {min_games}.")
    with connect(datasets, tables=("games", "plies"), threads=threads) as connection:
        left_out = walks.make_walks_from(connection, options, place.key, depth - 1)
        counting.make_positions(connection, place.key, 1)
        counting.make_moves(connection)
        _count_next(connection, options, min_games)
        results = connection.sql(f"SELECT * FROM ({counting.results_sql()}) WHERE position_key = {place.key}")
        (position,) = results.to_arrow_table().drop_columns("position_key").to_pylist() or [NOTHING]
        return Explored(
            place,
            place.opening or (_opening_on_the_way(connection, place.key) if place.line is None else None),
            position,
            outline(connection, place.key, depth, min_games),
            columns.typed(connection.sql(_NOTABLE), columns.schema(NOTABLE_COLUMNS)).read_all(),
            left_out,
        )


NOTHING = {"games": 0, "ended": 0, **{one.name: 0 if one.type == pa.int64() else None for one in columns.RESULTS}}
"""The results of no games."""


def _count_next(connection: duckdb.DuckDBPyConnection, options: Options, min_games: int) -> None:
    """Let `tree_next` tell of all games that stood in the position after a move, not only of those that came through this one."""
    counted = walks.counted_games(options)
    connection.execute(
        f"""
        CREATE TEMP TABLE tree_next_games AS
        SELECT position_key AS next_key, count(*) AS games
        FROM plies
        SEMI JOIN (SELECT next_key AS position_key FROM tree_moves WHERE games >= {min_games}) USING (position_key)
        SEMI JOIN {counted} AS one USING (source, game_index)
        WHERE repetition = 1
        GROUP BY position_key
        UNION ALL
        SELECT {usual_array.KEY}::UBIGINT, count(*) FROM {counted} AS one"""
    )
    connection.execute("CREATE OR REPLACE TEMP VIEW tree_next AS FROM tree_next_games")


def _opening_on_the_way(connection: duckdb.DuckDBPyConnection, key: int) -> Opening | None:
    """The deepest named position of the game that came first to a position without a name of its own."""
    rows = connection.sql(
        f"""
        SELECT plies.position_key
        FROM plies JOIN tree_games USING (source, game_index) JOIN tree_positions ON game = at_game
        WHERE tree_positions.position_key = {key} AND ply <= at_ply ORDER BY ply"""
    ).fetchall()
    return load().classify(key for (key,) in rows)


_NOTABLE = f"""
    WITH chosen AS (
        SELECT source, game_index, start_ply AS ply, one.mean_elo, greatest(one.white_elo, one.black_elo) AS best_elo
        FROM tree_games JOIN all_games AS one USING (source, game_index)
        ORDER BY mean_elo DESC NULLS LAST, best_elo DESC NULLS LAST, one.year DESC NULLS LAST, source, game_index
        LIMIT {8 * NOTABLE}  -- archives hold good games several times
    )
    SELECT source, game_index, line, ply, white, white_elo, black, black_elo, result_value AS result, year, event
    FROM games JOIN chosen USING (source, game_index)
    QUALIFY row_number() OVER (PARTITION BY moves_hash ORDER BY source, game_index) = 1
    ORDER BY mean_elo DESC NULLS LAST, best_elo DESC NULLS LAST, year DESC NULLS LAST, source, game_index
    LIMIT {NOTABLE}"""
