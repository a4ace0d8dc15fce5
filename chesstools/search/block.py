"""The plies of a part of a dataset as numbers, in blocks of whole games, with a row for each start position too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import chess
import numpy as np
from numpy.typing import NDArray

from chesstools.errors import DatasetError
from chesstools.parquet_file import parquet_file

if TYPE_CHECKING:
    import pyarrow as pa

    from chesstools.folder import File

Numbers: TypeAlias = NDArray[Any]

ROLES = ("pawn", "knight", "bishop", "rook", "queen", "king")
NONE = 255
"""No role, no square."""

BLOCK_ROWS = 250_000
"""Rows of a block, about. Larger ones fall out of the processor's caches."""

RULES = ("standard", "chess960")
"""Games by other rules are not searched: their moves change more than two squares."""

_ROLE_NUMBERS = {role: number for number, role in enumerate(ROLES)}
_SQUARE_NUMBERS = {square: number for number, square in enumerate(chess.SQUARE_NAMES)}
_WORDS: Mapping[str, Mapping[str, int]] = {
    "role": _ROLE_NUMBERS,
    "from_square": _SQUARE_NUMBERS,
    "to_square": _SQUARE_NUMBERS,
    "captured": _ROLE_NUMBERS,
    "promotion": _ROLE_NUMBERS,
    "castling": {"kingside": 0, "queenside": 1},
}


@dataclass(frozen=True, slots=True)
class Block:
    """Positions of some whole games: for each game its start position and the one after each ply, a row each.

    Attributes:
        games: their rows in the table games of the part.
        first: for each game the row of its start position.
        lengths: for each game its number of rows, one more than it has plies.
        starts: for each game its start position.
        first_ply_row: the row in the part of the first ply of each game.
        columns: `role`, `from_square`, `to_square`, `captured`, `promotion`, `castling` as numbers (`NONE` for null and for start
            positions), `en_passant`; `side`: 0 where White made the move, 1 for Black; `rook_from`: where a castling rook stood.
    """

    games: Numbers
    first: Numbers
    lengths: Numbers
    starts: list[chess.Board]
    first_ply_row: Numbers
    columns: Mapping[str, Numbers]

    def __getitem__(self, name: str) -> Numbers:
        return self.columns[name]

    @property
    def rows(self) -> int:
        return int(self.lengths.sum())

    def game_of(self, rows: Numbers) -> Numbers:
        """The place in this block of the game that each row belongs to."""
        return np.searchsorted(self.first, rows, side="right") - 1

    def only(self, places: Numbers) -> Block:
        """The games at some places of this block, as a block."""
        lengths = self.lengths[places]
        first = np.concatenate([[0], np.cumsum(lengths)])[:-1].astype(np.int64)
        rows = np.repeat(self.first[places] - first, lengths) + np.arange(lengths.sum())
        columns = {name: column[rows] for name, column in self.columns.items()}
        starts = [self.starts[place] for place in places]
        return Block(self.games[places], first, lengths, starts, self.first_ply_row[places], columns)

    def ply_of(self, rows: Numbers) -> Numbers:
        """The ply after which each position stands, 0 for a start position."""
        return rows - self.first[self.game_of(rows)]


@cache
def start_board(fen: str, rules: str) -> chess.Board:
    """A start position. The same object for the same text: do not change it."""
    return chess.Board(fen, chess960=rules == "chess960")


def searchable(games: pa.Table) -> Numbers:
    """For each row of a table of games whether its positions can be searched: by its rules, and from its start position."""
    import pyarrow as pa
    import pyarrow.compute as pc

    by_rules = pc.is_in(games["rules"], pa.array(RULES)).to_numpy().astype(bool)
    return np.asarray(by_rules & games["start_fen"].is_valid().to_numpy())


def blocks(
    plies: File, games: pa.Table, wanted: Numbers, *, most_plies: Numbers | None = None, block_rows: int = BLOCK_ROWS
) -> Iterator[Block]:
    """The positions of those games of a part that are `wanted` (a truth value for each row of `games`), in order.

    `games` has the columns legal_ply_count, start_fen and rules. Games that are not `searchable` are passed over. Of each game
    `most_plies` plies are looked at. Raises DatasetError where the plies are not those of the games.
    """
    written = games["legal_ply_count"].to_numpy().astype(np.int64)
    firsts = np.concatenate([[0], np.cumsum(written)])
    lengths = written if most_plies is None else np.minimum(written, most_plies)
    chosen = np.flatnonzero(wanted & searchable(games))
    if not len(chosen):
        return
    needed = np.zeros(firsts[-1] + 1, dtype=np.int8)
    np.add.at(needed, firsts[chosen], 1)
    np.add.at(needed, firsts[chosen] + lengths[chosen], -1)
    starts, rules = games["start_fen"].to_pylist(), games["rules"].to_pylist()
    chess960 = any(rules[game] == "chess960" for game in chosen)
    columns = _columns(plies, firsts, np.cumsum(needed[:-1], dtype=np.int8) > 0, chess960=chess960)
    bounds = np.cumsum(lengths[chosen] + 1)
    for part in np.split(chosen, np.searchsorted(bounds, np.arange(block_rows, bounds[-1], block_rows))):
        if len(part):
            boards = [start_board(starts[game], rules[game]) for game in part]
            yield _block(part, boards, firsts[part], lengths[part] + 1, columns)


