"""Where games begin and end: regions tile the input, and each game is found whatever stands around it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_bytes, in_blocks

from chesstools.reference import lexer, segment, window
from chesstools.reference.lexer import Kind, tokens
from chesstools.reference.parallel import pack, unpack
from chesstools.reference.segment import Region, Segmenter, count_lines
from chesstools.reference.window import LOOK_BEHIND, Window

Parts = list[tuple[str, bytes]]
"""A text in regions: ``game`` or ``other``, and the bytes."""

EXAMPLES: dict[str, Parts] = {
    "nothing": [],
    "blank lines belong to the game before them": [("game", b'[A "b"]\n\n1. e4 *\n\n\n'), ("game", b'[A "b"]\n\n1. d4 *\n')],
    "games without tags": [("game", b"1. e4 *\n\n"), ("game", b"1. d4 1-0 "), ("game", b"1. c4 *")],
    "tags alone are a game": [("game", b'[A "b"]\n\n')],
    "a tag section after tags alone": [("game", b'[Event "a"]\n[Site "b"]\n\n'), ("game", b'[Event "c"]\n\n1. e4 *\n')],
    "blank lines inside a tag section": [("game", b'[Event "a"]\n\n[Site "b"]\n\n1. e4 *\n')],
    "blank lines inside movetext": [("game", b'[A "b"]\n\n1. e4\n\n1... e5\n\n2. Nf3 *\n')],
    "no result": [("game", b'[Event "a"]\n\n1. e4 e5\n\n'), ("game", b'[Event "b"]\n\n1. d4 *\n')],
    "no result and no blank line": [("game", b'[Event "a"]\n\n1. e4 e5\n'), ("game", b'[Event "b"]\n\n1. d4 *\n')],
    "tags right behind the result": [("game", b'[Event "a"]\n\n1. e4 *'), ("game", b'[Event "b"]\n\n1. d4 *\n')],
    "a tag inside movetext": [("game", b'[Event "a"]\n\n1. e4 [White "x"] e5 *\n')],
    "unclosed comment": [("game", b'[Event "a"]\n\n1. e4 {ah\n\n'), ("game", b'[Event "b"]\n[Site "c"]\n\n1. d4 *\n')],
    "unclosed variation": [("game", b'[Event "a"]\n\n1. e4 (1. d4 *\n\n'), ("game", b'[Event "b"]\n\n1. d4 *\n')],
    "a result inside a variation ends nothing": [("game", b"1. e4 (1. d4 1-0) 1... e5 *\n")],
    "text before the first game": [("other", b"Games of the cup\n\n"), ("game", b'[Event "a"]\n\n1. e4 *\n')],
    "text between games": [("game", b"1. e4 *\n\n"), ("other", b"Round two:\n\n"), ("game", b"1. d4 *\n")],
    "text behind the last game": [("game", b"1. e4 *\n\n"), ("other", b"The end.\n")],
    "text right behind the result stays with its game": [("game", b"1. e4 * The end.\n")],
    "prose with numbers": [("other", b"1 of 2 games follows.\n\n"), ("game", b"1. e4 *\n")],
    "a comment leads up to the next game": [("game", b"1. e4 *\n\n"), ("game", b"{second}\n1. d4 *\n")],
    "but not to a tag section": [("game", b"1. e4 *\n\n{first}\n\n"), ("game", b'[Event "b"]\n\n1. d4 *\n')],
    "comments before the first game": [("game", b'{hello}\n\n[Event "a"]\n\n1. e4 *\n')],
    "comments alone": [("other", b"{hello}\n; more\n")],
    "blanks alone": [("other", b" \n\r\n\t")],
    "NULs alone": [("other", b"\x00\x00\x00")],
    "NULs behind the last game": [("game", b"1. e4 *\n\x00\x00\x00")],
    "byte order marks": [("game", b'\xef\xbb\xbf[A "b"]\n\n1. e4 *\n\xef\xbb\xbf'), ("game", b'[A "b"]\n\n1. d4 *')],
    "invisible blanks before the first move": [("game", "1.\u00a0e4 *\n\n".encode()), ("game", b"1.\x001.\xef\xbb\xbfd4 *")],
    "two results": [("game", b"1. e4 * *\n\n"), ("game", b"*\n\n"), ("game", b"1-0")],
    "both lose": [("game", b'[Result "0-0"]\n\n1. e4 0-0\n\n'), ("game", b"1. d4 *\n")],
    "castling with zeros": [("game", b'[Result "1-0"]\n\n1. Nf3 a6 2. g3 a5 3. Bg2 a4 4. 0-0\n\n4... a3 1-0\n')],
    "a zero result tag and castling": [("game", b'[Result "0-0"]\n\n1. Nf3 a6 2. g3 a5 3. Bg2 a4 4. 0-0\n4... a3 *\n')],
    "escaped lines": [("game", b"% one\n1. e4 *\n% two\n\n"), ("game", b"1. d4 *\n")],
}


def regions(data: bytes, size: int = 1 << 20) -> list[Region]:
    return list(Segmenter(Window(in_blocks(data, size))))


def parts(found: list[Region]) -> Parts:
    return [("game" if region.is_game else "other", region.data) for region in found]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("line_break", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_input_is_regions(name: str, line_break: bytes) -> None:
    expected = [(kind, text.replace(b"\r\n", b"\n").replace(b"\n", line_break)) for kind, text in EXAMPLES[name]]
    data = b"".join(text for _, text in expected)
    assert parts(regions(data)) == expected
    for size in (1, 3):
        assert parts(regions(data, size)) == expected


def naive_line(data: bytes, offset: int) -> int:
    """The line of a byte, from 1: LF, CR and CRLF are one line break each."""
    before = data[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def check_regions(data: bytes, found: list[Region]) -> None:
    """Regions tile the input, know their lines, and hold all of its tokens."""
    offset = 0
    for region in found:
        assert region.offset == offset
        assert region.data == data[offset : offset + len(region.data)]
        assert region.data
        assert region.line == naive_line(data, offset)
        offset += len(region.data)
        if region.terminator is not None:
            assert region.is_game
            assert region.tokens[region.terminator].kind is Kind.RESULT
        assert all(token in region.tokens for token in region.glued)
    assert offset == len(data)


@given(any_bytes())
def test_regions_tile_the_input(data: bytes) -> None:
    found = regions(data)
    check_regions(data, found)
    solid = [(one.start, one.end) for one in tokens(data) if one.kind is not Kind.SPACE]
    assert [(one.start, one.end) for region in found for one in region.tokens] == solid


@given(any_bytes(), st.sampled_from([1, 2, 3, 7, 64]), st.sampled_from([1, 30, window._FORGET_AT]))
def test_blocks_do_not_matter(data: bytes, size: int, forget_at: int) -> None:
    """Nor does how soon the text of a region is forgotten."""
    found = regions(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "_FORGET_AT", forget_at)
        assert regions(data, size) == found


def check_resumable(data: bytes) -> None:
    """From the place behind any region, with what is remembered of it, the rest is as it was."""
    segmenter = Segmenter(Window([data]))
    found = []
    places: list[dict[str, Any]] = []
    for region in segmenter:
        found.append(region)
        places.append({"glued": segmenter.glued, "too_long": segmenter.too_long, "line": segmenter.line})
    for number, place in enumerate(places[:-1], 1):
        offset = found[number].offset
        begin = max(0, offset - LOOK_BEHIND)
        assert list(Segmenter(Window([data[begin:]], begin), offset, **place)) == found[number:]


@given(any_bytes())
def test_the_rest_can_be_read_from_any_region_on(data: bytes) -> None:
    check_resumable(data)


@given(any_bytes())
def test_packed_regions_come_back(data: bytes) -> None:
    found = regions(data)
    assert [unpack(pack(region)) for region in found] == found


@given(any_bytes())
@example(b'[Site "?"]\n[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]                    \n\n[Event "cut right before this"]\n')
def test_over_the_limits(data: bytes) -> None:
    """With limits so low that every text is over them: no byte is lost, memory is bounded, reading can go on anywhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment, "MAX_GAME_BYTES", 60)
        patch.setattr(segment, "MAX_GAME_TOKENS", 12)
        patch.setattr(lexer, "MAX_COMMENT_BYTES", 20)
        patch.setattr(lexer, "MAX_TAG_LINE_BYTES", 40)
        patch.setattr(lexer, "MAX_INLINE_TAG_BYTES", 20)
        patch.setattr(lexer, "MAX_NESTED_COMMENT_BYTES", 12)
        found = regions(data)
        check_regions(data, found)
        assert all(len(region.tokens) <= 13 for region in found)
        assert regions(data, 1) == found
        check_resumable(data)


