"""The lexer: bytes to tokens. It never fails, and every byte belongs to exactly one token.

It knows the shapes of tokens and nothing of chess or of games; what a token means where it stands is decided later.
Whatever has no shape of its own becomes a WORD or a SYMBOL, so that nothing is ever skipped.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from chesstools.limits import (
    MAX_BLANK_BYTES,
    MAX_COMMENT_BYTES,
    MAX_INLINE_TAG_BYTES,
    MAX_NESTED_COMMENT_BYTES,
    MAX_PARTS,
    MAX_RUN,
    MAX_TAG_LINE_BYTES,
)
from chesstools.reference.window import LOOK_BEHIND, Window


class Kind(Enum):
    """What a token looks like."""

    SPACE = "space"
    NUL = "nul"
    BOM = "bom"
    INVISIBLE = "invisible"
    """No-break and zero-width spaces and their like: white space that no one sees."""
    ESCAPE = "escape"
    """A line that begins with `%`."""
    COMMENT = "comment"
    LINE_COMMENT = "line-comment"
    INNER_BRACE_COMMENT = "inner-brace-comment"
    """A comment with a `{` inside: comments do not nest, so something is missing or too much."""
    NESTED_COMMENT = "nested-comment"
    """A comment with balanced braces inside."""
    OPEN_COMMENT = "open-comment"
    """A comment that is never closed, up to the next game."""
    TAG = "tag"
    BAD_TAG = "bad-tag"
    OPEN = "("
    CLOSE = ")"
    NAG = "nag"
    BAD_NAG = "bad-nag"
    SUFFIX = "suffix"
    """`!`, `?` and their combinations."""
    OFFER = "offer"
    """`(=)`: a draw was offered."""
    NUMBER = "number"
    DOTS = "dots"
    MOVE = "move"
    NULL = "null"
    EN_PASSANT = "e.p."
    RESULT = "result"
    WORD = "word"
    SYMBOL = "symbol"


FILLERS = frozenset({Kind.SPACE, Kind.NUL, Kind.BOM, Kind.INVISIBLE, Kind.ESCAPE})
COMMENTS = frozenset({Kind.COMMENT, Kind.LINE_COMMENT, Kind.INNER_BRACE_COMMENT, Kind.NESTED_COMMENT, Kind.OPEN_COMMENT})


class Token(NamedTuple):
    """A kind and a span of stream offsets."""

    kind: Kind
    start: int
    end: int


# A byte that ends a word; the end of the data ends one too.
_END = rb'(?=[\s\x00{}()\[\];$"<>]|\xef\xbb\xbf|\xc2\xa0|\xe2\x80[\x80-\x8f\xa8-\xaf]|\xe2\x81\xa0|\xe3\x80\x80|\xa0|\Z)'
INVISIBLE = rb"\xc2\xa0|\xe2\x80[\x80-\x8f\xa8-\xaf]|\xe2\x81\xa0|\xe3\x80\x80|(?<![\x80-\xff])\xa0{1,%d}" % MAX_PARTS
_DASH = rb"(?:-|\xe2\x80[\x90-\x95]|\xe2\x88\x92|[\x96\x97]|:)"
_HALF = rb"(?:1/2|\xc2\xbd|\xbd|0[.,]5)"
_RESULT = rb"(?:1%b0|0%b1|%b%b%b|%b|-/-|-:-|\+:-|-:\+)" % (_DASH, _DASH, _HALF, _DASH, _HALF, _HALF)
_PIECE = rb"(?:[PNBRQKpnbrqk]|\xe2\x99[\x94-\x9f])"
_MOVE = (
    rb"""(?:
      [O0o]-[O0o](?:-[O0o])? | OOO? | ooo?
    | %b? [a-h]? [1-8]? [-x:]? [a-h] [1-8] (?: [=/]? [A-Za-z] (?![a-z0-9.]) | = | \( [A-Za-z] \) )? (?: e\.?p\.? )?
    | [A-Z]? @ [a-h] [1-8]
    ) [+#]{0,4}"""
    % _PIECE
)
_GLYPH = rb"(?:\+-|-\+|\+/-|-/\+|\+=|=\+|\+/=|=/\+|=|\xc2?\xb1|\xe2\x88\x93|\xe2\x88\x9e|\xe2\xa9[\xb1\xb2])"
_AFTER_MOVE = rb"(?=[!?*]|1-0|0-1|1/2|\xc2?\xbd|%b%b|%b)" % (_GLYPH, _END, _END)

