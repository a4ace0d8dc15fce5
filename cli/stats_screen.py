"""What `chesstools stats` prints: the important tables, a few columns and rows of each, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .rows_screen import show_first_columns
from .terminal import printable, show

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from chesstools.stats import Written
    from chesstools.stats.statistic import Statistic

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
_OUTCOME = {"games": "games", **_SHARES, "score": "score", "interval": "95 %", "white_performance": "perf."}
_EXPECTED = {"games": "games", **_SHARES, "score": "score", "interval": "95 %", "expected_score": "expected"}

SHOWN = {
    "outcomes": Shown({**_OUTCOME, "white_elo": "White Elo", "average_plies": "plies"}, where=lambda row: row["games"] > 0),
    "outcomes_by_rules": Shown({"rules": "rules", "from_array": "usual start", **_OUTCOME}, least=2),
    "outcomes_by_year": Shown({"year": "year", **_OUTCOME}, last=True, least=2),
    "outcomes_by_event": Shown({"event": "event", **_OUTCOME}),
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
            "year": "year",
            "games": "games",
            "past_seventyfive": "past 75 moves",
            "past_fivefold": "fivefold",
            "unclaimed_draws": "unclaimed",
        },
        where=lambda row: row["past_seventyfive"] + row["past_fivefold"] + row["unclaimed_draws"] > 0,
    ),
    "remarkable_games": Shown(
        {
            "kind": "kind",
            "white": "White",
            "white_elo": "Elo",
            "black": "Black",
            "black_elo": "Elo",
            "result": "result",
            "plies": "plies",
        },
        where=lambda row: row["rank"] <= 3 and row["kind"] != "shortest_won",
        rows=12,
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
            "interval": "95 %",
            "white_score": "as White",
            "black_score": "as Black",
            "performance": "perf.",
        }
    ),
    "sources": Shown(
        {
            "source": "source",
            "games": "games",
            "score": "score",
            "games_with_errors": "errors",
            "games_with_warnings": "warnings",
            "with_ratings": "rated",
        }
    ),
}
"""The tables that are shown, in this order."""

HEADINGS = {"white_wing": "White castled", "black_wing": "Black castled"}
"""Headings of columns whose names alone do not say what they are."""

_WINGS = {"none": "not at all"}
WORDS = {
    "rule": {"moves_without_progress": "75 moves", "repetition": "fivefold"},
    "white_wing": _WINGS,
    "black_wing": _WINGS,
}
"""What is said for values of some columns."""

_MINOR = {"tagged_games", "agreeing_games", "first_year", "last_year"}
"""Columns of tables of outcomes that are not shown."""

FIRST = 10
"""Rows that are shown of a table that was named and is not in `SHOWN`."""

_PERCENT = {"share", "score", "expected_score", "white_score", "black_score", "with_ratings", *_SHARES}
_WHOLE = {"white_elo", "white_performance", "performance", "average_opponent", "average_plies"}
_CAN_SHRINK = {"event", "white", "black", "player", "source", "family", "opening"}
_NUMBERS = {"year", "white_elo", "black_elo", "rating_from", "rating_to"}


def show_statistics(screen: Console, written: Written, named: bool = False) -> None:
    """Print those of `SHOWN` that were written and have rows, and what was left out; where they were `named`, all of them."""
    from rich.text import Text

    from chesstools.stats.registry import STATISTICS

    screen.print(Text(f"{written.games:,} games"))
    if written.repeats:
        screen.print(Text(f"{written.repeats:,} of them are repeats of earlier games (--unique counts them once)"))
    for name in [name for name in written.heads if name in STATISTICS] if named else SHOWN:
        if name not in written.heads:
            continue
        shown, head = SHOWN.get(name) or _outcomes_shown(STATISTICS[name]), written.heads[name]
        rows = [row for row in head.to_pylist() if shown is None or shown.where(row)]
        if not named and shown is not None and len(rows) < shown.least:
            continue
        screen.print(Text(f"\n{STATISTICS[name].title}", style="bold"))
        if not rows:
            screen.print(Text("  no rows"))
        elif shown is None:
            show_first_columns(screen, head.slice(0, FIRST))
        else:
            chosen = rows[-shown.rows :] if shown.last else rows[: shown.rows]
            show(screen, _table(chosen, shown, screen.width))
        if shown is None or len(rows) > shown.rows:
            screen.print(Text(f"  … {name} has all", style="dim"))
    _left_out(screen, written)


def _outcomes_shown(statistic: Statistic) -> Shown | None:
    """What is shown of a table of outcomes: two columns of its own, and the chief ones of all; None for other tables."""
    from chesstools.stats.outcome import OUTCOME_COLUMNS

    names = [column.name for column in statistic.columns]
    if not {column.name for column in OUTCOME_COLUMNS} <= set(names):
        return None
    own = [name for name in names[: names.index("games")] if name not in _MINOR]
    columns = {**{name: HEADINGS.get(name, name.replace("_", " ")) for name in own[:2]}, **_OUTCOME}
    if len(own) > 1:  # else there is no room for names
        del columns["white_performance"]
    return Shown(columns)


def _table(rows: Sequence[Row], shown: Shown, width: int) -> RenderableType:
    from rich.cells import cell_len
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    cells = {name: [cell(name, row) for row in rows] for name in shown.columns}
    widths = {name: max(cell_len(text) for text in [shown.columns[name], *texts]) for name, texts in cells.items()}
    names = [name for name in _CAN_SHRINK if name in widths]
    fixed = sum(widths[name] for name in widths if name not in names) + 2 * len(widths)
    for name, heading in shown.columns.items():
        is_text = any(isinstance(row.get(name), (str, bool)) for row in rows)
        most = max((width - 2 - fixed) // len(names), 8) if name in names else None
        side: Literal["left", "right"] = "left" if is_text else "right"
        table.add_column(heading, justify=side, overflow="ellipsis", no_wrap=True, max_width=most)
    for texts in zip(*cells.values(), strict=True):
        table.add_row(*map(Text, texts))
    return Padding(table, (0, 0, 0, 2), expand=False)


def cell(name: str, row: Row) -> str:
    """A value as it is shown.

    >>> cell("games", {"games": 12345}), cell("white_share", {"white_share": 0.5532}), cell("event", {"event": None})
    ('12,345', '55.3 %', '?')
    >>> cell("white_wing", {"white_wing": "none"}), cell("event", {"event": "none"})
    ('not at all', 'none')
    >>> cell("score", row := {"score": 0.55, "score_low": 0.531, "score_high": 0.572}), cell("interval", row)
    ('55.0 %', '53.1-57.2')
    """
    if name == "interval":
        low, high = (100 * row[f"score_{end}"] for end in ("low", "high"))
        return f"{low:.1f}-{high:.1f}" if high - low < 10 else f"{low:.0f}-{high:.0f}"
    value = row[name]
    if value is None:
        return "?"
    if name == "score" and "score_low" not in row:  # of a source: 0 to 100
        return f"{value:.1f}"
    if name in _PERCENT:
        return f"{100 * value:.1f} %"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value}" if name in _NUMBERS else f"{value:,}"
    if isinstance(value, float):
        return f"{value:.0f}" if name in _WHOLE else f"{value:.1f}"
    text = str(value)
    return printable(WORDS.get(name, {}).get(text, text))


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
