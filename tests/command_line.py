"""The command chesstools, started through its entry point as the installed script does."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import NamedTuple

import pytest


class Run(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Cli = Callable[..., Run]


def command(capsys: pytest.CaptureFixture[str], *first: str) -> Cli:
    """Calls chesstools with the words `first` and those that it is given."""
    (script,) = entry_points(group="console_scripts", name="chesstools")
    main = script.load()

    def run(*args: object) -> Run:
        status = main([*first, *(str(arg) for arg in args)])
        return Run(status, *capsys.readouterr())

    return run
