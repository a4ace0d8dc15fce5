"""One readable thing, as a stream of bytes with a name and, where known, a size."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, fields
from io import BytesIO
from typing import Any, BinaryIO, cast

from chesstools.archive import Member
from chesstools.bytestream import Blocks, ByteStream, Reading, Told, reason
from chesstools.errors import OptionError, SourceError
from chesstools.found_object import FoundObject, Range, whole_seconds
from chesstools.stores import StoreError, telling

BLOCK_BYTES = 1 << 20

_HERE_ONLY = ("begun", "_reading")
"""What does not go to other processes."""

AGAIN = "give the command again when it is complete"


class Changed(SourceError):
    """A file was changed since it was found."""


@dataclass(slots=True, eq=False)
class Source:
    """One readable thing: a file, an object of a store, a member of a zip archive, or standard input.

    What can be read again can be pickled, and be read by another process or machine to which its path or URI means the same.

    Attributes:
        name: as the user gave it, with forward slashes, and a URI without what may be secret (`chesstools.stores.shown`);
            ``archive.zip/member`` for a member of a zip archive, ``-`` for standard input. Unique in what one call of
            `chesstools.source.find_sources` returns.
        size: bytes as stored (compressed, if the source is compressed); None where it is not known before reading.
        mtime_ns: time of last change in nanoseconds; None where there is none.
        resumable: whether it can be read from the beginning again, now or by another run.
    """

    name: str
    size: int | None = None
    mtime_ns: int | None = None
    resumable: bool = False
    path: str | None = field(default=None, repr=False)
    object: FoundObject | None = field(default=None, repr=False)
    dataset: str | None = field(default=None, repr=False)
    """Path or URI of the folder, where it is a dataset."""
    member: Member | None = field(default=None, repr=False)
    data: bytes | None = field(default=None, repr=False)
    reading: Callable[[int], Blocks] | None = field(default=None, repr=False)
    """Makes the bytes where they are not those of a file: text that a reader of another format writes (`chesstools.readers`)."""
    begun: Future[Range] | None = field(default=None, repr=False)
    """What of `object` is fetched before it is opened (`chesstools.sources.in_turn`)."""
    _reading: Told | None = field(default=None, repr=False)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "<bytes>") -> Source:
        """A source in memory.

        >>> source = Source.from_bytes(b"1. e4 *")
        >>> b"".join(source.open())
        b'1. e4 *'
        """
        return cls(name=name, size=len(data), resumable=True, data=data)

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name not in _HERE_ONLY}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in {**dict.fromkeys(_HERE_ONLY), **state}.items():
            setattr(self, name, value)

    def open(
        self,
        block_bytes: int = BLOCK_BYTES,
        seen: Callable[[bytes], None] | None = None,
        entry: int = 0,
        stop: int | None = None,
    ) -> ByteStream:
        """The decompressed bytes in blocks of `block_bytes` (at least 1). `seen` is given each of them.

        They come from the beginning, or from the stored byte `entry` on (`chesstools.step.Entry`), of which no hash is told.
        `stop` is where the reader will stop, as a byte of the text, most likely: so that no more is fetched of what is far away.
        The file is opened when the first block is asked for. Raises SourceError if this is standard input
        or a pipe and was opened before.
        """
        if block_bytes < 1:
            raise OptionError(f"block_bytes must be 1 or more, not {block_bytes}.")
        if self._reading is not None and not self.resumable:
            raise SourceError(f"{self.name} can be read only once; save it as a file and give the name of the file.")
        reading = self.reading(block_bytes) if self.reading is not None else Reading(self, block_bytes, entry, stop)
        self._reading = reading
        return ByteStream(reading, seen)

    @property
    def is_anywhere(self) -> bool:
        """Whether it is a file or an object, whose stored bytes can be read at any place (`open_stored`)."""
        return (self.path is not None or self.object is not None) and self.member is None and self.resumable

    def open_stored(self) -> BinaryIO:
        """The bytes as stored, as a file: those of the whole archive where this is a member of one. Raises OSError."""
        if self.data is not None:
            return BytesIO(self.data)
        if self.object is not None:
            return cast(BinaryIO, self.object.open(self.begun))
        assert self.path is not None
        return open(self.path, "rb")

    def read_at(self, start: int, count: int) -> bytes:
        """The stored bytes from `start` on, at most `count`. Raises SourceError if this is no file that can be read anywhere."""
        if self.object is not None:
            with telling(self.object.uri):
                return self.object.read_at(start, count)
        return next(self.stored_blocks(start, count), b"")

    def stored_blocks(self, start: int, block_bytes: int) -> Iterator[bytes]:
        """The stored bytes from `start` on, `block_bytes` at a time. Raises SourceError as `read_at` does."""
        if self.data is None and self.object is None and (self.path is None or not self.resumable):
            raise SourceError(f"{self.name} can be read only once; save it as a file and give the name of the file.")
        try:
            with self.open_stored() as file:
                file.seek(start)
                while block := file.read(block_bytes):
                    yield block
        except StoreError as error:
            raise SourceError(f"{self.name} {error.wrong}; {error.advice}.") from None
        except OSError as error:
            raise SourceError(f"{self.name} cannot be read ({reason(error)}); check the name and its permissions.") from error

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

    @property
    def is_broken_off(self) -> bool:
        """Whether the system or a store did not give all of the stream that was opened last: its text may end within a game."""
        return bool(getattr(self._reading, "is_broken_off", False))  # what is read otherwise has no such thing

    def check_unchanged(self) -> None:
        """Raise Changed where this is a file of this machine that was changed since it was found.

        One that is gone was not: whoever has it open reads it to its end. Of its time only whole seconds are looked at, as
        some systems tell no more.
        """
        if self.path is None or self.dataset is not None or self.mtime_ns is None:
            return
        try:
            now = os.stat(self.path)
        except OSError:
            return
        if whole_seconds(now.st_mtime_ns) != whole_seconds(self.mtime_ns) or (not self.member and now.st_size != self.size):
            wrong = OSError(errno.ESTALE, "it has changed since it was found")
            raise Changed(
                f"{self.name} could not be read to its end ({reason(wrong)}); the games up to there were read; {AGAIN}."
            ) from wrong

    def hash(self) -> str | None:
        """The hash of the stream that was opened last; see `ByteStream.hash`."""
        return self._reading.hash() if self._reading else None
