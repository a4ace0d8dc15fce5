"""Material through the game: balance, total, phase and queens by move number, and what a lead in material scores."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from chesstools.engines import choose
from chesstools.stats.blocks import Block
from chesstools.stats.columns import Numbers
from chesstools.stats.counted import MOVES
from chesstools.stats.games import Games
from chesstools.stats.imbalances import IMBALANCES, Imbalances
from chesstools.stats.queens import StartQueens
from chesstools.stats.scores import SCORE_COLUMNS, SCORES
from chesstools.stats.states import CHANGE, KINDS, Starts, States, changes, states
from chesstools.stats.statistic import Column, Statistic
from chesstools.stats.tally import LAST_MOVE, RESULTS, add_up, count, grid

LEADS = 9
"""Leads of this many pawns or more are counted together."""

_LINEAR = ("lead", "total", "men", "phase")
"""Values whose sums are worked out from how often material changed in each way."""

STEP = 5
LAST_STEP = 20
"""What leads score is told after every fifth move, up to the hundredth."""

SETTLED_PLIES = 4
"""A lead counts when it stands for so many plies: what is taken back at once, or after a move in between, was none."""


class Material:
    """Adds up material by move number: after move m means after 2m plies, so that both sides have moved as often.

    Tables: `material`, a row for each result and move number; `leads`, a row for each fifth move number, lead and result;
    and those of `Imbalances`.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._starts = Starts(games)
        self._queens = StartQueens(games)
        self._imbalances = Imbalances()
        # What changes by result and move; the sums up to a move are what there is after it.
        names = ("games", *_LINEAR, "with_queens")
        self._changes = {name: np.zeros((4, LAST_MOVE + 2)) for name in names}
        # How often material changed in each way, and how often it had in games when they ended.
        self._kinds, self._ended = (np.zeros((4, LAST_MOVE + 2, KINDS), dtype=np.int64) for _ in range(2))
        self._begun, self._over = (np.zeros((2 * LEADS + 1, 4, LAST_STEP + 2), dtype=np.int64) for _ in range(2))

    def add(self, block: Block) -> None:
        """Add the material of a block."""
        result = self._games.result[block.games]
        end = _move(block.lengths + 1)  # the first move that the game did not reach
        zero = np.zeros(len(end), dtype=np.int64)
        add_up(self._changes["games"], np.ones(len(end)), result, zero)
        add_up(self._changes["games"], np.full(len(end), -1), result, end)
        for name in _LINEAR:
            start = self._starts.of(name, block)
            add_up(self._changes[name], start, result, zero)
            add_up(self._changes[name], -start, result, end)
        if choose() == "native":
            self._add_natively(block, result)
        else:
            self._add_changes(block, result, zero, end)

    def _add_natively(self, block: Block, result: Numbers) -> None:
        from chesstools._core import count_material

        starts = [*(self._starts.of(name, block) for name in ("lead", "surplus")), *self._queens.of(block)]
        arrays = [self._kinds, self._ended, self._begun, self._over]
        changes = [CHANGE["lead"], CHANGE["surplus"]]
        kinds, counts = count_material(block.native, result, starts, changes, arrays, self._changes["with_queens"])
        self._imbalances.put(np.frombuffer(kinds, np.int64), np.frombuffer(counts, np.int64))

    def _add_changes(self, block: Block, result: Numbers, zero: Numbers, end: Numbers) -> None:
        found = changes(block)
        own = result[found.place]
        count(self._kinds, own, _move(found.ply), found.kind)
        count(self._ended, own, end[found.place], found.kind)
        stood = states(block, found, self._starts)
        self._add_leads(stood, result)
        self._imbalances.add(stood, result)
        queens = self._queens.follow(block)
        start, last, changed = queens.both()
        add_up(self._changes["with_queens"], changed, result[queens.place], _move(queens.ply))
        add_up(self._changes["with_queens"], start, result, zero)
        add_up(self._changes["with_queens"], -last, result, end)

    def _add_leads(self, stood: States, result: Numbers) -> None:
        # A state stands after the moves m with begins <= 2m < ends, of which every `STEP`-th is looked at.
        first, after = ((plies + 2 * STEP - 1) // (2 * STEP) for plies in (stood.begins, stood.ends))
        seen = np.flatnonzero((first < after) & (stood.ends - stood.begins >= SETTLED_PLIES) & (first <= LAST_STEP))
        lead = np.clip(stood.lead[seen], -LEADS, LEADS) + LEADS
        own = result[stood.place[seen]]
        count(self._begun, lead, own, first[seen])
        count(self._over, lead, own, np.minimum(after[seen], LAST_STEP + 1))

    def sums(self) -> dict[str, Numbers]:
        """What was added up; `imbalances` has a partial table of its own."""
        own: dict[str, Numbers] = {"kinds": self._kinds, "ended": self._ended, "begun": self._begun, "over": self._over}
        own |= {f"changes.{name}": array for name, array in self._changes.items()}
        return own

    def tables(self) -> dict[str, pa.Table]:
        """What the material was."""
        moves = [str(move) for move in range(LAST_MOVE + 1)]
        result, move = grid(RESULTS, moves)
        changes = {name: (self._kinds - self._ended) @ CHANGE[name] for name in _LINEAR}
        sums = {name: _sums(array + changes.get(name, 0)).ravel() for name, array in self._changes.items()}
        sums["balance"] = sums.pop("lead")
        material = {"nth": np.arange(len(move)) // len(moves), "result": result, "move": move.astype(np.int64), **sums}
        leads = [str(lead) for lead in range(-LEADS, LEADS + 1)]
        lead, result, move = grid(leads, RESULTS, [str(step * STEP) for step in range(LAST_STEP + 1)])
        counts = {"lead": lead.astype(np.int64), "result": result, "move": move.astype(np.int64)}
        return {
            "material": pa.table(material),
            "leads": pa.table({**counts, "games": _sums(self._begun - self._over).ravel()}),
            **self._imbalances.tables(),
        }


def _move(plies: Numbers) -> Numbers:
    """The first move after which so many plies have been played."""
    moves: Numbers = np.minimum((plies + 1) // 2, LAST_MOVE + 1)
    return moves


def _sums(changes: Numbers) -> Numbers:
    sums: Numbers = np.rint(changes[..., :-1].cumsum(axis=-1)).astype(np.int64)
    return sums


BY_MOVE = Statistic(
    name="material_by_move",
    title="Material balance through the game",
    meaning="One row for each result and number of a move that some of these games reached; the number m stands for the "
    f"position after 2m plies, 0 for the start, up to {LAST_MOVE}. Material is counted in pawns: knight and bishop 3, rook 5, "
    "queen 9. In the middle of an exchange one side is ahead for a moment, so single numbers mean less than how they change. "
    "Games that ended before do not count.",
    columns=(
        Column("result", pa.string(), "Of which games: 1-0, 1/2-1/2, 0-1, * (no result), or all."),
        Column("move", pa.int32(), "Number of moves that both sides have made."),
        Column("games", pa.int64(), "Games that lasted so long."),
        Column("balance", pa.float64(), "Mean of White's material less Black's, in pawns."),
        Column("total", pa.float64(), "Mean material of both sides, in pawns; 78 in the usual array."),
        Column("men", pa.float64(), "Mean number of men on the board, kings among them."),
        Column(
            "phase",
            pa.float64(),
            "Mean phase of the game, from 1 at the start to 0 without pieces (more than 1 with more pieces than at the start): "
            "knight and bishop count 1, rook 2, queen 4, of 24 in the usual array, as engines weigh opening and endgame "
            "evaluations (chessprogramming.org/Tapered_Eval).",
        ),
        Column("queens_share", pa.float64(), "Share of the games in which both sides have a queen, 0 to 1."),
    ),
    query="""WITH every AS (
            FROM material UNION ALL BY NAME SELECT 4 AS nth, 'all' AS result, move, sum(games) AS games, sum(balance) AS balance,
                sum(total) AS total, sum(men) AS men, sum(phase) AS phase, sum(with_queens) AS with_queens
            FROM material GROUP BY move)
        SELECT result, move, games, balance / games AS balance, total / games AS total, men / games AS men,
            phase / games / 24 AS phase, with_queens / games AS queens_share, nth
        FROM every WHERE games > 0""",
    order="nth DESC, move",
    leaves_out=MOVES,
    walked=("material",),
)

SCORES_OF_LEADS = Statistic(
    name="material_scores",
    title="What a lead in material scores",
    meaning=f"One row for each fifth move that some game reached, from {STEP} to {STEP * LAST_STEP}, and each lead of White "
    f"after it: what White scored in these games. Games in which the material stood for less than {SETTLED_PLIES} plies, in "
    "the middle of an exchange, do not count there. Material is counted as in material_by_move.",
    columns=(
        Column("move", pa.int32(), "Number of moves that both sides have made."),
        Column(
            "lead", pa.int8(), f"White's material less Black's, in pawns; {LEADS} and {-LEADS} stand for all larger ones too."
        ),
        Column("games", pa.int64(), "Games in which the material was so after the move."),
        *SCORE_COLUMNS,
    ),
    query=f"""SELECT move, lead, games, {SCORES} FROM (
            SELECT move, lead, sum(games) AS games, sum(games) FILTER (result = '1-0') AS won,
                sum(games) FILTER (result = '1/2-1/2') AS drawn, sum(games) FILTER (result = '0-1') AS lost
            FROM leads WHERE move > 0 GROUP BY move, lead)
        WHERE games > 0""",
    order="move, lead",
    leaves_out=MOVES,
    walked=("material",),
)

STATISTICS = (BY_MOVE, SCORES_OF_LEADS, IMBALANCES)