def _block(
    games: Numbers, starts: list[chess.Board], first_ply_row: Numbers, lengths: Numbers, part: Mapping[str, Numbers]
) -> Block:
    first = np.concatenate([[0], np.cumsum(lengths)])[:-1]
    rows = int(lengths.sum())
    offset = np.repeat(first_ply_row - first - 1, lengths)
    place = offset + np.arange(rows)  # of the ply in the part; of a start position one before its first ply
    place[first] = 0
    columns = {name: column[place] if len(column) else np.full(rows, NONE, dtype=np.uint8) for name, column in part.items()}
    for name in _WORDS:
        columns[name][first] = NONE
    columns["en_passant"] = columns["en_passant"] == 1
    columns["en_passant"][first] = False
    _rooks(columns, np.repeat([board.chess960 for board in starts], lengths))
    black_begins = np.array([board.turn == chess.BLACK for board in starts])
    ply = np.arange(rows) - np.repeat(first, lengths)
    columns["side"] = (((ply - 1) & 1) ^ np.repeat(black_begins, lengths)).astype(np.uint8)
    return Block(games, first, lengths, starts, first_ply_row, columns)


def _rooks(columns: dict[str, Numbers], chess960: Numbers) -> None:
    """Where castling rooks stood: in the corner, but in Chess960 where the UCI form says."""
    rows = np.flatnonzero((columns["castling"] != NONE) & ~chess960)
    columns["rook_from"][rows] = (columns["to_square"][rows] & 56) | np.where(columns["castling"][rows] == 0, 7, 0)


def _columns(plies: File, firsts: Numbers, needed: Numbers, *, chess960: bool) -> dict[str, Numbers]:
    """The columns of a part as numbers; rows that are not `needed` have any."""
    columns = {name: np.full(len(needed), NONE, dtype=np.uint8) for name in (*_WORDS, "en_passant", "rook_from")}
    with parquet_file(plies, read_dictionary=[*_WORDS, "uci"]) as parquet:
        if parquet.metadata.num_rows != len(needed):
            raise DatasetError(f"The rows of {plies} are not those of its games; ingest again with --overwrite.")
        at = 0
        for group in range(parquet.num_row_groups):
            rows = slice(at, at + parquet.metadata.row_group(group).num_rows)
            at = rows.stop
            if not needed[rows].any():
                continue
            names = [*_WORDS, "en_passant", "ply", *(["uci"] if chess960 else [])]
            table = parquet.read_row_group(group, columns=names, use_threads=False)
            begins = firsts[:-1][(firsts[:-1] >= rows.start) & (firsts[:-1] < rows.stop) & (np.diff(firsts) > 0)]
            if (table["ply"].to_numpy()[begins - rows.start] != 1).any():
                raise DatasetError(f"The rows of {plies} do not stand in the order of play; ingest again with --overwrite.")
            for name, words in _WORDS.items():
                columns[name][rows] = _of_words(table[name], words)
            columns["en_passant"][rows] = table["en_passant"].to_numpy(zero_copy_only=False)
            if chess960:
                columns["rook_from"][rows] = _targets(table, columns["castling"][rows])
    return columns


def _of_words(column: pa.ChunkedArray, words: Mapping[str, int]) -> Numbers:
    found = [np.empty(0, dtype=np.uint8)]
    for chunk in column.chunks:
        numbers = np.array([*(words.get(word, NONE) for word in chunk.dictionary.to_pylist()), NONE], dtype=np.uint8)
        places = chunk.indices.fill_null(len(numbers) - 1) if chunk.null_count else chunk.indices
        found.append(numbers.take(places.to_numpy()))
    return np.concatenate(found)


def _targets(table: pa.Table, castling: Numbers) -> Numbers:
    """The second square of the UCI form of castling moves: in Chess960 that of the rook."""
    import pyarrow as pa

    found = np.full(table.num_rows, NONE, dtype=np.uint8)
    rows = np.flatnonzero(castling != NONE)
    found[rows] = [_SQUARE_NUMBERS[move[2:4]] for move in table["uci"].take(pa.array(rows)).to_pylist()]
    return found
