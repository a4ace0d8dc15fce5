"""What `chesstools stats` prints: the important tables, a few columns and rows of each, for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .terminal import printable, show

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import Console

    from chesstools.stats import Written

ROWS = 200
"""How many rows of each table are kept to choose from."""

PERCENT = {"score", "expected_score", "observed_score", "share", "white_share", "draw_share", "black_share"}
RATINGS = {"white_elo", "black_elo", "white_performance", "black_performance"}
HEADINGS = {"white_share": "white", "draw_share": "draw", "black_share": "black", "white_performance": "perf."}


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a table: these columns, so many rows, the last ones where `last`."""

    columns: Sequence[str]
    rows: int = 10
    last: bool = False


OUTCOME = ("games", "white_share", "draw_share", "black_share", "score", "white_elo", "white_performance")

SHOWN = {
    "outcomes": Shown(OUTCOME),
    "outcomes_by_year": Shown(("year", *OUTCOME), last=True),
    "left_out": Shown(("statistic", "reason", "games")),
}
"""The tables that are shown, in this order."""


def show_statistics(screen: Console, written: Written) -> None:
    """Print those of `SHOWN` that were written and have rows."""
    from rich.text import Text

    from chesstools.stats.registry import STATISTICS

    screen.print(Text(f"{written.games:,} games"))
    for name, shown in SHOWN.items():
        head = written.heads.get(name)
        if head is None or not head.num_rows:
            continue
        title = STATISTICS[name].title if name in STATISTICS else "Left out"
        screen.print(Text(f"\n{title}", style="bold"), soft_wrap=True)
        show(screen, _table(head, shown))


def _table(head: pa.Table, shown: Shown) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in shown.columns:
        is_text = str(head.schema.field(name).type) == "string"
        heading = HEADINGS.get(name, name.replace("_", " "))
        table.add_column(heading, justify="left" if is_text else "right", overflow="ellipsis", no_wrap=True)
    rows = head.select(list(shown.columns)).to_pylist()
    for row in rows[-shown.rows :] if shown.last else rows[: shown.rows]:
        table.add_row(*(Text(cell(name, value)) for name, value in row.items()))
    return table


def cell(name: str, value: Any) -> str:
    """A value as it is shown.

    >>> cell("games", 12345), cell("score", 0.55321), cell("white_elo", 2599.6), cell("event", None)
    ('12,345', '55.3 %', '2600', '')
    """
    if value is None:
        return ""
    if name in PERCENT:
        return f"{100 * value:.1f} %"
    if isinstance(value, float):
        return f"{value:.0f}" if name in RATINGS else f"{value:.2f}"
    if isinstance(value, int) and name not in {"year"} and not isinstance(value, bool):
        return f"{value:,}"
    return printable(str(value))
