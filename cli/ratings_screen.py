"""What `chesstools ratings` tells people: the best players under each method, and which games were counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .terminal import printable, show

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import Console

    from chesstools.ratings import Ratings
    from chesstools.ratings.run import Counts

TITLES = {"elo": "Elo", "glicko2": "Glicko-2", "points": "Points system"}

VALUES = {"elo": ("rating",), "glicko2": ("rating", "deviation_now"), "points": ("points", "level")}
"""The columns that tell the standing under each method."""

HEADINGS = {"deviation_now": "±", "wins": "+", "draws": "=", "losses": "–"}


def show_ratings(screen: Console, found: Ratings, top: int, least_games: int) -> None:
    """A table for each method, of the best players with so many games."""
    import pyarrow.compute as pc
    from rich.text import Text

    for number, (method, players) in enumerate(found.players.items()):
        period = found.settings.period_of(method)
        told = f", rating period: {period}" if period not in (None, "game") else ""
        screen.print(Text(f"{chr(10) if number else ''}{TITLES[method]}{told}", style="bold"), soft_wrap=True)
        chosen = players.filter(pc.greater_equal(players["games"], least_games)).slice(0, top)
        if chosen.num_rows:
            show(screen, _table(chosen, VALUES[method]))
        else:
            screen.print(Text("No players."))


def counts_told(counts: Counts) -> list[str]:
    """Sentences on what was counted, and what was not, and why."""
    from chesstools.rules import get_rule

    reasons = get_rule("G951").phrases["reason"]
    lines = [f"{counts.counted:,} of {counts.games:,} games counted{'; left out (G951):' if counts.skipped else '.'}"]
    width = max((len(f"{count:,}") for count in counts.skipped.values()), default=0)
    lines += [f"  {count:>{width},}  {reasons[reason]}" for reason, count in counts.skipped.most_common()]
    if counts.tainted:
        lines.append(f"Counted, though a move is illegal: {counts.tainted:,} (--illegal skip leaves such games out).")
    if counts.ambiguous:
        lines.append(f"Points system: the table has not one answer for {counts.ambiguous:,} games (G950).")
    if counts.rounded:
        lines.append(f"Points system: transfers that were rounded: {counts.rounded:,}.")
    return lines


def _table(players: pa.Table, values: tuple[str, ...]) -> Any:
    from rich.table import Table
    from rich.text import Text

    columns = ["rank", "name", *values, "games", "wins", "draws", "losses", "last_date"]
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    for column in columns:
        is_text = column in ("name", "last_date")
        heading = HEADINGS.get(column, "" if column == "rank" else column.replace("_", " "))
        table.add_column(
            heading,
            justify="left" if is_text else "right",
            no_wrap=True,
            overflow="ellipsis",
            max_width=32 if column == "name" else None,
        )
    for row in players.select(columns).to_pylist():
        table.add_row(*(Text(_cell(name, value)) for name, value in row.items()))
    return table


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "–"
    if name in ("rating", "points"):
        return f"{value:.1f}"
    if name == "deviation_now":
        return f"{value:.0f}"
    return f"{value:,}" if isinstance(value, int) and name != "level" else printable(str(value))
