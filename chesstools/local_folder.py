"""A folder on a disk: files are written under another name, and the lock of the system keeps other runs out."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from chesstools.bytestream import reason
from chesstools.errors import ChesstoolsError, DatasetError
from chesstools.folder import LOCK_NAME

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}


@dataclass(frozen=True, slots=True)
class LocalFolder:
    """See `chesstools.folder.Folder`."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @property
    def identity(self) -> str:
        return os.path.realpath(self.path)

    def error(self, error: Exception) -> DatasetError:
        return DatasetError(f"{self.path} cannot be read ({reason(error)}); check its permissions, or ingest again.")

    @contextmanager
    def claim(self, what: str = "dataset") -> Iterator[None]:
        """Make the folder if need be and keep other runs out of it. The lock goes with the process, even when it is killed."""
        path = self.path
        with writing(path):
            if path.exists() and not path.is_dir():
                raise DatasetError(f"{path} is a file; give the name of a folder for the {what}.")
            path.mkdir(parents=True, exist_ok=True)
            descriptor = _lock(path)
        try:
            yield
        finally:
            if sys.platform == "win32":  # an open file cannot be removed there
                os.close(descriptor)
                with suppress(OSError):
                    (path / LOCK_NAME).unlink()
            else:
                with suppress(OSError):
                    (path / LOCK_NAME).unlink()
                os.close(descriptor)

    def check_claim(self) -> None:
        """The system sees to it."""

    def file(self, name: str) -> Path:
        return self.path / name

    def create(self, name: str) -> NewLocalFile:
        path = self.path / name
        with writing(path):
            path.parent.mkdir(exist_ok=True)
            return NewLocalFile(path)

    def names(self, folder: str = "") -> list[str] | None:
        with writing(self.path / folder):
            try:
                return sorted(os.listdir(self.path / folder))
            except (FileNotFoundError, NotADirectoryError):
                return None

    def sizes(self, folder: str, names: Collection[str] | None = None) -> dict[str, int]:
        if names is not None:
            return {name: found.st_size for name in names if (found := _regular(self.path / folder / name)) is not None}
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(self.path / folder) as entries:
            return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
        return {}

    def has(self, name: str) -> bool:
        try:
            return (self.path / name).is_file()
        except OSError as error:
            raise self.error(error) from error

    def read(self, name: str) -> bytes | None:
        file = self.path / name
        try:
            return file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise DatasetError(f"{file} cannot be read ({reason(error)}); check its permissions, or ingest again.") from error

    def remove(self, name: str) -> None:
        with writing(self.path / name):
            (self.path / name).unlink(missing_ok=True)

    def remove_if_empty(self, folder: str) -> None:
        with writing(self.path / folder), suppress(FileNotFoundError):
            if not os.listdir(self.path / folder):
                (self.path / folder).rmdir()


def _regular(path: Path) -> os.stat_result | None:
    """What the system says of a file that is there."""
    with suppress(FileNotFoundError, NotADirectoryError):
        found = path.stat()
        return found if stat.S_ISREG(found.st_mode) else None
    return None


class NewLocalFile:
    """A file under another name: another one each time, as two processes may write the same part at once.

    Readers of Parquet folders pass over names with a dot in front.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        self.out: BinaryIO = open(self._temporary, "wb")  # noqa: SIM115

    @contextmanager
    def telling(self) -> Iterator[None]:
        with writing(self._path):
            yield

    def close(self) -> None:
        """Wait until it is on the disk."""
        with writing(self._path):
            self.out.flush()
            os.fsync(self.out.fileno())
            self.out.close()

    def publish(self) -> int:
        with writing(self._path):
            size = self._temporary.stat().st_size
            os.replace(self._temporary, self._path)
            _sync_folder(self._path.parent)
            return size

    def abort(self) -> None:
        with suppress(OSError):
            self.out.close()
        with suppress(OSError):
            self._temporary.unlink()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of the system while `path` is written into a DatasetError of one sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_SPACE:
            advice = "free some space, then give the same command again and it goes on where it stopped"
        else:
            advice = "choose another folder, or give the same command again when the cause is gone"
        raise DatasetError(f"{path} cannot be written ({_reason(error)}); {advice}.") from error


def is_full(error: ChesstoolsError) -> bool:
    """Whether it is told of a disk without room, or of a quota that is used up."""
    return isinstance(error.__cause__, OSError) and error.__cause__.errno in _NO_SPACE


def _reason(error: OSError) -> str:
    # Arrow puts its own long text in place of the system's.
    return os.strerror(error.errno) if error.errno else reason(error)


def _sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if sys.platform == "win32":
        return  # not possible there
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(path: Path) -> int:
    lock = path / LOCK_NAME
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            process = os.read(descriptor, 20).decode(errors="replace").strip()
            os.close(descriptor)
            which = f" (process {process})" if process else ""
            raise DatasetError(
                f"Another run{which} is writing to {path}; wait for it to end, or choose another folder."
            ) from None
        with suppress(FileNotFoundError):  # the run before may have removed the file between our two calls
            if os.path.samestat(os.fstat(descriptor), os.stat(lock)):
                os.ftruncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
                return descriptor
        os.close(descriptor)