def test_a_game_over_the_limit_is_cut_and_the_next_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "MAX_GAME_BYTES", 1000)
    long = b'[Event "a"]\n\n1. e4' + b" {x}" * 500 + b" *\n\n"
    found = regions(long + b'[Event "b"]\n\n1. d4 *\n')
    assert [region.is_game for region in found] == [True, False, False, True]
    assert [region.too_long for region in found] == [False, True, True, False]
    assert all(len(region.data) <= 1004 for region in found)


def test_text_of_no_game_is_cut_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "MAX_GAME_BYTES", 1000)
    for text in (b"word ", b"\x00 ", b"{c} ", b"; c\n", b"% e\n"):
        found = regions(text * 1000 + b'\n[Event "b"]\n\n1. d4 *\n')
        check_regions(b"".join(region.data for region in found), found)
        assert max(len(region.data) for region in found) <= 1100
        assert [region.is_game for region in found[:-1]].count(True) <= 1
        assert found[-1].is_game


@given(st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"x", b" "]), max_size=30).map(b"".join))
def test_lines_are_counted_as_people_see_them(data: bytes) -> None:
    assert count_lines(data) == naive_line(data, len(data)) - 1
    assert count_lines(data) == len(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")) - 1


class CountingLexer(lexer.Lexer):
    """A lexer that counts its calls."""

    calls = 0

    def next(self, offset: int) -> lexer.Token | None:
        self.calls += 1
        return super().next(offset)


@pytest.mark.parametrize(
    "piece", [b"{ a ", b"[", b"[\n", b"\n[A ", b"(", b"{}", b"1. e4 (", b"1-0\n\n", b"*", b'[A "b"]\n', b"x\n\n"]
)
def test_each_token_is_read_once(piece: bytes) -> None:
    """As many calls of the lexer as there are tokens: nothing is read again, whatever is left open."""
    data = piece * 500
    segmenter = Segmenter(Window([data]))
    counting = segmenter._lexer = CountingLexer(segmenter._window)
    check_regions(data, list(segmenter))
    assert counting.calls == len(tokens(data)) + 1
