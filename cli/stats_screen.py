"""What `chesstools stats` prints: the important tables, a few columns and rows of each, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .terminal import printable, show

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import Console, RenderableType

    from chesstools.stats import Written

ROWS = 1000
"""How many rows of each table are kept to choose from."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a table: these columns under their headings, so many rows, the last ones where `last`."""

    columns: Mapping[str, str]
    rows: int = 10
    last: bool = False
    least: int = 1
    """Not shown with fewer rows."""
    where: Callable[[Row], bool] = field(default=lambda row: True)


_SHARES = {"white_share": "White", "draw_share": "draw", "black_share": "Black"}
_OUTCOME = {"games": "games", **_SHARES, "score": "score", "white_performance": "perf."}
_EXPECTED = {"games": "games", **_SHARES, "score": "score", "expected_score": "expected"}

SHOWN = {
    "outcomes": Shown({**_OUTCOME, "white_elo": "White Elo", "average_plies": "plies"}),
    "outcomes_by_rules": Shown({"rules": "rules", "from_array": "usual start", **_OUTCOME}, least=2),
    "outcomes_by_year": Shown({"year": "year", **_OUTCOME}, last=True),
    "outcomes_by_time_class": Shown({"time_class": "class", **_OUTCOME}),
    "outcomes_by_rating": Shown({"rating_from": "from", "rating_to": "below", **_OUTCOME}, rows=20),
    "outcomes_by_difference": Shown(
        {"difference_from": "from", "difference_to": "to", **_EXPECTED},
        rows=13,
        where=lambda row: abs(row["difference_from"] + 25) <= 300,
    ),
    "outcomes_by_first_move": Shown({"first_move": "move", **_OUTCOME}, rows=6),
    "outcomes_by_opening_family": Shown({"family": "opening", **_OUTCOME}),
    "end_reasons": Shown(
        {"reason": "reason", "basis": "told by", "games": "games", "share": "share", "average_plies": "plies"}, rows=15
    ),
    "draw_rules_by_event": Shown(
        {
            "event": "event",
            "years": "years",
            "games": "games",
            "past_seventyfive": "past 75 moves",
            "past_fivefold": "fivefold",
            "unclaimed_draws": "unclaimed",
        },
        where=lambda row: row["past_seventyfive"] + row["past_fivefold"] + row["unclaimed_draws"] > 0,
    ),
    "moves_after_draws": Shown(
        {"plies_past": "plies past", "rule": "drawn by", "date": "date", "event": "event", "white": "White", "black": "Black"},
        where=lambda row: row["rule"] != "dead_position",
    ),
    "players": Shown(
        {
            "player": "player",
            "games": "games",
            "score": "score",
            "white_score": "as White",
            "black_score": "as Black",
            "average_opponent": "opponents",
            "performance": "perf.",
        }
    ),
    "sources": Shown(
        {
            "source": "source",
            "games": "games",
            "score": "of 100",
            "games_with_errors": "with errors",
            "games_with_warnings": "with warnings",
            "with_ratings": "rated",
        }
    ),
}
"""The tables that are shown, in this order."""

WORDS = {"moves_without_progress": "75 moves", "repetition": "fivefold"}
"""What is said for values of the column rule."""

_PERCENT = {"share", "expected_score", "white_score", "black_score", "with_ratings", *_SHARES}
_WHOLE = {"white_elo", "white_performance", "performance", "average_opponent", "average_plies"}
_CAN_SHRINK = {"event", "white", "black", "player", "source", "family"}
_NUMBERS = {"year", "last_year", "rating_from", "rating_to"}


def show_statistics(screen: Console, written: Written) -> None:
    """Print those of `SHOWN` that were written and have rows, and what was left out."""
    from rich.text import Text

    from chesstools.stats.registry import STATISTICS

    screen.print(Text(f"{written.games:,} games"))
    for name, shown in SHOWN.items():
        if name in written.heads:
            rows = [row for row in written.heads[name].to_pylist() if shown.where(row)]
            if len(rows) >= shown.least:
                screen.print(Text(f"\n{STATISTICS[name].title}", style="bold"), soft_wrap=True)
                show(screen, _table(written.heads[name].schema, rows[-shown.rows :] if shown.last else rows[: shown.rows], shown))
                if len(rows) > shown.rows:
                    screen.print(Text(f"  … {name} has all", style="dim"), soft_wrap=True)
    _left_out(screen, written)


def _table(schema: pa.Schema, rows: Sequence[Row], shown: Shown) -> RenderableType:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name, heading in shown.columns.items():
        is_text = name == "years" or str(schema.field(name).type) in ("string", "bool")
        narrowest = None if name in _CAN_SHRINK else max(len(heading), *(len(cell(name, row)) for row in rows))
        side: Literal["left", "right"] = "left" if is_text else "right"
        table.add_column(heading, justify=side, overflow="ellipsis", no_wrap=True, min_width=narrowest)
    for row in rows:
        table.add_row(*(Text(cell(name, row)) for name in shown.columns))
    return Padding(table, (0, 0, 0, 2), expand=False)


def cell(name: str, row: Row) -> str:
    """A value as it is shown.

    >>> cell("games", {"games": 12345}), cell("white_share", {"white_share": 0.5532}), cell("event", {"event": None})
    ('12,345', '55.3 %', '?')
    >>> cell("score", {"score": 0.55, "score_low": 0.53, "score_high": 0.57})
    '55.0 ±2.0 %'
    """
    if name == "years":
        return "-".join(dict.fromkeys(str(year) for year in (row["first_year"], row["last_year"]) if year is not None))
    value = row[name]
    if value is None:
        return "?"
    if name == "score" and "score_low" in row:
        return f"{100 * value:.1f} ±{50 * (row['score_high'] - row['score_low']):.1f} %"
    if name in _PERCENT:
        return f"{100 * value:.1f} %"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value}" if name in _NUMBERS else f"{value:,}"
    if isinstance(value, float):
        return f"{value:.0f}" if name in _WHOLE else f"{value:.1f}"
    text = str(value)
    return printable(WORDS.get(text, text) if name == "rule" else text)


def _left_out(screen: Console, written: Written) -> None:
    """Each reason once: how many games it leaves out at most, and of how many tables."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    reasons: dict[str, tuple[int, int, str]] = {}
    for row in written.heads["left_out"].to_pylist():
        if row["games"] and row["meaning"]:
            games, tables, _ = reasons.get(row["reason"], (0, 0, ""))
            reasons[row["reason"]] = max(games, row["games"]), tables + 1, row["meaning"]
    screen.print(Text("\nGames left out", style="bold"))
    if not reasons:
        screen.print(Text("  none"))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("games", justify="right")
    table.add_column("of tables", justify="right")
    table.add_column("because")
    for games, tables, meaning in reasons.values():
        table.add_row(f"{games:,}", f"{tables}", meaning)
    show(screen, Padding(table, (0, 0, 0, 2), expand=False))
