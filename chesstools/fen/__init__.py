"""Positions as text (FEN, EPD): checked, brought into one form, converted, told apart, counted, drawn.

What takes positions takes one as a string, or many as a list, an Arrow array or a pandas Series, and answers with the like: see
`chesstools.fen.columns`. A line may have 1, 4 or 6 fields and EPD operations behind them.
"""

from chesstools.fen.duplicates import dedupe
from chesstools.fen.epd import from_epd, operations, to_epd
from chesstools.fen.forms import normalise
from chesstools.fen.identity import key, sameness
from chesstools.fen.legal import divide, moves, perft
from chesstools.fen.picture import render, render_png
from chesstools.fen.problems import FenProblem, check, check_fen, playable

__all__ = [
    "FenProblem",
    "check",
    "check_fen",
    "dedupe",
    "divide",
    "from_epd",
    "key",
    "moves",
    "normalise",
    "operations",
    "perft",
    "playable",
    "render",
    "render_png",
    "sameness",
    "to_epd",
]
