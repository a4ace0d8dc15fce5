"""Openings by position: the ECO code and the name of the deepest named position that a game passed.

A position counts however it was reached, so a transposition has the name of what it became. Positions are told apart by
`chesstools.reference.position_key`, the column ``position_key`` of plies; only games from the usual array have openings.

>>> opening_of(["d4", "e6", "c4", "d5", "Nc3", "Nf6", "Bg5", "Be7"])
Opening(eco='D53', name="Queen's Gambit Declined", ply=8)
>>> opening_of(["Nf3", "c5", "e4"]).name
'Sicilian Defense'
"""

from chesstools.openings.classify import opening_of, openings_of
from chesstools.openings.named import add_game_openings, add_named_positions, named_positions
from chesstools.openings.names import Entry, Opening, Table, load

__all__ = [
    "Entry",
    "Opening",
    "Table",
    "add_game_openings",
    "add_named_positions",
    "load",
    "named_positions",
    "opening_of",
    "openings_of",
]
