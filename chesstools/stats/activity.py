"""Activity: what each piece does where. Moves, captures, checks and mates by piece and square; captures by piece; promotions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from chesstools.engines import choose
from chesstools.stats.blocks import Block
from chesstools.stats.columns import NONE, ROLES, SIDES, SQUARES, Numbers
from chesstools.stats.counted import MOVES
from chesstools.stats.statistic import Column, Statistic
from chesstools.stats.tally import count, grid

_TAKEN = ROLES[:5]
_PROMOTED = ROLES[1:5]


class Activity:
    """Counts moves by side, role and squares.

    Tables: `moved` (a row for each side, role and square), `taken` (each side, capturing and captured role), `promoted`.
    """

    def __init__(self) -> None:
        self._moves = np.zeros((2, 6, 64 * 64), dtype=np.int64)
        self._captures = np.zeros((2, 6, 6, 64), dtype=np.int64)
        self._en_passant = np.zeros((2, 64), dtype=np.int64)
        self._checks = np.zeros((2, 6, 64), dtype=np.int64)
        self._mates = np.zeros((2, 6, 64), dtype=np.int64)
        self._promotions = np.zeros((2, 6, 2, 2, 2), dtype=np.int64)

    def add(self, block: Block) -> None:
        """Count the moves of a block."""
        if choose() == "native":
            from chesstools._core import count_activity

            count_activity(block.native, list(self.sums().values()))
        else:
            self._add(block)

    def _add(self, block: Block) -> None:
        side, role = block["side"], block["role"]
        moved = role != NONE if (role == NONE).any() else slice(None)
        count(self._moves, side[moved], role[moved], block["move"][moved] & 0xFFF)
        captures = block.captures
        count(self._captures, side[captures], role[captures], block["captured"][captures], block.target(captures))
        passing = np.flatnonzero(block["en_passant"])
        count(self._en_passant, side[passing], block.target(passing))
        checks = np.flatnonzero(block["check"] & (role != NONE))
        count(self._checks, side[checks], role[checks], block.target(checks))
        mates = np.flatnonzero(block["mate"] & (role != NONE))
        count(self._mates, side[mates], role[mates], block.target(mates))
        promotions = block.promotions
        promoted = block.promoted(promotions)
        taking = (block["captured"][promotions] != NONE).astype(np.uint8)
        check, mate = (block[name][promotions].astype(np.uint8) for name in ("check", "mate"))
        count(self._promotions, side[promotions], promoted, taking, check, mate)

    def sums(self) -> dict[str, Numbers]:
        """What was counted."""
        own = {"moves": self._moves, "captures": self._captures, "en_passant": self._en_passant}
        return own | {"checks": self._checks, "mates": self._mates, "promotions": self._promotions}

    def tables(self) -> dict[str, pa.Table]:
        """The moves, by side and role."""
        lost = self._captures.sum(axis=1)[::-1].copy()  # by the side and role of the man that is lost
        for mover in range(2):  # en passant the man stands on another square than the capture ends on
            back = np.roll(self._en_passant[mover], -8 if mover == 0 else 8)
            lost[1 - mover, 0] += back - self._en_passant[mover]
        moves = self._moves.reshape(2, 6, 64, 64)  # by target and start
        moved = {
            **_named(SIDES, ROLES, square=SQUARES),
            "departures": moves.sum(axis=2).ravel(),
            "arrivals": moves.sum(axis=3).ravel(),
            "captures": self._captures.sum(axis=2).ravel(),
            "captured": lost.ravel(),
            "checks": self._checks.ravel(),
            "mates": self._mates.ravel(),
        }
        passing = np.zeros((2, 6, len(_TAKEN)), dtype=np.int64)
        passing[:, 0, 0] = self._en_passant.sum(axis=1)
        taken = {
            **_named(SIDES, ROLES, captured=_TAKEN),
            "captures": self._captures.sum(axis=3)[:, :, : len(_TAKEN)].ravel(),
            "en_passant": passing.ravel(),
        }
        promotions = self._promotions[:, 1:5]
        promoted = {
            **_named(SIDES, _PROMOTED),
            "promotions": promotions.sum(axis=(2, 3, 4)).ravel(),
            "capturing": promotions[:, :, 1].sum(axis=(2, 3)).ravel(),
            "checks": promotions[:, :, :, 1].sum(axis=(2, 3)).ravel(),
            "mates": promotions[..., 1].sum(axis=(2, 3)).ravel(),
        }
        return {"moved": pa.table(moved), "taken": pa.table(taken), "promoted": pa.table(promoted)}


def _named(sides: Sequence[str], roles: Sequence[str], **third: Sequence[str]) -> dict[str, Numbers]:
    columns = dict(zip(("side", "role", *third), grid(sides, roles, *third.values()), strict=True))
    return {"nth": np.arange(len(columns["side"])), **columns}


_SIDE = Column("side", pa.string(), "white or black: whose man it is.")
_ROLE = Column("role", pa.string(), "What it is: pawn, knight, bishop, rook, queen, king.")
_RULE = (
    "Castling is a move of the king to its target; the rook is not counted. A check or mate is counted for the man that moved "
    "and the square it went to, also where another man gives it. Null moves are not counted."
)

PIECES = Statistic(
    name="piece_activity",
    title="Moves, captures, checks and mates of each piece",
    meaning=f"One row for each side and role. {_RULE}",
    columns=(
        _SIDE,
        _ROLE,
        Column("moves", pa.int64(), "Moves."),
        Column("move_share", pa.float64(), "Share of the side's moves, 0 to 1; null where it made none."),
        Column("moves_per_game", pa.float64(), "Moves per game that counts; null for no games."),
        Column("captures", pa.int64(), "Moves that capture."),
        Column("capture_share", pa.float64(), "Share of its moves that capture, 0 to 1; null where it made none."),
        Column("captured", pa.int64(), "Men of this side and role that were captured."),
        Column("checks", pa.int64(), "Moves that give check, mates among them."),
        Column("check_share", pa.float64(), "Share of its moves that give check, 0 to 1; null where it made none."),
        Column("mates", pa.int64(), "Moves that give mate."),
    ),
    query="""SELECT side, role, moves, moves / nullif(sum(moves) OVER (PARTITION BY side), 0) AS move_share,
            moves / nullif({games}, 0) AS moves_per_game,
            captures, captures / nullif(moves, 0) AS capture_share, captured,
            checks, checks / nullif(moves, 0) AS check_share, mates, nth
        FROM (SELECT side, role, min(nth) AS nth, sum(arrivals)::BIGINT AS moves, sum(captures) AS captures, sum(captured) AS
            captured, sum(checks) AS checks, sum(mates) AS mates FROM moved GROUP BY side, role)""",
    order="nth",
    leaves_out=MOVES,
    walked=("activity",),
)

SQUARES_OF_PIECES = Statistic(
    name="piece_squares",
    title="Heat maps: what each piece does on each square",
    meaning=f"One row for each side, role and square, {2 * 6 * 64} in all. {_RULE}",
    columns=(
        _SIDE,
        _ROLE,
        Column("square", pa.string(), "The square, a1 to h8."),
        Column("departures", pa.int64(), "Moves from the square."),
        Column("arrivals", pa.int64(), "Moves to the square."),
        Column("arrival_share", pa.float64(), "Share of all moves of this side and role, 0 to 1; null where it made none."),
        Column("captures", pa.int64(), "Captures that end on the square."),
        Column("captured", pa.int64(), "Men of this side and role that stood on the square when they were captured."),
        Column("checks", pa.int64(), "Moves to the square that give check, mates among them."),
        Column("mates", pa.int64(), "Moves to the square that give mate."),
    ),
    query="SELECT *, arrivals / nullif(sum(arrivals) OVER (PARTITION BY side, role), 0) AS arrival_share FROM moved",
    order="nth",
    leaves_out=MOVES,
    walked=("activity",),
)

SQUARES_OF_ALL = Statistic(
    name="square_activity",
    title="What happens on each square",
    meaning=f"One row for each square: piece_squares, added up. {_RULE}",
    columns=(
        Column("square", pa.string(), "The square, a1 to h8."),
        Column("file", pa.string(), "Its file, a to h."),
        Column("rank", pa.int8(), "Its rank, 1 to 8."),
        Column("departures", pa.int64(), "Moves from the square."),
        Column("arrivals", pa.int64(), "Moves to the square."),
        Column("arrival_share", pa.float64(), "Share of all moves, 0 to 1; null where there are none."),
        Column("white_arrivals", pa.int64(), "Moves of White to the square."),
        Column("black_arrivals", pa.int64(), "Moves of Black to the square."),
        Column("captures", pa.int64(), "Captures that end on the square."),
        Column(
            "captured", pa.int64(), "Men that stood on the square when they were captured; en passant on another than captures."
        ),
        Column("checks", pa.int64(), "Moves to the square that give check, mates among them."),
        Column("mates", pa.int64(), "Moves to the square that give mate."),
    ),
    query="""SELECT square, square[1] AS file, square[2]::TINYINT AS rank,
            sum(departures) AS departures, sum(arrivals) AS arrivals,
            sum(arrivals) / nullif(sum(sum(arrivals)) OVER (), 0) AS arrival_share,
            sum(arrivals) FILTER (side = 'white') AS white_arrivals, sum(arrivals) FILTER (side = 'black') AS black_arrivals,
            sum(captures) AS captures, sum(captured) AS captured, sum(checks) AS checks, sum(mates) AS mates
        FROM moved GROUP BY square""",
    order="rank, file",
    leaves_out=MOVES,
    walked=("activity",),
)

CAPTURES = Statistic(
    name="captures",
    title="What captures what",
    meaning="One row for each side, capturing and captured role. A promoted man counts as what it was promoted to.",
    columns=(
        Column("side", pa.string(), "white or black: who captures."),
        Column("role", pa.string(), "What captures; a pawn that promotes while it captures is a pawn."),
        Column("captured", pa.string(), "What is captured."),
        Column("captures", pa.int64(), "Captures, those en passant among them."),
        Column("share", pa.float64(), "Share of the side's captures, 0 to 1; null where it made none."),
        Column("per_game", pa.float64(), "Captures per game that counts; null for no games."),
        Column("en_passant", pa.int64(), "Captures en passant."),
    ),
    query="""SELECT *, captures / nullif(sum(captures) OVER (PARTITION BY side), 0) AS share,
            captures / nullif({games}, 0) AS per_game
        FROM taken""",
    order="nth",
    leaves_out=MOVES,
    walked=("activity",),
)

PROMOTIONS = Statistic(
    name="promotions",
    title="What pawns are promoted to",
    meaning="One row for each side and role.",
    columns=(
        Column("side", pa.string(), "white or black: who promotes."),
        Column("role", pa.string(), "What the pawn becomes."),
        Column("promotions", pa.int64(), "Promotions."),
        Column("share", pa.float64(), "Share of the side's promotions, 0 to 1; null where it made none."),
        Column("per_game", pa.float64(), "Promotions per game that counts; null for no games."),
        Column("capturing", pa.int64(), "Promotions with a capture."),
        Column("checks", pa.int64(), "Promotions that give check, mates among them."),
        Column("mates", pa.int64(), "Promotions that give mate."),
    ),
    query="""SELECT *, promotions / nullif(sum(promotions) OVER (PARTITION BY side), 0) AS share,
            promotions / nullif({games}, 0) AS per_game
        FROM promoted""",
    order="nth",
    leaves_out=MOVES,
    walked=("activity",),
)

STATISTICS = (PIECES, SQUARES_OF_ALL, SQUARES_OF_PIECES, CAPTURES, PROMOTIONS)
