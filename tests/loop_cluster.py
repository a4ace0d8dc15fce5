"""In place of a cluster: a loop that does what workers would, in this process, in any order, and some of it twice."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from chesstools.cluster import Done
from chesstools.errors import ChesstoolsError


class LoopCluster:
    """Does items in an order that depends on `seed`. All that would travel is pickled."""

    workers = 2
    dashboard = None

    def __init__(self, seed: int = 0, at_once: int = 6) -> None:
        self.chance = random.Random(seed)
        self.at_once = at_once
        self.keys: list[str] = []
        self.breaks = ""
        """The key of an item that kills every worker."""

    def run(
        self,
        function: Callable[[Any], object],
        items: Iterable[Any],
        *,
        key: Callable[[Any], str],
        tell: object = None,
        alone: object = None,
    ) -> Iterator[Done[Any]]:
        begun: list[Any] = []
        left = iter(items)
        exhausted = False
        while True:
            while len(begun) < self.at_once and not exhausted:
                item = next(left, StopIteration)
                exhausted = item is StopIteration
                if item is None or exhausted:
                    assert begun or exhausted, "nothing runs, so nothing can become ready"
                    break
                self.keys.append(key(item))
                begun.append(item)
            if not begun:
                return
            yield self._done(function, key, begun.pop(self.chance.randrange(len(begun))))

    def _done(self, function: Callable[[Any], object], key: Callable[[Any], str], item: Any) -> Done[Any]:
        if key(item) == self.breaks:
            return Done(item, error="every worker that tried it died; give workers more memory.", lost=True)
        try:
            for _ in range(self.chance.randint(1, 2)):
                work, one = pickle.loads(pickle.dumps((function, item)))
                result = pickle.loads(pickle.dumps(work(one)))
        except ChesstoolsError as error:
            return Done(item, error=str(error))
        return Done(item, result)


@contextmanager
def connected_loop(address: str, *, tell: object) -> Iterator[LoopCluster]:
    """In place of `chesstools.cluster.connected`."""
    yield LoopCluster(len(address))
