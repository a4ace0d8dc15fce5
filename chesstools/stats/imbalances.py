"""Imbalances of pieces: what stood against what when all that both sides have is left away, as R v BN."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pyarrow as pa

from chesstools.stats.blocks import Block, Games, Numbers
from chesstools.stats.counted import MOVES
from chesstools.stats.scores import SCORE_COLUMNS, SCORES
from chesstools.stats.states import States
from chesstools.stats.statistic import Column, Statistic

STANDS_PLIES = 6
"""An imbalance counts when it stood for so many plies: in the middle of an exchange it stands for one or two."""

_LETTERS = "QRBN"
_WORTH = np.array([9, 5, 3, 3])
_BASE = 64
"""Differences of -31 to 31 are digits in this base."""


class Imbalances:
    """Counts games by the imbalances that arose in them; each once in a game, however often it arose."""

    def __init__(self, games: Games) -> None:
        self._counts: defaultdict[int, Numbers] = defaultdict(lambda: np.zeros(6, dtype=np.int64))

    def add(self, block: Block, states: States, result: Numbers) -> None:
        """Count the imbalances of a block; `result` is that of the game of each state."""
        stood = np.flatnonzero((states.begins > 0) & (states.ends - states.begins >= STANDS_PLIES))
        men = states.men[:, :, stood].astype(np.int64)
        excess = (men[0] - men[1])[:0:-1]  # queens, rooks, bishops, knights; pawns stay outside
        digits = _BASE ** np.arange(3, -1, -1) @ excess
        # The side whose surplus is worth more comes first; of equal ones, that with the greater single piece.
        sign = np.sign(_WORTH @ excess * _BASE**4 + digits)
        unequal = np.flatnonzero(sign)
        stood, sign, kind = stood[unequal], sign[unequal], (digits * sign)[unequal]
        pawns = sign * (men[0, 0] - men[1, 0])[unequal]
        _, first = np.unique(states.place[stood] * _BASE**5 + kind, return_index=True)  # once in a game: where it stood first
        kinds, which = np.unique(kind[first], return_inverse=True)
        own = np.where(sign[first] > 0, result[stood[first]], 2 - result[stood[first]].astype(np.int64))
        known = result[stood[first]] < 3
        columns = (
            np.ones(len(first)),
            known & (own == 0),
            known & (own == 1),
            known & (own == 2),
            sign[first] > 0,
            pawns[first],
        )
        counts = np.stack([np.bincount(which, weights=column, minlength=len(kinds)) for column in columns], axis=1)
        for name, row in zip(kinds.tolist(), counts.astype(np.int64), strict=True):
            self._counts[name] += row

    def tables(self) -> dict[str, pa.Table]:
        """The table `imbalances`: a row for each pair of surpluses."""
        kinds = sorted(self._counts)
        counts = np.array([self._counts[kind] for kind in kinds], dtype=np.int64).reshape(-1, 6)
        names = [_names(kind) for kind in kinds]
        columns = {"more": [more for more, _ in names], "less": [less for _, less in names]}
        columns |= dict(zip(("games", "won", "drawn", "lost", "white", "pawns"), counts.T, strict=True))
        schema = pa.schema([(name, pa.string() if name in ("more", "less") else pa.int64()) for name in columns])
        return {"imbalances": pa.table(columns, schema=schema)}


def _names(kind: int) -> tuple[str, str]:
    """The surplus of the side that comes first, and that of the other.

    >>> _names(64**2 - 64 - 1)
    ('R', 'BN')
    """
    excess = []
    for _ in _LETTERS:
        digit = (kind + _BASE // 2) % _BASE - _BASE // 2
        excess.append(digit)
        kind = (kind - digit) // _BASE
    pairs = list(zip(_LETTERS, reversed(excess), strict=True))
    return "".join(letter * max(0, number) for letter, number in pairs), "".join(
        letter * max(0, -number) for letter, number in pairs
    )


IMBALANCES = Statistic(
    name="imbalances",
    title="Imbalances of pieces, and what they score",
    meaning=f"One row for each imbalance that arose in a game and stood for {STANDS_PLIES} plies or more: the pieces that one "
    "side has more and those that the other side has more, as R v BN; what both have, and pawns, are left away. The side whose "
    "surplus is worth more (knight and bishop 3, rook 5, queen 9) comes first; of equal ones, that with the greatest piece, "
    "queen before rook before bishop before knight. A game counts once for each imbalance that arose in it. Imbalances of the "
    "start position do not count.",
    columns=(
        Column("more", pa.string(), "Pieces that the first side has more, as letters Q, R, B, N."),
        Column("less", pa.string(), "Pieces that the other side has more; empty where it has none."),
        Column("games", pa.int64(), "Games."),
        *SCORE_COLUMNS,
        Column("white", pa.int64(), "Of these, games in which White was the first side (when it arose first)."),
        Column("pawns", pa.float64(), "Mean of the first side's pawns less the other's when it arose first."),
    ),
    query=f"SELECT more, less, games, {SCORES}, white, pawns / games AS pawns FROM imbalances",
    order="games DESC, more, less",
    leaves_out=MOVES,
    walked=True,
)
