"""A folder for what does not fit into memory, and what is said where it cannot be written."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chesstools.bytestream import reason
from chesstools.errors import ChesstoolsError

ANOTHER_TMPDIR = "free some space there, or name another folder in the environment variable TMPDIR"
"""What can be done where the system keeps temporary files."""

_there: set[str] = set()
"""The folders of this process."""


@contextmanager
def scratch_folder(place: Path | None = None, advice: str = ANOTHER_TMPDIR) -> Iterator[Path]:
    """An empty folder in `place`, which is removed in the end, with all that is in it.

    Default: where the system keeps temporary files. Raises ChesstoolsError, with `advice`, where it cannot be made.
    """
    with scratching(place or Path(tempfile.gettempdir()), advice):
        # Others may write to it even while it is removed: that is no reason to fail at the very end.
        folder = tempfile.TemporaryDirectory(prefix="chesstools-", dir=place, ignore_cleanup_errors=True)
    with folder as name:
        _there.add(name)
        try:
            yield Path(name)
        finally:
            _there.discard(name)


def remove_all() -> None:
    """Remove all scratch folders that are there, for a process that ends at once. Raises nothing."""
    for name in list(_there):
        shutil.rmtree(name, ignore_errors=True)


@contextmanager
def scratching(path: Path, advice: str = ANOTHER_TMPDIR) -> Iterator[None]:
    """Turn an error of the system while `path` is written or read into an error of one sentence, which ends with `advice`."""
    try:
        yield
    except OSError as error:
        raise ChesstoolsError(f"{path} cannot be written ({reason(error)}); {advice}.") from error
