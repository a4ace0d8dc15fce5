"""Partial tables by name: those of statistics and bases, and two that belong to all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools.stats.partial import Partial, Sums
from chesstools.stats.shares.scratch import relation

if TYPE_CHECKING:
    import duckdb

LEFT_OUT = "_left_out"
"""How many games are left out for which reason, by statistic; the empty name stands for all games."""

WALKED = "_walked"
"""What the tallies of the walk counted: a row for each place of an array that is not 0."""

OWN: dict[str, Partial] = {
    LEFT_OUT: Sums("", keys=("statistic", "reason")),
    WALKED: Sums("", keys=("tally", "counts", "place")),
}
"""Partial tables that belong to no statistic and no base."""


def types_of(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, str]:
    """The columns of a relation and how the database calls their types."""
    return {name: kind for name, kind, *_ in connection.sql(f"DESCRIBE FROM {sql}").fetchall()}


def added(connection: duckdb.DuckDBPyConnection, partial: Partial, files: Sequence[Path]) -> str:
    """SQL of one table for several files of a partial table."""
    return partial.added(relation(files), types_of(connection, relation(files[:1])))
