"""The bytes of one source, decompressed, in blocks."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePath
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Protocol

import xxhash

from chesstools.archive import HEADER_BYTES, read_member
from chesstools.compression import HEAD_BYTES, SUFFIXES, CompressionError, Feed, cut, gather, is_cut_magic, sniff, unpack
from chesstools.errors import SourceError
from chesstools.ranged import RangedFile
from chesstools.stores import StoreError, is_of_store

if TYPE_CHECKING:
    from chesstools.sources.one import Source

_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Told(Protocol):
    """What is told of a stream while it is read; see `ByteStream`."""

    @property
    def stored_bytes_read(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...
    def hash(self) -> str | None: ...


class Blocks(Told, Protocol):
    """What a `ByteStream` reads."""

    @property
    def name(self) -> str: ...
    def blocks(self) -> Generator[bytes, None, None]: ...


class ByteStream(Iterator[bytes]):
    """The decompressed bytes of one source. Iterate it, best inside ``with``; the file is closed at the end, on an error,
    and by `close`.

    Text in UTF-16 (told by its byte order mark) comes out as UTF-8, so offsets count bytes of the UTF-8 text.

    Attributes:
        name: the name of the source.
        stored_bytes_read: bytes read so far of `Source.size`, for progress.
        notes: what a reader should know: "utf-16" (was transcoded), "trailing-garbage" (bytes behind the last gzip or
            bzip2 member were left out).

    Raises SourceError, after everything that could be read, if the source cannot be read to its end.
    """

    def __init__(self, reading: Blocks, seen: Callable[[bytes], None] | None = None) -> None:
        """`seen` is given each block as it is read."""
        self.name = reading.name
        self._reading = reading
        self._blocks = reading.blocks()
        self._seen = seen

    @property
    def stored_bytes_read(self) -> int:
        return self._reading.stored_bytes_read

    @property
    def notes(self) -> list[str]:
        return self._reading.notes

    def __next__(self) -> bytes:
        block = next(self._blocks)
        if self._seen is not None:
            self._seen(block)
        return block

    def __enter__(self) -> ByteStream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. What was not read by then is not read."""
        self._blocks.close()

    @property
    def utf16(self) -> Utf16 | None:
        """What the text was before it became UTF-8; None where it was not UTF-16. Complete at the end of the stream."""
        utf16: Utf16 | None = getattr(self._reading, "utf16", None)  # what is no file of text has none
        return utf16

    def hash(self) -> str | None:
        """xxh3_128 of the bytes as stored, in hexadecimal; None unless all of them were read.

        For a member of a zip archive: of the bytes of the member, not of their packed form.
        """
        return self._reading.hash()


class Utf16:
    """The bytes of a UTF-16 text as they were, unpacked: their order, how many, and their hash."""

    def __init__(self, mark: bytes) -> None:
        self.codec = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
        self.size = 0
        self.xxh3 = xxhash.xxh3_128()

    def add(self, block: bytes) -> None:
        """Take in the next of them."""
        self.size += len(block)
        self.xxh3.update(block)


