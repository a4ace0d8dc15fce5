"""Survival: what becomes of each of the 32 men, told apart by the square on which it stands at the start."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from chesstools.engines import choose
from chesstools.stats.blocks import Block
from chesstools.stats.columns import Numbers
from chesstools.stats.counted import MOVES
from chesstools.stats.games import Games
from chesstools.stats.replay import ORIGINS, replay
from chesstools.stats.statistic import Column, Statistic
from chesstools.stats.tally import LAST_MOVE, count

_BACK = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
_MEN = (*(("white", role) for role in (*_BACK, *["pawn"] * 8)), *(("black", role) for role in (*["pawn"] * 8, *_BACK)))


class Survival:
    """Follows the men through the games that begin with the usual array.

    Tables: `men`, a row for each man; `men_by_move`, a row for each man and move number that a game reached; `men_taken`, a
    row for each man and each man of the other side.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._ended = np.zeros((4, LAST_MOVE + 1), dtype=np.int64)  # result, last move of the game
        self._lost = np.zeros((33, 4, LAST_MOVE + 1), dtype=np.int64)  # man, result, move on which it was taken
        self._left = np.zeros((33, LAST_MOVE + 1), dtype=np.int64)  # man, last move of a game in which it was taken
        self._takes = np.zeros((33, 33), dtype=np.int64)  # by which man which
        self._moves = np.zeros(33, dtype=np.int64)
        self._promotions = np.zeros(33, dtype=np.int64)

    def add(self, block: Block) -> None:
        """Follow the men of a block."""
        if choose() == "native":
            from chesstools._core import count_survival

            results, from_array = self._games.result[block.games], self._games.from_array[block.games].view(np.uint8)
            count_survival(block.native, results, from_array, list(self.sums().values()))
        else:
            self._add(block)

    def _add(self, block: Block) -> None:
        chosen = np.flatnonzero(self._games.from_array[block.games])
        result = self._games.result[block.games]
        last = _move(block.lengths)
        count(self._ended, result[chosen], last[chosen])
        found = replay(block, chosen)
        self._moves += np.bincount(found.mover, minlength=33)
        inside = np.zeros(len(result), dtype=bool)
        inside[chosen] = True
        place, ply = _of(block, block.captures, inside)
        at = found.at(place, ply)
        man = found.taken[at]
        count(self._lost, man, result[place], _move(ply))
        count(self._left, man, last[place])
        count(self._takes, found.mover[at], man)
        count(self._promotions, found.mover[found.at(*_of(block, block.promotions, inside))])

    def sums(self) -> dict[str, Numbers]:
        """What was counted."""
        own = {"ended": self._ended, "lost": self._lost, "left": self._left, "takes": self._takes}
        return own | {"moves": self._moves, "promotions": self._promotions}

    def tables(self) -> dict[str, pa.Table]:
        """What became of the men."""
        return {"men": self._men(), "men_by_move": self._men_by_move(), "men_taken": self._men_taken()}

    def _men(self) -> pa.Table:
        games = self._ended.sum(axis=1)  # by result
        lost = self._lost[:32].sum(axis=2)
        own = {  # by what became of the man's own side
            outcome: [(int(games[result]), int(lost[man, result])) for man, result in enumerate(results)]
            for outcome, results in (
                ("won", [0] * 16 + [2] * 16),
                ("drawn", [1] * 32),
                ("lost", [2] * 16 + [0] * 16),
            )
        }
        columns: dict[str, object] = {
            "man": range(32),
            **_names("", range(32)),
            "games": [int(games.sum())] * 32,
            "captured": lost.sum(axis=1),
            **{
                f"{outcome}_{word}": [pair[at] for pair in own[outcome]]
                for outcome in own
                for at, word in enumerate(("games", "captured"))
            },
            "median_capture_move": [_median(counts) for counts in self._lost[:32].sum(axis=1)],
            "median_life_moves": [_half(curve) for curve in self._curves()],
            "moves": self._moves[:32],
            "captures": self._takes[:32].sum(axis=1),
            "promotions": self._promotions[:32],
        }
        return pa.table(columns)

    def _men_by_move(self) -> pa.Table:
        reached = _from_there_on(self._ended.sum(axis=0))
        moves = np.flatnonzero(reached[1:]) + 1
        men = np.repeat(np.arange(32), len(moves))
        columns = {
            "man": men,
            **_names("", men),
            "move": np.tile(moves, 32),
            "games": np.tile(reached[moves], 32),
            "alive": self._alive()[:, moves].ravel(),
            "captured": self._lost[:32].sum(axis=1)[:, moves].ravel(),
            "survival": self._curves()[:, moves].ravel(),
        }
        return pa.table(columns)

    def _men_taken(self) -> pa.Table:
        pairs = [(taker, taken) for taker in range(32) for taken in range(32) if (taker < 16) != (taken < 16)]
        takers, taken = np.array(pairs).T
        return pa.table(
            {
                "man": takers,
                **_names("", takers),
                "captured_man": taken,
                **_names("captured_", taken),
                "captures": self._takes[takers, taken],
            }
        )

    def _alive(self) -> Numbers:
        """By man and move number: in how many games that reached the move he stood on the board before it."""
        lived = self._ended.sum(axis=0) - self._left[:32]  # by the last move of the games that he lived through
        return _from_there_on(lived + self._lost[:32].sum(axis=1))

    def _curves(self) -> Numbers:
        """By man and move number: the share that lives after the move, by Kaplan and Meier's product."""
        alive = self._alive()
        survived: Numbers = np.cumprod(1 - self._lost[:32].sum(axis=1) / np.maximum(alive, 1), axis=1)
        return survived


