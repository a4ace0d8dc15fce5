"""What looks at every block of plies and counts, and how things are counted in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from chesstools.stats.blocks import Block
from chesstools.stats.columns import Numbers

if TYPE_CHECKING:
    import pyarrow as pa


RESULTS = ("1-0", "1/2-1/2", "0-1", "*")
"""Results by their numbers in `Games.result`; the last is every game without one."""


LAST_MOVE = 300
"""Moves are told apart up to this number, so that what is counted by move stays small, however long a game is."""


class Tally(Protocol):
    """Something that counts plies, block by block, and tells in the end what it counted."""

    def add(self, block: Block) -> None:
        """Count the plies of a block."""

    def sums(self) -> dict[str, Numbers]:
        """The arrays that it counts in, by name: whole numbers, so that those of several tallies can be added up exactly.

        Who puts numbers into them has a tally that has seen as much.
        """

    def tables(self) -> dict[str, pa.Table]:
        """What was counted in all blocks: tables by the names that statistics know them by."""


def count(counts: Numbers, *keys: Numbers) -> None:
    """Add 1 to an array of whole numbers at each combination of keys, one key for each of its dimensions.

    >>> counts = np.zeros((2, 3), dtype=np.int64)
    >>> count(counts, np.array([0, 1, 1]), np.array([2, 0, 0]))
    >>> counts.tolist()
    [[0, 0, 1], [2, 0, 0]]
    """
    counts += np.bincount(places(counts, *keys), minlength=counts.size).reshape(counts.shape)


def add_up(sums: Numbers, values: Numbers, *keys: Numbers) -> None:
    """Add each value to an array of floats at its combination of keys. Whole numbers are added up exactly up to 2 to the 53rd."""
    sums += np.bincount(places(sums, *keys), weights=values, minlength=sums.size).reshape(sums.shape)


BILLION = 10**9


def exact_sums(shape: tuple[int, ...]) -> Numbers:
    """An array for `add_exact`: whole numbers in front, billionths behind."""
    return np.zeros((2, *shape), dtype=np.int64)


def add_exact(sums: Numbers, values: Numbers, *keys: Numbers) -> None:
    """Add values, rounded to billionths, at their combination of keys: exactly, so that their order does not matter.

    >>> sums = exact_sums((2,))
    >>> add_exact(sums, np.array([0.1, 0.2, 1.5]), np.array([1, 1, 0]))
    >>> total(sums).tolist()
    [1.5, 0.3]
    """
    where = places(sums[0], *keys)
    whole = np.floor(values)
    np.add.at(sums[0].reshape(-1), where, whole.astype(np.int64))
    np.add.at(sums[1].reshape(-1), where, np.rint((values - whole) * BILLION).astype(np.int64))


def total(sums: Numbers) -> Numbers:
    """The sums of such an array, as floats."""
    found: Numbers = sums[0] + sums[1] / BILLION
    return found


def places(array: Numbers, *keys: Numbers) -> Numbers:
    """Where combinations of keys, one for each dimension of an array, stand among its values.

    >>> places(np.zeros((2, 3)), np.array([0, 1]), np.array([2, 0])).tolist()
    [2, 3]
    """
    found = keys[0].astype(np.intp, copy=len(keys) > 1)
    for size, key in zip(array.shape[1:], keys[1:], strict=True):
        found *= size
        found += key
    return found


def grid(*dimensions: Sequence[str]) -> list[Numbers]:
    """Columns that name the places of an array with these dimensions, in the order of its values.

    >>> [column.tolist() for column in grid(["white", "black"], ["a1", "b1"])]
    [['white', 'white', 'black', 'black'], ['a1', 'b1', 'a1', 'b1']]
    """
    places = np.indices([len(words) for words in dimensions]).reshape(len(dimensions), -1)
    return [np.array(words)[place] for words, place in zip(dimensions, places, strict=True)]


def running(values: Numbers, starts: Numbers, lengths: Numbers) -> Numbers:
    """Sums of whole numbers up to and with each, in segments that begin at `starts` and hold so many values.

    >>> running(np.array([1, 2, 3, 4]), np.array([0, 2]), np.array([2, 2])).tolist()
    [1, 3, 3, 7]
    """
    sums = np.cumsum(values)
    sums -= np.repeat(sums[starts] - values[starts], lengths)
    return sums
