"""Reads chess archives of any size, judges every game by the Laws of Chess, and writes typed tables.

The public names are imported when they are first used, so that ``import chesstools`` costs almost nothing.

>>> import chesstools
>>> chesstools.Severity("error") > chesstools.Severity.WARNING
True
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chesstools import fen, limits, openings, rules
    from chesstools.conversion import Conversion
    from chesstools.convert import convert
    from chesstools.dataset import Dataset, ingest
    from chesstools.errors import ChesstoolsError, DatasetError, OptionError, OutputError, SourceError
    from chesstools.fen import FenProblem, check_fen
    from chesstools.find import find
    from chesstools.finding import Finding, Location, Severity
    from chesstools.fix import fix, revert
    from chesstools.profiles import Profile, get_profile
    from chesstools.query import query
    from chesstools.ratings import ratings
    from chesstools.report import report
    from chesstools.scan import games, scan
    from chesstools.stats import stats
    from chesstools.texts import convert_text, fix_text
    from chesstools.time_control import TimeControl
    from chesstools.tree import GameTree
    from chesstools.validate import validate
    from chesstools.winnable import winnable

__version__ = "0.1.0"

__all__ = [
    "ChesstoolsError",
    "Conversion",
    "Dataset",
    "DatasetError",
    "FenProblem",
    "Finding",
    "GameTree",
    "Location",
    "OptionError",
    "OutputError",
    "Profile",
    "Severity",
    "SourceError",
    "TimeControl",
    "__version__",
    "check_fen",
    "convert",
    "convert_text",
    "fen",
    "find",
    "fix",
    "fix_text",
    "games",
    "get_profile",
    "ingest",
    "limits",
    "openings",
    "query",
    "ratings",
    "report",
    "revert",
    "rules",
    "scan",
    "stats",
    "validate",
    "winnable",
]

_HOME = {
    "ChesstoolsError": "errors",
    "Conversion": "conversion",
    "Dataset": "dataset",
    "DatasetError": "errors",
    "FenProblem": "fen.problems",
    "Finding": "finding",
    "GameTree": "tree",
    "Location": "finding",
    "OptionError": "errors",
    "OutputError": "errors",
    "Profile": "profiles",
    "Severity": "finding",
    "SourceError": "errors",
    "TimeControl": "time_control",
    "check_fen": "fen.problems",
    "convert": "convert",
    "convert_text": "texts",
    "find": "find",
    "fix": "fix",
    "fix_text": "texts",
    "games": "scan",
    "get_profile": "profiles",
    "ingest": "dataset",
    "query": "query",
    "ratings": "ratings",
    "report": "report",
    "revert": "fix",
    "scan": "scan",
    "stats": "stats",
    "validate": "validate",
    "winnable": "winnable",
}
"""The module that each public name lives in."""


_MODULES = {"fen", "limits", "openings", "rules"}
"""Modules whose names come before those of their functions: `chesstools.fen.key`, `chesstools.rules.render`."""


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps `scan`, `fix`, `query`, `ratings`, `stats` and others the functions that they are, whatever was imported first.

    These modules have the name of the function in them. Python sets a submodule as an attribute of its package when it
    is imported; for these that would hide the function.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
