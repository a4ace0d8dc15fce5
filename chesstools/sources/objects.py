"""Objects of stores: those that a URI, a prefix or a glob names, by the rules of `chesstools.sources.local`.

What stands between two slashes of a key is taken for a folder.
"""

from __future__ import annotations

import fnmatch
import glob
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, BinaryIO, cast

from chesstools.archive import Member, list_members
from chesstools.compression import HEAD_BYTES, sniff
from chesstools.errors import SourceError
from chesstools.found_object import FoundObject, whole_seconds
from chesstools.sources.archives import damaged, member_sources, no_members
from chesstools.sources.one import Source
from chesstools.sources.wanted import MANIFEST_NAME, Wanted, is_zip_name
from chesstools.stores import located, names_in, shown, take_apart, telling

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo

LOOKERS = 16
"""Objects whose first bytes are looked at together: each takes a round trip, and a prefix may hold many thousands."""


def find(uri: str, wanted: Wanted) -> list[Source]:
    """The sources that a URI names. Raises SourceError where there is none."""
    with telling(uri):
        return Finder(uri, wanted).find()


class Finder:
    """Finds what one URI names."""

    def __init__(self, uri: str, wanted: Wanted) -> None:
        self._uri = uri
        self._wanted = wanted
        self._names = names_in(uri)
        self._filesystem, self._path = located(uri)
        key = take_apart(uri).key
        self._root = self._path[: -len(key)] if key else f"{self._path.rstrip('/')}/"
        """What stands before the key in paths of the filesystem: a bucket and a slash, or a slash."""

    def find(self) -> list[Source]:
        """See `find`."""
        info = self._filesystem.get_file_info(self._path)
        if info.is_file:
            if found := self._sources([info]):
                return found
            raise no_members(self._name(info.path), self._wanted)
        if info.type.name == "NotFound":
            return self._matching()
        if found := self._sources(self._in_folder(self._path)):
            return found
        raise self._wanted.none_in(shown(self._uri))

    def _matching(self) -> list[Source]:
        """What matches the path as a pattern."""
        name = shown(self._uri)
        if not glob.has_magic(self._path):
            bucket = self._filesystem.get_file_info(self._root.rstrip("/")) if self._root.strip("/") else None
            if bucket is not None and bucket.type.name == "NotFound":
                raise SourceError(f"{name} is in a bucket that does not exist; check its name.")
            raise SourceError(f"There is no object or folder {name}; check the name.")
        any_file = "." in self._path.rpartition("/")[2]
        chosen: list[FileInfo] = []
        for info in sorted(self._match(self._root, self._path[len(self._root) :].split("/")), key=_in_order):
            if not info.is_file:
                chosen += self._in_folder(info.path)
            elif any_file or self._wanted.fits(info.path) or is_zip_name(info.path):
                chosen.append(info)
        if found := self._sources(chosen):
            return found
        raise SourceError(f"Nothing that could be read matches {name}; check the pattern.")

    def _match(self, folder: str, parts: list[str]) -> Iterator[FileInfo]:
        """What is in `folder`, which ends with a slash, and matches the parts of a pattern, as `glob.glob` has it."""
        part, *rest = parts
        if part == "**":
            below = self._list(folder, recursive=True)
            found = [info for info in below if _fits(info.path.removeprefix(folder).split("/"), parts)]
            yield from (info for info in found if info.is_file or parts[-1] != "**")  # of all files, no folder brings more
            return
        if glob.has_magic(part):
            found = [info for info in self._list(folder) if _fits([info.base_name], [part])]
        else:
            found = [self._filesystem.get_file_info(folder + part)]
        for info in found:
            if not rest and info.type.name != "NotFound":
                yield info
            elif rest and not info.is_file:
                yield from self._match(f"{info.path}/", rest)

    def _list(self, folder: str, *, recursive: bool = False) -> list[FileInfo]:
        from pyarrow.fs import FileSelector

        found: list[FileInfo] = self._filesystem.get_file_info(
            FileSelector(folder.rstrip("/") or "/", allow_not_found=True, recursive=recursive)
        )
        return found

    def _in_folder(self, folder: str) -> list[FileInfo]:
        """The files in a folder and its sub-folders that are wanted, and the manifests of datasets where these are."""
        base = f"{folder.rstrip('/')}/"
        files = [info for info in self._list(folder, recursive=True) if info.is_file]
        datasets: set[str] = set()
        if self._wanted.datasets:
            datasets = {info.path.removesuffix(MANIFEST_NAME) for info in files if info.base_name == MANIFEST_NAME}
        chosen = []
        for info in files:
            inside = next((one for one in _folders_of(info.path) if one in datasets), None) if datasets else None
            if any(part.startswith(".") for part in info.path.removeprefix(base).split("/")):
                continue
            if inside is not None:
                if info.path == inside + MANIFEST_NAME:
                    chosen.append(info)
            elif self._wanted.fits(info.path) or is_zip_name(info.path):
                chosen.append(info)
        return sorted(chosen, key=_in_order)

    def _sources(self, infos: Iterable[FileInfo]) -> list[Source]:
        """A source for each file, or for each member of it that is wanted where it is an archive."""
        whole = [self._source(info) for info in infos]
        # What is called as files with games are is taken for such a file: of thousands, none is looked at before it is read.
        doubtful = [source for source in whole if source.object is not None and not self._wanted.fits(source.name)]
        if not doubtful:
            return whole
        with ThreadPoolExecutor(LOOKERS, "look") as pool:
            of_archives = dict(zip(map(id, doubtful), pool.map(self._members, doubtful), strict=True))
        found = []
        for source in whole:
            members = of_archives.get(id(source))
            found += [source] if members is None else member_sources(source, members, self._wanted)
        return found

    def _source(self, info: FileInfo) -> Source:
        key, mtime_ns = info.path.removeprefix(self._root), whole_seconds(info.mtime_ns)
        if self._wanted.datasets and info.base_name == MANIFEST_NAME:
            folder, name = self._names(key.removesuffix(MANIFEST_NAME).rstrip("/"))
            return Source(name, None, mtime_ns, resumable=True, dataset=folder)
        uri, name = self._names(key)
        stored = FoundObject(uri, info.size, mtime_ns)
        return Source(name, info.size, mtime_ns, resumable=True, object=stored)

    def _members(self, source: Source) -> list[Member] | None:
        """The members of an archive; None where it is none."""
        stored = source.object
        assert stored is not None
        with telling(stored.uri):
            if not is_zip_name(source.name) and sniff(stored.read_at(0, HEAD_BYTES)) != "zip":
                return None
            with stored.open() as opened:
                file = cast(BinaryIO, opened)
                try:
                    return list_members(file)
                except zipfile.BadZipFile as error:
                    if opened.failure is not None:  # zipfile takes a lost connection for the end of the file
                        raise opened.failure from None
                    if sniff(stored.read_at(0, HEAD_BYTES)) != "zip" and not zipfile.is_zipfile(file):
                        return None
                    raise damaged(source.name, error) from error

    def _name(self, path: str) -> str:
        return self._names(path.removeprefix(self._root))[1]


def _folders_of(path: str) -> Iterator[str]:
    """The folders that a file is in, the outermost first.

    >>> list(_folders_of("games/2024/may.pgn"))
    ['games/', 'games/2024/']
    """
    return (path[: slash.end()] for slash in re.finditer("/", path))


def _in_order(info: FileInfo) -> list[str]:
    path: str = info.path
    return path.split("/")


def _fits(names: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the names of folders and of what they hold match a pattern of `glob`; hidden ones must be meant.

    >>> [_fits(name.split("/"), ["**", "*.pgn"]) for name in ("a.pgn", "x/y/a.pgn", "x/.y/a.pgn", "x/a.txt")]
    [True, True, False, False]
    """
    if not parts or not names:
        return not parts and not names
    part, *rest = parts
    if part != "**":
        is_meant = part.startswith(".") or not names[0].startswith(".")
        return is_meant and fnmatch.fnmatchcase(names[0], part) and _fits(names[1:], rest)
    seen = next((number for number, name in enumerate(names) if name.startswith(".")), len(names))
    if not rest:
        return seen == len(names)
    return any(_fits(names[number:], rest) for number in range(seen + 1))
