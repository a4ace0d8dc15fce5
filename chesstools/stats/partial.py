"""What is worked out of some of the games, and can be added up: the first step of every statistic.

A dataset may be cut into shares, each some of its part files. The partial table of each share is small, and partial tables of the
same kind are added up to one, in any order and in as many steps as there are: the result is the partial table of all games. From
that the second step, the query of the statistic, works out the columns. On one machine the same two steps are one query.

For that no sum may depend on the order in which it is made: whole numbers, halves and decimals are added, no other broken numbers
(`chesstools.stats.outcome`, `chesstools.stats.tally.add_exact`); means are worked out from sums, medians from histograms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

Query: TypeAlias = "str | Callable[[duckdb.DuckDBPyConnection, str], pa.Table]"
"""SQL in which ``{counted}`` is the relation of the games that count, ``{named}`` the same with names; or a function of the
connection and the former."""

SHARE = "share"
"""A variable of the connection: the number of the first part file of the share; not set where there is but one share."""

Types: TypeAlias = Mapping[str, str]
"""Columns of a table in their order, and how the database calls their types."""


@dataclass(frozen=True, slots=True)
class Sums:
    """A row for each value of the keys; rows of the same keys are made one.

    Attributes:
        query: see `Query`.
        keys: columns that tell rows apart; none for a table of one row.
        how: how columns that are not added are made one: `min`, `max` or `any_value`, where all are the same.
    """

    query: Query
    keys: tuple[str, ...] = ()
    how: Mapping[str, str] = field(default_factory=dict)

    def added(self, relation: str, types: Types) -> str:
        """SQL that makes one table of several."""
        others = [f'{self.how.get(name, "sum")}("{name}")::{kind} AS "{name}"' for name, kind in types.items()]
        columns = [f'"{name}"' if name in self.keys else other for name, other in zip(types, others, strict=True)]
        grouped = f" GROUP BY {', '.join(self.keys)}" if self.keys else ""
        return f"SELECT {', '.join(columns)} FROM {relation}{grouped}"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that stand for single games: those of all shares, one behind the other."""

    query: Query

    def added(self, relation: str, types: Types) -> str:
        """SQL that makes one table of several."""
        return f"FROM {relation}"


@dataclass(frozen=True, slots=True)
class Best:
    """The first rows of each kind: those of all shares are put in order, and the first are kept.

    Attributes:
        query: gives no more than `most` rows of each kind.
        kinds: the column that tells kinds apart, or none.
        order: what comes first, in SQL; it leaves no two rows of a kind equal.
        most: how many rows of a kind are kept.
    """

    query: Query
    kinds: str | None
    order: str
    most: int

    def added(self, relation: str, types: Types) -> str:
        """SQL that makes one table of several."""
        each = f"PARTITION BY {self.kinds} " if self.kinds else ""
        return f"FROM {relation} QUALIFY row_number() OVER ({each}ORDER BY {self.order}) <= {self.most}"


Partial: TypeAlias = "Sums | Rows | Best"
