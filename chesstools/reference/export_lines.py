"""Movetext from pieces: where a blank stands between two of them, where a line ends, and what keeps text from being misread."""

from __future__ import annotations

import re
from typing import NamedTuple

from chesstools.reference.raw_text import raw_pieces
from chesstools.reference.text import trim

_PART = re.compile(r"(?<![ \t\x0b\x0c]) (?![ \t\x0b\x0c])")
"""A blank with no other blank beside it."""
EMPTY = "{}"
"""An empty comment is no part of a game, and parts what must not be read together."""


class _Held(NamedTuple):
    text: str
    is_command: bool
    ends_line: bool
    is_line_comment: bool


class Lines:
    """Gathers pieces of movetext.

    A line begins with `[`, `]` or `%` only where that is a command in a comment: elsewhere a reader would see a tag pair, or a
    line to be skipped.

    >>> lines = Lines(8)
    >>> for piece in ("1.", "e4", "e5", "2.", "Nf3"):
    ...     lines.add(piece)
    >>> lines.text()
    '1. e4 e5\\n2. Nf3'
    """

    def __init__(self, width: int) -> None:
        self._width = width or None
        self._out: list[str] = []
        self._column = 0
        self._brackets = ""
        """Opening brackets for the next piece."""
        self._held: _Held | None = None
        """The last piece, to which a closing bracket may belong."""
        self._after_raw = False
        """Whether the last piece is raw text and no comment."""

    def add(self, piece: str, *, command: bool = False, ends_line: bool = False) -> None:
        """Add a piece; `command` says that it begins with a command of a comment."""
        self._flush()
        self._held = _Held(self._brackets + piece, command, ends_line, piece[0] == ";" and ends_line)
        self._brackets = ""
        self._after_raw = False

    def add_raw(self, piece: str) -> None:
        """Add a piece of text that means nothing or could not be replayed."""
        if piece[0] == "[" and self._after_raw and not self._brackets:
            self.add(EMPTY)
        self.add(piece, ends_line="[" in piece)
        self._after_raw = True

    def add_raw_text(self, text: str) -> None:
        """Add raw text (docs/conversion.md) piece by piece."""
        for piece in raw_pieces(text):
            if not piece.is_comment:
                self.add_raw(piece.text)
            elif piece.text[0] == ";":
                self.add_line_comment(piece.text)
            elif said := trim(piece.text.removeprefix("{").removesuffix("}")):
                self.add_comment(said)

    def add_comment(self, text: str) -> None:
        """Add a comment, in braces or to the end of the line."""
        if "{" in text or "}" in text:
            self.add_line_comment(f"; {text}")
            return
        self.add("{")
        for part, is_command in comment_parts(text):
            self.add(part, command=is_command)
        self.add("}")

    def add_line_comment(self, written: str) -> None:
        """Add a comment that goes to the end of the line."""
        self.add(written, ends_line=True)

    def open(self) -> None:
        """Begin a variation."""
        self._brackets += "("

    def close(self) -> None:
        """End a variation."""
        held = self._held
        if self._brackets or held is None or held.is_line_comment or held.text.endswith("(="):
            self.add(")")
        else:
            self._held = held._replace(text=held.text + ")")

    def text(self) -> str:
        """All lines, the last one without its end."""
        self._flush()
        return "".join(self._out).rstrip("\n")

    def _flush(self) -> None:
        if self._held is None:
            return
        piece, command, ends_line, _ = self._held
        self._held = None
        stays = piece[0] in "[]%" and not command
        if self._column == 0:
            if stays:
                piece = f"{EMPTY} {piece}"
        elif self._width and not stays and self._column + 1 + len(piece) > self._width:
            self._out.append("\n")
            self._column = 0
        else:
            self._out.append(" ")
            self._column += 1
        self._out.append(piece)
        self._column += len(piece)
        if ends_line:
            self._out.append("\n")
            self._column = 0


def comment_parts(text: str) -> list[tuple[str, bool]]:
    """The parts of a comment between which a line may end, and whether each begins with a command.

    >>> comment_parts("good [%clk 0:01:00] move")
    [('good', False), ('[%clk 0:01:00]', True), ('move', False)]
    """
    if "[%" not in text:
        return [(part, False) for part in _PART.split(text)]
    parts: list[tuple[str, bool]] = []
    start = 0
    begins = {span[0] for span in commands(text)}
    spans = iter(commands(text))
    first, last = next(spans, (len(text), len(text)))
    for blank in _PART.finditer(text):
        while last <= blank.start() and first < len(text):
            first, last = next(spans, (len(text), len(text)))
        if first < blank.start() < last:
            continue
        parts.append((text[start : blank.start()], start in begins))
        start = blank.end()
    parts.append((text[start:], start in begins))
    return parts


def commands(text: str) -> list[tuple[int, int]]:
    """Where the commands of a comment begin and end: from ``[%`` to the first ``]``.

    >>> commands("a [%clk 0:01:00] [%eval")
    [(2, 16)]
    """
    found = []
    at = text.find("[%")
    while at >= 0:
        end = text.find("]", at)
        if end < 0:
            break
        found.append((at, end + 1))
        at = text.find("[%", end)
    return found
