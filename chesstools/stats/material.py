"""Material through the game: balance, total, phase and queens by move number, and what a lead in material scores."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from chesstools.stats.blocks import Block, Games, Numbers
from chesstools.stats.counted import MOVES
from chesstools.stats.imbalances import IMBALANCES, Imbalances
from chesstools.stats.scores import SCORE_COLUMNS, SCORES
from chesstools.stats.states import Materials
from chesstools.stats.statistic import Column, Statistic
from chesstools.stats.tally import LAST_MOVE, RESULTS, add_up, grid

VALUES = np.array([1, 3, 3, 5, 9])
"""What pawns, knights, bishops, rooks and queens are worth, in pawns."""

PHASES = np.array([0, 1, 1, 2, 4])
"""What they weigh in the phase of a game: 24 in the usual array (tapered evaluation of Fruit and its successors)."""

LEADS = 9
"""Leads of this many pawns or more are counted together."""

SETTLED_PLIES = 4
"""A lead counts when it stands for so many plies: what is taken back at once, or after a move in between, was none."""


class Material:
    """Adds up material by move number: after move m means after 2m plies, so that both sides have moved as often.

    Tables: `material`, a row for each result and move number; `leads`, a row for each move number, lead and result;
    and those of `Imbalances`.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._materials = Materials(games)
        self._imbalances = Imbalances(games)
        shape = (4, LAST_MOVE + 2)
        self._sums = {name: np.zeros(shape) for name in ("games", "balance", "total", "men", "phase", "with_queens")}
        self._leads = np.zeros((2 * LEADS + 1, *shape))

    def add(self, block: Block) -> None:
        """Add the material of a block."""
        states = self._materials.states(block)
        result = self._games.result[block.games][states.place]
        white, black = (VALUES @ men for men in states.men)
        values = {
            "games": np.ones(len(result)),
            "balance": white - black,
            "total": white + black,
            "men": states.men.sum(axis=(0, 1)) + 2,
            "phase": np.minimum(PHASES @ states.men.sum(axis=0), 24),
            "with_queens": states.men[:, -1].all(axis=0),
        }
        settled = states.ends - states.begins >= SETTLED_PLIES
        lead = np.clip(white - black, -LEADS, LEADS) + LEADS
        # A state counts for all moves m with begins <= 2m < ends: what it adds at the first of them is taken off after the last.
        for sign, plies in ((1, states.begins), (-1, states.ends)):
            move = np.minimum((plies + 1) // 2, LAST_MOVE + 1)
            for name, value in values.items():
                add_up(self._sums[name], sign * value, result, move)
            add_up(self._leads, sign * settled, lead, result, move)
        self._imbalances.add(block, states, result)

    def tables(self) -> dict[str, pa.Table]:
        """What the material was."""
        moves = [str(move) for move in range(LAST_MOVE + 1)]
        result, move = grid(RESULTS, moves)
        sums = {name: _by_move(array) for name, array in self._sums.items()}
        material = {
            "nth": np.arange(len(move)) // (LAST_MOVE + 1),
            "result": result,
            "move": move.astype(np.int64),
            **{name: array.ravel() for name, array in sums.items()},
        }
        leads = [str(lead) for lead in range(-LEADS, LEADS + 1)]
        lead, result, move = grid(leads, RESULTS, moves)
        counts = {"lead": lead.astype(np.int64), "result": result, "move": move.astype(np.int64)}
        return {
            "material": pa.table(material),
            "leads": pa.table({**counts, "games": _by_move(self._leads).ravel()}),
            **self._imbalances.tables(),
        }


def _by_move(changes: Numbers) -> Numbers:
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
            "Mean phase of the game, from 1 at the start to 0 without pieces: knight and bishop count 1, rook 2, queen 4, of "
            "24 in the usual array, as engines weigh opening and endgame evaluations (chessprogramming.org/Tapered_Eval).",
        ),
        Column("queens_share", pa.float64(), "Share of the games in which both sides have a queen, 0 to 1."),
    ),
    query="""WITH every AS (
            FROM material UNION ALL SELECT 4, 'all', move, sum(games), sum(balance), sum(total), sum(men), sum(phase),
            sum(with_queens) FROM material GROUP BY move)
        SELECT result, move, games, balance / games AS balance, total / games AS total, men / games AS men,
            phase / games / 24 AS phase, with_queens / games AS queens_share, nth
        FROM every WHERE games > 0""",
    order="nth DESC, move",
    leaves_out=MOVES,
    walked=True,
)

SCORES_OF_LEADS = Statistic(
    name="material_scores",
    title="What a lead in material scores",
    meaning="One row for each fifth move that some game reached, from 5 to 100, and each lead of White after it: what White "
    f"scored in these games. Games in which the material stood for less than {SETTLED_PLIES} plies, in the middle of an "
    "exchange, do not count there. Material is counted as in material_by_move.",
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
            FROM leads WHERE move BETWEEN 5 AND 100 AND move % 5 = 0 GROUP BY move, lead)
        WHERE games > 0""",
    order="move, lead",
    leaves_out=MOVES,
    walked=True,
)

STATISTICS = (BY_MOVE, SCORES_OF_LEADS, IMBALANCES)