_TOKEN = re.compile(
    rb"""
      (?P<SPACE>      [ \t\r\n\x0b\x0c]{1,%(most)d} (?:(?<=\r)\n)? )
    | (?P<RESULT>     (?:%(result)b)%(end)b | \* )
    | (?P<NULL>       (?: -- | Z0 | 0000 | @@@@ ) (?=[!?]|%(end)b) )
    | (?P<MOVE>       %(move)b %(after)b )
    | (?P<NUMBER>     [0-9]{1,9} (?: (?:\.|\xe2\x80\xa6){1,%(run)d} | (?=[a-hKQRBNO]) ) | [0-9]{1,3} %(end)b )
    | (?P<DOTS>       (?:\.|\xe2\x80\xa6){1,%(run)d} )
    | (?P<EN_PASSANT> e\.?p\.? %(end)b )
    | (?P<OFFER>      \( = \) )
    | (?P<OPEN>       \( )
    | (?P<CLOSE>      \) )
    | (?P<NAG>        \$ [0-9]{1,3} (?![0-9]) )
    | (?P<BAD_NAG>    \$ [0-9]{0,%(run)d} )
    | (?P<SUFFIX>     [!?]{1,%(run)d} )
    | (?P<LINE_COMMENT> ; [^\r\n]{0,%(comment)d} )
    | (?P<NUL>        \x00{1,%(most)d} )
    | (?P<BOM>        \xef\xbb\xbf )
    | (?P<INVISIBLE>  (?:%(invisible)b){1,%(parts)d} )
    | (?P<SYMBOL>     %(glyph)b %(end)b )
    | (?P<WORD>       (?:
          [^\s\x00{}()\[\];$"<>!?\x80-\xff]{1,%(run)d}
        | (?!\xef\xbb\xbf|%(invisible)b) [\x80-\xff]
      ){1,%(parts)d} )
    """
    % {
        b"most": MAX_BLANK_BYTES,
        b"run": MAX_RUN,
        b"parts": MAX_PARTS,
        b"comment": MAX_COMMENT_BYTES,
        b"result": _RESULT,
        b"end": _END,
        b"move": _MOVE,
        b"after": _AFTER_MOVE,
        b"invisible": INVISIBLE,
        b"glyph": _GLYPH,
    },
    re.VERBOSE,
)
_KINDS = {kind.name: kind for kind in Kind}
_MARGIN = 32
"""More than the longest text behind a token that decides what it is."""

_TAG = re.compile(rb'\[[ \t]*[A-Za-z0-9_]+[ \t]*"(?:[^"\\\r\n]|\\[^\r\n])*"[ \t]*\]')
_TAG_NAME = rb"[^\s\[\]\"{}();$%]+"
_BAD_TAG = re.compile(
    rb"""\[[ \t]*(?:
      %b [ \t]* " [^\r\n]* " [ \t]* \] (?=[ \t]*(?:[\r\n]|\Z))             # quotes inside the value
    | %b [ \t]* " [^"\r\n]* (?: \r?[\n\r] (?![ \t]*[\[\r\n]) [^"\r\n]* ){1,20} " [ \t]* \]    # a line break inside it
    | [^\[\]\r\n]* \] (?=[ \t]*(?:[\r\n]|\Z))                              # no quotes, no name
    | [A-Za-z0-9_]+ [ \t]* " [^\r\n]*                                      # no bracket at the end
    )"""
    % (_TAG_NAME, _TAG_NAME),
    re.VERBOSE,
)
_TAG_LINE = re.compile(rb'(?<=[\r\n])[ \t]*\[[A-Za-z0-9_]+[ \t]*"[^\r\n]*"[ \t]*\]')
_NEXT_TAG = re.compile(rb'[ \t]*(?:\r\n|\n|\r)[ \t]*\[[A-Za-z0-9_]+[ \t]*"[^\r\n]*"[ \t]*\]')
_LAST_RESULT = re.compile(rb"(?:^|[\s{])(1-0|0-1|1/2-1/2|\*)\s*\Z")
_LINE_BREAK = re.compile(rb"[\r\n]")
_BLANK_LINE = re.compile(rb"(?:\n|\r(?!\n))[ \t]*[\r\n]")