class Reading:
    """How far a stream has come. It is apart from `ByteStream` so that the source can hold it and tell, while dropping the
    stream itself still closes the file at once."""

    def __init__(self, source: Source, block_bytes: int, entry: int = 0, stop: int | None = None) -> None:
        self.name = source.name
        self._entry = entry
        self._stop = stop
        self.stored_bytes_read: int = 0
        self.notes: list[str] = []
        self.utf16: Utf16 | None = None
        self.is_broken_off = False
        """Whether the system or a store did not give all of it: another try may."""
        self._xxh3 = xxhash.xxh3_128()
        self._exhausted = False
        self._source = source
        self._block_bytes = block_bytes

    def hash(self) -> str | None:
        """See `ByteStream.hash`."""
        return self._xxh3.hexdigest() if self._exhausted and not self._entry else None

    def blocks(self) -> Generator[bytes, None, None]:
        try:
            with _open(self._source) as file:
                decoded = self._entered(file) if self._entry else self._decoded(file)
                yield from gather(decoded, self._block_bytes)
        except CompressionError as error:
            raise SourceError(f"{self.name} {error}; the games up to there were read.") from error
        except StoreError as error:
            self.is_broken_off = True
            raise SourceError(
                f"{self.name} could not be read to its end ({error}); the games up to there were read; {error.advice}."
            ) from error
        except OSError as error:
            self.is_broken_off = _is_of_system(error)
            raise SourceError(
                f"{self.name} could not be read to its end ({reason(error)}); the games up to there were read."
            ) from error

    def _stored(self, file: BinaryIO) -> Iterator[bytes]:
        """The bytes as stored, counted and hashed. The members of a zip archive come out of their packing here."""
        member = self._source.member
        if member is None:
            blocks = _read_file(file, self._block_bytes, self._count)
        else:
            _expect(file, member.offset + HEADER_BYTES + member.packed_bytes)
            blocks = read_member(file, member, self._block_bytes, self._count)
        for block in blocks:
            self._xxh3.update(block)
            yield block
        self._exhausted = True

    def _count(self, stored: int) -> None:
        self.stored_bytes_read += stored

    def _entered(self, file: BinaryIO) -> Iterator[bytes]:
        """The text from `entry` on. What the file is, is told by its beginning."""
        kind = sniff(file.read(HEAD_BYTES))
        file.seek(self._entry)
        if kind is None:
            _expect(file, self._stop)
        stored = Feed(self._stored(file))
        yield from stored.rest() if kind is None else unpack(kind, stored, self.notes)

    def _decoded(self, file: BinaryIO) -> Iterator[bytes]:
        stored = Feed(self._stored(file))
        head = stored.peek(HEAD_BYTES)
        kind = sniff(head)
        if kind is None:
            _expect(file, self._stop)
            suffix = PurePath(self.name).suffix.lower()
            if suffix in SUFFIXES and is_cut_magic(head, SUFFIXES[suffix]):
                raise cut(SUFFIXES[suffix])
            yield from self._as_utf8(stored)
            return
        if kind == "zip" and self._source.object is not None and self._source.member is None:  # not looked at when it was found
            raise SourceError(f"{self.name} is a zip archive by its content; give it a name that ends in .zip.")
        if kind == "zip":
            raise SourceError(
                f"{self.name} holds a zip archive that is not a file of its own; save it as a file and give its name."
            )
        text = Feed(unpack(kind, stored, self.notes))
        inner = sniff(text.peek(HEAD_BYTES))
        if inner is not None:
            raise SourceError(
                f"{self.name} is compressed twice ({inner} data inside {kind} data); unpack it once and give the result."
            )
        yield from self._as_utf8(text)
        for _ in stored.rest():  # what unpack left alone still belongs to the hash and to the progress
            pass

    def _as_utf8(self, text: Feed) -> Iterator[bytes]:
        if text.peek(2) not in _UTF16_BOMS:
            yield from text.rest()
            return
        self.notes.append("utf-16")
        self.utf16 = Utf16(text.peek(2))
        decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        for block in text.rest():
            self.utf16.add(block)
            if utf8 := decoder.decode(block).encode():
                yield utf8
        if utf8 := decoder.decode(b"", final=True).encode():
            yield utf8


def skipped(blocks: Iterator[bytes], count: int) -> Iterator[bytes]:
    """The blocks without their first `count` bytes."""
    for block in blocks:
        if count >= len(block):
            count -= len(block)
        else:
            yield block[count:] if count else block
            count = 0


def _expect(file: BinaryIO, stop: int | None) -> None:
    """Tell a file that is fetched ahead from which of its bytes on nothing will be wanted, most likely.

    Bytes of plain text are those of the file, so a place in the one is a place in the other.
    """
    if stop is not None and isinstance(file, RangedFile):
        file.expect(stop)


def _read_file(file: BinaryIO, block_bytes: int, count: Callable[[int], None]) -> Iterator[bytes]:
    read = getattr(file, "read1", file.read)  # read1 hands on what a pipe has, instead of waiting for a whole block
    while block := read(block_bytes):
        count(len(block))
        yield block


def _open(source: Source) -> AbstractContextManager[BinaryIO]:
    if source.data is not None or source.object is not None or source.path is not None:
        return source.open_stored()
    stdin: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if stdin is None:
        raise SourceError("There is no standard input to read; give the name of a file.")
    return nullcontext(stdin)


def is_damage(error: SourceError) -> bool:
    """Whether the source itself is broken, and will be when it is read again."""
    return isinstance(error.__cause__, CompressionError)


def may_pass(error: SourceError) -> bool:
    """Whether the system or a store is the cause, so that another try may do better. What libraries say of bytes is not.

    A dataset is unfinished where a source could not be read for such a reason, and the same run again goes on there.

    >>> try:
    ...     raise SourceError("a.pgn could not be read to its end.") from PermissionError(13, "Permission denied")
    ... except SourceError as error:
    ...     may_pass(error), is_damage(error)
    (True, False)
    """
    return is_of_store(error) or _is_of_system(error.__cause__)


def _is_of_system(error: BaseException | None) -> bool:
    """Whether an error is one of the system: what decoders raise has no number."""
    return isinstance(error, OSError) and error.errno is not None


def reason(error: Exception) -> str:
    """Why the system refused, in its own words and without the path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
