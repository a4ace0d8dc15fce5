"""Kings: where they go, on which wing and when they castle, and how far they walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from chesstools.engines import choose
from chesstools.stats.blocks import Block
from chesstools.stats.columns import NONE, ROLES, SIDES, SQUARES, WINGS, Numbers
from chesstools.stats.games import Games
from chesstools.stats.queens import StartQueens
from chesstools.stats.tally import count, grid

if TYPE_CHECKING:
    import duckdb

_KING = ROLES.index("king")
OUTCOMES = ("won", "drawn", "lost", "unknown")
"""What became of the side of a king."""

INSERT_ROWS = 200_000
"""Rows that the database is given at a time: for the few of a block each time takes longer than they do."""

_FOLLOWED = {
    "wing": np.uint8,
    "castled": np.int32,
    "moves": np.int32,
    "squares": np.uint8,
    "rank": np.uint8,
    "rank_with_queen": np.uint8,
}
"""Columns of what kings do, and the types of their numbers."""

_ONE = np.uint64(1)


class Kings:
    """Follows both kings through each game.

    Tables: `kings`, a row for each game and side; `king_squares`, a row for each side and square. The rows of `kings` go to the
    database as they come: it puts them on disk where memory does not hold them.
    """

    def __init__(self, games: Games, connection: duckdb.DuckDBPyConnection) -> None:
        self._games = games
        self._connection = connection
        connection.execute(_KINGS)
        self._waiting: list[pa.Table] = []
        fields = [_field(fen) for fen in games.starts]
        self._homes = np.array([[field.index(king) for king in "Kk"] for field in fields])
        self._queens = StartQueens(games)
        self._outcomes = np.array([[0, 1, 2, 3], [2, 1, 0, 3]], dtype=np.uint8)  # by side and result
        self._squares = np.zeros((4, 2, 64), dtype=np.int64)
        self._arrivals, self._visits, self._ends, self._mated = self._squares

    def add(self, block: Block) -> None:
        """Follow the kings of a block."""
        kings = self._followed_natively(block) if choose() == "native" else self._followed(block)
        outcomes = self._outcomes[:, self._games.result[block.games]]
        side = np.repeat(np.arange(2, dtype=np.uint8), len(block.games))
        self._waiting.append(pa.table({"game": np.tile(block.games, 2), "outcome": outcomes.ravel(), "side": side, **kings}))
        if sum(rows.num_rows for rows in self._waiting) >= INSERT_ROWS:
            self._insert()

    def _insert(self) -> None:
        """Give the database the rows that wait."""
        if self._waiting:
            self._connection.register("waiting_kings", pa.concat_tables(self._waiting))
            self._connection.execute("INSERT INTO king_rows BY NAME FROM waiting_kings")
            self._connection.unregister("waiting_kings")
            self._waiting = []

    def _followed_natively(self, block: Block) -> dict[str, Numbers]:
        from chesstools._core import follow_kings

        homes = self._homes[self._games.start[block.games]].T.astype(np.uint8)
        columns = follow_kings(block.native, homes, self._queens.of(block), self._squares)
        return {name: np.frombuffer(column, kind) for (name, kind), column in zip(_FOLLOWED.items(), columns, strict=True)}

    def _followed(self, block: Block) -> dict[str, Numbers]:
        """What the kings did, by the names of `_FOLLOWED`: first the white ones of all games, then the black ones."""
        moves = np.flatnonzero(block["role"] == _KING)
        place, to, side = block["place"][moves], block.target(moves), block["side"][moves]
        count(self._arrivals, side, to)
        queens = self._queens.follow(block)
        sides = []
        for mover in range(2):
            own = side == mover
            sides.append(self._follow_side(block, mover, moves[own], place[own], to[own], queens.gone(1 - mover)))
        return {name: np.concatenate([side[name] for side in sides]).astype(kind) for name, kind in _FOLLOWED.items()}

    def _follow_side(
        self, block: Block, side: int, rows: Numbers, place: Numbers, to: Numbers, gone: Numbers
    ) -> dict[str, Numbers]:
        home = self._homes[self._games.start[block.games], side]
        last = home.copy()
        last[place] = to  # of several, the last counts
        wing = np.full(len(home), NONE, dtype=np.uint8)
        castled = np.zeros(len(home), dtype=np.int32)
        castles = block["castling"][rows] != NONE
        wing[place[castles]] = block["castling"][rows[castles]]
        castled[place[castles]] = (block["ply"][rows[castles]] + 1) // 2
        visited = _visited(home, place, to)
        stood = np.unpackbits(visited.astype("<u8").view(np.uint8), bitorder="little").reshape(-1, 64)
        self._visits[side] += stood.sum(axis=0, dtype=np.int64)
        with_queen = block["ply"][rows] < gone[place]
        risked = _visited(home, place[with_queen], to[with_queen])
        count(self._ends[side], last)
        mated = block["place"][np.flatnonzero(block["mate"] & (block["side"] != side))]
        count(self._mated[side], last[mated])
        return {
            "wing": wing,
            "castled": castled,
            "moves": np.bincount(place, minlength=len(home)),
            "squares": stood.sum(axis=1),
            "rank": _farthest(visited, side),
            "rank_with_queen": _farthest(risked, side),
        }

    def sums(self) -> dict[str, Numbers]:
        """What was counted by square; statistics of single kings have partial tables of their own."""
        return {"arrivals": self._arrivals, "visits": self._visits, "ends": self._ends, "mated": self._mated}

    def tables(self) -> dict[str, pa.Table]:
        """Where the kings went, square by square; what each did is in the database then."""
        self._insert()
        side, square = grid(SIDES, SQUARES)
        squares = {
            "side": side,
            "square": square,
            "arrivals": self._arrivals.ravel(),
            "visited": self._visits.ravel(),
            "last": self._ends.ravel(),
            "mated": self._mated.ravel(),
        }
        return {"king_squares": pa.table(squares)}


_KINGS = f"""
CREATE TABLE king_rows (
    game UINTEGER,
    outcome UTINYINT,
    side UTINYINT,
    wing UTINYINT,
    castled INTEGER,
    moves INTEGER,
    squares UTINYINT,
    rank UTINYINT,
    rank_with_queen UTINYINT
);
CREATE VIEW kings AS SELECT * REPLACE (
    {list(OUTCOMES)}[outcome + 1] AS outcome, {list(SIDES)}[side + 1] AS side, {list(WINGS)}[wing::INTEGER + 1] AS wing,
    nullif(castled, 0) AS castled
) FROM king_rows
"""
"""20 bytes for each king: numbers for words while they are kept, words where they are asked for; null for one that did not
castle, which stands behind the wings."""


def _field(fen: str) -> str:
    """The pieces of a FEN, square by square from a1 to h8.

    >>> _field("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")[:9]
    'RNBQKBNRP'
    """
    ranks = fen.split(" ")[0].split("/")
    return "".join("".join(" " * int(sign) if sign.isdigit() else sign for sign in rank) for rank in reversed(ranks))


def _visited(home: Numbers, place: Numbers, to: Numbers) -> Numbers:
    """For each game the squares on which a king stood, as bits: its home, and where its moves went (by game)."""
    visited: Numbers = _ONE << home.astype(np.uint64)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    if len(starts):
        visited[place[starts]] |= np.bitwise_or.reduceat(_ONE << to.astype(np.uint64), starts)
    return visited


def _farthest(visited: Numbers, side: int) -> Numbers:
    """The farthest of the ranks visited, from 1 at the side's own edge of the board."""
    farthest = np.zeros(len(visited), dtype=np.int32)
    for rank in range(8):
        bits = np.uint64(0xFF << 8 * (rank if side == 0 else 7 - rank))
        farthest[visited & bits != 0] = rank + 1
    return farthest
