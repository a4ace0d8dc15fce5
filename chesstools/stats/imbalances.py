"""Imbalances of pieces: what stood against what when all that both sides have is left away, as R v BN."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from chesstools.stats.columns import Numbers
from chesstools.stats.counted import MOVES
from chesstools.stats.partial import Sums
from chesstools.stats.scores import SCORE_COLUMNS, SCORES
from chesstools.stats.states import DIGIT, States
from chesstools.stats.statistic import Column, Statistic

STANDS_PLIES = 6
"""An imbalance counts when it stood for so many plies: in the middle of an exchange it stands for one or two."""

_LETTERS = "QRBN"


class Imbalances:
    """Counts games by the imbalances that arose in them; each once in a game, however often it arose."""

    def __init__(self) -> None:
        self._counts: defaultdict[int, Numbers] = defaultdict(lambda: np.zeros(6, dtype=np.int64))

    def add(self, states: States, result: Numbers) -> None:
        """Count the imbalances of a block; `result` is that of each game."""
        stood = np.flatnonzero((states.begins > 0) & (states.ends - states.begins >= STANDS_PLIES))
        pawns, digits = _last_digit(states.surplus[stood])
        unequal = np.flatnonzero(digits)  # queens, rooks, bishops, knights; pawns stay outside
        stood, pawns, digits = stood[unequal], pawns[unequal], digits[unequal]
        # The side whose surplus is worth more comes first; of equal ones, that with the greater single piece.
        sign = np.sign((states.lead[stood] - pawns) * DIGIT**4 + digits)
        kind, pawns = digits * sign, pawns * sign
        _, first = np.unique(states.place[stood] * DIGIT**5 + kind, return_index=True)  # once in a game: where it stood first
        kinds, which = np.unique(kind[first], return_inverse=True)
        of_white = result[states.place[stood[first]]].astype(np.int64)
        known = of_white < 3
        own = np.where(sign[first] > 0, of_white, 2 - of_white)
        columns = (
            np.ones(len(first)),
            known & (own == 0),
            known & (own == 1),
            known & (own == 2),
            sign[first] > 0,
            pawns[first],
        )
        counts = np.stack([np.bincount(which, weights=column, minlength=len(kinds)) for column in columns], axis=1)
        self.put(kinds, counts.astype(np.int64))

    def put(self, kinds: Numbers, counts: Numbers) -> None:
        """Put in what was counted of some kinds (the first side's surplus, packed, without pawns), six counts of each."""
        for name, row in zip(kinds.tolist(), counts.reshape(-1, 6), strict=True):
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
        digit, kind = _last_digit(kind)
        excess.append(digit)
    pairs = list(zip(_LETTERS, reversed(excess), strict=True))
    return "".join(letter * max(0, number) for letter, number in pairs), "".join(
        letter * max(0, -number) for letter, number in pairs
    )


def _last_digit(packed: Any) -> tuple[Any, Any]:
    """The last digit of a packed surplus, and the digits before it."""
    digit = (packed + DIGIT // 2) % DIGIT - DIGIT // 2
    return digit, (packed - digit) // DIGIT


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
    partial=Sums("FROM imbalances", keys=("more", "less")),
    query=f"SELECT more, less, games, {SCORES}, white, pawns / games AS pawns FROM {{partial}}",
    order="games DESC, more, less",
    leaves_out=MOVES,
    walked=("material",),
)
