"""find(): the games and plies in which a position, a pattern, material or a pawn structure stood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import pyarrow as pa

from chesstools.damage import reading
from chesstools.errors import OptionError
from chesstools.given import AnyGiven, opened
from chesstools.parquet_file import parquet_file
from chesstools.search.block import Block, Numbers, blocks, searchable
from chesstools.search.boards import Boards
from chesstools.search.exact import Exact, exact_of
from chesstools.search.fens import fens
from chesstools.search.games import READ, TOLD, Filter, filter_of
from chesstools.search.pattern import pattern_of
from chesstools.search.wanted import Search, Wanted, material_of, pawns_of, search_of

if TYPE_CHECKING:
    import pandas as pd

    from chesstools.dataset import Dataset
    from chesstools.folder import File

SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("game_index", pa.int64()),
        ("line", pa.int64()),
        ("ply", pa.int32()),
        ("last_ply", pa.int32()),
        ("positions", pa.int32()),
        ("fen", pa.string()),
        ("white", pa.string()),
        ("black", pa.string()),
        ("white_elo", pa.int16()),
        ("black_elo", pa.int16()),
        ("result", pa.string()),
        ("event", pa.string()),
        ("date", pa.string()),
        ("eco", pa.string()),
    ]
)
"""Columns of what is found; see `find`."""


@dataclass(slots=True)
class Count:
    """How much was found, as far as it was looked for."""

    games: int = 0
    positions: int = 0
    not_searched: int = 0
    """Games that passed the filter but could not be searched: variants, and start positions that cannot be played from."""
    other_positions: int = 0
    """Positions with the right key that turned out to be others."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for, in which games."""

    search: Search | Exact
    games: Filter


def question(
    *,
    fen: str | None = None,
    pattern: str | None = None,
    material: str | None = None,
    pawns: str | None = None,
    pawns_of_side: str = "both",
    lasting: int = 1,
    either_color: bool = False,
    either_wing: bool = False,
    **games: Any,
) -> Question:
    """A question as users write it; the arguments are those of `find`. Raises OptionError for what cannot be understood."""
    if fen is not None:
        if pattern is not None or material is not None or pawns is not None or lasting > 1:
            raise OptionError("A FEN says all of a position; look for it alone, or for a pattern, material and pawns.")
        return Question(exact_of(fen, either_color=either_color, either_wing=either_wing), filter_of(**games))
    if pattern is None and material is None and pawns is None:
        raise OptionError("Say what to look for: a FEN, a pattern, material or pawns.")
    wanted = Wanted(
        pattern_of(pattern) if pattern is not None else None,
        material_of(material) if material is not None else None,
        pawns_of(pawns, pawns_of_side) if pawns is not None else None,
    )
    return Question(search_of(wanted, either_color=either_color, either_wing=either_wing, lasting=lasting), filter_of(**games))


@overload
def find(given: AnyGiven, *, every: bool = False, arrow: Literal[False] = False, jobs: int = 1, **asked: Any) -> pd.DataFrame: ...


@overload
def find(given: AnyGiven, *, every: bool = False, arrow: Literal[True], jobs: int = 1, **asked: Any) -> pa.Table: ...


def find(given: AnyGiven, *, every: bool = False, arrow: bool = False, jobs: int = 1, **asked: Any) -> pd.DataFrame | pa.Table:
    """The games in which a position stood, in the order of the archive.

    Args:
        given: datasets, paths of datasets, or sources, which are judged first (`chesstools.given.opened`).
        every: whether each position is a row. Default: each game is one.
        arrow: whether an Arrow table is wanted. Default: a DataFrame, with honest nulls.
        jobs: how many processors judge sources.
        fen: the position; the same are those with the same placement, side to move, castling rights, and right to capture en
            passant (FIDE 9.2.3). Counters do not matter.
        pattern: men on squares (`chesstools.search.pattern`): ``"Ke1 Rh1 pe5"``.
        material: the men of both sides: ``"KRPPvKRP"``.
        pawns: a FEN, or its first field, whose pawns are all that there are; `pawns_of_side`: of white, black or both.
        lasting: in how many positions one after the other pattern, material and pawns must stand.
        either_color: whether the same with colours exchanged is found too; `either_wing`: with the files exchanged.
        player, white, black, result, year, elo, eco: which games, see `chesstools.search.games.filter_of`.

    Columns: `source`, `game_index`, `line` of the game; `ply` after which it stood (first), 0 is the start position; `last_ply`
    and `positions`: the last one and how many there are in this game (with `every`: of this row); `fen` after `ply`; `white`,
    `black`, `white_elo`, `black_elo`, `result`, `event`, `date`, `eco`, as the source has them.

    Raises OptionError for what cannot be understood, and SourceError and DatasetError as `chesstools.ingest` and `Dataset.open`.

    >>> from chesstools.source import Source
    >>> games = Source.from_bytes(b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "a.pgn")
    >>> find(games, pattern="Bb5 nc6 black")[["game_index", "ply", "fen"]].to_dict("records")
    [{'game_index': 0, 'ply': 5, 'fen': 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'}]
    """
    asking = question(**asked)
    with opened(given, jobs=jobs, tables=("games", "plies")) as found:
        batches = list(answers(found.datasets, asking, Count(), every=every))
    table = pa.Table.from_batches(batches, SCHEMA)
    if arrow:
        return table
    from chesstools.frames import to_pandas

    return to_pandas(table)


