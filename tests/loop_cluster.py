"""In place of a cluster: a loop that does what workers would, in this process, in any order, and some of it twice."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from chesstools.cluster import Done
from chesstools.cluster.task import Failed
from chesstools.errors import ChesstoolsError


class LoopCluster:
    """Does items in an order that depends on `seed`. All that would travel is pickled."""

    workers = 2
    dashboard = None
    scheduler = None

    def __init__(self, seed: int = 0, at_once: int = 6, *, does_again: bool = True) -> None:
        self.chance = random.Random(seed)
        self.at_once = at_once
        self.keys: list[str] = []
        self.does_again = does_again
        self.breaks: str | tuple[str, ...] = ""
        """The keys of items that kill every worker."""

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
        if key(item) in ((self.breaks,) if isinstance(self.breaks, str) else self.breaks):
            return Done(item, error="every worker that tried it died; give workers more memory.", lost=True)
        try:
            for _ in range(self.chance.randint(1, 2) if self.does_again else 1):
                work, one = pickle.loads(pickle.dumps((function, item)))
                result = pickle.loads(pickle.dumps(work(one)))
                if isinstance(result, Failed):
                    break
        except ChesstoolsError as error:
            return Done(item, error=str(error))
        if isinstance(result, Failed):
            if result.of_worker:
                raise ChesstoolsError(result.sentence)
            return Done(item, error=result.sentence)
        return Done(item, result)


@contextmanager
def connected_loop(address: str, *, tell: object, lost: object) -> Iterator[LoopCluster]:
    """In place of `chesstools.cluster.connected`."""
    yield LoopCluster(len(address))
