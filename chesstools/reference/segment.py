"""Where games begin and end. Games and quarantined regions together are the whole input, byte for byte.

A game is a tag section and the movetext behind it, up to its termination marker or to the next tag section; or movetext
alone. Blank lines do not end a game (people put them everywhere), but they decide doubtful cases. What belongs to no
game is a quarantined region: it is reported and the next game is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chesstools.limits import MAX_GAME_BYTES, MAX_GAME_TOKENS
from chesstools.reference.lexer import COMMENTS, FILLERS, INVISIBLE, Kind, Lexer, Token
from chesstools.reference.window import Window

TAG_NAME = re.compile(rb'\[[ \t]*([^\s\[\]"{}();$%]+)')
_TAG_AHEAD = re.compile(rb'\s*\[[ \t]*[A-Za-z0-9_]+[ \t]*"')
_MOVE_AHEAD = re.compile(
    rb"(?:[\s.\x00]|\xe2\x80\xa6|\xef\xbb\xbf|%b)*(?:\{|\(|--|Z0|[O0o]-?[O0o]|[PNBRQKnbrqk]?[a-h]?[1-8]?[-x:]?[a-h][1-8]"
    rb"|[PNBRQ]?@[a-h][1-8]|\xe2\x99[\x94-\x9f]|[1-9][0-9]*\.|\*|1-0|0-1|1/2)" % INVISIBLE
)
_BLANK_LINE = rb"[ \t]*(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n]"
_END_AHEAD = re.compile(rb'\s*(?:\Z|\[[ \t]*[A-Za-z0-9_]+[ \t]*")|%b\s*1[ \t]*\.' % _BLANK_LINE)
_NO_RESULT_AHEAD = re.compile(rb'\s*(?:\Z|\[[ \t]*[A-Za-z0-9_]+[ \t]*")|%b' % _BLANK_LINE)
_LINE_BREAK = re.compile(rb"\r\n|\n|\r")

_PLAY = frozenset({Kind.NUMBER, Kind.DOTS, Kind.MOVE, Kind.NULL, Kind.RESULT})


def count_lines(data: bytes | bytearray) -> int:
    r"""Line breaks in `data`, each of LF, CR and CRLF being one.

    >>> count_lines(b"a\r\nb\rc\n")
    3
    """
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


@dataclass(slots=True)
class Region:
    """A game, or a stretch of text that is none (`is_game` false). `tokens` leaves out the white space."""

    is_game: bool
    offset: int
    line: int
    data: bytes
    tokens: list[Token]
    terminator: int | None = None
    """Index in `tokens` of the termination marker."""
    glued: list[Token] = field(default_factory=list)
    """Tag pairs that stand behind movetext without a blank line between."""
    too_long: bool = False

    def text(self, token: Token) -> bytes:
        """The bytes of one token."""
        return self.data[token.start - self.offset : token.end - self.offset]


class Segmenter:
    """Iterates over the regions of a stream, in order and without gaps.

    >>> regions = list(Segmenter(Window([b"1. e4 *\\n\\n1. d4 *\\n"])))
    >>> [region.data for region in regions]
    [b'1. e4 *\\n\\n', b'1. d4 *\\n']
    """

    def __init__(
        self,
        window: Window,
        offset: int = 0,
        line: int = 1,
        *,
        glued: bool = False,
        too_long: bool = False,
        stop: int | None = None,
    ) -> None:
        """Regions from `offset` on; with `stop`, where one of them begins, those that begin before it."""
        self._window = window
        self._stop = stop
        self._lexer = Lexer(window)
        self._line = line
        self._start = offset
        self._breaks = 0
        """Line breaks since the last token that is not white space."""
        self._begin(False if too_long else None)
        self._too_long = too_long
        self._begins_glued = glued

    @property
    def offset(self) -> int:
        """Where the region begins that comes next."""
        return self._start

    @property
    def line(self) -> int:
        """The line of `offset`."""
        return self._line

    @property
    def glued(self) -> bool:
        """Whether the next region begins with a tag right behind movetext."""
        return bool(self._glued)

    @property
    def too_long(self) -> bool:
        """Whether the next region is the rest of a game that went over the limit."""
        return self._too_long

    def __iter__(self) -> Iterator[Region]:
        for region in self._regions():
            yield region
            if self._stop is not None and self._start >= self._stop:
                break

    def _regions(self) -> Iterator[Region]:
        offset = self._start
        while (token := self._lexer.next(offset)) is not None:
            offset = token.end
            region = self._take(token)
            if region is not None:
                yield region
            if offset - self._start > MAX_GAME_BYTES or len(self._tokens) > MAX_GAME_TOKENS:
                yield self._cut_off(offset)
        if self._window.end > self._start:
            yield self._close(self._window.end)

    # ------------------------------------------------------------------------------------------- state

    def _begin(self, is_game: bool | None) -> None:
        """A new region starts; None = not known yet what it is (only comments so far)."""
        self._is_game = is_game
        self._tokens: list[Token] = []
        self._glued: list[Token] = []
        self._names: set[bytes] = set()
        self._first_name = b""
        self._result = b""
        self._body = False
        self._depth = 0
        self._terminator: int | None = None
        self._gap = False
        self._breaks = 0
        self._too_long = False
        self._cut: int | None = None

    def _close(self, end: int) -> Region:
        data = self._window.text(self._start, end)
        region = Region(
            bool(self._is_game), self._start, self._line, data, self._tokens, self._terminator, self._glued, self._too_long
        )
        self._line += count_lines(data)
        self._start = end
        self._window.forget(end)
        return region

    def _cut_off(self, end: int) -> Region:
        """Close the region at `end`, as it has grown over the limit. If it is a game, its rest belongs to no game."""
        rest = self._too_long or bool(self._is_game)
        region = self._close(end)
        self._begin(False if rest else None)
        self._too_long = rest
        return region

    def _split(self, token: Token, is_game: bool) -> Region | None:
        """Close the region before `token`, or before the comments that lead up to it, and start the next one.

        None where there is nothing to close: the region before was cut off right here.
        """
        led = [] if self._cut is None else self._tokens[self._cut :]
        if led:
            del self._tokens[self._cut :]
        end = led[0].start if led else token.start
        region = self._close(end) if end > self._start else None
        self._begin(is_game)
        self._tokens = led
        return region

    # ------------------------------------------------------------------------------------------ tokens

    def _take(self, token: Token) -> Region | None:
        """Take in one token; the region that it ends, if it does."""
        if token.kind is Kind.SPACE:
            self._breaks += len(_LINE_BREAK.findall(self._bytes(token)))
            return None
        if token.kind in FILLERS:
            if token.kind is Kind.ESCAPE:
                self._breaks = max(0, self._breaks - 1)
            self._tokens.append(token)
            return None
        if self._breaks >= 2 and self._terminator is not None:
            self._gap = True
        region = self._solid(token)
        self._breaks = 0
        return region

    def _solid(self, token: Token) -> Region | None:
        """Take in one token that is not white space; the region that it ends, if it does."""
        if token.kind is Kind.TAG or token.kind is Kind.BAD_TAG:
            return self._tag(token)
        if token.kind in COMMENTS:
            # Behind a finished game and a blank line a comment may lead up to the next game.
            if self._gap and self._cut is None:
                self._cut = len(self._tokens)
            self._tokens.append(token)
            return None
        if token.kind in _PLAY:
            return self._play(token)
        return self._other(token)

    def _tag(self, token: Token) -> Region | None:
        match = TAG_NAME.match(self._bytes(token))
        name = match.group(1) if match else b""
        region = None
        blank = self._breaks >= 2
        if not name:
            pass  # it neither begins a game nor ends one
        elif self._is_game is None:
            self._is_game = True
            if self._begins_glued:
                self._glued.append(token)
                self._begins_glued = False
        elif not self._is_game:
            region = self._split(token, True)
        elif self._terminator is not None:
            self._cut = None  # a comment between a result and a tag section belongs to the game before it
            region = self._split(token, True)
            if not blank:
                self._glued.append(token)
        elif self._body:
            opens = self._breaks >= 1 and (blank or name == b"Event" or self._lexer.peek(_TAG_AHEAD, token.end))
            if opens:
                region = self._split(token, True)
            if not blank or not opens:
                self._glued.append(token)
        elif blank and name in self._names and name in (b"Event", b"FEN", self._first_name):
            region = self._split(token, True)
        self._first_name = self._first_name or name
        self._names.add(name)
        if name == b"Result":
            self._result = self._bytes(token)
        self._tokens.append(token)
        return region

    def _play(self, token: Token) -> Region | None:
        region = None
        if self._is_game is None:
            self._is_game = self._starts_movetext(token)
        elif not self._is_game:
            if self._breaks >= 2 and self._starts_movetext(token):
                region = self._split(token, True)
        elif self._terminator is not None:
            starts = self._starts_movetext(token)
            if self._gap or (starts and self._is_first_number(token)):
                region = self._split(token, starts)
            else:
                self._tokens.append(token)
                return None
        if self._is_game:
            self._body = True
            if token.kind is Kind.MOVE and self._is_double_forfeit(token):
                token = Token(Kind.RESULT, token.start, token.end)
            if token.kind is Kind.RESULT and (not self._depth or self._lexer.peek(_END_AHEAD, token.end)):
                self._terminator = len(self._tokens)
        self._tokens.append(token)
        return region

    def _other(self, token: Token) -> Region | None:
        region = None
        if self._is_game is None:
            self._is_game = False
        elif self._is_game and self._gap:
            region = self._split(token, False)
        elif self._is_game and self._terminator is None:
            self._body = True
            if token.kind is Kind.OPEN:
                self._depth += 1
            elif token.kind is Kind.CLOSE:
                self._depth = max(0, self._depth - 1)
        self._tokens.append(token)
        return region

    def _starts_movetext(self, token: Token) -> bool:
        """Whether a game without tags can begin here, rather than a line of prose that begins with a number."""
        return token.kind not in (Kind.NUMBER, Kind.DOTS) or self._lexer.peek(_MOVE_AHEAD, token.end)

    def _is_first_number(self, token: Token) -> bool:
        return token.kind is Kind.NUMBER and self._bytes(token).rstrip(b".\xe2\x80\xa6") == b"1"

    def _is_double_forfeit(self, token: Token) -> bool:
        """`0-0` is a result where the Result tag says so and the game ends there; else it is castling."""
        return (
            not self._depth
            and b'"0-0"' in self._result
            and self._bytes(token) == b"0-0"
            and self._lexer.peek(_NO_RESULT_AHEAD, token.end)
        )

    def _bytes(self, token: Token) -> bytes:
        return self._window.text(token.start, token.end)
