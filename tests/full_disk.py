"""A disk on which there comes to be no room."""

from __future__ import annotations

from pathlib import Path

import pytest

from chesstools import local_folder
from chesstools.local_folder import NewLocalFile


class _FullFile(NewLocalFile):
    """In place of a new file: nothing can be written to it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.out.close()
        self.out = open("/dev/full", "wb", buffering=0)  # type: ignore[assignment]  # noqa: SIM115


def fill_up(monkeypatch: pytest.MonkeyPatch, begin: str = "") -> None:
    """Let there be no room for files whose names begin so."""

    def create(path: Path) -> NewLocalFile:
        return _FullFile(path) if path.name.startswith(begin) else NewLocalFile(path)

    monkeypatch.setattr(local_folder, "NewLocalFile", create)
