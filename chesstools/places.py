"""Files that appear under their names only when they are complete: written beside their places, then put there.

What stood there before stays until then, whatever happens. Links are followed, and a file that is replaced leaves its mode to the
new one. What a run left behind that was killed is taken away by the next one that writes to the same place.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from chesstools.errors import OutputError
from chesstools.folder import folder_at
from chesstools.stores import ends_in_slash, is_uri, located, object_of, refuse_other_schemes, shown, telling

if TYPE_CHECKING:
    from chesstools.folder import File
    from chesstools.store_object import StoreObject
    from chesstools.store_place import StorePart

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has other locks: there nothing is taken away that others left behind
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Part:
    """A file beside its place. It is locked while it is written to, as a sign that its run lives."""

    path: Path
    target: Path
    lock: BinaryIO

    def discard(self) -> None:
        """Take it away."""
        self.lock.close()
        self.path.unlink(missing_ok=True)


def begin(target: Path, *, folders: bool = False) -> Part:
    """An empty file beside `target`, links followed, having taken away what runs left there that are no more.

    `folders` says that folders that are missing are made. Raises OutputError where that cannot be.
    """
    real = Path(os.path.realpath(target))
    try:
        if folders:
            real.parent.mkdir(parents=True, exist_ok=True)
        _take_away_leftovers(real)
        path = real.with_name(f".{real.name}.{secrets.token_hex(4)}.part")
        lock = open(path, "xb")  # noqa: SIM115
    except OSError as error:
        raise cannot_write(target, error) from None
    _is_locked(lock)
    return Part(path, real, lock)


class Places:
    """Collects what is written, and puts it into its places at the end (`commit`), or nowhere (`discard`)."""

    def __init__(self) -> None:
        self._parts: list[Part] = []

    def part(self, target: Path, *, folders: bool = False) -> Path:
        """An empty file beside `target` to write to; `target` itself where it is a device or a pipe.

        `folders` says that folders that are missing are made. Raises OutputError where it cannot be written.
        """
        refuse_other_schemes(target, OutputError)
        if target.is_dir():
            raise OutputError(f"{target} is a folder; give the name of a file.")
        if target.exists() and not target.is_file():
            return target
        part = begin(target, folders=folders)
        self._parts.append(part)
        return part.path

    def drop(self, target: Path) -> None:
        """Leave what stands at `target` as it is after all."""
        real = Path(os.path.realpath(target))
        for part in [part for part in self._parts if part.target == real]:
            self._parts.remove(part)
            part.discard()

    def commit(self) -> None:
        """Put everything into its place, in the order in which it was begun. Raises OutputError where that cannot be."""
        while self._parts:
            part = self._parts[0]
            try:
                if part.target.exists():
                    # What was there is lost only when the new file is on the disk.
                    with open(part.path, "rb") as file:
                        os.fsync(file.fileno())
                    shutil.copymode(part.target, part.path)
                if fcntl is None:
                    part.lock.close()  # Windows does not rename what is open
                part.path.replace(part.target)
            except OSError as error:
                raise cannot_write(part.target, error) from None
            part.lock.close()
            self._parts.pop(0)

    def discard(self) -> None:
        """Take away what has not come into its place."""
        for part in self._parts:
            part.discard()
        self._parts.clear()


@contextmanager
def complete(path: Path, *, folders: bool = False) -> Iterator[Path]:
    """A place to write to, which becomes `path` at the end; an error or an interrupt leaves what stood there before.

    Devices and pipes are written to directly. Raises OutputError where it cannot be written.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.pgn"
    >>> with complete(file) as place:
    ...     _ = place.write_text("1. e4 *")
    ...     file.exists()
    False
    >>> file.read_text()
    '1. e4 *'
    """
    places = Places()
    try:
        yield places.part(path, folders=folders)
        places.commit()
    finally:
        places.discard()


@contextmanager
def written(place: str | os.PathLike[str] | StoreObject, *, folders: bool = False) -> Iterator[BinaryIO]:
    """Bytes to a file, or to an object in a store (``s3://bucket/key``), that is there when it is complete; as `complete`.

    `folders` says that folders that are missing are made. Raises OutputError where it cannot be written.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.pgn"
    >>> with written(file) as out:
    ...     _ = out.write(b"1. e4 *")
    >>> file.read_text()
    '1. e4 *'
    """
    target = file_at(place)
    if not isinstance(target, Path):
        from chesstools.store_object import Upload

        upload = Upload(target.uri, OutputError)
        try:
            yield cast("BinaryIO", upload)
            upload.commit()
        except BaseException:
            upload.abort()
            raise
        return
    with complete(target, folders=folders) as temporary:
        try:
            out = open(temporary, "wb")  # noqa: SIM115
        except OSError as error:
            raise cannot_write(target, error) from None
        with out:
            yield out


def file_at(place: str | os.PathLike[str] | StoreObject) -> File:
    """The file that a path or a URI names."""
    from chesstools.store_object import StoreObject

    if isinstance(place, StoreObject):
        return place
    if is_uri(os.fspath(place)):
        return StoreObject(os.fspath(place))
    refuse_other_schemes(place, OutputError)
    return Path(place)


def files_only(place: str | os.PathLike[str] | None, what: str) -> None:
    """See that a place is not in a store, where `what` cannot be written. Raises OutputError."""
    if place is not None and is_uri(os.fspath(place)):
        name = shown(os.fspath(place))
        raise OutputError(f"{name} is in an object store, where {what} cannot be written; write to a disk, and copy it there.")


def check(place: str | os.PathLike[str], *, folders: bool = False) -> None:
    """See that `place` can be written to, before the work begins; what stands there stays. As `Places.part`.

    Of a store it is seen that it answers, that it has the bucket, and that the name is no folder's.
    """
    path = file_at(place)
    if not isinstance(path, Path):
        _check_object(path.uri)
        return
    places = Places()
    try:
        places.part(path, folders=folders)
    finally:
        places.discard()


def _check_object(uri: str) -> None:
    from pyarrow.fs import FileType

    if not object_of(uri).key:
        raise OutputError(f"{shown(uri)} is a bucket; give the name of a file in it, as in {shown(uri)}/games.pgn.")
    if ends_in_slash(uri):
        raise OutputError(f"{shown(uri)} is a folder; give the name of a file.")
    with telling(uri, OutputError):
        filesystem, path = located(uri)
        try:
            bucket, there = filesystem.get_file_info([path.partition("/")[0], path])
        except OSError as error:
            if "ACCESS_DENIED" in str(error):  # who may write need not be allowed to ask
                return
            raise
        if filesystem.type_name == "s3" and bucket.type == FileType.NotFound:
            raise OSError("NO_SUCH_BUCKET")
        if there.type == FileType.Directory:  # an object of this name would be read in place of what the folder holds
            raise OutputError(f"{shown(uri)} is a folder; give the name of a file.")


def lies_in_dataset(path: str, folder: str) -> bool:
    """Whether `folder` is a dataset, and `path`, which need not be there, is or lies in it, links followed.

    Both may be URIs.

    >>> lies_in_dataset("sample_data/games/new.csv", "sample_data/games")
    False
    """
    from chesstools.source import MANIFEST_NAME

    if is_uri(path) or is_uri(folder):
        if not (is_uri(path) and is_uri(folder)):
            return False
        inside, around = object_of(path), object_of(folder)
        if inside._replace(key="") != around._replace(key=""):
            return False
        return f"{inside.key}/".startswith(f"{around.key}/".lstrip("/")) and folder_at(folder).has(MANIFEST_NAME)
    if not os.path.isfile(os.path.join(folder, MANIFEST_NAME)):
        return False
    real = os.path.realpath(folder)
    return Path(os.path.realpath(path)).is_relative_to(real)


def cannot_write(path: File | StorePart, error: OSError) -> OutputError:
    """The sentence for an error of the system."""
    return OutputError(f"{path} cannot be written ({error.strerror or error}); choose another place.")


def _take_away_leftovers(target: Path) -> None:
    """Remove what runs left beside `target` that are no more."""
    name = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]+\.part")
    with suppress(OSError):
        for entry in list(os.scandir(target.parent)):
            if name.fullmatch(entry.name):
                with suppress(OSError), open(entry.path, "rb") as file:
                    if _is_locked(file):
                        shutil.rmtree(beside(Path(entry.path)), ignore_errors=True)
                        os.unlink(entry.path)


def beside(part: Path) -> Path:
    """The folder of a run that writes one: it goes with the file `Part.path`."""
    return part.with_name(f"{part.name}s")


def _is_locked(file: BinaryIO) -> bool:
    """Lock a file until it is closed; False where somebody else has, or where that cannot be told."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
