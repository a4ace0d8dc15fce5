"""Zstandard files of many frames with a table of where they begin: each frame can be read without the ones before it.

The table is that of the zstd seekable format (contrib/seekable_format in the sources of zstd): a skippable frame at the end,
which every zstd tool passes over.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

import zstandard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_FRAME_BYTES = 1 << 30
"""Most that may be asked for: the table holds sizes of 32 bits."""

_TABLE = struct.Struct("<II")
_ENTRY = struct.Struct("<II")
_FOOTER = struct.Struct("<IBI")
_TABLE_MAGIC = 0x184D2A5E
_FOOTER_MAGIC = 0x8F92EAB1
_HAS_CHECKSUMS = 0x80


class FrameWriter:
    """Packs what is written. Frames end only where a call of `write` ended: whoever writes whole games gets whole games in each.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> with FrameWriter(file, 10) as writer:
    ...     for text in (b"one game\\n", b"two\\n", b"three"):
    ...         writer.write(text)
    >>> data = file.getvalue()
    >>> table = read_table(lambda start, count: data[start : start + count], len(data))
    >>> table.tolist()
    [[0, 0], [26, 13]]
    """

    def __init__(self, file: BinaryIO, frame_bytes: int) -> None:
        self._file = file
        self._frame_bytes = frame_bytes
        self._compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
        self._frame = self._compressor.compressobj()
        self._sizes = array("I")
        self._packed = self._text = 0

    def __enter__(self) -> FrameWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()

    def write(self, text: bytes) -> None:
        """Take in some text; end the frame if it is as long as is wanted."""
        for start in range(0, len(text), MAX_FRAME_BYTES):  # one call may bring a game of any size
            piece = text[start : start + MAX_FRAME_BYTES]
            if self._text + len(piece) > MAX_FRAME_BYTES:
                self._end()
            self._put(self._frame.compress(piece))
            self._text += len(piece)
        if self._text >= self._frame_bytes:
            self._end()

    def close(self) -> None:
        """End the last frame and write the table. The file stays open."""
        if self._text or not self._sizes:
            self._end()
        if sys.byteorder == "big":
            self._sizes.byteswap()
        entries = self._sizes.tobytes()
        self._file.write(_TABLE.pack(_TABLE_MAGIC, len(entries) + _FOOTER.size))
        self._file.write(entries)
        self._file.write(_FOOTER.pack(len(self._sizes) // 2, 0, _FOOTER_MAGIC))

    def _put(self, packed: bytes) -> None:
        self._file.write(packed)
        self._packed += len(packed)

    def _end(self) -> None:
        self._put(self._frame.flush())
        self._sizes.extend((self._packed, self._text))
        self._packed = self._text = 0
        self._frame = self._compressor.compressobj()


def read_table(read_at: Callable[[int, int], bytes], size: int) -> NDArray[np.int64] | None:
    """Where the frames begin, a row each, as bytes of the file and of its text.

    None where the file has no table, or one that is not of it.

    `read_at` gives the bytes of the file from a place on, so many at most; `size` is how many it has.
    """
    if size < _TABLE.size + _FOOTER.size:
        return None
    count, flags, magic = _FOOTER.unpack(read_at(size - _FOOTER.size, _FOOTER.size))
    entry_bytes = _ENTRY.size + (4 if flags & _HAS_CHECKSUMS else 0)
    length = count * entry_bytes
    begin = size - _FOOTER.size - length - _TABLE.size
    if magic != _FOOTER_MAGIC or begin < 0 or _TABLE.unpack(read_at(begin, _TABLE.size)) != (_TABLE_MAGIC, length + _FOOTER.size):
        return None
    import numpy as np  # only here: who writes frames need not wait for it

    sizes = np.frombuffer(read_at(begin + _TABLE.size, length), "<u4").reshape(count, entry_bytes // 4)
    ends = np.cumsum(sizes[:, :2], axis=0, dtype=np.int64)
    if (int(ends[-1, 0]) if count else 0) != begin:
        return None
    return np.concatenate([np.zeros((1, 2), np.int64), ends[:-1]])[:count]
