"""Anything readable, as one stream of bytes with a name and, where known, a size.

`find_sources` turns what a person names (files, folders, globs, ``-``) into a list of `Source`; `Source.open` gives the
decompressed bytes block by block. Compression is recognised by the first bytes, never by the name.
"""

from __future__ import annotations

import glob
import os
import stat
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from chesstools.archive import METHODS, Member, list_members
from chesstools.bytestream import Blocks, ByteStream, Reading, Told, reason
from chesstools.compression import HEAD_BYTES, SUFFIXES, sniff
from chesstools.errors import OptionError, SourceError

__all__ = ["BLOCK_BYTES", "ByteStream", "Source", "find_sources"]

BLOCK_BYTES = 1 << 20

MANIFEST_NAME = "_chesstools.json"

_STDIN = "-"
_PACKED = ("", *(suffix for suffix in SUFFIXES if suffix != ".zip"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files of folders and archives are read: by the endings of their names, those of packing apart."""

    suffixes: tuple[str, ...]
    datasets: bool = False
    """Whether the folder of a dataset is a source of its own."""

    def fits(self, path: str) -> bool:
        name = os.path.basename(path)
        return name.lower().endswith(tuple(end + packed for end in self.suffixes for packed in _PACKED)) and not name.startswith(
            "."
        )

    @property
    def what(self) -> str:
        return "PGN files" if self.suffixes == PGN.suffixes else "files with games"


PGN = Wanted((".pgn",))


@dataclass(slots=True, eq=False)
class Source:
    """One readable thing: a file, a member of a zip archive, or standard input.

    Attributes:
        name: as the user gave it, with forward slashes; ``archive.zip/member`` for a member of a zip archive, ``-`` for
            standard input. Unique in what one call of `find_sources` returns.
        size: bytes as stored (compressed, if the source is compressed); None where it is not known before reading.
        mtime_ns: time of last change in nanoseconds; None where there is none.
        resumable: whether it can be read from the beginning again, now or by another run.
    """

    name: str
    size: int | None = None
    mtime_ns: int | None = None
    resumable: bool = False
    path: str | None = field(default=None, repr=False)
    member: Member | None = field(default=None, repr=False)
    data: bytes | None = field(default=None, repr=False)
    reading: Callable[[int], Blocks] | None = field(default=None, repr=False)
    """Makes the bytes where they are not those of a file: text that a reader of another format writes (`chesstools.readers`)."""
    _reading: Told | None = field(default=None, repr=False)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "<bytes>") -> Source:
        """A source in memory.

        >>> source = Source.from_bytes(b"1. e4 *")
        >>> b"".join(source.open())
        b'1. e4 *'
        """
        return cls(name=name, size=len(data), resumable=True, data=data)

    def open(self, block_bytes: int = BLOCK_BYTES, seen: Callable[[bytes], None] | None = None, entry: int = 0) -> ByteStream:
        """The decompressed bytes in blocks of `block_bytes` (at least 1). `seen` is given each of them.

        They come from the beginning, or from the stored byte `entry` on (`chesstools.step.Entry`), of which no hash is told.
        The file is opened when the first block is asked for. Raises SourceError if this is standard input
        or a pipe and was opened before.
        """
        if block_bytes < 1:
            raise OptionError(f"block_bytes must be 1 or more, not {block_bytes}.")
        if self._reading is not None and not self.resumable:
            raise SourceError(f"{self.name} can be read only once; save it as a file and give the name of the file.")
        reading = self.reading(block_bytes) if self.reading is not None else Reading(self, block_bytes, entry)
        self._reading = reading
        return ByteStream(reading, seen)

    def read_at(self, start: int, count: int) -> bytes:
        """The stored bytes from `start` on, at most `count`. Raises SourceError if this is no file that can be read anywhere."""
        try:
            if self.data is not None:
                return self.data[start : start + count]
            if self.path is None or not self.resumable:
                raise SourceError(f"{self.name} can be read only once; save it as a file and give the name of the file.")
            with open(self.path, "rb") as file:
                file.seek(start)
                return file.read(count)
        except OSError as error:
            raise _unreadable(self.name, error) from error

    def read_by(self, reading: Told) -> None:
        """Let `reading`, which reads this source in another way, tell of progress, notes and hash."""
        self._reading = reading

    @property
    def stored_bytes_read(self) -> int:
        """How far the stream that was opened last has come; see `ByteStream`."""
        return self._reading.stored_bytes_read if self._reading else 0

    @property
    def notes(self) -> list[str]:
        """The notes of the stream that was opened last; see `ByteStream`."""
        return list(self._reading.notes) if self._reading else []

    def hash(self) -> str | None:
        """The hash of the stream that was opened last; see `ByteStream.hash`."""
        return self._reading.hash() if self._reading else None


def find_sources(
    args: str | os.PathLike[str] | Source | Iterable[str | os.PathLike[str] | Source], wanted: Wanted = PGN
) -> list[Source]:
    """The sources that `args` name: files, folders, globs (``**`` too), ``-`` for standard input, sources as they are.

    A folder is searched with its sub-folders for ``.pgn``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.pgn.zst`` and
    ``.zip`` (in any case); hidden names are passed over and links to folders are not followed. A file that is named itself
    is read whatever its name. A glob whose last part has a dot names its files in this sense; one that ends in ``*``
    finds what a folder would. Every PGN file in a zip archive is a source of its own. `wanted` says what is looked for in
    place of PGN files.

    Order: as given; sorted by name within a folder, glob or archive. A file that is reached twice is listed once.

    Raises OptionError if there are no arguments, and SourceError if something does not exist, cannot be read, or holds
    no PGN files.

    >>> [source.name for source in find_sources("-")]
    ['-']
    """
    if isinstance(args, str | os.PathLike | Source):
        args = [args]
    found: list[Source] = []
    seen: set[object] = set()
    names: dict[str, int] = {}
    given = False
    for arg in args:
        given = True
        for source in _expand(arg, wanted):
            if (key := _identity(source)) in seen:
                continue
            seen.add(key)
            number = names[source.name] = names.get(source.name, 0) + 1
            if number > 1:  # two members of one name in an archive: the name is a key in the tables
                source.name = f"{source.name}#{number}"
            found.append(source)
    if not given:
        raise OptionError("Name at least one source: a file, a folder, a glob, or - for standard input.")
    return found


def _identity(source: Source) -> object:
    if source.path is not None:
        return os.path.realpath(source.path), source.member and source.member.offset
    return _STDIN if source.data is None and source.reading is None else source


def _expand(arg: str | os.PathLike[str] | Source, wanted: Wanted) -> list[Source]:
    if isinstance(arg, Source):
        return [arg]
    path = os.fsdecode(arg)
    if path == _STDIN:
        return [Source(_STDIN)]
    if not path:
        raise SourceError("A source has an empty name; name a file, a folder, a glob, or - for standard input.")
    info = _stat(path)
    if info is None:
        return _expand_glob(path, wanted)
    if stat.S_ISDIR(info.st_mode):
        if wanted.datasets and os.path.exists(os.path.join(path, MANIFEST_NAME)):
            return [_dataset(path, info)]
        if found := _expand_folder(path, wanted):
            return found
        raise SourceError(
            f"The folder {_name(path)} holds no {wanted.what} ({wanted.suffixes[0]}, {wanted.suffixes[0]}.zst, .zip and the "
            "like); check the path or name the files."
        )
    found = _expand_file(path, info, wanted)
    if not found:
        raise SourceError(f"The archive {_name(path)} holds no {wanted.what}; unpack it and name the files that are to be read.")
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
        elif any_file or wanted.fits(path) or _is_zip_name(path):
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
            paths += [os.path.join(here, name) for name in files if wanted.fits(name) or _is_zip_name(name)]
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
    return Source(_name(path), None, info.st_mtime_ns, resumable=True, path=path)


def _expand_file(path: str, info: os.stat_result, wanted: Wanted) -> list[Source]:
    name = _name(path)
    if not stat.S_ISREG(info.st_mode):  # a pipe or a device: looking into it would take bytes away
        return [Source(name, path=path)]
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_BYTES)
        if sniff(head) != "zip" and not (_is_zip_name(path) and zipfile.is_zipfile(path)):
            return [Source(name, info.st_size, info.st_mtime_ns, resumable=True, path=path)]
        members = list_members(path)
    except OSError as error:
        raise _unreadable(path, error) from error
    except zipfile.BadZipFile as error:
        raise SourceError(f"{name} is a damaged zip archive ({error}); fetch it again.") from error
    chosen = [member for member in members if wanted.fits(member.name) and not member.name.startswith("__MACOSX/")]
    if chosen and members[-1].cut:  # said once, behind the last games that can be read
        chosen[-1] = replace(chosen[-1], cut=True)
    for member in chosen:
        if member.encrypted:
            raise SourceError(f"{name}/{member.name} is encrypted; unpack the archive with its password and name the files.")
        if member.method not in METHODS:
            how = f"is packed in a way that is not supported (method {member.method})"
            raise SourceError(f"{name}/{member.name} {how}; unpack the archive and name the files.")
    return [
        Source(f"{name}/{member.name}", member.packed_bytes, info.st_mtime_ns, resumable=True, path=path, member=member)
        for member in chosen
    ]


def _is_zip_name(path: str) -> bool:
    name = os.path.basename(path)
    return name.lower().endswith(".zip") and not name.startswith(".")


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