def answers(
    datasets: Sequence[Dataset], asking: Question, count: Count, *, every: bool = False, most: int | None = None
) -> Iterator[pa.RecordBatch]:
    """What is found, some rows at a time, with the columns of `SCHEMA`; `count` grows meanwhile.

    After `most` rows it goes on counting only.
    """
    with reading(datasets):
        yield from _answers(datasets, asking, count, every, most)


def _answers(
    datasets: Sequence[Dataset], asking: Question, count: Count, every: bool, most: int | None
) -> Iterator[pa.RecordBatch]:
    told = 0
    for dataset in datasets:
        for games_file, plies_file in zip(dataset.files("games"), dataset.files("plies"), strict=True):
            games = _games(games_file)
            for block, rows in _found(games, plies_file, asking, count):
                game_of_row = block.game_of(rows)
                count.games += len(np.unique(game_of_row))
                count.positions += len(rows)
                first, number = _first_of_each(game_of_row)
                if every:
                    first, number = np.arange(len(rows)), np.ones(len(rows), dtype=np.int64)
                if most is not None:
                    first, number = first[: most - told], number[: most - told]
                if len(first):
                    told += len(first)
                    yield _batch(games, plies_file, block, rows[first], rows[first + number - 1], number)


def _games(file: File) -> pa.Table:
    with parquet_file(file) as parquet:  # pq.read_table would load pyarrow.dataset
        return parquet.read(columns=list(READ), use_threads=False)


def _found(games: pa.Table, plies: File, asking: Question, count: Count) -> Iterator[tuple[Block, Numbers]]:
    """The blocks of one part that hold what is looked for, and the rows in them, in order."""
    wanted, searched = asking.games.holds(games), searchable(games)
    count.not_searched += int((wanted & ~searched).sum())
    search = asking.search
    if isinstance(search, Exact):
        yield from _found_exact(games, plies, search, wanted & searched, count)
        return
    for block in blocks(plies, games, wanted):
        rows = np.flatnonzero(search.holds(Boards(block)))
        if len(rows):
            yield block, rows


def _found_exact(games: pa.Table, plies: File, search: Exact, wanted: Numbers, count: Count) -> Iterator[tuple[Block, Numbers]]:
    lengths = games["legal_ply_count"].to_numpy().astype(np.int64)
    ends = np.cumsum(lengths)
    hits, begin = search.rows_of(plies), search.starts_of(games)
    game_of_hit = np.searchsorted(ends, hits, side="right")
    # Each game is looked at as far as the last position in it that has the key.
    most = np.full(games.num_rows, -1)
    most[begin] = 0
    np.maximum.at(most, game_of_hit, hits - (ends - lengths)[game_of_hit] + 1)
    for block in blocks(plies, games, (most >= 0) & wanted, most_plies=np.maximum(most, 0)):
        place = np.full(games.num_rows, -1)
        place[block.games] = np.arange(len(block.games))
        inside = place[game_of_hit] >= 0
        mine = place[game_of_hit][inside]
        starts = place[begin][place[begin] >= 0]
        rows = np.concatenate([block.first[starts], block.first[mine] + 1 + hits[inside] - block.first_ply_row[mine]])
        rows.sort()
        holds = search.holds(Boards(block), rows)
        count.other_positions += int((~holds).sum())
        if holds.any():
            yield block, rows[holds]


def _first_of_each(games: Numbers) -> tuple[Numbers, Numbers]:
    """Where the rows of each game begin, and how many it has."""
    begins = np.flatnonzero(np.concatenate([[True], games[1:] != games[:-1]]))
    return begins, np.diff(np.append(begins, len(games)))


def _batch(games: pa.Table, plies: File, block: Block, first: Numbers, last: Numbers, number: Numbers) -> pa.RecordBatch:
    """A row for each of the rows `first` of a block; `last` and `number` are of the positions that it stands for."""
    place = block.game_of(first)
    chosen, inverse = np.unique(place, return_inverse=True)
    small = block.only(chosen)  # the rest need not be replayed once more
    rows = small.first[inverse] + block.ply_of(first)
    of_games = games.take(pa.array(block.games[place])).combine_chunks()
    told = {("result" if name == "result_value" else name): of_games[name].cast(_kind(name)) for name in TOLD}
    told |= {
        "ply": pa.array(block.ply_of(first), pa.int32()),
        "last_ply": pa.array(block.ply_of(last), pa.int32()),
        "positions": pa.array(number, pa.int32()),
        "fen": pa.array(fens(Boards(small), rows, _halfmove_clocks(plies, small, rows)), pa.string()),
    }
    return pa.RecordBatch.from_arrays([_plain(told[name]) for name in SCHEMA.names], schema=SCHEMA)


def _plain(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _kind(name: str) -> pa.DataType:
    return SCHEMA.field("result" if name == "result_value" else name).type


def _halfmove_clocks(plies: File, block: Block, rows: Numbers) -> Numbers:
    """The column halfmove_clock of positions after a ply; anything for start positions."""
    game = block.game_of(rows)
    in_part = block.first_ply_row[game] + rows - block.first[game] - 1
    clocks = np.zeros(len(rows), dtype=np.int64)
    at = 0
    with parquet_file(plies) as parquet:
        for group in range(parquet.num_row_groups):
            size = parquet.metadata.row_group(group).num_rows
            here = np.flatnonzero((in_part >= at) & (in_part < at + size) & (rows != block.first[game]))
            if len(here):
                column = parquet.read_row_group(group, columns=["halfmove_clock"], use_threads=False)["halfmove_clock"]
                clocks[here] = column.to_numpy()[in_part[here] - at]
            at += size
    return clocks
