"""A statistic as data: its name, what it means, its columns, which games it leaves out, and the SQL that computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.stats.partial import Partial, Sums

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a statistic: its name, its type, and what it means with unit and null rule."""

    name: str
    type: pa.DataType
    meaning: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why games are left out: a name, the condition in SQL over the columns of `counted`, and what it means.

    `kept` is what holds for all other games, where that can be said so simply that the database sorts them out while it reads.
    """

    name: str
    condition: str
    meaning: str
    kept: str | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """A table that several statistics are computed from, made once, before all of them, while the walk through the plies goes on.

    `make` gets a cursor and the relation of the games that count, and makes a table of this `name` (no temporary one: other
    cursors have to see it). What the walk finds out is not known yet. `tables` are those of the dataset that it reads.
    Statistics that are made of it leave out the same games (`leaves_out`), or none where it holds all.

    The table can be added up: `partial` says how, and gives it. What cannot be, `conclude` makes of the table of all games:
    further tables; `concluded` names those of them that partial tables are made of (`Statistic.late`).
    """

    name: str
    make: Callable[[duckdb.DuckDBPyConnection, str], None]
    partial: Sums
    conclude: Callable[[duckdb.DuckDBPyConnection], None] | None = None
    concluded: tuple[str, ...] = ()
    tables: tuple[str, ...] = ("games",)
    leaves_out: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Statistic:
    """One table of `chesstools.stats.stats`.

    Attributes:
        name: of the file and of the table in SQL, snake_case, plural.
        title: a few words for a heading.
        meaning: one paragraph: what is counted and what not, how it is worked out, with the source of a method.
        columns: what comes out, in this order. The query gives columns of these names; they are brought to these types.
        partial: what is worked out of the games, and can be added up (`chesstools.stats.partial`); none where bases and tallies
            are all that is needed.
        query: SQL of the columns, from the partial table of all games, ``{partial}``, and tables of bases and tallies.
            ``{games}`` is the number of games that count.
        order: what the rows are ordered by, in SQL; it has to leave no two rows equal, so that the same games give the same file.
        leaves_out: names of reasons (`chesstools.stats.counted.REASONS`), the first that a game fulfils is told. Games with
            errors and repeated games are left out before these, as the options say, unless `everything` or `with_errors`.
        everything: no game is left out, neither with errors nor repeated (as where errors are what is counted).
        with_errors: games with errors count, whatever the options say; repeated ones are left out where asked for.
        tables: tables of the dataset that the query reads by itself; `games` is always there.
        bases: what has to be made before.
        finish: works out columns from each batch of the rows that the query gives (`chesstools.stats.outcome.outcomes`).
        walked: names of the tallies of the walk through the plies whose tables it reads (`chesstools.stats.walk.TALLIES`).
        late: whether the partial table needs what its bases conclude from all games.
    """

    name: str
    title: str
    meaning: str
    columns: Sequence[Column]
    order: str
    partial: Partial | None = None
    query: str = "FROM {partial}"
    leaves_out: tuple[str, ...] = ()
    everything: bool = False
    with_errors: bool = False
    tables: tuple[str, ...] = ("games",)
    bases: tuple[Base, ...] = ()
    finish: Callable[[pa.RecordBatch], Mapping[str, pa.Array]] | None = None
    walked: tuple[str, ...] = ()
    late: bool = False

    @property
    def needs(self) -> set[str]:
        """The tables of a dataset that it is made of."""
        return {
            "games",
            *(["plies"] if self.walked else []),
            *self.tables,
            *(table for base in self.bases for table in base.tables),
        }

    def schema(self, metadata: Mapping[str, str] | None = None) -> pa.Schema:
        """The Arrow schema, with the meanings of the columns, and title and meaning in its metadata.

        >>> from chesstools.stats.registry import STATISTICS
        >>> schema = STATISTICS["outcomes"].schema()
        >>> schema.metadata[b"title"].decode()
        'Outcomes of all games'
        """
        fields = [pa.field(column.name, column.type, metadata={"meaning": column.meaning}) for column in self.columns]
        return pa.schema(fields, {"title": self.title, "meaning": self.meaning, **(metadata or {})})


@dataclass(frozen=True, slots=True)
class Options:
    """Which games count in every statistic."""

    include_invalid: bool = False
    """Whether games with findings of severity error count."""
    unique: bool = False
    """Whether the same game (`game_id`) counts once."""


_SQL = {
    pa.int8(): "TINYINT",
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.string(): "VARCHAR",
    pa.bool_(): "BOOLEAN",
}
"""How DuckDB calls the types that columns may have."""


def typed(statistic: Statistic, relation: str) -> str:
    """SQL that gives the columns of a statistic from a relation that has them by name, in their types and order.

    Where the columns have still to be finished, it gives all that the relation has.
    """
    columns = "*"
    if statistic.finish is None:
        columns = ", ".join(f'"{column.name}"::{_SQL[column.type]} AS "{column.name}"' for column in statistic.columns)
    return f"SELECT {columns} FROM {relation} ORDER BY {statistic.order}"


def finished(statistic: Statistic, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """A batch of what `typed` gives, with the columns of the statistic."""
    made = {} if statistic.finish is None else statistic.finish(batch)
    columns = [made[field.name] if field.name in made else batch[field.name].cast(field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
