"""A scratch folder that the workers reach too, for what is too much to travel through the scheduler."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa

from chesstools.bytestream import reason
from chesstools.errors import ChesstoolsError, DatasetError
from chesstools.folder import Folder, NewFile, folder_at
from chesstools.local_folder import LocalFolder, is_full
from chesstools.scratch import scratch_folder, scratching
from chesstools.stores import is_uri

_HERE = "here"
"""A file in the folder: who finds it has found the folder, and not another one of that name."""

_ANOTHER = "name another folder with --scratch"


@dataclass(frozen=True, slots=True)
class SharedScratch:
    """A folder, and how names in it begin that belong to this run. It can be pickled. Raises DatasetError."""

    folder: Folder
    prefix: str = ""

    def __str__(self) -> str:
        return str(self.folder)

    @property
    def is_reached(self) -> bool:
        """Whether this process finds what another one has made."""
        try:
            return self.folder.has(self.prefix + _HERE)
        except DatasetError:
            return False

    def create(self, name: str) -> NewFile:
        """A new file; several processes may write the same one at once."""
        return self.folder.create(self.prefix + name)

    def open(self, name: str) -> BinaryIO:
        """A file to read."""
        file = self.folder.file(self.prefix + name)
        return open(file, "rb") if isinstance(file, Path) else cast(BinaryIO, file.open())

    def unwritable(self, failure: DatasetError) -> ChesstoolsError:
        """What went wrong with writing, with what to do about it."""
        if not isinstance(failure.__cause__, OSError):
            return failure  # a store tells what to do
        advice = f"free some space there, or {_ANOTHER}" if is_full(failure) else _ANOTHER
        return ChesstoolsError(f"{self} cannot be written ({_reason(failure.__cause__)}); {advice}.")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around all that reads files: what goes wrong becomes an error of one sentence."""
        try:
            yield
        except (OSError, ValueError, pa.ArrowException) as error:
            if not isinstance(self.folder, LocalFolder):
                raise self.folder.error(error) from None
            raise ChesstoolsError(f"{self} cannot be read ({_reason(error)}); give the command again, or {_ANOTHER}.") from error

    def remove(self, name: str) -> None:
        """Remove a file, as far as that can be done."""
        with suppress(DatasetError):
            self.folder.remove(self.prefix + name)


@contextmanager
def shared_scratch(place: str | None) -> Iterator[SharedScratch]:
    """Room in `place`, a folder or its URI in a store, all of which is removed in the end.

    Default: where the system keeps temporary files; workers on other machines do not reach that. Raises ChesstoolsError
    where nothing can be written there.

    >>> with shared_scratch(None) as scratch:
    ...     scratch.is_reached
    True
    >>> scratch.is_reached
    False
    """
    if place is None or not is_uri(place):
        with scratch_folder() if place is None else scratch_folder(Path(os.path.abspath(place)), _ANOTHER) as path:
            with scratching(path):
                (path / _HERE).touch()
            yield SharedScratch(LocalFolder(path))
        return
    # No folder of its own: that of a store would stay behind.
    scratch = SharedScratch(folder_at(place), f"chesstools-{secrets.token_hex(4)}-")
    new = scratch.create(_HERE)
    try:
        with new.telling():
            new.out.write(b"\n")
        new.close()
        new.publish()
    except BaseException:
        new.abort()
        raise
    try:
        yield scratch
    finally:
        with suppress(DatasetError):
            for name in scratch.folder.names() or ():
                if name.startswith(scratch.prefix):
                    scratch.folder.remove(name)


def _reason(error: Exception) -> str:
    # Arrow puts its own long text in place of the system's.
    return os.strerror(error.errno) if isinstance(error, OSError) and error.errno else reason(error)
