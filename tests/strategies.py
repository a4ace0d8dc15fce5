"""Hypothesis strategies for text that is PGN, nearly PGN, or anything but.

The grammar is the grammar of files as people have them: every piece of good text has broken neighbours in the same list,
and what is joined from them is now and then cut, doubled, or mixed with raw bytes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from hypothesis import strategies as st

from chesstools.compression import HEAD_BYTES, sniff

FULL = os.environ.get("CHESSTOOLS_FULL", "") not in ("", "0")
"""Whether much is to be tried, rather than little but quickly."""

BREAKS = [b"\n", b"\r\n", b"\r", b"\n\n", b"\r\n\r\n", b"\n\n\n", b"\n \n", b"\n\r", b"\r\r"]
BLANKS = [b" ", b"  ", b"\t", b"", b"", b"\x0b", b"\x0c", b"\x00", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xa0"]

GOOD_TAGS = [
    b'[Event "Oak Cup"]',
    b'[Site "?"]',
    b'[Date "2023.11.??"]',
    b'[Round "1"]',
    b'[White "Alder, Ann"]',
    b'[Black "Birch, Bob"]',
    b'[Result "1-0"]',
    b'[Result "0-1"]',
    b'[Result "1/2-1/2"]',
    b'[Result "*"]',
    b'[WhiteElo "2400"]',
    b'[TimeControl "300+3"]',
    b'[PlyCount "4"]',
    b'[Termination "Normal"]',
    b'[SetUp "1"]',
    b'[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]',
    b'[FEN "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"]',
    b'[Variant "Chess960"]',
    b'[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]',
    '[White "Müller, Łukasz"]'.encode(),
    b'[Annotator "He said \\"yes\\" \\\\ no"]',
    b'  [Opening "x"]',
    b'[ECO ""]',
]
BAD_TAGS = [
    b"[Event Oak Cup]",
    b'[Event "Oak "Cup" x"]',
    b'[Event "Oak Cup"',
    b'[Event "Oak\nCup"]',
    b'[Event "Oak\r\nCup"]',
    b'[Event "C:\\"]',
    b"[Event]",
    b"[]",
    b"[[",
    b'["x"]',
    b'[Ev-ent "x"]',
    b'[Result "0-0"]',
    b'[Result "1:0"]',
    b'[Result ""]',
    b'[Date "2023.02.30"]',
    b'[WhiteElo "abc"]',
    b'[TimeControl "40/2h"]',
    b'[PlyCount "-3"]',
    b'[SetUp "0"]',
    b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]',
    b'[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"]',
    b'[FEN ""]',
    b'[Variant "Atomic"]',
    b'[Variant "Crazyhouse"]',
    b'[Variant "Bughouse"]',
    b'[White "M\xfcller"]',
    b'[White "\x81\x8d"]',
    b'[White "a\x00b"]',
    b'\xef\xbb\xbf[Event "x"]',
    b'[Event "x"][Site "y"]',
    b'[x y] [Event "z"]',
    b'[A "\\\rb"]',
]
MOVES = [
    *b"e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 d4 exd4 exd6 Qh5 Qxf7# Kxf7 Ke2 d5 cxd5 Nbd2 R1e2 Qh4e1 e8=Q".split(),
    *b"O-O-O 0-0 0-0-0 o-o e2e4 e2-e4 g1f3 e7e8q exd6e.p. Ng1-f3 N:f3 nf3 e8Q e8(Q) e8=K Nf3+ Nf3# Nf3++ e4+# Pe4 e9 Zf3".split(),
    *b"-- Z0 0000 @@@@ P@e4 N@f7 @e4 Sf3 Tf1 foo e4e5 e4! e5?? Nf3!? Kg1+- Kg1= e4D 1e4 e.p. ep".split(),
    "♘f3".encode(),
    "♟e5".encode(),
    b"\xffe4",
]
NUMBERS = [
    *b"1. 1 1... 1.. 2. 2... 3. 12. 0. 999999999. 1234567890. 1.e4 1...e5 1.. .. ... . 1.e4e5 2.Nf3 1,".split(),
    "1…".encode(),
]
RESULTS = [
    *b"1-0 0-1 1/2-1/2 * 1/2 0-0 1:0 0.5-0.5 1-0! -/- +:- 1-01-0 1-0. ** 1/2-1/2*".split(),
    "½-½".encode(),
    "1–0".encode(),
    b"1\x960",
    b"1\x970",
    b"\xbd-\xbd",
]
COMMENTS = [
    b"{good}",
    b"{}",
    b"{ two\nlines }",
    b"{two\r\n\r\nparagraphs}",
    b"{a {b} c}",
    b"{a {b c}",
    b"{a {b {c} d} e}",
    b"{ [%clk 0:01:02] }",
    b"{ [%clk 1:99] [%eval 0.17,23] [%eval #-3] [%emt 0:00:01.5] }",
    b"{ [%eval 0,17] [%csl Ra1] }",
    b'{[Event "quoted"]}',
    b'{\n\n[Event "quoted"]\n}',
    b"{ +0.31/12 3.4s }",
    b"{d=12, sd=30, mt=1000, tl=90000, wv=0.31, }",
    b"{",
    b"}",
    b"{{",
    b"}}",
    b"{ never closed",
    b"; rest of line",
    b";",
    b"% escaped",
    b"%",
    b"{\x00}",
    b"{M\xfcller}",
    b"{ 1-0",
]
MARKS = [
    b"\xb1",
    *b"( ) (( )) ( ) $1 $0 $146 $256 $300 $ $x $1234 ! ? !! !? !?!?!? (=) +- = <> < > [ ] \" ' , \\ & N D #".split(),
]
FRAGMENTS = [GOOD_TAGS, BAD_TAGS, MOVES, MOVES, NUMBERS, RESULTS, COMMENTS, MARKS, BREAKS, BREAKS, BLANKS]
CLOSED_COMMENTS = [piece for piece in COMMENTS if piece.count(b"{") == piece.count(b"}") == 1]

fragment = st.sampled_from(FRAGMENTS).flatmap(st.sampled_from)


def _spaced(pieces: Sequence[bytes], spaces: Sequence[bytes]) -> bytes:
    return b"".join(piece + space for piece, space in zip(pieces, spaces, strict=True))


@st.composite
def soup(draw: st.DrawFn, max_pieces: int = 30) -> bytes:
    """Fragments of PGN in any order, mostly with blanks or line breaks between them, and some raw bytes."""
    pieces = draw(st.lists(st.one_of(fragment, fragment, fragment, st.binary(max_size=4)), max_size=max_pieces))
    gap = st.sampled_from([b" ", b"\n", b" ", b"\r\n", b"", b"\n\n"])
    return _spaced(pieces, draw(st.lists(gap, min_size=len(pieces), max_size=len(pieces))))


@st.composite
def tag_section(draw: st.DrawFn, *, broken: bool = True) -> bytes:
    """Some tag lines."""
    lines = [GOOD_TAGS, GOOD_TAGS, GOOD_TAGS, BAD_TAGS] if broken else [GOOD_TAGS]
    one = st.sampled_from(lines).flatmap(st.sampled_from)
    end = draw(st.sampled_from([b"\n", b"\n", b"\r\n", b"\r"]))
    lines_drawn = draw(st.lists(one, min_size=1, max_size=8))
    return b"".join(line + end for line in lines_drawn) + draw(st.sampled_from([end, b"", end * 2]))


@st.composite
def movetext(draw: st.DrawFn, *, broken: bool = True, closed: bool = False) -> bytes:
    """Moves with comments, glyphs and variations, nested now and then; balanced unless broken."""
    good = [MOVES[:25], MOVES[:25], NUMBERS[:8], CLOSED_COMMENTS[:4], [b"$1", b"!", b"?"]]
    bad = [MOVES, NUMBERS, RESULTS, CLOSED_COMMENTS if closed else COMMENTS, MARKS, BREAKS]
    piece = st.sampled_from([*good, *bad] if broken else good).flatmap(st.sampled_from)
    nested: st.SearchStrategy[bytes] = st.recursive(
        st.lists(piece, max_size=8).map(b" ".join),
        lambda inner: st.tuples(inner, inner).map(lambda pair: pair[0] + b" (" + pair[1] + b") "),
        max_leaves=4,
    )
    return draw(nested)


@st.composite
def game_text(draw: st.DrawFn, *, broken: bool = True, closed: bool = False) -> bytes:
    """A tag section and movetext with a result, or parts of that. Comments end where they should if `closed`."""
    tags = draw(st.one_of(tag_section(broken=broken), st.just(b"")))
    result = draw(st.sampled_from([*RESULTS, b""] if broken else RESULTS[:4]))
    return tags + draw(movetext(broken=broken, closed=closed)) + b" " + result


@st.composite
def archive(draw: st.DrawFn, *, broken: bool = True, closed: bool = False, max_games: int = 4) -> bytes:
    """Some games one after the other, with blank lines between them, or other things if broken."""
    gaps = [*BREAKS, b"", b"\n\n{between}\n\n", b"\n\nprose between games\n\n"]
    ends = st.sampled_from(gaps if broken else [b"\n\n", b"\r\n\r\n"])
    texts = draw(st.lists(game_text(broken=broken, closed=closed), min_size=1, max_size=max_games))
    return _spaced(texts, draw(st.lists(ends, min_size=len(texts), max_size=len(texts))))


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """An archive with pieces cut out, doubled, moved, or overwritten."""
    data = bytearray(draw(archive()))
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted(draw(st.tuples(st.integers(0, len(data)), st.integers(0, len(data)))))
        end = min(end, start + draw(st.sampled_from([1, 2, 10, 100])))
        kind = draw(st.sampled_from(["cut", "double", "insert", "move"]))
        if kind == "cut":
            del data[start:end]
        elif kind == "double":
            data[end:end] = data[start:end]
        elif kind == "insert":
            data[start:start] = draw(st.one_of(fragment, st.binary(max_size=3)))
        else:
            piece = data[start:end]
            del data[start:end]
            at = draw(st.integers(0, len(data)))
            data[at:at] = piece
    return bytes(data)


def in_blocks(data: bytes, size: int) -> list[bytes]:
    """The data in blocks of `size` bytes."""
    return [data[start : start + size] for start in range(0, len(data), size)]


def as_text() -> st.SearchStrategy[bytes]:
    """Any bytes that are not taken for a compressed file or for UTF-16."""
    return any_bytes().filter(lambda data: sniff(data[:HEAD_BYTES]) is None and data[:2] not in (b"\xff\xfe", b"\xfe\xff"))


def any_bytes() -> st.SearchStrategy[bytes]:
    """Whatever a file may hold."""
    return st.one_of(soup(), archive(), damaged(), st.binary(max_size=60))
