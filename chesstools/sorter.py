"""Records sorted on disk: any number of them, in memory that does not grow with it.

What fits into memory is sorted there and written as a *run*; runs are merged block by block. Nothing is written where all fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chesstools.scratch import scratching

Records = NDArray[np.void]

MEMORY_RECORDS = 1 << 17
"""Records that are held at once: a few megabytes, and some times as much while they are put in order."""

MOST_RUNS = 64
"""Runs that are merged in one go: with more of them their blocks would become too small to read well."""


class Sorter:
    """Takes records (arrays with fields) and gives them back in the order of `keys`, the first of them first.

    No two records may have the same keys. Files are made in `folder`, which belongs to the caller.

    >>> kind = np.dtype([("key", "<u8"), ("value", "u1")])
    >>> sorter = Sorter(kind, ["key"], Path("unused"))
    >>> sorter.add(np.array([(3, 1), (1, 2)], kind))
    >>> sorter.add(np.array([(2, 3)], kind))
    >>> [record.tolist() for block in sorter.blocks() for record in block]
    [(1, 2), (2, 3), (3, 1)]
    """

    def __init__(self, kind: np.dtype[np.void], keys: Sequence[str], folder: Path, memory: int = MEMORY_RECORDS) -> None:
        self._kind = kind
        self._keys = list(keys)
        self._folder = folder
        self._memory = memory
        self._waiting: list[Records] = []
        self._count = 0
        self._runs: list[Path] = []
        self._number = 0

    def add(self, records: Records) -> None:
        """Take records in; they are sorted and written as soon as there are many."""
        if len(records):
            self._waiting.append(records)
            self._count += len(records)
        if self._count >= self._memory:
            self._runs.append(self._write([self._sorted()]))

    def blocks(self) -> Iterator[Records]:
        """All records in order, many at a time. Can be asked for once."""
        if not self._runs:
            if self._count:
                yield self._sorted()
            return
        if self._count:
            self._runs.append(self._write([self._sorted()]))
        while len(self._runs) > MOST_RUNS:
            few, self._runs = self._runs[:MOST_RUNS], self._runs[MOST_RUNS:]
            self._runs.append(self._write(self._merged(few)))
        yield from self._merged(self._runs)

    def _sorted(self) -> Records:
        records = np.concatenate(self._waiting)
        self._waiting, self._count = [], 0
        return self._in_order(records)

    def _in_order(self, records: Records) -> Records:
        ordered: Records = records[np.lexsort([records[key] for key in reversed(self._keys)])]
        return ordered

    def _write(self, blocks: Iterator[Records] | list[Records]) -> Path:
        path = self._folder / f"{'-'.join(self._keys)}-{self._number}.run"
        self._number += 1
        with scratching(path), path.open("wb") as file:
            for block in blocks:
                block.tofile(file)
        return path

    def _merged(self, paths: list[Path]) -> Iterator[Records]:
        """The records of several runs in order.

        Of what was read, all up to the smallest of the last records of the blocks can be given: whatever comes later is larger.
        """
        runs = [_Run(path, self._kind, max(1, self._memory // len(paths))) for path in paths]
        while runs := [run for run in runs if run.fill()]:
            bound = min(tuple(run.block[-1][key] for key in self._keys) for run in runs)
            yield self._in_order(np.concatenate([run.take(self._up_to(run.block, bound)) for run in runs]))

    def _up_to(self, block: Records, bound: tuple[np.generic, ...]) -> int:
        """How many records of a block, which is in order, are not larger than `bound`."""
        first, last = 0, len(block)
        for key, value in zip(self._keys, bound, strict=True):
            column = block[key][first:last]
            below, equal = np.searchsorted(column, value, "left"), np.searchsorted(column, value, "right")
            first, last = first + int(below), first + int(equal)
        return last


class _Run:
    """A file of records in order, read a block at a time. The file is removed when it was read."""

    def __init__(self, path: Path, kind: np.dtype[np.void], size: int) -> None:
        self.block: Records = np.empty(0, kind)
        self._path = path
        self._size = size
        self._read = 0

    def fill(self) -> bool:
        """Read the next block where nothing is left of the last one; whether there is a record left."""
        if not len(self.block):
            kind = self.block.dtype
            with scratching(self._path):
                self.block = np.fromfile(self._path, kind, self._size, offset=self._read * kind.itemsize)
            self._read += len(self.block)
            if not len(self.block):
                self._path.unlink()
        return len(self.block) > 0

    def take(self, count: int) -> Records:
        """The next `count` records."""
        taken, self.block = self.block[:count], self.block[count:]
        return taken
