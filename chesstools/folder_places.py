"""Folders of Parquet files that several processes write: they appear under their names only when they are complete.

What stood there before stays until then, whatever happens. The parts are written in a hidden folder beside the place, each under
a name that depends on what it holds and on nothing else: a part that is written twice is the same one. At the end those
parts that are wanted are put into one more folder, in order, and this gets the name.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from chesstools.errors import OutputError
from chesstools.folder import part_name
from chesstools.local_folder import NewLocalFile
from chesstools.places import begin, beside, cannot_write
from chesstools.stores import is_uri

if TYPE_CHECKING:
    from chesstools.store_place import StorePart, StoreParts

_OURS = re.compile(r"part-\d{6,}\.parquet|\.part-\d{6,}\.parquet\.([0-9a-f]+\.)?tmp|\.DS_Store")
"""Parts, what a killed run left of them, and what a system puts into every folder that it shows."""


class Place(Protocol):
    """A folder that is being written, on a disk or in a store."""

    @property
    def parts(self) -> Path | StoreParts:
        """Where the parts are written, by any process that sees it: ``parts / name`` is for `whole_part`."""

    def commit(self, names: Sequence[str]) -> None:
        """Make the folder of these parts, in that order. Raises OutputError where that cannot be."""


class FolderPlace:
    """A folder that is being written.

    Attributes:
        parts: where the parts are written, by any process that sees it.
    """

    def __init__(self, target: Path, parts: Path) -> None:
        self._target = target
        self.parts = parts

    def commit(self, names: Sequence[str]) -> None:
        """Make the folder of these parts, in that order. Raises OutputError where that cannot be."""
        whole = self.parts / "whole"
        try:
            whole.mkdir()
            for number, name in enumerate(names):
                os.rename(self.parts / name, whole / part_name(number))
            refuse_others(self._target)  # something may have been put there since
            with _taken_away(self._target, self.parts / "before"):
                os.rename(whole, self._target)
        except OSError as error:
            raise cannot_write(self._target, error) from None


def folder_place(name: str) -> AbstractContextManager[Place]:
    """As `complete_folder`, for a path or a URI. In a store what stands there is replaced object by object."""
    if not is_uri(name):
        return complete_folder(Path(name))
    from chesstools.store_place import complete_in_store

    return complete_in_store(name)


@contextmanager
def complete_folder(target: Path) -> Iterator[FolderPlace]:
    """A folder to write parts to, which is `target` after `FolderPlace.commit`, and leaves nothing behind without.

    A file, or a folder of such parts, that stands there is replaced then. Raises OutputError where it cannot be written, or holds
    anything else.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp(), "x.parquet")
    >>> with complete_folder(folder) as place:
    ...     for name in ("b", "a"):
    ...         with whole_part(place.parts / name) as file:
    ...             _ = file.write(name.encode())
    ...     place.commit(["b", "a"])
    >>> [(file.name, file.read_text()) for file in sorted(folder.iterdir())]
    [('part-000000.parquet', 'b'), ('part-000001.parquet', 'a')]
    """
    refuse_others(target)
    with folder_beside(target) as parts:
        yield FolderPlace(Path(os.path.realpath(target)), parts)


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """A hidden folder beside `target`, removed in the end: after a run that was killed by the next one that writes there.

    Raises OutputError where it cannot be made.
    """
    part = begin(target)
    folder = beside(part.path)
    try:
        try:
            folder.mkdir()
        except OSError as error:
            raise cannot_write(target, error) from None
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        part.discard()


@contextmanager
def whole_part(path: Path | StorePart) -> Iterator[BinaryIO]:
    """A file to write to that gets its name at the end; an error, or the end of the process, leaves none of that name.

    Raises OSError or DatasetError where it cannot be written.
    """
    file = NewLocalFile(path) if isinstance(path, Path) else path.create()
    try:
        yield file.out
        file.close()
        if not isinstance(path, Path):
            path.check()
        file.publish()
    except BaseException:
        file.abort()
        raise


def refuse_others(target: Path) -> None:
    """Raise OutputError where a folder stands in the place that holds other things than parts."""
    try:
        names = sorted(os.listdir(target)) if target.is_dir() else []
    except OSError as error:
        raise cannot_write(target, error) from None
    others = [name for name in names if not _OURS.fullmatch(name)]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise OutputError(f"The folder {target} holds other files ({others[0]}{more}); choose another name, or move them away.")


@contextmanager
def _taken_away(target: Path, aside: Path) -> Iterator[None]:
    """What stands in the place is put aside, and comes back after an error."""
    was_there = os.path.lexists(target)
    if was_there:
        os.rename(target, aside)
    try:
        yield
    except BaseException:
        if was_there:
            with suppress(OSError):
                os.rename(aside, target)
        raise
