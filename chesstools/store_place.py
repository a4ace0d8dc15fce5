"""Folders of Parquet files that several processes write to an object store, as `chesstools.folder_places` does on a disk.

Stores have no folders that could be renamed. The parts are written as hidden objects beside the place, each under a name that
depends on what it holds and on nothing else. At the end those that are wanted are copied within the store to their names in the
folder, and an object `_SUCCESS` behind them says that all are there.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from chesstools.errors import DatasetError, OutputError
from chesstools.folder import LOCK_NAME, part_name
from chesstools.store_folder import NewObject, StoreFolder
from chesstools.store_object import WHOLE, Upload
from chesstools.stores import joined, located, shown, take_apart, telling
from chesstools.table_folder import telling as telling_output

WHOLE_FOLDER = "_SUCCESS"
"""The object that stands in a folder when it is complete, as other programs put it there too. Readers of Parquet pass over it."""

COPY_BYTES = 5 << 30
"""Stores copy so much at a stroke; what is larger goes through this process."""

COPIES = 16
"""So many parts are copied at a time."""

_PART = re.compile(r"part-\d{6,}\.parquet")


@dataclass(frozen=True, slots=True)
class StoreParts:
    """Where the parts of a folder are written, by any process of the run."""

    target: StoreFolder
    folder: StoreFolder

    def __truediv__(self, name: str) -> StorePart:
        return StorePart(self, name)


@dataclass(frozen=True, slots=True)
class StorePart:
    """One of them, as a place to write to."""

    parts: StoreParts
    name: str

    def __str__(self) -> str:
        return str(self.parts.folder.file(self.name))

    def create(self) -> NewObject:
        """It appears with `publish`, in place of the same part that another process has written."""
        return self.parts.folder.create(self.name)

    def check(self) -> None:
        """Raise DatasetError where the run is over, or another one has come."""
        self.parts.target.check_claim()


class StorePlace:
    """See `chesstools.folder_places.FolderPlace`."""

    def __init__(self, parts: StoreParts) -> None:
        self.parts = parts

    def commit(self, names: Sequence[str]) -> None:
        """Make the folder of these parts, in that order. Raises OutputError where that cannot be."""
        target = self.parts.target
        with telling_output():
            target.check_claim()
            refuse_others_in_store(target)  # something may have been put there since
            target.remove(WHOLE_FOLDER)
            sizes = self.parts.folder.sizes("")
            with ThreadPoolExecutor(COPIES) as pool:
                for _ in pool.map(lambda one: self._put(one[1], part_name(one[0]), sizes.get(one[1], 0)), enumerate(names)):
                    pass
            wanted = {part_name(number) for number in range(len(names))}
            for name in target.names() or ():
                if _PART.fullmatch(name) and name not in wanted:
                    target.remove(name)
            target.check_claim()
            target.create(WHOLE_FOLDER).publish()

    def _put(self, part: str, name: str, size: int) -> None:
        uri, wanted = self.parts.folder.file(part).uri, self.parts.target.file(name).uri
        with telling(uri, DatasetError):
            filesystem, source = located(uri)
            _, target = located(wanted)
            if filesystem.type_name not in WHOLE:
                filesystem.move(source, target)
            elif size <= COPY_BYTES:
                filesystem.copy_file(source, target)
            else:
                upload = Upload(wanted)
                with filesystem.open_input_stream(source, compression=None) as file:
                    shutil.copyfileobj(file, upload, 8 << 20)
                upload.commit()


@contextmanager
def complete_in_store(uri: str) -> Iterator[StorePlace]:
    """As `chesstools.folder_places.complete_folder`, for a URI.

    What stands there stays until `StorePlace.commit`, and is then replaced object by object.
    """
    parent, _, name = take_apart(uri).key.rpartition("/")
    if not name:
        raise OutputError(f"{shown(uri)} is a bucket; give the name of a folder in it, as in {shown(uri)}/games.parquet.")
    target, beside = StoreFolder(uri), StoreFolder(joined(uri, parent))
    hidden = f".{name}.{secrets.token_hex(8)}.parts"
    leftover = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{16}}\.parts")
    parts = StoreParts(target, StoreFolder(joined(uri, f"{parent}/{hidden}".lstrip("/"))))
    with telling_output():
        refuse_others_in_store(target)
        with target.claim("table"):
            try:
                for left in beside.names() or ():
                    if leftover.fullmatch(left):
                        _clear(beside, left)
                yield StorePlace(parts)
            finally:
                _clear(beside, hidden)


def refuse_others_in_store(target: StoreFolder) -> None:
    """Raise OutputError where a folder holds other things than parts."""
    ours = (LOCK_NAME, WHOLE_FOLDER)
    others = [name for name in target.names() or () if name and not (_PART.fullmatch(name) or name in ours)]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise OutputError(f"The folder {target} holds other files ({others[0]}{more}); choose another name, or move them away.")


def _clear(beside: StoreFolder, name: str) -> None:
    """Take away a folder of hidden parts; what cannot be taken away now is by the next run."""
    with suppress(OSError):
        filesystem, path = located(beside.file(name).uri)
        filesystem.delete_dir(path)
