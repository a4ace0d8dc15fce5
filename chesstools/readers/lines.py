"""Lines of a byte stream: bounded, numbered, ended by LF, CR LF or CR."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chesstools.compression import Feed
from chesstools.readers.report import Report

MAX_LINE_BYTES = 128 << 20
"""A longer line is cut: no game has so much text."""


class Line(NamedTuple):
    """One line without its end."""

    number: int
    """From 1."""
    data: bytes
    is_cut: bool
    """Whether it was longer than `MAX_LINE_BYTES`; the rest of it is left out."""


def lines(feed: Feed) -> Iterator[Line]:
    """All lines. Where nothing but CR ends lines, CR does.

    >>> [line.data for line in lines(Feed([b"a\\r\\nb\\n", b"c"]))]
    [b'a', b'b', b'c']
    """
    end = b"\n" if b"\n" in (head := feed.peek(64 * 1024)) or b"\r" not in head else b"\r"
    number, parts, size = 1, list[bytes](), 0
    for block in feed.rest():
        at = 0
        while (stop := block.find(end, at)) >= 0:
            if size <= MAX_LINE_BYTES:
                parts.append(block[at:stop])
                size += stop - at
            yield _line(number, parts, size)
            number, parts, size, at = number + 1, [], 0, stop + 1
        if size <= MAX_LINE_BYTES:
            parts.append(block[at:])
        size += len(block) - at
    if size:
        yield _line(number, parts, size)


def texts(feed: Feed, report: Report) -> Iterator[tuple[str, str]]:
    """Where each line stands and what it says: nothing, if it begins with ``#``. Those that are too long are left out.

    >>> list(texts(Feed([b"# moves\\n e4 e5\\n"]), Report("a.san")))
    [('line 1', ''), ('line 2', 'e4 e5')]
    """
    for line in lines(feed):
        place = f"line {line.number}"
        if line.is_cut:
            report.skip(place, f"is longer than {MAX_LINE_BYTES >> 20} MB")
            continue
        text = line.data.decode("utf-8-sig" if line.number == 1 else "utf-8", "replace").strip(" \t\r\x0b\x0c")
        yield place, "" if text.startswith("#") else text


def _line(number: int, parts: list[bytes], size: int) -> Line:
    if size > MAX_LINE_BYTES:
        return Line(number, b"".join(parts)[:MAX_LINE_BYTES], True)
    data = parts[0] if len(parts) == 1 else b"".join(parts)
    return Line(number, data.removesuffix(b"\r"), False)
