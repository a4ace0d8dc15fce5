"""Kings: where they go, on which wing and when they castle, and how far they walk."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from chesstools.stats.blocks import Block
from chesstools.stats.columns import NONE, ROLES, SIDES, SQUARES, WINGS, Numbers
from chesstools.stats.games import Games
from chesstools.stats.queens import StartQueens
from chesstools.stats.tally import count, grid

_KING = ROLES.index("king")
OUTCOMES = ("won", "drawn", "lost", "unknown")
"""What became of the side of a king."""

_ONE = np.uint64(1)


class Kings:
    """Follows both kings through each game.

    Tables: `kings`, a row for each game and side; `king_squares`, a row for each side and square.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        fields = [_field(fen) for fen in games.starts]
        self._homes = np.array([[field.index(king) for king in "Kk"] for field in fields])
        self._queens = StartQueens(games)
        self._outcomes = np.array([[0, 1, 2, 3], [2, 1, 0, 3]], dtype=np.uint8)  # by side and result
        self._kings: list[dict[str, Numbers]] = []
        self._arrivals = np.zeros((2, 64), dtype=np.int64)
        self._visits = np.zeros((2, 64), dtype=np.int64)
        self._ends = np.zeros((2, 64), dtype=np.int64)
        self._mated = np.zeros((2, 64), dtype=np.int64)

    def add(self, block: Block) -> None:
        """Follow the kings of a block."""
        moves = np.flatnonzero(block["role"] == _KING)
        place, to, side = block["place"][moves], block.target(moves), block["side"][moves]
        count(self._arrivals, side, to)
        queens = self._queens.follow(block)
        for mover in range(2):
            own = side == mover
            self._add_side(block, mover, moves[own], place[own], to[own], queens.gone(1 - mover))

    def _add_side(self, block: Block, side: int, rows: Numbers, place: Numbers, to: Numbers, gone: Numbers) -> None:
        start = self._games.start[block.games]
        home = self._homes[start, side]
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
        self._kings.append(
            {
                "game": block.games,
                "outcome": self._outcomes[side][self._games.result[block.games]],
                "side": np.full(len(home), side, dtype=np.uint8),
                "wing": wing,
                "castled": castled,
                "moves": np.bincount(place, minlength=len(home)).astype(np.int32),
                "squares": stood.sum(axis=1, dtype=np.int32),
                "rank": _farthest(visited, side),
                "rank_with_queen": _farthest(risked, side),
            }
        )
        count(self._ends[side], last)
        mated = block["place"][np.flatnonzero(block["mate"] & (block["side"] != side))]
        count(self._mated[side], last[mated])

    def tables(self) -> dict[str, pa.Table]:
        """Where the kings went."""
        columns = {name: np.concatenate([part[name] for part in self._kings]) for name in self._kings[0]} if self._kings else {}
        side, square = grid(SIDES, SQUARES)
        squares = {
            "side": side,
            "square": square,
            "arrivals": self._arrivals.ravel(),
            "visited": self._visits.ravel(),
            "last": self._ends.ravel(),
            "mated": self._mated.ravel(),
        }
        return {"kings": _kings_table(columns), "king_squares": pa.table(squares)}


_KINGS = pa.schema(
    [
        ("game", pa.int64()),
        ("outcome", pa.dictionary(pa.uint8(), pa.string())),
        ("side", pa.dictionary(pa.uint8(), pa.string())),
        ("wing", pa.dictionary(pa.uint8(), pa.string())),
        ("castled", pa.int32()),
        ("moves", pa.int32()),
        ("squares", pa.int32()),
        ("rank", pa.int32()),
        ("rank_with_queen", pa.int32()),
    ]
)


def _kings_table(columns: dict[str, Numbers]) -> pa.Table:
    if not columns:
        return _KINGS.empty_table()
    never = columns["wing"] == NONE
    arrays: dict[str, pa.Array] = {name: pa.array(column) for name, column in columns.items()}
    arrays["side"] = pa.DictionaryArray.from_arrays(columns["side"], SIDES)
    arrays["outcome"] = pa.DictionaryArray.from_arrays(columns["outcome"], OUTCOMES)
    arrays["wing"] = pa.DictionaryArray.from_arrays(pa.array(np.minimum(columns["wing"], 1), mask=never), WINGS)
    arrays["castled"] = pa.array(columns["castled"], mask=never)
    return pa.table([arrays[field.name] for field in _KINGS], schema=_KINGS)


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
