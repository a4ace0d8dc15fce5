"""A folder in an object store: what begins with its name. Objects appear when they are complete, so none has another name before.

Stores have no locks. A run leaves a note, and looks before every step that counts whether the note is still its own: of two runs
in one place the one that began first stops as soon as it sees the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chesstools.errors import DatasetError
from chesstools.folder import LOCK_NAME
from chesstools.store_object import StoreObject, Upload, read_whole
from chesstools.stores import joined, located, sentence, shown, take_apart, telling

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import BinaryIO

    from pyarrow.fs import FileInfo


@dataclass(slots=True)
class StoreFolder:
    """See `chesstools.folder.Folder`."""

    uri: str = field(repr=False)
    _note: bytes | None = field(default=None, repr=False, compare=False)
    """What the run that writes here left; it goes with the folder to other processes of the run."""

    def __str__(self) -> str:
        return shown(self.uri)

    @property
    def identity(self) -> str:
        return self._uri("")

    def error(self, error: Exception) -> DatasetError:
        return DatasetError(sentence(self.uri, error))

    @contextmanager
    def claim(self, what: str = "dataset") -> Iterator[None]:
        """Leave a note that this run writes here, in place of that of any other."""
        from pyarrow.fs import FileType

        if self._info("").type == FileType.File:
            raise DatasetError(f"{self} is a file; give the name of a folder for the {what}.")
        note = secrets.token_hex(8).encode()
        self._put(LOCK_NAME, note)  # the store is seen to be writable before the work begins
        self._note = note
        try:
            yield
        finally:
            self._note = None
            with suppress(DatasetError):
                if self.read(LOCK_NAME) == note:
                    self.remove(LOCK_NAME)

    def check_claim(self) -> None:
        if self._note is not None and self.read(LOCK_NAME) != self._note:
            raise DatasetError(f"Another run has begun to write to {self}; wait for it to end, or choose another folder.")

    def file(self, name: str) -> StoreObject:
        return StoreObject(self._uri(name))

    def create(self, name: str) -> NewObject:
        return NewObject(Upload(self._uri(name)))

    def names(self, folder: str = "") -> list[str] | None:
        from pyarrow.fs import FileType

        if self._info(folder).type != FileType.Directory:
            return None
        return sorted(info.base_name for info in self._listed(folder))

    def sizes(self, folder: str, names: Collection[str] | None = None) -> dict[str, int]:
        from pyarrow.fs import FileType

        found = self._listed(folder) if names is None else self._asked(folder, names)
        return {info.base_name: info.size for info in found if info.type == FileType.File}

    def has(self, name: str) -> bool:
        from pyarrow.fs import FileType

        return bool(self._info(name).type == FileType.File)

    def read(self, name: str) -> bytes | None:
        uri = self._uri(name)
        with telling(uri, DatasetError):
            try:
                return read_whole(uri)
            except FileNotFoundError:
                return None

    def remove(self, name: str) -> None:
        uri = self._uri(name)
        with telling(uri, DatasetError), suppress(FileNotFoundError):
            filesystem, path = located(uri)
            filesystem.delete_file(path)

    def remove_if_empty(self, folder: str) -> None:
        """Where stores know empty folders at all, they are objects of another kind."""
        if self.names(folder) == []:
            uri = self._uri(folder)
            with telling(uri, DatasetError), suppress(FileNotFoundError):
                filesystem, path = located(uri)
                filesystem.delete_dir(path)

    def _put(self, name: str, data: bytes) -> None:
        new = self.create(name)
        new.out.write(data)
        new.publish()

    def _uri(self, name: str) -> str:
        return joined(self.uri, "/".join(part for part in (take_apart(self.uri).key, name) if part))

    def _info(self, folder: str) -> FileInfo:
        uri = self._uri(folder)
        with telling(uri, DatasetError):
            filesystem, path = located(uri)
            return filesystem.get_file_info(path)

    def _asked(self, folder: str, names: Collection[str]) -> list[FileInfo]:
        """What the store says of some objects; Arrow asks for several at a time."""
        uri = self._uri(folder)
        with telling(uri, DatasetError):
            filesystem, path = located(uri)
            return list(filesystem.get_file_info([f"{path}/{name}" for name in names]))

    def _listed(self, folder: str) -> list[FileInfo]:
        from pyarrow.fs import FileSelector

        uri = self._uri(folder)
        with telling(uri, DatasetError):
            filesystem, path = located(uri)
            return list(filesystem.get_file_info(FileSelector(path, allow_not_found=True)))


class NewObject:
    """See `chesstools.folder.NewFile`. The upload itself tells what goes wrong with it."""

    def __init__(self, upload: Upload) -> None:
        self._upload = upload
        self.out: BinaryIO = upload  # type: ignore[assignment]  # typeshed knows no common name for them

    def telling(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        """What is left is sent by `publish`."""

    def publish(self) -> int:
        return self._upload.commit()

    def abort(self) -> None:
        self._upload.abort()
