"""Games that came before, where they do not count again: found by game, and told to the shares that hold them.

The games of all shares are brought together by `game_id` (`chesstools.stats.shares.exchange`), so that all copies of one stand in
one file; there it is seen which of them count, as on one machine; and what came before is brought back to its share. So the
result is exact, no more than some million games are held at a time, and the files that are opened grow about as the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from chesstools.database import connect
from chesstools.stats.counted import repeated
from chesstools.stats.shares.cut import Share, games_of
from chesstools.stats.shares.exchange import MOST_ROWS, Step, moving, steps
from chesstools.stats.shares.scratch import Scratch, relation
from chesstools.stats.shares.work import Before, memory_mb
from chesstools.stats.statistic import Options

if TYPE_CHECKING:
    from chesstools.stats.shares.spread import Doing, Task

SLOTS = 1 << 32
"""Of games: the first eight digits of their id."""


@dataclass(frozen=True)
class Sorting:
    """The games of a share, the one with this place among all, that are to be put in order by `game_id`, in the file `name`."""

    share: Share
    place: int
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Put them in order."""
        self.share.check()
        with connect([self.share.dataset], tables=["games"], memory_mb=memory_mb(), threads=1) as connection:
            sql = f"""
                SELECT ('0x' || left(game_id, 8))::UINTEGER AS slot, game_id::UUID AS game_id, errors, {self.place} AS share,
                    source, game_index
                FROM games ORDER BY slot"""
            self.scratch.write(connection, sql, self.name)
        return self.name


@dataclass(frozen=True)
class Looking:
    """All copies of some games, among which to look for those that came before; the file `name` will name them, by share."""

    options: Options
    file: str
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Look for them."""
        files = [self.scratch.file(self.file)]
        with connect([], tables=[], memory_mb=memory_mb(), threads=1, further=files) as connection:
            columns = ("share AS slot", "source", "game_index")
            self.scratch.write(connection, f"{repeated(relation(files), self.options, columns)} ORDER BY slot", self.name)
        return self.name


Stage: TypeAlias = "tuple[list[str], Callable[[], Iterable[Task]]]"
"""The files of a stage of the work, and the tasks that make them."""


def find(
    shares: Sequence[Share], options: Options, scratch: Scratch, doing: Doing, fan: int, most: int = MOST_ROWS
) -> list[Before]:
    """The games of each share that came before. What an earlier run has left in the scratch is not made again."""
    games = games_of([share.dataset for share in shares])
    there = steps(len(shares), games, fan, most)
    back = steps(there[-1].ranges, games, fan, most)
    sorted_games = there[0].names("games-0")
    stages: list[Stage] = [(sorted_games, partial(_sortings, shares, scratch, sorted_games))]
    stages += _moves("games", there, SLOTS, fan, scratch)
    found = back[0].names("before-0")
    stages.append((found, partial(_lookings, options, stages[-1][0], scratch, found)))
    stages += _moves("before", back, len(shares), fan, scratch)
    _work_through(stages, scratch, doing)
    last = stages[-1][0]
    return [Before(last[back[-1].place(place, len(shares))], place) for place in range(len(shares))]


def _sortings(shares: Sequence[Share], scratch: Scratch, names: Sequence[str]) -> Iterator[Sorting]:
    return (Sorting(share, place, scratch, name) for place, (share, name) in enumerate(zip(shares, names, strict=True)))


def _lookings(options: Options, files: Sequence[str], scratch: Scratch, names: Sequence[str]) -> Iterator[Looking]:
    return (Looking(options, file, scratch, name) for file, name in zip(files, names, strict=True))


def _moves(word: str, taken: Sequence[Step], slots: int, fan: int, scratch: Scratch) -> Iterator[Stage]:
    for number, (before, after) in enumerate(pairwise(taken), 1):
        files, names = before.names(f"{word}-{number - 1}"), after.names(f"{word}-{number}")
        yield names, partial(moving, before, files, after, names, slots, fan, scratch)


def _work_through(stages: Sequence[Stage], scratch: Scratch, doing: Doing) -> None:
    """Do what is missing, stage by stage: the files of one are removed when those of the next are all there."""
    there = scratch.there()
    begin = max((number for number, (names, _) in enumerate(stages) if there.issuperset(names)), default=-1) + 1
    before = stages[begin - 1][0] if begin else []
    of_use = {*before, *(stages[begin][0] if begin < len(stages) else ())}
    for name in sorted(there - of_use):
        if name.startswith(("games-", "before-")):
            scratch.remove(name)
    for names, tasks in stages[begin:]:
        for _ in doing(task for task in tasks() if task.name not in there):
            pass
        for name in before:
            scratch.remove(name)
        before = names
