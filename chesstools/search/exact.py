"""Searching for one position: by the column position_key, and then on the board, because equal keys prove nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess
import numpy as np

from chesstools.fen import sameness
from chesstools.fen.rows import key_rows
from chesstools.parquet_file import parquet_file
from chesstools.reference.position_key import position_key
from chesstools.search.block import Numbers
from chesstools.search.boards import Boards
from chesstools.search.fens import same

if TYPE_CHECKING:
    import pyarrow as pa

    from chesstools.folder import File


@dataclass(frozen=True, slots=True)
class Exact:
    """The positions that are looked for, by their keys."""

    positions: dict[int, chess.Board]

    def rows_of(self, plies: File) -> Numbers:
        """The rows of a part of plies that have one of the keys."""
        found = []
        at = 0
        with parquet_file(plies) as parquet:
            for group in range(parquet.num_row_groups):
                column = parquet.read_row_group(group, columns=["position_key"], use_threads=False)["position_key"]
                keys = column.fill_null(0).to_numpy() if column.null_count else column.to_numpy()
                holds = np.zeros(len(keys), dtype=bool)
                for wanted in self.positions:
                    holds |= keys == np.uint64(wanted)
                found.append(np.flatnonzero(holds) + at)
                at += len(keys)
        return np.concatenate([np.empty(0, dtype=np.int64), *found])

    def starts_of(self, games: pa.Table) -> Numbers:
        """The rows of games whose start position has one of the keys."""
        import pyarrow as pa
        import pyarrow.compute as pc

        known = games["start_fen"].unique().drop_null()
        keys = key_rows(known.cast(pa.string())).column("position_key")
        wanted = known.filter(pc.is_in(keys, pa.array(self.positions, pa.uint64())))
        return np.flatnonzero(pc.is_in(games["start_fen"], wanted).to_numpy())

    def holds(self, boards: Boards, rows: Numbers) -> Numbers:
        """Whether the positions at rows of a block are what is looked for, and do not only have the same key."""
        holds = np.zeros(len(rows), dtype=bool)
        for position in self.positions.values():
            holds |= same(boards, rows, position)
        return holds


def exact_of(fen: str, *, either_color: bool, either_wing: bool) -> Exact:
    """A search for a position and, if they are as good, its mirror images. Raises OptionError where it cannot be played from."""
    text = sameness(fen)
    usual, other = (chess.Board(f"{text} 0 1", chess960=chess960) for chess960 in (False, True))
    # Castling rights that mean nothing to standard chess are those of Chess960.
    boards = [usual if usual.castling_xfen() == other.castling_xfen() else other]
    if either_color:
        boards += [board.mirror() for board in boards]
    if either_wing:
        boards += [board.transform(chess.flip_horizontal) for board in boards]
    return Exact({position_key(board): board for board in boards})