class Lexer:
    """Tokens of a byte stream, one at a time: `next(offset)` gives the token that begins there, None at the end.

    >>> lexer = Lexer(Window([b"1. e4 {best}"]))
    >>> lexer.next(3)
    Token(kind=<Kind.MOVE: 'move'>, start=3, end=5)
    """

    def __init__(self, window: Window) -> None:
        self.window = window
        self._close: int | None = None
        """The last `}` found by a search, and how far searches have looked."""
        self._searched = 0

    def next(self, offset: int) -> Token | None:
        """The token at `offset`, or None where the stream ends there."""
        window = self.window
        if not window.reach(offset):
            return None
        at = offset - window.base
        byte = window.data[at]
        if byte == 0x7B:  # {
            return self._comment(offset)
        if byte == 0x5B:  # [
            return self._tag(offset)
        if byte == 0x25 and self._at_line_start(at):  # %
            return self._to_line_end(Kind.ESCAPE, offset)
        while True:
            at = offset - window.base
            match = _TOKEN.match(window.data, at)
            end = match.end() if match else at + 1
            # What stands behind a token can change it: look again until enough of that is in view.
            if end + _MARGIN <= len(window.data) or window.ended or not window.more(max(_MARGIN, end - at)):
                break
        if match is None:
            return Token(Kind.SYMBOL, offset, offset + 1)
        return Token(_KINDS[match.lastgroup or "SYMBOL"], offset, offset + end - at)

    def peek(self, pattern: re.Pattern[bytes], offset: int, reach: int = 4096) -> bool:
        """Whether `pattern` matches within the next `reach` bytes."""
        self.window.reach(offset + reach)
        at = offset - self.window.base
        return pattern.match(self.window.data, at, at + reach) is not None

    def _at_line_start(self, at: int) -> bool:
        return (at == 0 and self.window.base == 0) or (at > 0 and self.window.data[at - 1] in b"\r\n")

    def _to_line_end(self, kind: Kind, offset: int) -> Token:
        window = self.window
        seen = offset
        most = offset + MAX_COMMENT_BYTES
        while (found := _LINE_BREAK.search(window.data, seen - window.base, most - window.base)) is None:
            seen = window.end
            if seen >= most or not window.more(seen - offset):
                return Token(kind, offset, min(most, window.end))
        return Token(kind, offset, window.base + found.start())

    def _tag(self, offset: int) -> Token:
        window = self.window
        at = offset - window.base
        begins_line = self._begins_line(at)
        limit = MAX_TAG_LINE_BYTES if begins_line else MAX_INLINE_TAG_BYTES
        match = _TAG.match(window.data, at, at + limit)
        if match is None:
            window.reach(offset + limit)
            match = _TAG.match(window.data, at, at + limit)
        if match is not None:
            return Token(Kind.TAG, offset, offset + match.end() - at)
        if begins_line and (bad := _BAD_TAG.match(window.data, at, at + limit)):
            return Token(Kind.BAD_TAG, offset, offset + bad.end() - at)
        return Token(Kind.SYMBOL, offset, offset + 1)

    def _begins_line(self, at: int) -> bool:
        """Whether only blanks and the like stand before `at` on its line (`LOOK_BEHIND` of them at most)."""
        data = self.window.data
        first = max(0, at + 1 - LOOK_BEHIND)
        while at > first and data[at - 1] in b" \t\x00\xef\xbb\xbf]":
            at -= 1
        return self._at_line_start(at)

    def _comment(self, offset: int) -> Token:
        """A brace comment ends at the first `}` (the standard knows no nesting), unless a game begins before it."""
        window = self.window
        close_offset = self._find_close(offset)
        at = offset - window.base
        limit = min(len(window.data), at + MAX_COMMENT_BYTES)
        end = limit if close_offset is None else close_offset - window.base
        inner = window.data.find(b"{", at + 1, end)
        boundary = game_inside(window.data, at, end, closed=close_offset is not None, inner=inner)
        if boundary is None and close_offset is not None:
            if inner < 0:
                return Token(Kind.COMMENT, offset, close_offset + 1)
            balanced = self._balance(at, end + 1)
            if balanced is not None:
                return Token(Kind.NESTED_COMMENT, offset, window.base + balanced)
            return Token(Kind.INNER_BRACE_COMMENT, offset, close_offset + 1)
        if boundary is None:
            # Nothing closes it and no game follows: it reaches to the end, or to the stated limit.
            boundary = limit
        # A result at the very end of what was swallowed is still the game's own.
        result = _LAST_RESULT.search(window.data, max(at, boundary - 64), boundary)
        if result is not None:
            boundary = result.start(1)
        # The white space behind it is not part of it: whether a blank line stands there decides where the next game begins.
        while boundary > at + 1 and window.data[boundary - 1] in b" \t\r\n\x0b\x0c":
            boundary -= 1
        return Token(Kind.OPEN_COMMENT, offset, window.base + boundary)

    def _find_close(self, offset: int) -> int | None:
        """Offset of the first `}` behind `offset`, or None where there is none within the limit.

        What an earlier search has seen is not searched again, or many unclosed braces would take quadratic time.
        """
        window = self.window
        if self._close is not None and self._close > offset:
            return self._close if self._close < offset + MAX_COMMENT_BYTES else None
        seen = max(offset + 1, self._searched)
        while (close := window.data.find(b"}", seen - window.base)) < 0:
            seen = window.end
            if seen >= offset + MAX_COMMENT_BYTES or not window.more(seen - offset):
                self._searched = seen
                return None
        self._close = self._searched = window.base + close
        return self._close if self._close < offset + MAX_COMMENT_BYTES else None

    def _balance(self, at: int, end: int) -> int | None:
        """The end of a comment with balanced braces inside, if its closing brace stands before any other sign."""
        window = self.window
        depth = window.data.count(b"{", at, end) - 1
        for _ in range(depth):
            limit = end + MAX_NESTED_COMMENT_BYTES
            window.reach(window.base + limit)
            close = window.data.find(b"}", end, limit)
            if close < 0 or window.data.find(b"{", end, close) >= 0 or _BLANK_LINE.search(window.data, end, close):
                return None
            end = close + 1
        return end


