"""Into which ranges a source can be cut, and why not into more."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote

from chesstools.compression import HEAD_BYTES, sniff
from chesstools.errors import OptionError
from chesstools.plan.packed import PackedText
from chesstools.plan.plain import PlainText, place_in_plain_text
from chesstools.plan.stretch import Stretch
from chesstools.source import Source
from chesstools.step import Position

_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of the stored bytes of a source, to be surveyed each on its own; none where it can only be read as a whole."""

    ranges: tuple[tuple[int, int], ...]
    why_whole: str | None = None
    """Why it is not cut: a sentence that says what to do. None where it is, and where it is too small."""


def ranges(source: Source, stretch_bytes: int) -> Ranges:
    """Ranges of `stretch_bytes` stored bytes each, the last one shorter. Raises OptionError where that is less than 1.

    >>> ranges(Source.from_bytes(b"1. e4 *\\n\\n1. d4 *"), 10).ranges
    ((0, 10), (10, 16))
    """
    if stretch_bytes < 1:
        raise OptionError(f"A stretch must have 1 byte or more, not {stretch_bytes}.")
    size = source.size
    if source.reading is None and (size is None or not source.resumable):
        return Ranges((), f"{source.name} can be read only once and is read as a whole; save it as a file to have it cut.")
    if size is not None and size <= stretch_bytes:
        return Ranges(())
    if (why := _why_whole(source)) or size is None:
        return Ranges((), why)
    return Ranges(tuple((start, min(start + stretch_bytes, size)) for start in range(0, size, stretch_bytes)))


def _why_whole(source: Source) -> str | None:
    if source.reading is not None:
        return f"{source.name} is no PGN and is read as a whole; convert it to PGN to have it cut."
    if source.member is not None:
        return f"{source.name} stands in a zip archive and is read as a whole; unpack it to have it cut."
    head = source.read_at(0, HEAD_BYTES)
    if head.startswith(_UTF16_BOMS):
        return f"{source.name} is UTF-16 and is read as a whole; convert it to UTF-8 to have it cut."
    if (kind := sniff(head)) is None:
        return None
    if kind == "zip":
        return f"{source.name} is a zip archive and is read as a whole; unpack it to have it cut."
    text = PackedText(source, None).head()
    if text.startswith(_UTF16_BOMS):
        return f"{source.name} holds UTF-16 and is read as a whole; convert it to UTF-8 to have it cut."
    if (kind := sniff(text)) is not None:
        return f"{source.name} holds {kind} data and is read as a whole; unpack it once to have it cut."
    return None


def why_one(source: Source, stretch_bytes: int) -> str | None:
    """Why surveys found one stretch only; None where that is no wonder, as a text is not much longer than one."""
    kind = sniff(source.read_at(0, HEAD_BYTES))
    if kind is None and source.size is not None and source.size <= 2 * stretch_bytes:
        return None
    if kind is None:
        return f"{source.name} is one game, or text of none, and is read as a whole."
    how = f"chesstools convert {quote(source.name)} --to pgn.zst --frames -o NEW.pgn.zst"
    return f"{source.name} is {kind} data that can only be read from its beginning; write it with `{how}` to have it cut."


def text_of(source: Source, engine: str | None) -> PlainText | PackedText:
    """The text of a source that can be cut."""
    is_packed = sniff(source.read_at(0, HEAD_BYTES)) is not None
    return PackedText(source, engine) if is_packed else PlainText(source, engine)


def rest_of(source: Source, stretch: Stretch, here: Position) -> Stretch:
    """What is left of a stretch that was judged up to `here`. A packed source is entered where the stretch is.

    >>> from chesstools.step import Entry
    >>> source = Source.from_bytes(b"1. e4 *\\n\\n1. d4 *")
    >>> rest_of(source, Stretch(Position(), None, Entry()), Position(9, 3, 1)).start.game_index
    1
    """
    is_plain = _why_whole(source) is None and sniff(source.read_at(0, HEAD_BYTES)) is None
    return Stretch(here, stretch.stop, place_in_plain_text(here).entry if is_plain else stretch.entry)
