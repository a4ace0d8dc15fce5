"""The numbers of the report: the tables of `chesstools.stats`, which are the only place where anything is worked out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from chesstools.report.text import counted, enumeration, file_names
from chesstools.schema import TABLES

if TYPE_CHECKING:
    from chesstools.dataset import Dataset

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics by name. A statistic that could not be made, as a dataset lacks a table, has no rows."""

    tables: Mapping[str, pa.Table]
    games: int
    skipped: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """What sources are called on the page (`text.file_names`), by their names."""
    repeats: int = 0
    """Games that count although the same ones stand there before."""

    def file(self, source: str) -> str:
        """What a source is called on the page."""
        return self.files.get(source, source)

    def rows(self, name: str, first: int | None = None, by: str | None = None) -> list[Row]:
        """Rows of a statistic: all of them, or the `first` ones with the greatest values of the column `by`."""
        table = self.tables.get(name)
        if table is None:
            return []
        if by is not None:
            table = table.sort_by([(by, "descending")])
        rows: list[Row] = (table if first is None else table.slice(0, first)).to_pylist()
        return rows

    def length(self, name: str) -> int:
        """How many rows a statistic has."""
        table = self.tables.get(name)
        return 0 if table is None else table.num_rows

    def total(self, name: str, column: str) -> int:
        """The sum of a column of whole numbers; 0 where a statistic has no rows."""
        table = self.tables.get(name)
        return 0 if table is None else int(pc.sum(table[column]).as_py() or 0)

    def one(self, name: str) -> Row:
        """The only row of a statistic; an empty one where there is none."""
        return next(iter(self.rows(name, 1)), {})

    def counted(self, name: str) -> int:
        """How many games a statistic counts."""
        return self._left_out(name).get("counted", 0)

    def told(self, name: str) -> str:
        """One sentence on how many games a statistic counts, and how many it leaves out for which reason."""
        if name in self.skipped:
            return f"Not worked out: the dataset has no table {self.skipped[name]}."
        reasons = self._left_out(name)
        told = [_left(games, reason) for reason, games in reasons.items() if reason != "counted" and games]
        sentence = f"{counted(self.counted(name), 'game')} counted"
        return f"{sentence}; left out: {enumeration(told)}." if told else f"{sentence}, none left out."

    def _left_out(self, name: str) -> dict[str, int]:
        table = self.tables.get(name)
        metadata = (table.schema.metadata or {}) if table is not None else {}
        counts: dict[str, int] = json.loads(metadata.get(b"left_out", b"{}"))
        return counts


def _left(games: int, reason: str) -> str:
    """Games that are left out, in the words of a caption.

    >>> _left(2, "errors"), _left(1, "no move times"), _left(1, "unfinished")
    ('2 games with errors', '1 game without move times', '1 unfinished game (*)')
    """
    if reason == "unfinished":
        return f"{counted(games, 'unfinished game')} (*)"
    return f"{counted(games, 'game')} {WHY.get(reason) or reason.replace('no ', 'without ', 1)}"


WHY = {
    "errors": "with errors",
    "repeated": "that stand there before",
    "variant": "of variants",
    "other rules": "by rules that place the men in another way",
    "setup": "from set-up positions",
    "unfinished": "that are unfinished (*)",
    "no result": "without a result",
    "no legal moves": "without a legal move",
    "no year": "without a year",
    "no event": "without an event",
    "no ratings": "without both ratings",
    "no ECO tag": "without an ECO code",
    "no time control": "without a time control",
}
"""Why games are left out (`chesstools.stats.counted.REASONS`), in the words of a caption."""


def figures(
    datasets: Sequence[Dataset], wanted: Sequence[str], *, include_invalid: bool, unique: bool = False, threads: int | None = None
) -> Figures:
    """Compute those of the `wanted` statistics that the tables of the datasets are there for."""
    from chesstools.stats.run import choose, computation
    from chesstools.stats.statistic import Options

    missing = {table for table in TABLES for dataset in datasets if table not in dataset.manifest.tables}
    skipped = {one.name: min(one.needs & missing) for one in choose(wanted) if one.needs & missing}
    names = [name for name in wanted if name not in skipped]
    with computation(datasets, Options(include_invalid, unique), names, threads) as work:
        tables = {one.name: work.batches(one).read_all() for one in work.statistics}
        return Figures(tables, work.games, skipped, file_names(work.sources), work.repeats or 0)