def game_inside(data: bytes | bytearray, at: int, limit: int, *, closed: bool, inner: int) -> int | None:
    """Where a tag section begins inside what looks like a comment, so that the comment was never closed.

    A comment may quote a tag line, so one line is not enough unless other signs speak for it: two tag lines after a
    blank line, three without one, or one after a blank line where a further `{` (at `inner`, -1: nowhere) comes before any `}`.
    """
    for match in _TAG_LINE.finditer(data, at, limit):
        after_blank = follows_blank_line(data, match.start())
        tags = 1
        end = match.end()
        while tags < 3 and (following := _NEXT_TAG.match(data, end, limit)):
            tags += 1
            end = following.end()
        if tags >= (2 if after_blank else 3) or (after_blank and (not closed or match.start() < inner)):
            return match.start()
    return None


def follows_blank_line(data: bytes | bytearray, at: int) -> bool:
    """Whether the line before the one that begins at `at` holds nothing but blanks."""
    at -= 2 if data[at - 2 : at] == b"\r\n" else 1
    while at > 0 and data[at - 1] in b" \t":
        at -= 1
    return at > 0 and data[at - 1] in b"\r\n"


def tokens(data: bytes) -> list[Token]:
    """All tokens of a text.

    >>> [token.kind.value for token in tokens(b"1.e4! *")]
    ['number', 'move', 'suffix', 'space', 'result']
    """
    lexer = Lexer(Window([data]))
    found = []
    offset = 0
    while (token := lexer.next(offset)) is not None:
        found.append(token)
        offset = token.end
    return found
