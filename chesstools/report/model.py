"""What the page is made of: sections of tiles, plots, tables and boards. Plain values; `page` turns them into HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from chesstools.report.text import Cell, cell, plain

MOST_ROWS = 100
"""Rows of a table that the page shows where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, the key of its values in a row, and how they are written (`text.cell`)."""

    title: str
    key: str
    kind: str = "text"
    minor: bool = False
    """Left out where the page is narrow."""
    meaning: str | None = None
    """What the heading means, where that is not plain; shown when one points at it."""

    @property
    def numeric(self) -> bool:
        return self.kind not in ("text", "code", "severity", "year", "date")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that can be sorted and searched. `total` is how many there are where `rows` holds only the first of them."""

    id: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[dict[str, Any]]
    caption: str = ""
    total: int | None = None
    searchable: bool = True

    @property
    def left(self) -> int:
        """How many rows are not shown."""
        return max(0, (self.total or 0) - len(self.rows))

    def cells(self, row: dict[str, Any]) -> list[tuple[Column, Cell]]:
        """A row as it is written."""
        return [(column, cell(row.get(column.key), column.kind)) for column in self.columns]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot: a specification of Vega-Lite, or of Vega where `raw`, and the numbers it shows, for those who cannot see it."""

    id: str
    title: str
    spec: dict[str, Any]
    caption: str
    alt: str
    """One sentence that says what the plot shows, for screen readers."""
    raw: bool = False
    numbers: Table | None = None
    half: bool = False
    """Whether two such plots stand side by side where there is room."""

    @property
    def printable(self) -> dict[str, Any]:
        """The specification, with signs in its data that are not printed written as escapes."""
        spec: dict[str, Any] = _printable(self.spec)
        return spec

    @property
    def square(self) -> bool:
        """Whether the plot has a width of its own, as a chessboard has, and stands in the middle."""
        return not self.raw and self.spec.get("width") != "container"


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return plain(value, 10_000)
    if isinstance(value, dict):
        return {key: _printable(part) for key, part in value.items()}
    return [_printable(part) for part in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Fact:
    """A tile: a number and what it is."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Step:
    """One position of a game that is stepped through: the men, the move that led there (squares may be empty), its text."""

    men: str
    squares: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding of a game on a board: rule, severity, message, where it stands, and the step that shows it (None: no place)."""

    code: str
    severity: str
    message: str
    place: str
    step: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """A game with something wrong: its names, findings, and a board that starts at the move at which the gravest was found."""

    id: str
    title: str
    subtitle: str
    place: str
    svg: str
    steps: Sequence[Step]
    start: int
    """The step that is shown first."""
    bad: dict[int, list[str]]
    """Squares of errors at a step."""
    noted: dict[int, list[str]]
    """Squares of warnings and infos at a step."""
    problems: Sequence[Problem]
    more: int = 0
    """Findings of the game that are not listed."""


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph between plots."""

    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `chesstools rule CODE` says of a rule."""

    code: str
    name: str
    severity: str
    text: str


Item: TypeAlias = Plot | Table | Board | Explanation | Note


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading."""

    id: str
    title: str
    intro: str = ""
    facts: Sequence[Fact] = ()
    items: Sequence[Item] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page."""

    title: str
    lead: str
    sections: Sequence[Section] = field(default_factory=list)

    @property
    def plots(self) -> list[Plot]:
        """All plots, in order."""
        return [item for section in self.sections for item in section.items if isinstance(item, Plot)]
