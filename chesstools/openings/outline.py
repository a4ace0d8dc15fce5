"""The commonest moves of a tree, as branches: what people are shown of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chesstools.openings.counting import moves_sql
from chesstools.openings.names import load

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Branch:
    """A move, and what was played after it.

    Attributes:
        move: a row of the table of moves (see `chesstools.openings.columns.MOVES`).
        eco, opening: code and name of the position after it; None where it has none.
    """

    move: dict[str, Any]
    eco: str | None
    opening: str | None
    branches: list[Branch] = field(default_factory=list)

    def lines(self, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Branch]]:
        """This branch and all behind it, each with the moves that lead there, in the order in which they are shown."""
        line = (*before, self.move["san"])
        yield line, self
        for branch in self.branches:
            yield from branch.lines(line)


def outline(connection: duckdb.DuckDBPyConnection, root: int, depth: int, min_games: int) -> list[Branch]:
    """The moves of the position `root` that at least `min_games` games played, and so on for `depth` plies.

    A position that several branches lead to has its moves in the branch of the move with the most games, so that the lines shown
    never grow beyond the positions that there are.
    """
    branches: list[Branch] = []
    places = {root: branches}
    seen = {root}
    for _ in range(depth):
        found: dict[int, list[Branch]] = {}
        rows = _moves(connection, list(places), min_games)
        for row in rows:
            named = load().by_key.get(row["next_position_key"])
            branch = Branch(row, named and named.eco, named and named.name)
            places[row["position_key"]].append(branch)
            if row["next_position_key"] not in seen:
                seen.add(row["next_position_key"])
                found[row["next_position_key"]] = branch.branches
        for place in places.values():
            place.sort(key=lambda branch: (-branch.move["games"], branch.move["uci"]))
        places = found
    return branches


def _moves(connection: duckdb.DuckDBPyConnection, keys: list[int], min_games: int) -> list[dict[str, Any]]:
    """Rows of moves in these positions, the commonest of all first."""
    rows: list[dict[str, Any]] = (
        connection.sql(
            f"SELECT * FROM ({moves_sql()}) WHERE games >= $least AND position_key IN (SELECT unnest($keys::UBIGINT[])) "
            "ORDER BY games DESC, position_key, uci",
            params={"least": min_games, "keys": keys},
        )
        .to_arrow_table()
        .to_pylist()
    )
    return rows
