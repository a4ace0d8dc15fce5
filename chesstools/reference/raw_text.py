"""Raw text: what a game tree keeps of tokens that could not be replayed, in one form whatever the white space was.

Tokens that stood side by side stay so, white space between two is one blank, comments are written as PGN export writes them,
and behind a comment in the form ``; text`` stands a line break (docs/conversion.md, Raw text).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chesstools.reference.comments import comment_text
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import COMMENTS, FILLERS, Kind, Token
from chesstools.reference.segment import TAG_NAME

_BLANK = re.compile("[ \n]")
FIRST_NUMBER = re.compile(r"1[.…]*")
_TAGS = frozenset({Kind.TAG, Kind.BAD_TAG})


def written_comment(text: str) -> str:
    """A comment as PGN export writes it: in braces, or to the end of the line where it holds a brace.

    >>> written_comment("good"), written_comment("a } b")
    ('{ good }', '; a } b')
    """
    return f"; {text}" if "{" in text or "}" in text else f"{{ {text} }}"


def raw_text(facts: Facts, found: Sequence[Token], *, left_open: int = 0, behind: bool = False) -> str | None:
    """The raw text of some tokens of a region; None where they are nothing but white space.

    Args:
        facts: of the region.
        found: its tokens in order; tag pairs among them are left out.
        left_open: how many brackets to close at the end.
        behind: whether the text stands behind the termination marker, where a move number 1 would begin a game.
    """
    pieces: list[str] = []
    is_comment = False
    for start, end, comment in _runs(facts, found, behind):
        text = facts.text(Token(Kind.WORD, start, end))
        if comment is not None:
            said = comment_text(comment, text)
            if not said:
                continue
            is_comment = True
            text = written_comment(said)
            if text[0] == ";":
                text += "\n"
        else:
            is_comment = False
        if pieces and not pieces[-1].endswith("\n"):
            pieces.append(" ")
        pieces.append(text)
    raw = "".join(pieces)
    if left_open:
        apart = raw.endswith("(=") or (is_comment and not raw.endswith("\n"))
        raw += " " * apart + ")" * left_open
    return raw or None


def _runs(facts: Facts, found: Sequence[Token], behind: bool) -> Iterator[tuple[int, int, Token | None]]:
    """Comments, and stretches of other tokens that stand side by side: where each begins and ends."""
    start = end = -1
    for token in found:
        if token.kind in FILLERS or token.kind in _TAGS:
            continue
        if behind and token.kind is Kind.NUMBER and FIRST_NUMBER.fullmatch(facts.text(token)):
            continue
        if token.kind in COMMENTS:
            if start >= 0:
                yield start, end, None
            yield token.start, token.end, token
            start = -1
        elif start >= 0 and token.start == end:
            end = token.end
        else:
            if start >= 0:
                yield start, end, None
            start, end = token.start, token.end
    if start >= 0:
        yield start, end, None


class Piece(NamedTuple):
    """Part of a raw text: tokens that stood side by side, or a comment, in braces or to the end of the line."""

    text: str
    is_comment: bool


def raw_pieces(raw: str) -> Iterator[Piece]:
    r"""The pieces of a raw text.

    >>> [piece.text for piece in raw_pieces("Nf9 { a b } ; c } d\n)")]
    ['Nf9', '{ a b }', '; c } d', ')']
    """
    at = 0
    while at < len(raw):
        sign = raw[at]
        if sign in " \n":
            at += 1
            continue
        if sign == "{":
            end = raw.find("}", at) + 1 or len(raw)
        elif sign == ";":
            end = raw.find("\n", at)
            end = len(raw) if end < 0 else end
        else:
            match = _BLANK.search(raw, at)
            end = match.start() if match else len(raw)
        yield Piece(raw[at:end], sign in "{;")
        at = end


def has_name(unread_tag: str) -> bool:
    """Whether a line that looks like a tag pair has something where the name should be: with that it begins a game.

    >>> has_name("[Event]"), has_name('["x"]')
    (True, False)
    """
    return TAG_NAME.match(unread_tag.encode("utf-8", "replace")) is not None
