"""Openings by position: the ECO code and the name of the deepest named position that a game passed; trees of openings.

A position counts however it was reached, so a transposition has the name of what it became. Positions are told apart by
`chesstools.reference.position_key`, the column ``position_key`` of plies; only games from the usual array have openings.

>>> opening_of(["d4", "e6", "c4", "d5", "Nc3", "Nf6", "Bg5", "Be7"])
Opening(eco='D53', name="Queen's Gambit Declined", ply=8)
>>> opening_of(["Nf3", "c5", "e4"]).name
'Sicilian Defense'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from chesstools.openings.classify import opening_of, openings_of
from chesstools.openings.named import add_game_openings, add_named_positions, named_positions
from chesstools.openings.names import Entry, Opening, Table, load

if TYPE_CHECKING:
    from chesstools.openings.build import Tree, Written, tree, write_openings
    from chesstools.openings.explorer import Explored, explore

__all__ = [
    "Entry",
    "Explored",
    "Opening",
    "Table",
    "Tree",
    "Written",
    "add_game_openings",
    "add_named_positions",
    "explore",
    "load",
    "named_positions",
    "opening_of",
    "openings_of",
    "tree",
    "write_openings",
]

_HOME = {
    "Explored": "explorer",
    "Tree": "build",
    "Written": "build",
    "explore": "explorer",
    "tree": "build",
    "write_openings": "build",
}
"""What is imported when it is first used: the names of openings alone are wanted by every scan."""


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
