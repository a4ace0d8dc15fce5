"""How the games were played: squares, men and material."""

from __future__ import annotations

from chesstools.report.figures import Figures
from chesstools.report.maps import board_map
from chesstools.report.model import Column, Plot, Section, Table
from chesstools.report.plots import lines, outcome_bars
from chesstools.report.results import FEW as FEW_OUTCOMES
from chesstools.report.results import few_told, outcome_columns
from chesstools.report.text import counted, percent

WANTED = ("square_activity", "survival", "king_squares", "material_by_move", "castling", "piece_activity")

FEW = 30
"""Games that still go on at a move number: of fewer no mean is drawn."""

LAST_MOVE = 80

RESULTS = {"1-0": "White won", "1/2-1/2": "drawn", "0-1": "Black won"}


def section(figures: Figures) -> Section | None:
    """The part on play; None where no move was made."""
    drawn = [_arrivals(figures), _captured(figures), _survival(figures), _mated(figures), _material(figures), _castling(figures)]
    items: list[Plot | Table] = [plot for plot in drawn if plot is not None]
    if not items:
        return None
    return Section("play", "How they played", "", (), [*items, _pieces(figures)])


def _arrivals(figures: Figures) -> Plot | None:
    rows = figures.rows("square_activity")
    if not any(row["arrivals"] for row in rows):
        return None
    most = max(rows, key=lambda row: row["arrivals"])
    return Plot(
        "arrivals",
        "Where moves go",
        board_map(rows, "arrival_share", "Share of moves", ".2%", more=[("arrivals", "Moves", ",")]),
        "Squares on which moves end, the stronger the colour the more; "
        f"{most['square']} has {percent(most['arrival_share'])} of all moves. " + figures.told("square_activity"),
        f"Chessboard shaded by the number of moves that end on each square; the most end on {most['square']}.",
        half=True,
    )


def _captured(figures: Figures) -> Plot | None:
    rows = figures.rows("square_activity")
    total = sum(row["captured"] for row in rows)
    if not total:
        return None
    most = max(rows, key=lambda row: row["captured"])
    return Plot(
        "captured",
        "Where men are taken",
        board_map(
            [{**row, "share": row["captured"] / total} for row in rows],
            "share",
            "Share of captures",
            ".2%",
            more=[("captured", "Captures", ",")],
        ),
        f"Squares on which men are taken; {most['square']} has {percent(most['captured'] / total)} of all captures. "
        + figures.told("square_activity"),
        f"Chessboard shaded by the number of captures on each square; the most happen on {most['square']}.",
        half=True,
    )


def _survival(figures: Figures) -> Plot | None:
    rows = [row for row in figures.rows("survival") if row["survival"] is not None]
    if not rows:
        return None
    return Plot(
        "survival",
        "Which men live to the end",
        board_map(rows, "survival", "Survives", ".1%", written=".0%", more=[("role", "Man", None), ("side", "Side", None)]),
        "On the square where a man begins: in what share of the games he is never taken. A pawn that is promoted lives on as "
        f"what he became. {figures.told('survival')}",
        "Chessboard that tells for each man, on the square where he begins, in what share of the games he is never taken.",
        half=True,
        numbers=Table(
            "survival-numbers",
            "Survival of the 32 men",
            [
                Column("Side", "side"),
                Column("Man", "role"),
                Column("from", "square"),
                Column("Survives", "survival", "share"),
                Column(
                    "taken at move", "median_capture_move", "number", meaning="Half of those that are taken are taken before it"
                ),
                Column("Moves a game", "moves_per_game", "number", minor=True),
                Column("Captures a game", "captures_per_game", "number", minor=True),
            ],
            rows,
        ),
    )


def _mated(figures: Figures) -> Plot | None:
    counts: dict[str, int] = {}
    for row in figures.rows("king_squares"):
        counts[row["square"]] = counts.get(row["square"], 0) + row["mated"]
    total = sum(counts.values())
    if not total:
        return None
    most = max(counts, key=lambda square: counts[square])
    return Plot(
        "mated",
        "Where kings are mated",
        board_map([{"square": square, "mates": many} for square, many in counts.items()], "mates", "Mates"),
        f"Squares of the king in {counted(total, 'mate')} of either side; the most, {counts[most]:,}, are on {most}. "
        + figures.told("king_squares"),
        f"Chessboard shaded by how often a king was mated on each square; the most on {most}.",
        half=True,
    )


def _material(figures: Figures) -> Plot | None:
    rows = [
        {**row, "how": RESULTS[row["result"]]}
        for row in figures.rows("material_by_move")
        if row["result"] in RESULTS and row["move"] <= LAST_MOVE and row["games"] >= FEW
    ]
    order = [word for word in RESULTS.values() if any(row["how"] == word for row in rows)]
    if len(rows) < 6:
        return None
    return Plot(
        "material",
        "When games are decided",
        lines(rows, "move", "balance", "how", order, ("Move", "White's men less Black's, in pawns", "Game"), "+.1~f"),
        "White's material less Black's, as the mean of the games that still go on at a move: pawn 1, knight and bishop 3, rook "
        f"5, queen 9. Drawn where at least {FEW} games go on. {figures.told('material_by_move')}",
        "Lines: mean material balance by move number, for games that White won, that were drawn, and that Black won.",
    )


def _castling(figures: Figures) -> Plot | None:
    rows = sorted(figures.rows("castling"), key=lambda row: -row["games"])
    for row in rows:
        row["castled"] = _castled(row["white_wing"], row["black_wing"])
    drawn = [row for row in rows if row["games"] >= FEW_OUTCOMES]
    if len(drawn) < 2:
        return None
    return Plot(
        "castling",
        "Who castled where",
        outcome_bars(drawn, "castled", "Castled"),
        f"Outcomes by who castled, and to which side, the commonest on top. {few_told(rows, drawn)}{figures.told('castling')}",
        "Stacked bars: shares of White's wins, draws and Black's wins by the sides to which both castled.",
        numbers=Table("castling-numbers", "Outcomes by castling", outcome_columns(Column("Castled", "castled")), rows),
    )


def _castled(white: str, black: str) -> str:
    """Where the sides castled, in words.

    >>> _castled("kingside", "queenside"), _castled("none", "kingside"), _castled("none", "none")
    ('White kingside, Black queenside', 'only Black, kingside', 'neither side')
    """
    if white == black:
        return "neither side" if white == "none" else f"both {white}"
    if "none" in (white, black):
        return f"only Black, {black}" if white == "none" else f"only White, {white}"
    return f"White {white}, Black {black}"


def _pieces(figures: Figures) -> Table:
    return Table(
        "pieces",
        "What the men do",
        [
            Column("Side", "side"),
            Column("Man", "role"),
            Column("Moves", "moves", "count"),
            Column("a game", "moves_per_game", "number"),
            Column("Captures", "captures", "count", minor=True),
            Column("of its moves", "capture_share", "share", minor=True, meaning="Share of its moves that take something"),
            Column("Taken", "captured", "count", minor=True),
            Column("Checks", "checks", "count", minor=True),
            Column("of its moves", "check_share", "share", minor=True, meaning="Share of its moves that give check"),
            Column("Mates", "mates", "count"),
        ],
        figures.rows("piece_activity"),
        figures.told("piece_activity"),
        searchable=False,
    )
