"""What tests of datasets share: small archives, a look into the folder, ways to stop a run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chesstools.errors import ChesstoolsError
from chesstools.manifest import FILE_NAME

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and limits")


def pgn(first: int, last: int) -> str:
    """Games that differ in their Event, each with four plies and a finding (the roster is not complete)."""
    return "".join(f'[Event "Cup {n}"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n' for n in range(first, last))


def files(folder: str) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def manifest(folder: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(Path(folder, FILE_NAME).read_text(encoding="utf-8"))
    return document


class Stop(BaseException):
    """Raised from the progress callback in place of a signal."""


def stop_after(steps: int) -> Callable[[int, int], None]:
    """A progress callback that stops the run at its `steps`-th call."""
    calls: Iterator[int] = iter(range(1, 1_000_000))

    def progress(stored_bytes: int, games: int) -> None:
        if next(calls) == steps:
            raise Stop

    return progress


def sentence(error: pytest.ExceptionInfo[ChesstoolsError]) -> str:
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert text.count(". ") == 0
    return text
