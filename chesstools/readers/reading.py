"""A source of another format as a source of PGN text: bytes are those that the reader makes, progress that of the file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from chesstools.bytestream import ByteStream
from chesstools.compression import Feed
from chesstools.readers import READERS
from chesstools.readers.recognise import HEAD_BYTES, recognise
from chesstools.readers.record import Record, to_pgn
from chesstools.readers.report import Report
from chesstools.source import Source

Read = Callable[[Source, Feed, Report], Iterator[Record]]
"""Makes records of the unpacked bytes of a source. Bad ones go into the report, what ends all is a SourceError."""


class PgnReading:
    """How far the reading of one source has come; see `chesstools.bytestream.Reading`."""

    def __init__(self, source: Source, read: Read, block_bytes: int) -> None:
        self.name = source.name
        self._source = source
        self._read = read
        self._block_bytes = block_bytes
        self._report = Report(source.name)
        self._stream: ByteStream | None = None

    @property
    def stored_bytes_read(self) -> int:
        return self._stream.stored_bytes_read if self._stream else 0

    @property
    def notes(self) -> list[str]:
        # Places are those of the PGN text that was made: how the file was encoded says nothing of them.
        own = [note for note in self._stream.notes if note != "utf-16"] if self._stream else []
        return own + self._report.notes

    @property
    def is_broken_off(self) -> bool:
        return self._stream is not None and self._source.is_broken_off

    def hash(self) -> str | None:
        return self._stream.hash() if self._stream else None

    def blocks(self) -> Generator[bytes, None, None]:
        """The PGN text. Raises SourceError behind all games that could be read."""
        self._stream = self._source.open(self._block_bytes)
        with closing(self._stream):
            yield from self._made_of(Feed(self._stream))

    def _made_of(self, feed: Feed) -> Iterator[bytes]:
        yield from to_pgn(self._read(self._source, feed, self._report), self._report)
        for _ in feed.rest():  # what the reader left alone still belongs to the hash
            pass


class PipeReading(PgnReading):
    """The same for what can be read only once: what it holds is seen when its first bytes come."""

    def __init__(self, source: Source, block_bytes: int) -> None:
        super().__init__(source, _nothing, block_bytes)
        self._is_pgn = False

    @property
    def notes(self) -> list[str]:
        return list(self._stream.notes) if self._is_pgn and self._stream else super().notes

    def blocks(self) -> Generator[bytes, None, None]:
        """The PGN text. Raises SourceError behind all games that could be read."""
        self._stream = self._source.open(self._block_bytes)
        with closing(self._stream):
            feed = Feed(self._stream)
            head = feed.take(sys.maxsize)
            feed.push_back(head)
            form = recognise(self.name, head[:HEAD_BYTES])
            self._is_pgn = form == "pgn"
            if self._is_pgn:
                yield from feed.rest()
            else:
                self._read = READERS[form].read()
                yield from self._made_of(feed)


def _nothing(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """Before it is seen what there is."""
    return iter(())


class FolderReading(PgnReading):
    """The same for a dataset: a folder, of which there are no bytes."""

    def blocks(self) -> Generator[bytes, None, None]:
        """The PGN text. Raises SourceError behind all games that could be read."""
        yield from self._made_of(Feed([]))
