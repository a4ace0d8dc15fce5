"""What `chesstools openings` prints for people: results as bars, moves as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .terminal import printable, show

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from chesstools.openings.build import Written
    from chesstools.openings.explorer import Explored
    from chesstools.openings.outline import Branch

FAMILIES = 12
BAR = 16
LEAST_NAME = 20
"""Names of openings stand beside moves where there is room for so much of them."""

NUMBERS = {"games", "share", "score", "elo"}

LEGEND = (
    "█ White won  ▒ drawn  ░ Black won; score: White's, with its 95 % interval",
    "elo: mean of both players; +n: games that came to the position by other moves",
)


def show_written(screen: Console, written: Written, output: str) -> None:
    """The account that is given of a tree that was written."""
    from rich.text import Text

    screen.print(Text(told_of(written.left_out)), soft_wrap=True)
    if written.outline:
        screen.print(Text("\nCommonest moves", style="bold"))
        show(screen, branches_table(screen, written.outline))
    families = [row for row in written.families.to_pylist() if row["opening_family"]]
    if families:
        screen.print(Text("\nCommonest openings", style="bold"))
        show(screen, _families(screen, families[:FAMILIES], written.left_out["counted"]))
    if written.outline or families:
        legend(screen)
    sizes = ", ".join(f"{rows:,} {name}" for name, rows in written.rows.items())
    screen.print(Text(f"\n{sizes} in {printable(output)}"), soft_wrap=True)


def legend(screen: Console) -> None:
    """What the signs in the tables mean."""
    from rich.text import Text

    screen.print(Text("\n" + "\n".join(LEGEND), style="dim"), soft_wrap=True)


def told_of(left_out: Mapping[str, int]) -> str:
    """How many games count, and why others do not.

    >>> told_of({"errors": 2, "variant": 0, "setup": 1, "counted": 1250})
    '1,250 games counted; left out: 2 with errors, 1 from another start position'
    """
    words = {
        "errors": "with errors",
        "repeated": "repeated",
        "variant": "of variants",
        "setup": "from another start position",
        "no moves": "without moves",
    }
    others = [f"{count:,} {words[reason]}" for reason, count in left_out.items() if count and reason in words]
    games = left_out["counted"]
    counted = f"{games:,} game{'s' * (games != 1)} counted"
    return f"{counted}; left out: {', '.join(others)}" if others else counted


def branches_table(screen: Console, branches: Sequence[Branch], first_ply: int = 0) -> Table:
    """Moves, those behind a move below it; `first_ply` is the ply of the position that they are played in."""
    from rich.text import Text

    rows = []
    for line, branch in (pair for one in branches for pair in one.lines()):
        ply = first_ply + len(line) - 1
        move = Text("  " * (len(line) - 1) + numbered(ply, branch.move["san"]))
        if others := (branch.move["next_games"] or 0) - branch.move["games"]:
            move.append(f" +{others:,}" if others > 0 else "", style="dim")
        opening = Text(printable(branch.opening or ""), style="dim")
        rows.append({"move": move, **results(branch.move, branch.move["share"]), "opening": opening})
    return _fitted(screen, rows)


def numbered(ply: int, san: str) -> str:
    """A move with its number, played in the position after so many plies.

    >>> numbered(0, "e4"), numbered(1, "c5")
    ('1. e4', '1... c5')
    """
    return f"{ply // 2 + 1}. {printable(san)}" if ply % 2 == 0 else f"{ply // 2 + 1}... {printable(san)}"


def results(row: Mapping[str, Any], share: float | None) -> dict[str, Text]:
    """Cells by heading."""
    from rich.text import Text

    elos = [row[name] for name in ("white_elo", "black_elo") if row[name] is not None]
    return {
        "games": Text(f"{row['games']:,}"),
        "share": Text(_percent(share)),
        "results": Text(bar(row), style="cyan"),
        "score": Text(score(row)),
        "elo": Text(f"{sum(elos) / len(elos):.0f}" if elos else ""),
        "years": Text(years(row)),
    }


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}" if share >= 0.001 else "<0.1%"


def score(row: Mapping[str, Any]) -> str:
    """White's score in per cent, and its interval.

    >>> score({"score": 0.55, "score_low": 0.521, "score_high": 0.578})
    '55.0% 52–58'
    """
    if row["score"] is None:
        return ""
    return f"{row['score']:.1%} {100 * row['score_low']:.0f}–{100 * row['score_high']:.0f}"


def years(row: Mapping[str, Any]) -> str:
    """The first and the last year."""
    first, last = row["first_year"], row["last_year"]
    return "" if first is None else str(first) if first == last else f"{first}–{last}"


def bar(row: Mapping[str, Any], width: int = BAR) -> str:
    """The results as a bar: every one that occurs is seen.

    >>> bar({"white_won": 4, "drawn": 3, "black_won": 1})
    '████████▒▒▒▒▒▒░░'
    """
    counts = [row["white_won"], row["drawn"], row["black_won"]]
    total = sum(counts)
    if not total:
        return ""
    ends = [round(width * sum(counts[: at + 1]) / total) for at in range(3)]
    return "".join(sign * (end - start) for sign, start, end in zip("█▒░", [0, *ends], ends, strict=False))


def _families(screen: Console, rows: Iterable[Mapping[str, Any]], games: int) -> Table:
    from rich.text import Text

    cells = [{"opening": Text(printable(row["opening_family"])), **results(row, row["games"] / games)} for row in rows]
    return _fitted(screen, cells, ("years", "elo"))


def _fitted(screen: Console, rows: Sequence[Mapping[str, Text]], can_go: Sequence[str] = ("opening", "years", "elo")) -> Table:
    """Rows as a table that is no wider than the screen: no number is ever cut.

    The opening takes what the others leave. Where that is too little, the columns `can_go` are left out, one after the other.
    """
    from rich.table import Table

    widths = {heading: max(len(heading), *(row[heading].cell_len for row in rows)) for heading in rows[0]}

    def others() -> int:
        return sum(width + 1 for heading, width in widths.items() if heading != "opening")

    for heading in can_go:
        least = min(widths["opening"], LEAST_NAME) if "opening" in widths else 0
        if others() + least > screen.width:
            del widths[heading]
    if "opening" in widths:
        widths["opening"] = max(min(widths["opening"], screen.width - others()), LEAST_NAME)
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    for heading, width in widths.items():
        number = heading in NUMBERS
        table.add_column(heading, justify="right" if number else "left", no_wrap=True, overflow="ellipsis", width=width)
    for row in rows:
        table.add_row(*(row[heading] for heading in widths))
    return table


def show_explored(screen: Console, answer: Explored, min_games: int) -> None:
    """A position: board, name and results side by side; its moves; notable games."""
    from rich.text import Text

    show(screen, _position(answer))
    if answer.branches:
        screen.print()
        ply = len(answer.place.line) if answer.place.line is not None else _ply_of(answer.place.fen)
        show(screen, branches_table(screen, answer.branches, ply))
    elif answer.position["games"] > answer.position["ended"]:
        screen.print(Text(f"\nNo move was played in {min_games:,} games or more; --min-games 1 shows all."))
    if answer.notable.num_rows:
        games = answer.notable.to_pylist()
        rated = any(game["white_elo"] and game["black_elo"] for game in games)
        screen.print(Text("\nGames with the highest ratings" if rated else "\nLatest games", style="bold"))
        for line in _notable(games):
            screen.print(Text(line), soft_wrap=True)
    if answer.branches:
        legend(screen)


def _ply_of(fen: str) -> int:
    import chess

    return chess.Board(fen).ply()


def _position(answer: Explored) -> Table:
    """The board with what is known beside it."""
    import chess
    from rich.table import Table
    from rich.text import Text

    from chesstools.openings.place import numbered as numbered_line

    board = chess.Board(answer.place.fen)
    row = answer.position
    told = Text()
    if answer.opening:
        told.append(f"{answer.opening.eco} {printable(answer.opening.name)}\n", style="bold")
    elif answer.place.line == ():
        told.append("Start position\n", style="bold")
    told.append(f"{numbered_line(answer.place.line)}\n" if answer.place.line else "")
    told.append(f"{'White' if board.turn else 'Black'} to move\n\n", style="dim")
    if not row["games"]:
        told.append("No game came here.\n")
    else:
        ended = f", {row['ended']:,} of them ended here" if row["ended"] else ""
        told.append(f"{row['games']:,} game{'s' * (row['games'] != 1)}{ended}{f', {years(row)}' if years(row) else ''}\n")
    decided = row["white_won"] + row["drawn"] + row["black_won"]
    if decided:
        shares = [f"{row[name] / decided:.1%}" for name in ("white_won", "drawn", "black_won")]
        told.append(f"White won {shares[0]}, drawn {shares[1]}, Black won {shares[2]}\n")
        told.append(f"{bar(row, 40)}\n", style="cyan")
        told.append(f"Score of White {score(row)} (95 % interval)\n")
    if row["rated_games"]:
        told.append(f"Mean rating of White {row['white_elo']:.0f}, of Black {row['black_elo']:.0f}\n")
    if answer.left_out:
        told.append(f"{answer.left_out:,} more left out: errors, other start positions, repeated\n", style="dim")
    told.append(f"{board.epd(en_passant='legal')}", style="dim")
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(Text(str(board)), told)
    return table


def _notable(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """One line a game. Places stay whole, however long they are, so that they can be copied."""
    from rich.cells import cell_len

    games = [" – ".join(_player(row[side], row[f"{side}_elo"]) for side in ("white", "black")) for row in rows]
    width = min(46, max(map(cell_len, games)))
    for row, game in zip(rows, games, strict=True):
        place = f"{row['source']}:{row['line']}"
        year = str(row["year"] or "")
        yield f"{game}{' ' * (width - cell_len(game))}  {row['result'] or '':7}  {year:4}  {printable(place)}"


def _player(name: str | None, elo: int | None) -> str:
    shown = printable(name or "?")
    return f"{shown} {elo}" if elo else shown
