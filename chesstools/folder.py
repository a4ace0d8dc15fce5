"""A folder as a place to write: one run at a time, whole files only, nothing of others touched.

It is on a disk (`chesstools.local_folder`) or in an object store (`chesstools.store_folder`); what writes a dataset does not know
which. `folder_at` tells by the name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias

from chesstools import manifest_text
from chesstools.errors import DatasetError
from chesstools.manifest import FILE_NAME, Manifest
from chesstools.schema import TABLES
from chesstools.stores import is_uri, refuse_other_schemes

if TYPE_CHECKING:
    from chesstools.store_object import StoreObject

LOCK_NAME = "_chesstools.lock"
_OLD_TEMPORARY_MANIFEST = FILE_NAME + ".tmp"
_PART_NAME = r"part-\d{6,}(-\d{6,}-[0-9a-f]{8})?\.parquet"
_PART = re.compile(_PART_NAME)
_TEMPORARY_PART = re.compile(rf"\.{_PART_NAME}\.([0-9a-f]+\.)?tmp")
_TEMPORARY_MANIFEST = re.compile(rf"\.{re.escape(FILE_NAME)}\.[0-9a-f]+\.tmp")

File: TypeAlias = "Path | StoreObject"
"""A file that is read: on a disk, or in a store."""


class NewFile(Protocol):
    """A file that is written and has no name before `publish`. What goes wrong is a DatasetError, told by `telling`."""

    @property
    def out(self) -> BinaryIO:
        """Takes the bytes."""

    def telling(self) -> AbstractContextManager[None]:
        """Around all that writes to `out`: an error of the system becomes a DatasetError of one sentence."""

    def close(self) -> None:
        """Everything is written."""

    def publish(self) -> int:
        """Give it its name, in place of what had it before. Returns its size in bytes."""

    def abort(self) -> None:
        """Leave nothing behind. Raises nothing."""


class Folder(Protocol):
    """A folder; names in it have slashes (``games/part-000000.parquet``). It can be pickled. Raises DatasetError."""

    def __str__(self) -> str:
        """Its name as people may see it."""

    @property
    def identity(self) -> str:
        """The same for all names of the folder; not to be shown."""

    def error(self, error: Exception) -> DatasetError:
        """What went wrong with reading it, as an error of ours."""

    def claim(self, what: str = "dataset") -> AbstractContextManager[None]:
        """Make the folder if need be and keep other runs out of it, as far as that can be. `what` it is for, in one word."""

    def check_claim(self) -> None:
        """Raise DatasetError where another run has come since `claim`."""

    def file(self, name: str) -> File:
        """The file of a name, to be read."""

    def create(self, name: str) -> NewFile:
        """A new file; several processes may write the same one at once."""

    def names(self, folder: str = "") -> list[str] | None:
        """What is in the folder, or in a folder in it, sorted; None where there is none."""

    def sizes(self, folder: str, names: Collection[str] | None = None) -> dict[str, int]:
        """The size in bytes of the files in a folder in it; with `names` of these only, each of which is then asked for alone."""

    def has(self, name: str) -> bool:
        """Whether there is such a file."""

    def read(self, name: str) -> bytes | None:
        """What stands in a file; None where there is none."""

    def remove(self, name: str) -> None:
        """Remove a file; where it is not there, nothing happens."""

    def remove_if_empty(self, folder: str) -> None:
        """Remove a folder in it that is there and holds nothing."""


def folder_at(name: str | os.PathLike[str]) -> Folder:
    """The folder that a path or a URI (``s3://bucket/folder``) names. Nothing is read or made.

    Raises DatasetError for a URI of no store that is known, and for what pathlib has made of one.
    """
    text = os.fspath(name)
    if is_uri(text):
        from chesstools.store_folder import StoreFolder

        return StoreFolder(text)
    from chesstools.local_folder import LocalFolder

    refuse_other_schemes(text, DatasetError)
    return LocalFolder(Path(text))


def part_name(number: int) -> str:
    """``part-000007.parquet`` for 7."""
    return f"part-{number:06}.parquet"


def part_name_of(source: int, number: int, job: str) -> str:
    """The name of a part where several processes write parts of their own: no two of them may choose the same for another.

    Args:
        source: the number of the source among all.
        number: that of the part among those of the source.
        job: eight hexadecimal digits that tell what is done, so that what is left of another job is never taken for this one's.

    Such names sort in the order of sources and games.

    >>> part_name_of(3, 17, "3f9a2c1d")
    'part-0000003-000017-3f9a2c1d.parquet'
    """
    return f"part-{source:07}-{number:06}-{job}.parquet"


def read_manifest(folder: Folder) -> Manifest | None:
    """The manifest in the folder, or None. Raises DatasetError if it cannot be read."""
    data = folder.read(FILE_NAME)
    if data is None:
        return None
    return manifest_text.read(data, str(folder.file(FILE_NAME)))


def write_manifest(folder: Folder, manifest: Manifest, lines: Iterable[bytes] | None = None) -> None:
    """Replace the manifest at one stroke, unless another run has come meanwhile. `lines`: as for `manifest_text.text_of`."""
    folder.check_claim()
    new = folder.create(FILE_NAME)
    try:
        with new.telling():
            for text in manifest_text.text_of(manifest, lines):
                new.out.write(text)
        new.close()
        new.publish()
    except BaseException:
        new.abort()
        raise


def refuse_strangers(folder: Folder, *, has_manifest: bool) -> None:
    """Raise DatasetError if the folder holds files that would be mixed with ours. Hidden files do not matter.

    A dataset may have other files beside its tables, but none inside of them. Without a manifest nothing is ours.
    """
    own = {FILE_NAME, _OLD_TEMPORARY_MANIFEST, LOCK_NAME, *TABLES}
    there = _visible(folder.names())
    strangers = [] if has_manifest else [name for name in there if name not in own]
    for table in TABLES:
        if table not in there:
            continue
        names = folder.names(table)
        if names is None:
            strangers.append(table)
        else:
            strangers += [f"{table}/{name}" for name in _visible(names) if not (has_manifest and _PART.fullmatch(name))]
    if strangers:
        more = f" and {len(strangers) - 1} more" if len(strangers) > 1 else ""
        raise DatasetError(
            f"The folder {folder} holds files that are no part of a dataset ({strangers[0]}{more}); choose another folder, "
            "or move them away."
        )


def remove_unlisted(folder: Folder, manifest: Manifest) -> None:
    """Remove our own files that the manifest does not list: half-written ones, and those of a dataset that was there."""
    folder.check_claim()
    there: Collection[str] = folder.names() or ()
    for name in there:
        if name == _OLD_TEMPORARY_MANIFEST or _TEMPORARY_MANIFEST.fullmatch(name):
            folder.remove(name)
    for table in TABLES:
        if table not in there:
            continue
        listed = {part.name for part in manifest.parts if table in part.rows}
        for name in folder.names(table) or ():
            if name not in listed and (_PART.fullmatch(name) or _TEMPORARY_PART.fullmatch(name)):
                folder.remove(f"{table}/{name}")
        if table not in manifest.tables:
            folder.remove_if_empty(table)


def check_parts(folder: Folder, manifest: Manifest) -> None:
    """Raise DatasetError where a part is not in the folder as it was listed."""
    for table in manifest.tables:
        sizes = folder.sizes(table)
        for part in manifest.parts:
            size = part.bytes.get(table)
            if size is not None and sizes.get(part.name) != size:
                file = folder.file(f"{table}/{part.name}")
                raise DatasetError(f"{file} is missing or has changed since it was written; give --overwrite to start anew.")


def _visible(names: Collection[str] | None) -> list[str]:
    return [name for name in names or () if not name.startswith(".")]
