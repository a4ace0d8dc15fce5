"""What `chesstools query` lists: examples, functions for chess, tables and their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from .terminal import show

if TYPE_CHECKING:
    from rich.console import Console


def show_examples(screen: Console) -> None:
    """Names and titles."""
    from chesstools.sql.examples import examples

    _pairs(screen, ((one.name, one.title) for one in examples()))
    show(screen, "\n'chesstools query --example NAME' prints the SQL, with a dataset behind it the answer.")


def show_macros(screen: Console) -> None:
    """How each is called, what it tells, and an example."""
    from rich.padding import Padding
    from rich.text import Text

    from chesstools.sql.macros import macros

    for macro in macros():
        show(screen, Text(macro.call, style="bold"))
        show(screen, Padding(Text(macro.meaning), (0, 0, 0, 4)))
        show(screen, Padding(Text(f"{macro.example}\n= {macro.answer}", style="dim"), (0, 0, 0, 4)))


def show_tables(screen: Console) -> None:
    """Every column with its type in SQL and its meaning."""
    from rich.text import Text

    from chesstools.database import connect
    from chesstools.schema import SCHEMAS, TABLES

    with connect([]) as connection:
        for table in TABLES:
            kinds = {name: kind for name, kind, *_ in connection.sql(f"DESCRIBE {table}").fetchall()}
            show(screen, Text(table, style="bold"))
            meanings = (
                (field.name, f"{kinds[field.name].lower()}: {field.metadata[b'meaning'].decode()}") for field in SCHEMAS[table]
            )
            _pairs(screen, meanings)
            show(screen, "")
    for table, columns in OF_OPENINGS.items():
        show(screen, Text(table, style="bold"))
        _pairs(screen, columns.items())
        if table != list(OF_OPENINGS)[-1]:
            show(screen, "")


OF_OPENINGS = {
    "game_openings": {
        "source": "varchar: With game_index, the game; those without an opening have no row.",
        "game_index": "bigint",
        "eco_by_moves": "varchar: ECO code of the last named position that the game passed.",
        "opening_by_moves": "varchar: Its name in English.",
        "opening_family": "varchar: The first part of the name, in one spelling for each family.",
        "opening_ply": "integer: The ply after which that position stood, from 1.",
        "first_move": "varchar: White's first move in standard notation.",
    },
    "named_positions": {
        "position_key": "ubigint: Key of a position that has a name, as in plies.",
        "number": "integer: Number of the row, from 0.",
        "eco": "varchar: Its ECO code.",
        "name": "varchar: Its name in English.",
        "family": "varchar: The first part of the name; null where Lichess does not name the position.",
        "codes": "varchar[]: All codes that sources give it, eco first.",
        "depth": "integer: Plies from the array.",
        "is_first": "boolean: Whether it is one of the twenty after the first move.",
        "fen": "varchar: The position.",
    },
}
"""Tables that are made when SQL names them, and their columns."""

LISTS: dict[str, Callable[[Console], None]] = {"examples": show_examples, "macros": show_macros, "tables": show_tables}
"""What the options list."""


def _pairs(screen: Console, pairs: Iterable[tuple[str, str]]) -> None:
    from rich.table import Table

    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for name, meaning in pairs:
        grid.add_row(name, meaning)
    show(screen, grid)
