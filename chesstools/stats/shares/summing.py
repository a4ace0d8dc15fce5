"""In which steps partial tables are added up: so many at a time, always the same ones, so that another run can go on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from typing import TypeAlias

Node: TypeAlias = "tuple[int, int]"
"""A level and a number in it: level 0 are the shares, a node of any other level is the sum of some nodes of the one below."""


class Summing:
    """What is still to be made of partial tables, and what can be made now.

    Attributes:
        top: the names of those that are left at the end, `fan` at the most.
        kept: the names that were there and are of use.

    >>> summing = Summing("partial", 5, 2, {"partial-0-000000", "partial-1-000001"})
    >>> summing.top
    ['partial-2-000000', 'partial-2-000001']
    >>> summing.next()
    (0, 1)
    >>> summing.next() is None
    False
    """

    def __init__(self, word: str, shares: int, fan: int, there: Set[str]) -> None:
        self._word = word
        self._fan = fan
        self._sizes = [shares]
        while self._sizes[-1] > fan:
            self._sizes.append(-(-self._sizes[-1] // fan))
        self._there = there
        self._shares: deque[Node] = deque()
        self._sums: deque[Node] = deque()
        self._missing: dict[Node, int] = {}
        self.kept: set[str] = set()
        last = len(self._sizes) - 1
        top = [(last, number) for number in range(self._sizes[last])]
        self._wanted = sum(not self._is_there(node) for node in top)
        self._last = last
        self.top = [self.name(node) for node in top]

    def name(self, node: Node) -> str:
        """The name of its file."""
        level, number = node
        return f"{self._word}-{level}-{number:06}"

    def parts(self, node: Node) -> list[Node]:
        """What a sum is made of; nothing for a share."""
        level, number = node
        if not level:
            return []
        return [(level - 1, part) for part in range(number * self._fan, min((number + 1) * self._fan, self._sizes[level - 1]))]

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to be made."""
        return not self._wanted

    def next(self) -> Node | None:
        """What can be made now, once; None where something else must be done before."""
        if self._sums:
            return self._sums.popleft()
        return self._shares.popleft() if self._shares else None

    def done(self, node: Node) -> Iterator[str]:
        """Note that it is made. Gives the names of what is not needed any more."""
        level, number = node
        if level == self._last:
            self._wanted -= 1
        else:
            above = (level + 1, number // self._fan)
            self._missing[above] -= 1
            if not self._missing[above]:
                self._sums.append(above)
        return map(self.name, self.parts(node))

    def _is_there(self, node: Node) -> bool:
        """Whether it is made; where it is not, note what has to be made for it."""
        name = self.name(node)
        if name in self._there:
            self.kept.add(name)
            return True
        if not node[0]:
            self._shares.append(node)
        else:
            missing = [part for part in self.parts(node) if not self._is_there(part)]
            if missing:
                self._missing[node] = len(missing)
            else:
                self._sums.append(node)
        return False
