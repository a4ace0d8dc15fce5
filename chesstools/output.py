"""Where a conversion goes: standard output, or a file that appears under its name only when it is complete."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from chesstools.bytestream import reason
from chesstools.errors import OutputError

STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """A place to write to, as the user named it: a path, or ``-`` for standard output."""

    name: str

    @property
    def is_stdout(self) -> bool:
        return self.name == STDOUT

    @property
    def path(self) -> Path:
        """The file or folder. Not for standard output."""
        return Path(self.name)

    @contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """Bytes to the place: packed where the name ends in .zst or .gz.

        A file is written beside its place and put there at the end; an error or an interrupt leaves what stood there before.
        Raises OutputError where it cannot be written.
        """
        if self.is_stdout:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
            return
        with complete(self.path) as place:
            try:
                file = open(place, "wb")  # noqa: SIM115
            except OSError as error:
                raise cannot_write(self.path, error) from None
            with file, _packed(file, self.path) as packed:
                yield packed


@contextmanager
def complete(path: Path) -> Iterator[Path]:
    """A place to write to, which becomes `path` at the end; an error or an interrupt leaves what stood there before.

    Devices and pipes are written to directly. Raises OutputError where it cannot be written.
    """
    if path.is_dir():
        raise OutputError(f"{path} is a folder; give the name of a file.")
    if path.exists() and not path.is_file():
        yield path
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        try:
            part.replace(path)
        except OSError as error:
            raise cannot_write(path, error) from None
    finally:
        part.unlink(missing_ok=True)


def cannot_write(path: Path, error: OSError) -> OutputError:
    """The sentence for an error of the system."""
    return OutputError(f"{path} cannot be written ({reason(error)}); choose another place.")


@contextmanager
def _packed(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    suffix = path.suffix.lower()
    if suffix == ".zst":
        with zstandard.ZstdCompressor(level=3).stream_writer(file, closefd=False) as packed:
            yield cast("BinaryIO", packed)
    elif suffix == ".gz":
        # Without a name and a time in it, so that the same games give the same bytes.
        with gzip.GzipFile("", "wb", 6, file, 0) as packed:
            yield cast("BinaryIO", packed)
    else:
        yield file
