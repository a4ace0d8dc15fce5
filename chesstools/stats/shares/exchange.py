"""Rows that stand in the files of some, brought into the files of others: those of all shares by game, and back to the shares.

Each row has a `slot`, and each file stands in the order of slots. If every file of the end were made of all files of the
beginning, the files to open would grow with the square of the data. So it is done in steps: each takes some files of neighbours
and cuts what is in them into ranges of slots, narrower at each step, until a file has all rows of its range. Files stay about as
large as they are, each is opened once for each range that it is cut into, and the steps grow as the logarithm of the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chesstools.database import connect
from chesstools.stats.shares.scratch import Scratch, relation
from chesstools.stats.shares.work import memory_mb

MOST_ROWS = 5_000_000
"""Rows of a file, about: some hundred megabytes while they are put in order."""


@dataclass(frozen=True, slots=True)
class Step:
    """How the rows stand in files after a step: so many groups, each of files for so many ranges of all slots."""

    groups: int
    ranges: int

    def bounds(self, place: int, slots: int) -> tuple[int, int]:
        """The first slot of a range, and the one behind its last.

        >>> [Step(1, 3).bounds(place, 10) for place in range(3)]
        [(0, 3), (3, 6), (6, 10)]
        """
        return place * slots // self.ranges, (place + 1) * slots // self.ranges

    def place(self, slot: int, slots: int) -> int:
        """The range that a slot is in.

        >>> [Step(1, 3).place(slot, 10) for slot in (0, 2, 3, 9)]
        [0, 0, 1, 2]
        """
        place = slot * self.ranges // slots
        while self.bounds(place, slots)[1] <= slot:
            place += 1
        return place

    def names(self, word: str) -> list[str]:
        """The files, group by group."""
        return [f"{word}-{group:06}-{place:06}" for group in range(self.groups) for place in range(self.ranges)]


def steps(files: int, rows: int, fan: int, most: int = MOST_ROWS) -> list[Step]:
    """The steps from so many files with so many rows in all, the beginning first; the last one has one group.

    >>> [(step.groups, step.ranges) for step in steps(35_000, 7_000_000_000, 24)]
    [(35000, 1), (1459, 1), (61, 23), (3, 483), (1, 1449)]
    """
    found = [Step(files, 1)]
    while found[-1].groups > 1:
        groups, ranges = -(-found[-1].groups // fan), found[-1].ranges
        found.append(Step(groups, ranges * max(1, -(-rows // (groups * ranges * most)))))
    return found


@dataclass(frozen=True)
class Moving:
    """The rows of a range of slots in some files that are to stand in one, `name`, in the order of slots."""

    files: tuple[str, ...]
    bounds: tuple[int, int]
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Bring them there."""
        files = [self.scratch.file(name) for name in self.files]
        first, end = self.bounds
        with connect([], tables=[], memory_mb=memory_mb(), threads=1, further=files) as connection:
            rows = f"FROM {relation(files)} WHERE slot >= {first} AND slot < {end} ORDER BY slot"
            self.scratch.write(connection, rows, self.name)
        return self.name


def moving(
    before: Step, files: Sequence[str], after: Step, names: Sequence[str], slots: int, fan: int, scratch: Scratch
) -> Iterator[Moving]:
    """The tasks of a step, from the files of the one before to the `names` of its own."""
    for number, name in enumerate(names):
        group, place = divmod(number, after.ranges)
        old = place * before.ranges // after.ranges
        groups = range(group * fan, min((group + 1) * fan, before.groups))
        taken = tuple(files[one * before.ranges + old] for one in groups)
        yield Moving(taken, after.bounds(place, slots), scratch, name)
