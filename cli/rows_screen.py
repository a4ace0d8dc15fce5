"""Rows of any table on a screen: a grid where it fits, else one block a row; long values are shortened."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .plain_values import plain
from .records import dumps
from .terminal import printable, show

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import Console, RenderableType

NARROWEST = 8
"""Text is not made narrower than this; numbers never are, nor is `SHORT` text."""

NAME = 15
"""Text is not made narrower than this while there is room, and names of players never are."""

PEOPLE = {"white", "black", "player", "opponent", "one", "other"}
"""Columns that hold names of players."""

SHORT = 10
"""Texts that are no longer, such as dates, are shown whole."""

GAP = 2
"""Blanks between two columns."""

LONGEST = 200
"""Signs of a value that are shown at most, also where there is room."""

DECIMALS = 4
"""Behind the point of a fraction, at most."""


def show_rows(screen: Console, table: pa.Table) -> None:
    """Print the rows. Null is shown as a dim word, so that it is not taken for an empty text."""
    names = [printable(name) for name in table.column_names]
    columns = [cells(column.to_pylist()) for column in table.columns]
    widths = _widths(table, names, columns, screen.width)
    if widths is not None:
        show(screen, _grid(names, columns, widths, [_is_number(kind) for kind in table.schema.types]))
    elif table.num_rows:
        show(screen, _blocks(names, columns, screen.width))
    else:
        show(screen, "  ".join(names))


def show_first_columns(screen: Console, table: pa.Table) -> None:
    """Print the rows as a grid, with as many of the first columns as there is room for, and at least one."""
    names = [printable(name) for name in table.column_names]
    columns = [cells(column.to_pylist()) for column in table.columns]
    count = len(names)
    while count > 1 and _widths(table.select(range(count)), names[:count], columns[:count], screen.width) is None:
        count -= 1
    show_rows(screen, table.select(range(count)))


def _widths(table: pa.Table, names: list[str], columns: list[list[str | None]], room: int) -> list[int] | None:
    """How wide columns are shown; None where there is no room for all."""
    numbers = [_is_number(kind) for kind in table.schema.types]
    values = [_widest(column) for column in columns]
    whole = [max(value, _widest([name])) for value, name in zip(values, names, strict=True)]
    # Text is made narrower first, then the names of columns are broken behind their underscores: in two, then in more lines.
    for lines, narrowest in ((1, NAME), (2, NAME), (None, NAME), (None, NARROWEST)):
        least = []
        for name, value, number in zip(names, values, numbers, strict=True):
            if number or value <= SHORT:
                least.append(max(value, heading_width(name, lines)))
            elif narrowest == NAME:
                least.append(max(min(value, NAME), heading_width(name, lines)))
            else:
                least.append(min(value, NAME) if name in PEOPLE else NARROWEST)
        widths = fitted(whole, least, room)
        if widths is not None:
            return widths
    return None


def heading_width(name: str, lines: int | None) -> int:
    """How wide the name of a column has to be if it is broken behind underscores into so many lines at most; None for any number.

    >>> [heading_width("most_plies_past", lines) for lines in (1, 2, None)]
    [15, 10, 6]
    """
    parts = name.replace("_", "_\n").split("\n")
    if lines == 1:
        return _widest([name])
    if lines is None:
        return _widest(parts)
    return min((_widest(["".join(parts[:at]), "".join(parts[at:])]) for at in range(1, len(parts))), default=_widest([name]))


def cells(values: list[Any]) -> list[str | None]:
    r"""The values of a column, each on one line; None for null. Fractions have as many decimals as the column needs.

    >>> cells(["a\nb", None]), cells([0.5, 45.0, 1 / 3]), cells([[1, 2]])
    (['a\\nb', None], ['0.5000', '45.0000', '0.3333'], ['[1, 2]'])
    >>> cells([32.8, 45.0]), cells([1.0, None])
    (['32.8', '45.0'], ['1', None])
    """
    fractions = [value for value in values if isinstance(value, (float, Decimal))]
    decimals = max((_decimals(value) for value in fractions), default=0)
    return [None if value is None else _cell(value, decimals) for value in values]


def _cell(value: Any, decimals: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (float, Decimal)):
        return f"{value:.{decimals}f}"
    simple = plain(value)
    return printable((simple if isinstance(simple, str) else dumps(simple))[: LONGEST + 1])


def _decimals(value: float | Decimal) -> int:
    _, _, behind = f"{value:.{DECIMALS}f}".partition(".")
    return len(behind.rstrip("0"))


def fitted(widths: list[int], least: list[int], room: int) -> list[int] | None:
    """The widths of columns that fit into `room`, the widest ones made narrower, but not below `least`; None where they cannot.

    >>> fitted([3, 30, 40], [3, 8, 8], 50), fitted([6] * 20, [6] * 20, 50)
    ([3, 21, 22], None)
    """
    room -= GAP * (len(widths) - 1)
    if sum(least) > room:
        return None
    widths = list(widths)
    for _ in range(sum(widths) - room):
        can = [at for at, width in enumerate(widths) if width > least[at]]
        widths[max(can, key=lambda at: widths[at])] -= 1
    return widths


def _widest(texts: Iterable[str | None]) -> int:
    from rich.cells import cell_len

    return max((cell_len(text) if text is not None else len("null") for text in texts), default=0)


def _grid(names: list[str], columns: list[list[str | None]], widths: list[int], numbers: list[bool]) -> RenderableType:
    from rich import box
    from rich.table import Table

    grid = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for name, width, number in zip(names, widths, numbers, strict=True):
        grid.add_column(
            _heading(name, width), width=width, justify="right" if number else "left", no_wrap=True, vertical="bottom"
        )
    for row in zip(*columns, strict=True):
        grid.add_row(*(_text(value, width, name) for value, width, name in zip(row, widths, names, strict=True)))
    return grid


def _heading(name: str, width: int) -> RenderableType:
    """The name, on several lines where it is too long, broken behind its underscores."""
    from rich.text import Text

    lines = [""]
    for part in name.replace("_", "_\n").split("\n"):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return Text("\n".join(_short(line, width) for line in lines), style="bold")


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _blocks(names: list[str], columns: list[list[str | None]], room: int) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    wide = min(_widest(names), room // 2)
    rest = room - wide - GAP
    parts: list[RenderableType] = []
    for number, row in enumerate(zip(*columns, strict=True), 1):
        grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, GAP, 0, 0))
        grid.add_column(width=wide, no_wrap=True)
        grid.add_column(width=rest, no_wrap=True)
        for name, value in zip(names, row, strict=True):
            grid.add_row(_short(name, wide), _text(value, rest, name))
        parts += [Text(f"row {number}", style="bold"), grid]
    return Group(*parts)


def _text(value: str | None, width: int, name: str) -> RenderableType:
    from rich.text import Text

    if value is None:
        return Text("null"[:width], style="dim")
    return Text(_tail(value, width) if name.startswith("source") else _short(value, width))


def _short(text: str, width: int) -> str:
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def _tail(path: str, width: int) -> str:
    """The end of a path, which tells more than its beginning."""
    from rich.cells import cell_len, set_cell_size

    return path if cell_len(path) <= width else "…" + set_cell_size(path[::-1], width - 1)[::-1].lstrip()
