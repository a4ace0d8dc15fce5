"""Files that must be read from their end: in place where that can be done, else from a copy on disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from chesstools.compression import Feed
from chesstools.source import Source

_IN_MEMORY_BYTES = 8 << 20


@contextmanager
def seekable(source: Source, feed: Feed, magic: bytes) -> Iterator[BinaryIO]:
    """The bytes of `feed` as a file that can be read at any place.

    A file or an object of a store that begins with `magic`, which a packed one does not, is opened as it is; `feed` is read
    to its end then, so that the hash of the source is right.
    """
    if source.is_anywhere:
        with source.open_stored() as file:
            if file.read(len(magic)) == magic:
                file.seek(0)
                yield file
                for _ in feed.rest():
                    pass
                return
    with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as copy:
        for block in feed.rest():
            copy.write(block)
        copy.seek(0)
        yield copy  # type: ignore[misc]
