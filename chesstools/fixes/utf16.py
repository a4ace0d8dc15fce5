"""UTF-8 back to the UTF-16 that it was read from."""

from __future__ import annotations

import codecs

_MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


class ToUtf16:
    """Makes UTF-16 with a byte order mark of UTF-8 that comes in blocks.

    >>> back = ToUtf16("utf-16-le")
    >>> back(b"1") + back(b"", final=True)
    b'\\xff\\xfe1\\x00'
    """

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="surrogatepass")
        self._mark = _MARKS[codec]

    def __call__(self, data: bytes, *, final: bool = False) -> bytes:
        mark, self._mark = self._mark, b""
        return mark + self._decoder.decode(data, final=final).encode(self._codec, "surrogatepass")
