"""A packed file, whose text can be entered where a zstd frame, a gzip member, or a bzip2 or xz stream begins.

The first bytes of such a beginning may stand in the midst of packed data too. So a survey takes those bytes of another range
for a beginning only where its own reading, which began at the beginning of the file or at such a place, comes to one there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from chesstools.bytestream import skipped
from chesstools.compression import HEAD_BYTES, CompressionError, Feed, gather, sniff, unpack
from chesstools.plan.anchor import WINDOW_BYTES, find_anchor
from chesstools.plan.boundaries import boundaries_of_blocks
from chesstools.plan.stretch import Place
from chesstools.reference.window import LOOK_BEHIND
from chesstools.source import BLOCK_BYTES, Source
from chesstools.step import Entry, Position
from chesstools.zstd_frames import read_table

_READ_BYTES = 1 << 20

_STEP_BYTES = 1 << 16
"""So much is unpacked at a time, more than where games are judged: here it does not matter what is lost before damage."""

_BEGINNINGS = {
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
    "gzip": re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"),
    "bzip2": re.compile(rb"BZh[1-9]1AY&SY"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
}
"""What each begins with, as far as it is the same in all of them."""


class _Entered(NamedTuple):
    """A place at which a range can be entered, and some of the text from there on."""

    stored: int
    text: bytes


class PackedText:
    """What `chesstools.plan.survey` asks of a source."""

    def __init__(self, source: Source, engine: str | None) -> None:
        self.source = source
        self.engine = engine
        self.kind = sniff(source.read_at(0, HEAD_BYTES)) or ""
        self.enter = lru_cache(maxsize=1)(self._enter)

    def anchor(self, start: int, stop: int) -> Place | None:
        """The first anchor in the text behind the first beginning in a range."""
        if start == 0:
            return Place(Position(), Entry())
        entered = self.enter(start, stop)
        found = None if entered is None else find_anchor(entered.text)
        return None if entered is None or found is None else Place(Position(found), Entry(entered.stored))

    def begin(self, anchor: Place) -> PackedRun:
        """Go from region to region from an anchor on."""
        return PackedRun(self, anchor)

    def head(self) -> bytes:
        """The first bytes of the text."""
        return self._text(0, HEAD_BYTES) or b""

    def _enter(self, start: int, stop: int) -> _Entered | None:
        """The first place in a range where text can be unpacked from."""
        for stored in self._beginnings(start, stop):
            text = self._text(stored, WINDOW_BYTES)
            if text is not None:
                return _Entered(stored, text)
        return None

    def _text(self, stored: int, count: int) -> bytes | None:
        """So much text from a place on, or what comes before damaged data; None where not even one member can be unpacked."""
        text = bytearray()
        begun: list[int] = []
        try:
            for block in unpack(self.kind, Feed(self.blocks(stored)), [], begun.append, _STEP_BYTES):
                text += block
                if len(text) >= count:
                    break
        except CompressionError:
            if len(begun) < 2:
                return None
        return bytes(text[:count])

    def _beginnings(self, start: int, stop: int) -> Iterator[int]:
        frames = read_table(self.source.read_at, self.source.size or 0) if self.kind == "zstd" else None
        if frames is not None:
            first, behind = np.searchsorted(frames[:, 0], [start, stop])
            yield from frames[first:behind, 0].tolist()
            return
        pattern = _BEGINNINGS[self.kind]
        for at in range(start, stop, _READ_BYTES):
            data = self.source.read_at(at, min(_READ_BYTES, stop - at) + HEAD_BYTES)
            for match in pattern.finditer(data):
                if match.start() < min(_READ_BYTES, stop - at):
                    yield at + match.start()

    def blocks(self, stored: int) -> Iterator[bytes]:
        """The stored bytes from a place on."""
        return self.source.stored_blocks(stored, _READ_BYTES)


class PackedRun:
    """A walk over the regions behind an anchor. Places in the text are counted from the entry of that anchor."""

    def __init__(self, text: PackedText, anchor: Place) -> None:
        self._text = text
        self._from = anchor.entry.stored
        self._starts: dict[int, int] = {}
        """Where members began, as bytes of the file, and how much text had come by then."""
        self._latest = -1
        self._count = 0
        self.here = anchor.position.byte_offset
        self._ended = False
        self._entry: Entry | None = None
        self._boundaries = boundaries_of_blocks(self._blocks, anchor.position, 0, text.engine)

    def _blocks(self, offset: int) -> Iterator[bytes]:
        return skipped(gather(self._unpacked(), BLOCK_BYTES), offset)

    def _unpacked(self) -> Iterator[bytes]:
        feed = Feed(self._text.blocks(self._from))
        try:
            for block in unpack(self._text.kind, feed, [], self._began, _STEP_BYTES):
                self._count += len(block)
                yield block
        except CompressionError:
            pass  # whoever judges the last stretch is told
        self._ended = True

    def _began(self, taken: int) -> None:
        self._latest = self._from + taken
        self._starts[self._latest] = self._count

    def anchor(self, start: int, stop: int) -> int | None:
        """The byte of the text at which the anchor of another range stands."""
        self._entry = None
        entered = self._text.enter(start, stop)
        offset = None if entered is None else self._offset_of(entered.stored)
        if entered is None or offset is None:
            return None
        self._entry = Entry(entered.stored, offset)
        found = find_anchor(entered.text)
        return None if found is None else offset + found

    def _offset_of(self, stored: int) -> int | None:
        """Where the text of a member begins; None where none begins there."""
        while stored not in self._starts and self._latest < stored and not self._ended:
            # Members that are still to come have no less text before them, and no anchor stands at their first byte.
            self.until(max(self._count, self.here) + 1)
        offset = self._starts.get(stored)
        self._starts = {start: count for start, count in self._starts.items() if start > stored}
        return offset

    def place(self, start: int, stop: int) -> Place | None:
        """The first place at which a region begins and all is there that is looked back at."""
        if self._entry is None:
            return None
        return Place(self.until(self._entry.offset + LOOK_BEHIND), self._entry)

    def until(self, offset: int) -> Position:
        """See `Boundaries`."""
        here = self._boundaries.until(offset)
        self.here = here.byte_offset
        return here
