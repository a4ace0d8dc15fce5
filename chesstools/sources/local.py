"""Files of this machine: those that a path, a folder or a glob names."""

from __future__ import annotations

import glob
import os
import stat
import zipfile

from chesstools.archive import list_members
from chesstools.bytestream import reason
from chesstools.compression import HEAD_BYTES, sniff
from chesstools.errors import SourceError
from chesstools.sources.archives import damaged, member_sources, no_members
from chesstools.sources.one import Source
from chesstools.sources.wanted import MANIFEST_NAME, Wanted, is_zip_name


def find(path: str, wanted: Wanted) -> list[Source]:
    """The sources that a path names. Raises SourceError where there is none."""
    info = _stat(path)
    if info is None:
        return _expand_glob(path, wanted)
    if stat.S_ISDIR(info.st_mode):
        if wanted.datasets and os.path.exists(os.path.join(path, MANIFEST_NAME)):
            return [_dataset(path, info)]
        if found := _expand_folder(path, wanted):
            return found
        raise wanted.none_in(_name(path))
    found = _expand_file(path, info, wanted)
    if not found:
        raise no_members(_name(path), wanted)
    return found


def _expand_glob(pattern: str, wanted: Wanted) -> list[Source]:
    if not glob.has_magic(pattern):
        raise SourceError(f"There is no file or folder {_name(pattern)}; check the path.")
    any_file = "." in os.path.basename(pattern)
    found = []
    for path in sorted(glob.glob(pattern, recursive=True)):
        info = _stat(path)
        if info is None:
            raise SourceError(f"{_name(path)} is a link to a file that does not exist; remove it or name the files.")
        if stat.S_ISDIR(info.st_mode):
            found += _expand_folder(path, wanted)
        elif any_file or wanted.fits(path) or is_zip_name(path):
            found += _expand_file(path, info, wanted)
    if not found:
        raise SourceError(f"Nothing that could be read matches {_name(pattern)}; check the pattern.")
    return found


def _expand_folder(folder: str, wanted: Wanted) -> list[Source]:
    paths = []
    try:
        for here, folders, files in os.walk(folder, onerror=_raise):
            folders[:] = [name for name in folders if not name.startswith(".")]
            if wanted.datasets and MANIFEST_NAME in files:
                paths.append(here)
                folders.clear()
                continue
            paths += [os.path.join(here, name) for name in files if wanted.fits(name) or is_zip_name(name)]
    except OSError as error:
        raise _unreadable(error.filename, error) from error
    found = []
    for path in sorted(paths, key=lambda path: path.split(os.sep)):
        info = _stat(path)
        if info is None:
            raise SourceError(f"{_name(path)} is a link to a file that does not exist; remove it or name the files.")
        if stat.S_ISDIR(info.st_mode):
            found.append(_dataset(path, info))
        elif stat.S_ISREG(info.st_mode):
            found += _expand_file(path, info, wanted)
    return found


def _dataset(path: str, info: os.stat_result) -> Source:
    return Source(_name(path), None, info.st_mtime_ns, resumable=True, path=path, dataset=path)


def _expand_file(path: str, info: os.stat_result, wanted: Wanted) -> list[Source]:
    name = _name(path)
    if not stat.S_ISREG(info.st_mode):  # a pipe or a device: looking into it would take bytes away
        return [Source(name, path=path)]
    whole = Source(name, info.st_size, info.st_mtime_ns, resumable=True, path=path)
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_BYTES)
            if sniff(head) != "zip" and not (is_zip_name(path) and zipfile.is_zipfile(file)):
                return [whole]
            members = list_members(file)
    except OSError as error:
        raise _unreadable(path, error) from error
    except zipfile.BadZipFile as error:
        raise damaged(name, error) from error
    return member_sources(whole, members, wanted)


def _name(path: str) -> str:
    """`path` as text that every table and terminal can hold: forward slashes, and bytes that are no text as ``\\xe9``."""
    return path.replace(os.sep, "/").encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace").replace("\0", r"\x00")


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _raise(error: OSError) -> None:
    raise error


def _unreadable(path: str, error: Exception) -> SourceError:
    return SourceError(f"{_name(path)} cannot be read ({reason(error)}); check the name and its permissions.")
