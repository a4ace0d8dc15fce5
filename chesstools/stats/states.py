"""What men were on the board of each game, from one capture or promotion to the next: White's surplus over Black."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chesstools.stats.blocks import Block
from chesstools.stats.columns import Numbers
from chesstools.stats.games import Games
from chesstools.stats.tally import running

VALUES = np.array([1, 3, 3, 5, 9])
"""What pawns, knights, bishops, rooks and queens are worth, in pawns."""

PHASES = np.array([0, 1, 1, 2, 4])
"""What they weigh in the phase of a game: 24 in the usual array (tapered evaluation of Fruit and its successors)."""

DIGIT = 64
"""Base of packed surpluses: their digits are differences of -31 to 31."""

_PACK = DIGIT ** np.arange(5)


@dataclass(frozen=True, slots=True)
class States:
    """The states of the games of a block, in order.

    Attributes:
        place: place of the game in the block.
        begins: the ply after which the state stood; 0 for the start.
        ends: the ply after which it did not stand any more; one more than the last ply of the game where nothing came after.
        lead: White's material less Black's, in pawns.
        surplus: White's men less Black's by role, packed: pawns are the last digit in the base `DIGIT`, queens the first.
    """

    place: Numbers
    begins: Numbers
    ends: Numbers
    lead: Numbers
    surplus: Numbers


@dataclass(frozen=True, slots=True)
class Changes:
    """The captures and promotions of a block, in order.

    Attributes:
        place: place of the game in the block.
        ply: number of the ply.
        kind: what is taken and made, by which side: a place in the tables of `CHANGE`.
    """

    place: Numbers
    ply: Numbers
    kind: Numbers


def _tables() -> dict[str, Numbers]:
    """By kind of change: by how much it changes each value."""

    def both(values: Numbers, taken_sign: int) -> Numbers:
        taken = np.append(values, 0) * taken_sign  # the last is for none
        made = np.append(values - values[0], 0)  # in exchange for a pawn
        table: Numbers = (taken[:, None] + made[None, :]).ravel()
        return table

    sides = np.array([[1], [-1]])
    changes = {
        "lead": both(VALUES, 1) * sides,
        "surplus": both(_PACK, 1) * sides,
        "total": both(VALUES, -1) * abs(sides),
        "men": both(np.ones(5, dtype=np.int64), -1) * abs(sides),
        "phase": both(PHASES, -1) * abs(sides),
    }
    return {name: table.ravel() for name, table in changes.items()}


CHANGE = _tables()
"""By how much each kind of change adds to White's lead and surplus (see `States`), and to the total of material in pawns, the
number of men and the weight of `PHASES`, both sides together."""

KINDS = len(CHANGE["lead"])


def changes(block: Block) -> Changes:
    """The captures and promotions of a block."""
    rows = block.changes
    kind = block["side"][rows].astype(np.intp)
    for roles in (block["captured"][rows], block.promoted(rows)):
        kind *= 6
        kind += np.minimum(roles, 5)
    return Changes(block["place"][rows], block["ply"][rows], kind)


class Starts:
    """What stands on the board at the start of each game, by number of the game: the values of `CHANGE`."""

    def __init__(self, games: Games) -> None:
        fields = [fen.split(" ")[0] for fen in games.starts]
        counts = np.array([[[field.count(letter) for letter in side] for side in ("PNBRQ", "pnbrq")] for field in fields])
        white, black = counts[:, 0], counts[:, 1]
        of_start = {
            "lead": (white - black) @ VALUES,
            "surplus": (white - black) @ _PACK,
            "total": (white + black) @ VALUES,
            "men": (white + black).sum(axis=1) + 2,
            "phase": (white + black) @ PHASES,
        }
        self._start = games.start
        self._of_start = of_start

    def of(self, name: str, block: Block) -> Numbers:
        """One of the values, for the games of a block."""
        found: Numbers = self._of_start[name][self._start[block.games]]
        return found


def states(block: Block, found: Changes, starts: Starts) -> States:
    """The states between the changes: the start of each game is one, and each change leads to another."""
    games = np.arange(len(block.games))
    count = np.bincount(found.place, minlength=len(games))
    first = np.arange(len(games)) + np.cumsum(count) - count  # where the start of each game stands among all states
    size = len(games) + len(found.place)
    later = np.ones(size, dtype=bool)
    later[first] = False

    def column(at_start: Numbers, changed: Numbers) -> Numbers:
        values = np.empty(size, dtype=np.int64)
        values[first] = at_start
        values[later] = changed
        return values

    place = np.repeat(games, count + 1)
    begins = column(np.zeros(len(games), dtype=np.int64), found.ply)
    ends = np.append(begins[1:], 0)
    ends[first + count] = block.lengths + 1
    lead = running(column(starts.of("lead", block), CHANGE["lead"].take(found.kind)), first, count + 1)
    surplus = running(column(starts.of("surplus", block), CHANGE["surplus"].take(found.kind)), first, count + 1)
    return States(place, begins, ends, lead, surplus)
