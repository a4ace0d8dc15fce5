"""Compares two engines, table by table, and shows the first difference so that a person can see what is wrong.

    python -m tests.native_diff FILES…

Files, folders and globs as for the command line. Both engines read every source; nothing is held in memory but what one of
them is ahead. The exit status is 1 where they differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from chesstools.errors import SourceError
from chesstools.rules import Selection
from chesstools.scan import Position, Step, scan_source
from chesstools.schema import TABLES
from chesstools.source import Source, find_sources
from chesstools.summary import SourceSummary

ENGINES = ("reference", "native")


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two engines do not agree."""

    source: str
    table: str
    row: int
    column: str
    values: dict[str, object]
    game_index: int | None
    game: str

    def __str__(self) -> str:
        where = "outside of games" if self.game_index is None else f"game {self.game_index}"
        lines = [f"{self.source}: table {self.table}, row {self.row} ({where}), column {self.column}:"]
        lines += [f"  {engine:>9}: {value!r}" for engine, value in self.values.items()]
        return "\n".join([*lines, *(f"    | {line}" for line in self.game.splitlines())])


class _Side:
    """One engine on one source: its steps, and the rows that were not compared yet."""

    def __init__(self, source: Source, engine: str, tables: Iterable[str], options: dict[str, Any]) -> None:
        self.summary = SourceSummary(source.name)
        self.error: str | None = None
        self.end = Position()
        self.over = False
        self.rows: dict[str, list[pa.RecordBatch]] = {table: [] for table in tables}
        self._steps: Iterator[Step] = scan_source(source, tables=tuple(self.rows), engine=engine, **options)

    def advance(self) -> None:
        try:
            step = next(self._steps)
        except StopIteration:
            self.over = True
        except SourceError as error:
            self.over, self.error = True, str(error)
        else:
            self.end = step.end
            self.summary.merge(step.summary)
            for table, batch in step.batches.items():
                if batch.num_rows:
                    self.rows[table].append(batch)

    def take(self, table: str, count: int) -> pa.Table:
        """The first `count` rows that wait."""
        waiting = pa.Table.from_batches(self.rows[table])
        self.rows[table] = waiting.slice(count).to_batches()
        taken = waiting.slice(0, count)
        return taken.set_column(0, "source", taken["source"].cast(pa.string())).combine_chunks()

    def waiting(self, table: str) -> int:
        return sum(batch.num_rows for batch in self.rows[table])


def compare(
    source: Source,
    engines: tuple[str, str] = ENGINES,
    *,
    tables: Iterable[str] = (*TABLES, "players", "compared"),
    **options: Any,
) -> Difference | None:
    """The first difference of two engines on one source, None where there is none. `options` go to `scan_source`; all rules
    are asked for where nothing else is.
    """
    tables = tuple(tables)
    options.setdefault("selection", Selection(also="ALL"))
    sides = [_Side(source, engine, tables, options) for engine in engines]
    done = dict.fromkeys(tables, 0)
    names: list[str] = list(engines)
    while not all(side.over for side in sides):
        behind = min((side for side in sides if not side.over), key=lambda side: side.end.byte_offset)
        behind.advance()
        for table in tables:
            count = min(side.waiting(table) for side in sides)
            if count:
                ours, theirs = (side.take(table, count) for side in sides)
                if not ours.equals(theirs):
                    return _describe(source, table, done[table], dict(zip(names, (ours, theirs), strict=True)))
                done[table] += count
    for table in tables:
        counts = {name: done[table] + side.waiting(table) for name, side in zip(names, sides, strict=True)}
        if len(set(counts.values())) > 1:
            longer = max(sides, key=lambda side: side.waiting(table))
            extra = longer.take(table, 1).to_pylist()[0]
            return Difference(source.name, table, done[table], "(number of rows)", {**counts, "next row": extra},
                              extra["game_index"], _text(source, extra))  # fmt: skip
    totals = {name: {**side.summary.to_dict(), "error": side.error} for name, side in zip(names, sides, strict=True)}
    return _differing_total(source.name, totals)


def _differing_total(source: str, totals: dict[str, dict[str, object]]) -> Difference | None:
    one, other = totals.values()
    for name, value in one.items():
        if other[name] != value:
            return Difference(source, "summary", 0, name, {engine: total[name] for engine, total in totals.items()}, None, "")
    return None


def _describe(source: Source, table: str, before: int, sides: dict[str, pa.Table]) -> Difference:
    one, other = sides.values()
    low, high = 0, one.num_rows - 1  # rows before `low` are equal
    while low < high:
        middle = (low + high) // 2
        if one.slice(low, middle - low + 1).equals(other.slice(low, middle - low + 1)):
            low = middle + 1
        else:
            high = middle
    rows = {engine: side.slice(low, 1) for engine, side in sides.items()}
    ours, theirs = rows.values()
    column = next((name for name in one.column_names if not ours[name].equals(theirs[name])), "(schema)")
    values = {engine: row[column].to_pylist()[0] if column in row.column_names else None for engine, row in rows.items()}
    row = ours.to_pylist()[0]
    return Difference(source.name, table, before + low, column, values, row["game_index"], _text(source, row))


def _text(source: Source, row: dict[str, Any], limit: int = 3000) -> str:
    """The text of the game that a row belongs to, or of the place that it names."""
    start, length = row.get("byte_offset"), row.get("byte_length")
    if row["game_index"] is not None and "movetext" not in row:
        with suppress(SourceError):
            for step in scan_source(source, tables=("games",), engine="native", selection=Selection()):
                games = step.batches["games"]
                if games.num_rows and games["game_index"][-1].as_py() >= row["game_index"]:
                    game = games.slice(row["game_index"] - games["game_index"][0].as_py(), 1).to_pylist()[0]
                    start, length = game["byte_offset"], game["byte_length"]
                    break
    if start is None or not source.resumable:
        return ""
    data = b""
    with suppress(SourceError):
        for block in source.open():
            data += block
    return data[start : start + min(length or 0, limit)].decode("utf-8", "backslashreplace")


def main() -> int:
    """Compare the engines on what the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--tables", nargs="+", default=[*TABLES, "players", "compared"])
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    differences = 0
    for source in find_sources(arguments.sources):
        started = time.monotonic()
        difference = compare(source, tables=arguments.tables, jobs=arguments.jobs)
        print(difference or f"{source.name}: no difference ({time.monotonic() - started:.1f} s)", flush=True)
        differences += difference is not None
    return min(differences, 1)


if __name__ == "__main__":
    sys.exit(main())
