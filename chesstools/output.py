"""Where a conversion goes: standard output, or a file (on a disk, in a store) that is there only when it is complete."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from chesstools.places import written
from chesstools.stores import shown_name
from chesstools.zstd_frames import FrameWriter

STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """A place to write to, as the user named it: a path, a URI (``s3://bucket/key``), or ``-`` for standard output."""

    name: str = field(repr=False)
    frame_bytes: int | None = None
    """Where it is packed as .zst: about so much text in a frame, and a table of the frames at the end; None: one frame."""
    asked: str | None = None
    """How it is to be packed, as an ending of names; None: as the name says."""

    @property
    def is_stdout(self) -> bool:
        return self.name == STDOUT

    @property
    def shown(self) -> str:
        """The name as it may be printed, without what is secret in a URI."""
        return shown_name(self.name)

    @property
    def ending(self) -> str:
        """A name whose ending tells how it is packed."""
        return self.shown if self.asked is None else f"games{self.asked}"

    @contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """Bytes to the place: packed as was asked for, or where the name ends in .zst or .gz.

        A file is written beside its place and put there at the end; an error or an interrupt leaves what stood there before.
        Raises OutputError where it cannot be written.
        """
        if self.is_stdout:
            with packed(sys.stdout.buffer, self.ending, self.frame_bytes) as out:
                yield out
            sys.stdout.buffer.flush()
            return
        with written(self.name) as file, packed(file, self.ending, self.frame_bytes) as out:
            yield out


@contextmanager
def packed(file: BinaryIO, name: str, frame_bytes: int | None = None) -> Iterator[BinaryIO]:
    """Bytes to `file`, packed where its `name` ends in .zst or .gz.

    With `frame_bytes`, a .zst file has many frames (`chesstools.zstd_frames`).
    """
    suffix = Path(name).suffix.lower()
    if suffix == ".zst" and frame_bytes is not None:
        with FrameWriter(file, frame_bytes) as frames:
            yield cast("BinaryIO", frames)
    elif suffix == ".zst":
        with zstandard.ZstdCompressor(level=3).stream_writer(file, closefd=False) as out:
            yield cast("BinaryIO", out)
    elif suffix == ".gz":
        # Without a name and a time in it, so that the same games give the same bytes.
        with gzip.GzipFile("", "wb", 6, file, 0) as out:
            yield cast("BinaryIO", out)
    else:
        yield file
