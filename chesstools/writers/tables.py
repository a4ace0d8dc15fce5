"""Tables as one file: games, plies, findings or tokens, as CSV, Parquet or Arrow IPC."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import BinaryIO

import pyarrow as pa

from chesstools.conversion import Conversion, Task
from chesstools.errors import OptionError, SourceError
from chesstools.scan import scan_source
from chesstools.schema import SCHEMAS
from chesstools.sources.in_turn import in_turn
from chesstools.step import Step
from chesstools.writers import table_loss
from chesstools.writers.lichess_columns import LICHESS, lichess_batch
from chesstools.writers.sinks import ArrowSink, CsvSink, ParquetSink, Sink
from chesstools.writers.token_columns import token_batch, token_schema

_MADE_OF = {"games": ("games",), "plies": ("games", "plies"), "findings": ("findings",), "tokens": ("games", "plies")}
"""The tables of the engine that are looked at for each of ours: games tells what plies leave behind."""


def write(task: Task) -> Conversion:
    """Write one table of all games to one file."""
    make = Maker(**task.options)
    conversion = Conversion(task.format)
    with task.output.stream() as out:
        sink = _sink(task.format, out, make.schema, task.options["table"])
        for step in _steps(task, make.made_of, conversion):
            batch, left = make(step)
            conversion.add(step.summary.games, left)
            if batch.num_rows:
                sink.add(batch)
        sink.close()
    return conversion


class Maker:
    """Makes the rows of one table from the steps of the engine.

    Attributes:
        made_of: the tables of the engine that the steps must hold.

    Raises OptionError where the options of the format, which it is given, contradict each other.
    """

    def __init__(self, table: str, columns: str, max_plies: int) -> None:
        if columns == "lichess" and table != "games":
            raise OptionError(f"--columns lichess is of games, not of {table}; leave out --table {table}.")
        if max_plies and table != "tokens":
            raise OptionError(f"--max-plies is of tokens, not of {table}; give --table tokens with it.")
        self.made_of = _MADE_OF[table]
        self._table = "lichess" if columns == "lichess" else table
        self._max_plies = max_plies
        self._words: dict[str, int] = {}

    @property
    def schema(self) -> pa.Schema:
        if self._table == "lichess":
            return LICHESS
        return token_schema(self._max_plies) if self._table == "tokens" else SCHEMAS[self._table]

    def __call__(self, step: Step) -> tuple[pa.RecordBatch, dict[str, int]]:
        left = {"outside": step.summary.quarantined_regions}
        if self._table == "findings":
            return step.batches["findings"], left
        games = step.batches["games"]
        if self._table == "games":
            return games, left
        if self._table == "lichess":
            batch = lichess_batch(games)
            return batch, left | table_loss.of_columns(games, batch)
        plies = step.batches["plies"]
        if self._table == "plies":
            return plies, left | table_loss.of_plies(games)
        batch, cut = token_batch(games, plies, self._max_plies, self._words)
        return batch, left | table_loss.of_tokens(games, plies, cut)


def _sink(form: str, out: BinaryIO, schema: pa.Schema, table: str) -> Sink:
    if form == "csv":
        return CsvSink(out, schema)
    if form == "parquet":
        return ParquetSink(out, schema, table)
    return ArrowSink(out, schema, is_stream=form == "arrow-stream")


def _steps(task: Task, tables: tuple[str, ...], conversion: Conversion) -> Iterator[Step]:
    """The steps through all sources. What is wrong with one is told in `conversion`, and the next is read."""
    stored = judged = 0
    tell: Callable[[int, int], None] = task.progress or (lambda stored, judged: None)
    for source in in_turn(task.sources):
        steps = scan_source(source, tables=tables, jobs=task.jobs, block_bytes=task.block_bytes, engine=task.engine)
        with closing(steps):
            try:
                for step in steps:
                    judged += step.summary.games
                    yield step
                    tell(stored + source.stored_bytes_read, judged)
            except SourceError as error:
                conversion.errors.append(str(error))
        conversion.notes += [f"{source.name}: {note}" for note in source.notes]
        stored += source.stored_bytes_read
