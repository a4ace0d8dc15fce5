"""What workers are given to do in tests: by name, so it must stand in a module that they find."""

from __future__ import annotations

import os
import time
from pathlib import Path

from chesstools.errors import SourceError


def double(number: int) -> int:
    return 2 * number


def fussy(number: int) -> int:
    """Refuses 3 in a sentence and 5 without."""
    if number == 3:
        raise SourceError("3 is not wanted; give another number.")
    return number if number != 5 else number // 0


def deadly(number: int) -> int:
    """7 ends the process, as the system does where memory ends."""
    if number == 7:
        os._exit(9)
    return number


def deadly_and_marked(mark: str) -> str:
    """Ends the process for names that begin with "deadly", and leaves a line for each time in the file of that name."""
    if Path(mark).name.startswith("deadly"):
        with Path(mark).open("a") as file:
            file.write("died\n")
        os._exit(9)
    return mark


def deadly_once(mark: str) -> int:
    """Ends the process if it is the first to come here."""
    if not Path(mark).exists():
        Path(mark).touch()
        os._exit(9)
    return os.getpid()


class Unreadable:
    """Travels to a machine, and cannot be read there."""

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return divmod, ("never", 0)


def unreadable(number: int) -> int | Unreadable:
    """Gives something for 2 that does not arrive."""
    return Unreadable() if number == 2 else number


def slow(seconds: float) -> float:
    time.sleep(seconds)
    return seconds
