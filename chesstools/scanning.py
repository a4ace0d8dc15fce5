"""A scan as its caller sees it: batches of rows and counts, made of the steps through one source after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.errors import SourceError
from chesstools.schema import SCHEMAS
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary, Summary

if TYPE_CHECKING:
    import pandas as pd

NumberedStep = tuple[int, Step]
"""A step, behind the number of its source."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of one table."""

    table: str
    data: pa.RecordBatch


class Scan:
    """An iteration over `Batch`es, table by table for some games at a time. It can be iterated once.

    Attributes:
        summary: counts of what was read so far; complete when the iteration is.
    """

    def __init__(self, steps: Iterator[tuple[str, Step]], tables: Sequence[str], names: Sequence[str]) -> None:
        self._steps = steps
        self._tables = tuple(tables)
        self._started = time.monotonic()
        self._sources = {name: SourceSummary(name) for name in names}
        self.summary = Summary.of(self._sources.values())

    def __iter__(self) -> Iterator[Batch]:
        try:
            for name, step in self._steps:
                self._sources[name].merge(step.summary)
                for table in self._tables:
                    if step.batches[table].num_rows:
                        yield Batch(table, step.batches[table])
        finally:
            self.summary = Summary.of(self._sources.values(), seconds=time.monotonic() - self._started)

    def to_tables(self) -> dict[str, pa.Table]:
        """All rows of each table, in memory."""
        batches: dict[str, list[pa.RecordBatch]] = {table: [] for table in self._tables}
        for batch in self:
            batches[batch.table].append(batch.data)
        return {table: pa.Table.from_batches(rows, SCHEMAS[table]).unify_dictionaries() for table, rows in batches.items()}

    def to_pandas(self) -> dict[str, pd.DataFrame]:
        """All rows of each table as DataFrames; whole numbers and truth values stay so where some are null."""
        from chesstools.frames import to_pandas

        return {table: to_pandas(rows) for table, rows in self.to_tables().items()}


def scan_of(
    steps: Callable[[Sequence[str]], Iterator[NumberedStep]],
    tables: Sequence[str],
    names: Sequence[str],
    *,
    compare: bool,
    raise_source_errors: bool,
) -> Scan:
    """A scan over steps that come in the order of the sources called `names`, whoever judged them.

    `steps` is given the tables that they must hold. An error of a source is told by the summary of a step. With `compare`, games
    that stand more than once are told of behind all others.
    """

    def all_steps() -> Iterator[tuple[str, Step]]:
        error = None
        for number, step in _with_copies(steps((*tables, "compared")), tables, names) if compare else steps(tables):
            error = error or step.summary.error
            yield names[number], step
        if error is not None and raise_source_errors:
            raise SourceError(error)

    return Scan(all_steps(), tables, names)


def _with_copies(steps: Iterator[NumberedStep], tables: Sequence[str], names: Sequence[str]) -> Iterator[NumberedStep]:
    """Steps that hold ``compared`` too, and behind them the findings on games that stand more than once."""
    from chesstools.duplicates import Spool, find_copies  # only here: it takes time to import
    from chesstools.scratch import scratch_folder

    with scratch_folder() as folder:
        spool = Spool(folder)
        for number, step in steps:
            spool.add(number, step.batches.pop("compared"))
            yield number, step
        spool.close()
        for copies in find_copies(spool, names, folder):
            found = {"findings": copies.findings, "players": copies.players}
            batches = {table: found.get(table, rows) for table, rows in no_rows(tables).items()}
            yield copies.source, Step(batches, Position(), copies.summary)


def no_rows(tables: Sequence[str]) -> dict[str, pa.RecordBatch]:
    """An empty batch of each table."""
    return {table: pa.RecordBatch.from_pylist([], SCHEMAS[table]) for table in tables}
