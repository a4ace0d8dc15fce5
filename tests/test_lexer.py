"""The lexer: input == tokens, for every kind of token, with any size of blocks; and it never fails."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_bytes, in_blocks

from chesstools.limits import (
    MAX_BLANK_BYTES,
    MAX_COMMENT_BYTES,
    MAX_INLINE_TAG_BYTES,
    MAX_NESTED_COMMENT_BYTES,
    MAX_TAG_LINE_BYTES,
)
from chesstools.reference import lexer
from chesstools.reference.lexer import Kind, Lexer, Token, tokens
from chesstools.reference.window import LOOK_BEHIND, Window

K = Kind
SP = (K.SPACE, b" ")
NL = (K.SPACE, b"\n")
Text = list[tuple[Kind, bytes]]
"""A text in pieces, each with the kind of token that it is."""

EXAMPLES: dict[str, Text] = {
    "white space": [(K.SPACE, b" \t\r\n\x0b\x0c ")],
    "a plain move": [(K.NUMBER, b"1."), SP, (K.MOVE, b"e4"), SP, (K.MOVE, b"e5"), SP, (K.RESULT, b"1-0")],
    "no blanks": [(K.NUMBER, b"1."), (K.MOVE, b"e4"), (K.SUFFIX, b"!"), (K.RESULT, b"*")],
    "two moves joined are long notation": [(K.NUMBER, b"1."), (K.MOVE, b"e4e5")],
    "numbers": [
        (K.NUMBER, b"1"),
        SP,
        (K.NUMBER, b"12..."),
        (K.MOVE, b"Nf3"),
        SP,
        (K.NUMBER, "3…".encode()),
        SP,
        (K.NUMBER, b"4"),
        (K.MOVE, b"Nc6"),
    ],
    "number, blank, dots": [(K.NUMBER, b"1"), SP, (K.DOTS, b"..."), SP, (K.MOVE, b"e5"), SP, (K.DOTS, "…".encode())],
    "a number too long to be one": [(K.WORD, b"1234567890.")],
    "castling": [(K.MOVE, b"O-O"), SP, (K.MOVE, b"O-O-O+"), SP, (K.MOVE, b"0-0-0#"), SP, (K.MOVE, b"o-o"), SP, (K.MOVE, b"OOO")],
    "captures, promotions, checks": [
        (K.MOVE, b"exd5"),
        SP,
        (K.MOVE, b"Nbxd7+"),
        SP,
        (K.MOVE, b"e8=Q#"),
        SP,
        (K.MOVE, b"bxa1(N)"),
        SP,
        (K.MOVE, b"e8Q"),
        SP,
        (K.MOVE, b"e8="),
        SP,
        (K.MOVE, b"Qh4e1++"),
    ],
    "other notations": [
        (K.MOVE, b"e2-e4"),
        SP,
        (K.MOVE, b"g1f3"),
        SP,
        (K.MOVE, b"N:f3"),
        SP,
        (K.MOVE, "♘f3".encode()),
        SP,
        (K.MOVE, b"exd6e.p."),
        SP,
        (K.MOVE, b"N@f3"),
        SP,
        (K.MOVE, b"@e4"),
    ],
    "en passant apart": [(K.MOVE, b"exd6"), SP, (K.EN_PASSANT, b"e.p."), SP, (K.EN_PASSANT, b"ep")],
    "null moves": [(K.NULL, b"--"), SP, (K.NULL, b"Z0"), (K.SUFFIX, b"!?"), SP, (K.NULL, b"0000"), SP, (K.NULL, b"@@@@")],
    "glyphs": [(K.MOVE, b"e4"), (K.SUFFIX, b"!?!"), SP, (K.NAG, b"$1"), (K.NAG, b"$146"), SP, (K.NAG, b"$300")],
    "bad glyphs": [(K.BAD_NAG, b"$"), SP, (K.BAD_NAG, b"$1234"), SP, (K.BAD_NAG, b"$"), (K.WORD, b"x")],
    "results": [
        (K.RESULT, b"1-0"),
        SP,
        (K.RESULT, b"0-1"),
        SP,
        (K.RESULT, b"1/2-1/2"),
        SP,
        (K.RESULT, b"*"),
        (K.RESULT, b"*"),
        SP,
        (K.RESULT, b"1/2"),
    ],
    "results in other spellings": [
        (K.RESULT, "½-½".encode()),
        SP,
        (K.RESULT, b"\xbd-\xbd"),
        SP,
        (K.RESULT, "1–0".encode()),
        SP,
        (K.RESULT, b"1:0"),
        SP,
        (K.RESULT, b"0.5-0.5"),
        SP,
        (K.RESULT, b"-/-"),
        SP,
        (K.RESULT, b"+:-"),
    ],
    "a result needs an end": [(K.WORD, b"1-0."), SP, (K.RESULT, b"1-0"), (K.COMMENT, b"{}")],
    "variations": [(K.OPEN, b"("), (K.MOVE, b"d4"), (K.OPEN, b"("), (K.CLOSE, b")"), (K.CLOSE, b")")],
    "a draw offer": [(K.MOVE, b"e4"), SP, (K.OFFER, b"(=)")],
    "comments": [(K.COMMENT, b"{a ; % ( [b] $1 \n c}"), (K.COMMENT, b"{}"), SP, (K.LINE_COMMENT, b"; to { the end"), NL],
    "comments do not nest": [(K.INNER_BRACE_COMMENT, b"{a {b}"), SP, (K.WORD, b"c"), SP, (K.SYMBOL, b"<")],
    "but people nest them": [(K.NESTED_COMMENT, b"{a {b} c}"), SP, (K.NESTED_COMMENT, b"{{{}}}")],
    "nested over lines": [(K.NESTED_COMMENT, b"{a {b}\r\nc}"), SP, (K.NESTED_COMMENT, b"{a {b}\nc}")],
    "not over a blank line": [
        (K.INNER_BRACE_COMMENT, b"{a {b}"),
        (K.SPACE, b"\r\n\r\n"),
        (K.WORD, b"c"),
        (K.SYMBOL, b"}"),
    ],
    "never closed": [(K.MOVE, b"e4"), SP, (K.OPEN_COMMENT, b"{good move"), NL],
    "never closed, but the result is the game's": [(K.OPEN_COMMENT, b"{good move"), NL, (K.RESULT, b"1-0"), NL],
    "never closed before the next game": [
        (K.OPEN_COMMENT, b"{good move"),
        (K.SPACE, b"\n\n"),
        (K.TAG, b'[Event "x"]'),
        NL,
        (K.TAG, b'[Site "y"]'),
        (K.SPACE, b"\n\n"),
        (K.COMMENT, b"{z}"),
    ],
    "a comment may quote a tag": [(K.COMMENT, b'{so:\n[Event "x"]\nend}')],
    "tags": [(K.TAG, b'[Event "Oak \\"Cup\\" \\\\"]'), NL, (K.TAG, b'[ A_1\t"" ]'), (K.TAG, b'[B "x"]')],
    "a tag inside a line": [(K.MOVE, b"e4"), SP, (K.TAG, b'[Event "x"]')],
    "bad tags": [
        (K.BAD_TAG, b"[Event Oak Cup]"),
        NL,
        (K.BAD_TAG, b'[Event "Oak "Cup" x"]'),
        NL,
        (K.BAD_TAG, b'[Event "Oak Cup'),
        NL,
        (K.BAD_TAG, b'[Ev-ent "x"]'),
        NL,
        (K.BAD_TAG, b'[Event "C:\\"]'),
        NL,
        (K.BAD_TAG, b"[]"),
    ],
    "a line break in a tag": [(K.BAD_TAG, b'[Event "Oak\nCup"]'), NL, (K.BAD_TAG, b'[Event "Oak\r\nCup"]')],
    "brackets that are no tags": [(K.MOVE, b"e4"), SP, (K.SYMBOL, b"["), (K.WORD, b"x"), (K.SYMBOL, b"]")],
    "escaped lines": [(K.ESCAPE, b"% a { b"), NL, (K.ESCAPE, b"%"), (K.SPACE, b"\r"), (K.MOVE, b"e4"), SP, (K.WORD, b"%")],
    "byte order marks": [(K.BOM, b"\xef\xbb\xbf"), (K.TAG, b'[A "b"]'), (K.BOM, b"\xef\xbb\xbf"), (K.MOVE, b"e4")],
    "NULs": [(K.MOVE, b"e4"), (K.NUL, b"\x00\x00"), (K.MOVE, b"e5")],
    "invisible blanks": [
        (K.NUMBER, b"1."),
        (K.INVISIBLE, "\u00a0\u200b".encode()),
        (K.MOVE, b"e4"),
        (K.INVISIBLE, b"\xa0\xa0"),
        (K.MOVE, b"e5"),
        (K.INVISIBLE, "\u3000".encode()),
    ],
    "words": [(K.WORD, b"foo"), SP, (K.WORD, "Müller".encode()), SP, (K.WORD, b"M\xfcller"), SP, (K.WORD, b"Sf3")],
    "a word with the bytes of an invisible blank": [(K.WORD, "àá".encode())],
    "symbols": [
        (K.SYMBOL, b"+-"),
        SP,
        (K.SYMBOL, b"="),
        SP,
        (K.SYMBOL, "∞".encode()),
        SP,
        (K.SYMBOL, b"<"),
        (K.SYMBOL, b">"),
        (K.SYMBOL, b'"'),
        (K.SYMBOL, b"}"),
        (K.SYMBOL, b"]"),
    ],
    "a glyph behind a move": [(K.MOVE, b"Kg1"), (K.SYMBOL, b"+-"), SP, (K.MOVE, b"Qd5"), (K.SYMBOL, "±".encode())],
    "a glyph of Windows-1252": [(K.MOVE, b"Kg1"), (K.SYMBOL, b"\xb1"), SP, (K.SYMBOL, b"\xb1"), SP, (K.RESULT, b"1\x970")],
    "nothing": [],
}

EDGES: dict[str, Text] = {
    # Where a token ends must not depend on how much of the text behind it has been read.
    "a long tag inside a line": [(K.MOVE, b"e4"), SP, (K.TAG, b'[A "%b"]' % (b"x" * (MAX_INLINE_TAG_BYTES - 6)))],
    "one too long": [
        (K.MOVE, b"e4"),
        SP,
        (K.SYMBOL, b"["),
        (K.WORD, b"A"),
        SP,
        (K.SYMBOL, b'"'),
        (K.WORD, b"x" * MAX_INLINE_TAG_BYTES),
        (K.SYMBOL, b'"'),
        (K.SYMBOL, b"]"),
    ],
    "a long tag line": [(K.TAG, b'[A "%b"]' % (b"x" * (MAX_TAG_LINE_BYTES - 6)))],
    "far braces in balance": [
        (K.NESTED_COMMENT, b"{{{}%b}%b}" % (b"x" * (MAX_NESTED_COMMENT_BYTES - 1), b"y" * (MAX_NESTED_COMMENT_BYTES - 1))),
    ],
    "too far": [
        (K.INNER_BRACE_COMMENT, b"{{}"),
        (K.WORD, b"x" * MAX_NESTED_COMMENT_BYTES),
        (K.SYMBOL, b"}"),
    ],
    "a long comment": [(K.COMMENT, b"{%b}" % (b"x" * 10_000)), (K.MOVE, b"e4")],
}


def pieces(text: bytes, found: list[Token]) -> Text:
    return [(token.kind, text[token.start : token.end]) for token in found]


def tokens_in_blocks(text: bytes, size: int) -> list[Token]:
    """The tokens of a text that arrives in blocks of `size` bytes."""
    one = Lexer(Window(in_blocks(text, size)))
    found = []
    offset = 0
    while (token := one.next(offset)) is not None:
        found.append(token)
        offset = token.end
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_input_is_tokens(name: str) -> None:
    expected = EXAMPLES[name]
    text = b"".join(piece for _, piece in expected)
    assert pieces(text, tokens(text)) == expected
    for size in (1, 2, 3, 7):
        assert pieces(text, tokens_in_blocks(text, size)) == expected


def test_every_kind_has_an_example() -> None:
    assert {kind for text in EXAMPLES.values() for kind, _ in text} == set(Kind)


@pytest.mark.parametrize("name", EDGES)
def test_limits_do_not_depend_on_blocks(name: str) -> None:
    expected = EDGES[name]
    text = b"".join(piece for _, piece in expected)
    for size in (64, 1000, 1 << 20):
        assert pieces(text, tokens_in_blocks(text, size)) == expected


def check_tiling(text: bytes, found: list[Token]) -> None:
    """The spans of the tokens are the text, without gap or overlap, and none is empty."""
    assert [token.start for token in found] == [0, *(token.end for token in found[:-1])] or not found
    assert (found[-1].end if found else 0) == len(text)
    assert all(token.start < token.end for token in found)


@given(any_bytes())
@example(b"{")
@example(b'[A "\\')
@example(b"\xef\xbb")
@example(b"{{}" + b"\r" * 5)
def test_every_byte_belongs_to_one_token(text: bytes) -> None:
    check_tiling(text, tokens(text))


@given(any_bytes(), st.sampled_from([1, 2, 3, 7, 64]))
def test_blocks_do_not_matter(text: bytes, size: int) -> None:
    assert tokens_in_blocks(text, size) == tokens(text)


@given(any_bytes(), st.data())
def test_it_does_not_matter_where_reading_began(text: bytes, data: st.DataObject) -> None:
    """With `LOOK_BEHIND` bytes in front of it, a token is what it is in the whole text."""
    text = data.draw(st.sampled_from([b"", b" " * LOOK_BEHIND, b"\n" + b"\t" * (LOOK_BEHIND - 3)])) + text
    found = tokens(text)
    if found:
        token = data.draw(st.sampled_from(found))
        begin = max(0, token.start - LOOK_BEHIND)
        assert Lexer(Window([text[begin:]], begin)).next(token.start) == token


@pytest.mark.parametrize("fill", [b" ", b"\r\n", b"\x00", b"x", b"\xe9", b"!", b".", b"9", b"\xc2\xa0", b"\xa0"])
def test_no_token_grows_without_limit(fill: bytes) -> None:
    """Or a file of blanks would be held in memory as one token. CR and LF stay together."""
    text = fill * (3 * MAX_BLANK_BYTES // len(fill))
    found = tokens(text)
    check_tiling(text, found)
    assert max(token.end - token.start for token in found) <= MAX_BLANK_BYTES + 1
    assert all(text[token.end - 1 : token.end + 1] != b"\r\n" for token in found)


@pytest.mark.parametrize("start", [b"{", b";", b"%"])
def test_comments_are_cut_at_their_limit(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    size = MAX_COMMENT_BYTES
    if start != b";":  # that limit is part of a compiled pattern
        size = 1000
        monkeypatch.setattr(lexer, "MAX_COMMENT_BYTES", size)
    text = start + b"x" * (size + 50)
    found = tokens(text)
    check_tiling(text, found)
    assert abs(found[0].end - size) <= 1