def _of(block: Block, rows: Numbers, inside: Numbers) -> tuple[Numbers, Numbers]:
    """Places and plies of rows, of the games that are inside."""
    place = block["place"][rows]
    if not inside.all():
        rows, place = rows[inside[place]], place[inside[place]]
    return place, block["ply"][rows]


def _move(plies: Numbers) -> Numbers:
    moves: Numbers = np.minimum((plies + 1) // 2, LAST_MOVE)
    return moves


def _from_there_on(counts: Numbers) -> Numbers:
    """Sums from each place to the end, along the last axis."""
    sums: Numbers = counts[..., ::-1].cumsum(axis=-1)[..., ::-1]
    return sums


def _median(counts: Numbers) -> float | None:
    """The median of the numbers 0, 1, 2, … of which there are so many each."""
    total = int(counts.sum())
    if not total:
        return None
    sums = np.cumsum(counts)
    return float(np.searchsorted(sums, (total + 1) // 2) + np.searchsorted(sums, total // 2 + 1)) / 2


def _half(curve: Numbers) -> int | None:
    below = np.flatnonzero(curve <= 0.5)
    return int(below[0]) if len(below) else None


def _names(prefix: str, men: Iterable[int]) -> dict[str, list[str]]:
    men = list(men)
    return {
        f"{prefix}side": [_MEN[man][0] for man in men],
        f"{prefix}role": [_MEN[man][1] for man in men],
        f"{prefix}square": [ORIGINS[man] for man in men],
    }


_MAN = (
    Column("side", pa.string(), "white or black: whose man it is."),
    Column("role", pa.string(), "What it is at the start; a pawn that was promoted remains the pawn that it was."),
    Column("square", pa.string(), "The square on which it stands at the start."),
)
_RULE = "Only games from the usual array count. A man of a game that ended lived through it."

MEN = Statistic(
    name="survival",
    title="What becomes of each of the 32 men",
    meaning=f"One row for each man. {_RULE}",
    columns=(
        *_MAN,
        Column("games", pa.int64(), "Games."),
        Column("captured", pa.int64(), "Games in which it was captured."),
        Column("survived", pa.int64(), "Games at whose end it stood on the board."),
        Column("survival", pa.float64(), "Share of these, 0 to 1; null for no games."),
        Column("survival_won", pa.float64(), "The same in games that its side won; null where there are none."),
        Column("survival_drawn", pa.float64(), "The same in drawn games."),
        Column("survival_lost", pa.float64(), "The same in games that its side lost."),
        Column(
            "median_capture_move",
            pa.float64(),
            f"Median number of the move on which it was captured, where it was; {LAST_MOVE} stands for all later ones; "
            "null where it never was.",
        ),
        Column(
            "median_life_moves",
            pa.int32(),
            "Number of the move after which only half of its kind would live if games had no end (the median of Kaplan and "
            "Meier's estimate, 1958: games that end before count as far as they go); null where more than half outlive the "
            "longest games.",
        ),
        Column("moves_per_game", pa.float64(), "Its moves per game, without the rook's part of castling; null for no games."),
        Column("captures_per_game", pa.float64(), "Men that it captured per game; null for no games."),
        Column("promotions", pa.int64(), "Games in which it was promoted."),
    ),
    query="""SELECT *, games - captured AS survived, 1 - captured / nullif(games, 0) AS survival,
            1 - won_captured / nullif(won_games, 0) AS survival_won, 1 - drawn_captured / nullif(drawn_games, 0) AS
            survival_drawn, 1 - lost_captured / nullif(lost_games, 0) AS survival_lost,
            moves / nullif(games, 0) AS moves_per_game, captures / nullif(games, 0) AS captures_per_game
        FROM men""",
    order="man",
    leaves_out=(*MOVES, "setup"),
    walked=("survival",),
)

BY_MOVE = Statistic(
    name="survival_by_move",
    title="How long each man lives",
    meaning=f"One row for each man and number of a move that some game reached. {_RULE} The last row, {LAST_MOVE}, holds all "
    f"later moves.",
    columns=(
        *_MAN,
        Column("move", pa.int32(), "Number of the move, from 1; both sides move once."),
        Column("games", pa.int64(), "Games that reached the move."),
        Column("alive", pa.int64(), "Of these, games in which the man stood on the board before it."),
        Column("captured", pa.int64(), "Of these, games in which it was captured on this move, by either side's ply."),
        Column(
            "survival",
            pa.float64(),
            "Share that lives on after the move if games had no end: Kaplan and Meier's product, 0 to 1.",
        ),
    ),
    query="FROM men_by_move",
    order="man, move",
    leaves_out=(*MOVES, "setup"),
    walked=("survival",),
)

BY_MAN = Statistic(
    name="captures_by_man",
    title="Which man captures which",
    meaning=f"One row for each man and each man of the other side. {_RULE}",
    columns=(
        *_MAN,
        Column("captured_role", pa.string(), "What the captured man is at the start."),
        Column("captured_square", pa.string(), "The square on which the captured man stands at the start."),
        Column("captures", pa.int64(), "Games in which the first man captured the second."),
        Column("share", pa.float64(), "Share of all games that count, 0 to 1; null for none."),
    ),
    query="SELECT *, captures / nullif({games}, 0) AS share FROM men_taken",
    order="man, captured_man",
    leaves_out=(*MOVES, "setup"),
    walked=("survival",),
)

STATISTICS = (MEN, BY_MOVE, BY_MAN)
