"""`chesstools fen`: commands about positions."""

from __future__ import annotations

import click

from .lazy_group import LazyGroup

COMMANDS = {
    "check": "fen_check",
    "normalise": "fen_normalise",
    "convert": "fen_convert",
    "key": "fen_key",
    "dedupe": "fen_dedupe",
    "moves": "fen_moves",
    "perft": "fen_perft",
    "winnable": "fen_winnable",
    "render": "fen_render",
}
"""Subcommand → the module beside this one that defines it under the module's name."""

EPILOG = """\b
Examples:
  chesstools fen check '4k3/8/8/8/8/8/P1P5/1B2K3 w K - 90 1'
  chesstools fen normalise positions.csv --ep legal -o normal.csv
  chesstools fen winnable '2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1'
"""


@click.group(
    cls=LazyGroup, modules=COMMANDS, epilog=EPILOG, short_help="Check, convert, compare, count and draw positions (FEN, EPD)."
)
def fen() -> None:
    """Check positions, bring them into one form, convert, compare, count and draw them.

    FEN is a FEN in quotation marks, a file with one FEN or EPD a line (also packed), a Parquet, Arrow or CSV file with a column
    of them, or - (standard input). A FEN may have 1, 4 or 6 fields. Empty lines, and lines that begin with #, are passed over.
    """
