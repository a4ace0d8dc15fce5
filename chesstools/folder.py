"""The folder of a dataset as a place to write: one run at a time, whole files only, nothing of others touched."""

from __future__ import annotations

import errno
import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chesstools.bytestream import reason
from chesstools.errors import DatasetError
from chesstools.manifest import FILE_NAME, Manifest
from chesstools.schema import TABLES

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_NAME = "_chesstools.lock"
_TEMPORARY_MANIFEST = FILE_NAME + ".tmp"
_PART_NAME = r"part-\d{6,}(-\d{6,}-[0-9a-f]{8})?\.parquet"
_PART = re.compile(_PART_NAME)
_TEMPORARY_PART = re.compile(rf"\.{_PART_NAME}\.([0-9a-f]+\.)?tmp")

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}


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


def temporary(path: Path) -> Path:
    """Where a part is written until it is whole: another place each time, as two processes may write the same part at once.

    Readers of Parquet folders pass over names with a dot in front.
    """
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")


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


def _reason(error: OSError) -> str:
    # Arrow puts its own long text in place of the system's.
    return os.strerror(error.errno) if error.errno else reason(error)


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    if sys.platform == "win32" and path.is_dir():
        return  # not possible there
    descriptor = os.open(path, os.O_RDONLY if sys.platform != "win32" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def claim(path: Path) -> Iterator[None]:
    """Make the folder if need be and keep other runs out of it. The lock goes with the process, even when it is killed."""
    with writing(path):
        if path.exists() and not path.is_dir():
            raise DatasetError(f"{path} is a file; give the name of a folder for the dataset.")
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


def read_manifest(path: Path) -> Manifest | None:
    """The manifest in the folder, or None. Raises DatasetError if it cannot be read."""
    file = path / FILE_NAME
    try:
        text = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{file} cannot be read ({reason(error)}); check its permissions, or ingest again.") from error
    return Manifest.from_json(text, str(file))


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Replace the manifest at one stroke."""
    file = path / FILE_NAME
    new = path / _TEMPORARY_MANIFEST
    with writing(file):
        try:
            with open(new, "w", encoding="utf-8") as out:
                out.write(manifest.to_json())
                out.flush()
                os.fsync(out.fileno())
            os.replace(new, file)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        sync(path)


def refuse_strangers(path: Path, *, has_manifest: bool) -> None:
    """Raise DatasetError if the folder holds files that would be mixed with ours. Hidden files do not matter.

    A dataset may have other files beside its tables, but none inside of them. Without a manifest nothing is ours.
    """
    own = {FILE_NAME, _TEMPORARY_MANIFEST, LOCK_NAME, *TABLES}
    strangers = [] if has_manifest else [name for name in _visible(path) if name not in own]
    for table in TABLES:
        if (path / table).is_dir():
            strangers += [f"{table}/{name}" for name in _visible(path / table) if not (has_manifest and _PART.fullmatch(name))]
        elif (path / table).exists():
            strangers.append(table)
    if strangers:
        more = f" and {len(strangers) - 1} more" if len(strangers) > 1 else ""
        raise DatasetError(
            f"The folder {path} holds files that are no part of a dataset ({strangers[0]}{more}); choose another folder, "
            "or move them away."
        )


def remove_unlisted(path: Path, manifest: Manifest) -> None:
    """Remove our own files that the manifest does not list: half-written ones, and those of a dataset that was there."""
    listed = {(table, part.name) for part in manifest.parts for table in part.rows}
    with writing(path):
        (path / _TEMPORARY_MANIFEST).unlink(missing_ok=True)
        for table in TABLES:
            folder = path / table
            if not folder.is_dir():
                continue
            for name in os.listdir(folder):
                ours = _PART.fullmatch(name) or _TEMPORARY_PART.fullmatch(name)
                if ours and (table, name) not in listed:
                    (folder / name).unlink()
            if table not in manifest.tables and not os.listdir(folder):
                folder.rmdir()


def _visible(path: Path) -> list[str]:
    return sorted(name for name in os.listdir(path) if not name.startswith("."))
