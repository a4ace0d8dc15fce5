"""How long the players thought, and what evaluations say of their moves; only where an archive has clocks or evaluations."""

from __future__ import annotations

from chesstools.report.figures import Figures
from chesstools.report.model import Column, Item, Plot, Section, Table
from chesstools.report.plots import lines
from chesstools.report.text import plain, signed
from chesstools.stats.evaluations import JUDGEMENTS
from chesstools.time_class import TIME_CLASSES

WANTED = ("move_times", "evaluations_by_move", "evaluation_losses_by_rating", "evaluation_swings")

FEW = 30
"""Fewer moves make no point in a curve."""

LAST_MOVE = 80

MOST_SWINGS = 100

BLUNDER = (
    f"A blunder loses {JUDGEMENTS['blunders']:g} or more of the 100 points of winning percent, by the evaluations in the source "
    "and as Lichess reckons."
)
"""What the statistic counts, in words."""

CLASSES = (*TIME_CLASSES, "not known")


def section(figures: Figures) -> Section | None:
    """The part on time and evaluations; None where the games tell of neither."""
    found = [_times(figures), _losses(figures), _by_rating(figures), _swings(figures)]
    items: list[Item] = [item for item in found if item is not None]
    return Section("thinking", "Time and mistakes", "", (), items) if items else None


def _times(figures: Figures) -> Plot | None:
    rows = [
        {**row, "class": row["time_class"] or "not known"}
        for row in figures.rows("move_times")
        if row["moves"] >= FEW and row["move"] <= LAST_MOVE
    ]
    order = [name for name in CLASSES if any(row["class"] == name for row in rows)]
    if len(rows) < 3:
        return None
    return Plot(
        "move-times",
        "Time for a move",
        lines(rows, "move", "mean_s", "class", order, ("Move", "Seconds", "Time control"), ",~r"),
        f"Mean time of a move in seconds, by its number and the class of the time control; of at least {FEW} moves. "
        + figures.told("move_times"),
        "Lines: mean seconds for a move by its number, one line for each class of time control.",
    )


def _losses(figures: Figures) -> Plot | None:
    rows = [
        {**row, "what": "blunders"}
        for row in figures.rows("evaluations_by_move")
        if row["moves"] >= FEW and row["move"] <= LAST_MOVE
    ]
    if len(rows) < 3:
        return None
    return Plot(
        "blunders",
        "When the blunders come",
        lines(rows, "move", "blunders_per_100", "what", ["blunders"], ("Move", "Blunders in 100 moves", "What"), ",~r"),
        f"{BLUNDER} A point is drawn where there are at least {FEW} moves. {figures.told('evaluations_by_move')}",
        "Line: blunders in a hundred moves, by the number of the move.",
        half=True,
    )


def _by_rating(figures: Figures) -> Plot | None:
    rows = [
        {**row, "what": "blunders"}
        for row in figures.rows("evaluation_losses_by_rating")
        if row["rating_from"] is not None and row["moves"] >= FEW
    ]
    if len(rows) < 3:
        return None
    return Plot(
        "blunders-by-rating",
        "Who makes them",
        lines(rows, "rating_from", "blunders_per_100", "what", ["blunders"], ("Rating", "Blunders in 100 moves", "What"), ",~r"),
        f"Blunders in a hundred moves by the rating of the player who moves. {BLUNDER} "
        + figures.told("evaluation_losses_by_rating"),
        "Line: blunders in a hundred moves, by the rating of the player.",
        half=True,
    )


def _swings(figures: Figures) -> Table | None:
    rows = [
        {
            **row,
            "file": figures.file(row["source"]),
            "move": f"{(row['ply'] + 1) // 2}{'.' if row['ply'] % 2 else '...'} {plain(row['san'])}",
            "before": _evaluation(row["cp_before"], row["mate_before"]),
            "after": _evaluation(row["cp_after"], row["mate_after"]),
            "loss": row["loss_percent"],
        }
        for row in figures.rows("evaluation_swings")
    ]
    if not rows:
        return None
    return Table(
        "swings",
        "The moves that lost most",
        [
            Column("Move", "move"),
            Column("White", "white"),
            Column("Black", "black"),
            Column("Before", "before"),
            Column("After", "after"),
            Column("Points lost", "loss", "number", meaning="Of 100 points of winning percent, as Lichess reckons"),
            Column("Source", "file", minor=True),
            Column("Game", "game_index", "count", minor=True, meaning="Number of the game in its source, from 0"),
        ],
        rows[:MOST_SWINGS],
        "Evaluations are those in the source, in pawns from White's side; a move loses so many of the 100 points of winning "
        f"percent, as Lichess reckons. {figures.told('evaluation_swings')}",
        len(rows),
    )


def _evaluation(centipawns: int | None, mate: int | None) -> str | None:
    """As engines write it.

    >>> _evaluation(-130, None), _evaluation(None, 3)
    ('−1.30', 'mate in 3 (White)')
    """
    if mate is not None:
        return f"mate in {abs(mate)} ({'White' if mate > 0 else 'Black'})"
    return None if centipawns is None else signed(centipawns / 100, 2)
