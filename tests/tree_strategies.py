"""Hypothesis strategies for game trees: everything that reading PGN can give, in every order."""

from __future__ import annotations

import re

import chess
import chess.pgn
from hypothesis import strategies as st

from chesstools.reference import san
from chesstools.reference.comments import normalise
from chesstools.reference.export_start import start_of
from chesstools.tree import Comment, GameTree, Item, Move, Nag, Unread, Variation

STARTS: list[list[tuple[str, str]]] = [
    [],
    [],
    [],
    [("SetUp", "1"), ("FEN", "4k3/4p3/8/3pP3/8/8/4P3/4K2R w K d6 0 30")],
    [("SetUp", "1"), ("FEN", "r3k2r/pP6/8/8/8/8/6Pp/R3K2R b KQkq - 3 9")],
    [("Variant", "Chess960"), ("SetUp", "1"), ("FEN", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")],
    [("Variant", "Crazyhouse"), ("FEN", "4k3/8/8/8/8/8/4P3/4K3[QNPp] w - - 0 1")],
]
"""What says where a game starts."""

_PLAIN = ["good", "a b", "two  blanks", "a\tb", "[%clk 0:01:02]", "x [%eval 0.1] [%csl Ra1,Gb2] y", "[%emt", "50 %", "% x", "; y"]
_AWKWARD = ['[Event "x"]', 'a [White "y"] b', "[", "]", "] [x]", "a\x00b", "\u00a0x\u200b", "\u2028", "1-0", "*", "1. e4"]
_AWKWARD += ["( )", "$1", "\\"]
_BRACES = ["}", "{", "a } b", "{ [x", "a {b} c", "}}{", "; }", "%}"]
_LONG = ["y" * 300, "word " * 60 + "end", "[%cal " + "Ga1h8," * 40 + "]", "é" * 90, "♔" * 81, "🙂 " * 30 + "x"]

_any_text = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=30)


def comments(*, braces: bool = True) -> st.SearchStrategy[str]:
    """Texts of comments, awkward ones among them."""
    texts = [_PLAIN, _AWKWARD, _LONG, *([_BRACES] if braces else [])]
    known = st.lists(st.sampled_from(texts).flatmap(st.sampled_from), min_size=1, max_size=4).map(" ".join)
    found = st.one_of(known, known, _any_text).map(normalise).filter(bool)
    return found if braces else found.filter(lambda text: "{" not in text and "}" not in text)


def tag_values() -> st.SearchStrategy[str]:
    """Values of tags: anything on one line."""
    known = ["", "?", 'the "Oak"', "C:\\dir\\", '"', "\\", '\\"', "a] b", '"]', "\x00", "\u00a0", "% x", "Łukasz 🙂", "-"]
    return st.one_of(st.sampled_from(known), _any_text.map(lambda text: re.sub("[\r\n]", " ", text)))


TAG_NAMES = ["Event", "White", "White", "Black", "Date", "ECO", "x_1", "0", "Ev-ent", "Événement", "a\x00", "A+B", "'", "<a>"]
UNREAD_TAGS = ["[Event]", "[1 bar]", '[White "a "b" c', "[a-b c]", "[\x00]", "[]", '["x"]', "[ ]"]
_UNREAD = ["$300", "$", "$1234", "(=)", "]", "[", "}", "<", ">", '"', "=", "+-", "±", "∞"]
_FIRST = ["Zz9", "Nf9", "foo", "%x", "e4e5e6", "1. Zz9", "7... Kk1", "... x", "3 . Nf9", "a,b", "%", "N[x", "♔z"]
_PIECES = ["e4", "2.", "Nf3", "3...", "$1", "[", "]", "[x", "[%clk", "0:01]", '"v"]', "[A", '"v"', "%x", "%", "!", "=", "(=)"]
_PIECES += ["(", ")", "(a)", "(=", "9", "--", "0-0", "[%", "][x]", '"]', "<", "&"]
_PIECES += ["{ c }", "{ two words }", '{ [A "b"] }', "; a } b", "; {"]


def raw_text(pieces: list[str], *, close: bool) -> str:
    """Raw text of these pieces; `close` says that all brackets must be paired."""
    depth = 0
    text = ""
    for piece in pieces:
        if close and piece == ")" and not depth:
            continue
        depth += (piece.count("(") - piece.count(")")) if piece[0] not in "{;" else 0
        text += (" " if text and text[-1] != "\n" else "") + piece + "\n" * piece.startswith(";")
    if close and depth:
        text += " " * (text.endswith(("(=", "}"))) + ")" * depth
    return text


_pieces = st.lists(st.sampled_from(_PIECES), max_size=6)
rests = st.builds(lambda first, pieces: raw_text([first, *pieces], close=True), st.sampled_from(_FIRST), _pieces)
behinds = st.builds(
    lambda first, pieces: raw_text([first, *pieces], close=False),
    st.sampled_from(["foo", "1-0", ")", "]", "e4", "{ c }", "; x }", "%x", "2. e4", "$1"]),
    _pieces,
)


@st.composite
def trees(draw: st.DrawFn, *, clean: bool = False) -> GameTree:
    """A game. `clean`: only what python-chess can hold, as far as order and comments in braces go."""
    # Of Crazyhouse python-chess reads the second variation with the pockets of the first.
    start = draw(st.sampled_from(STARTS[:-1] if clean else STARTS))
    names = st.sampled_from([name for name in TAG_NAMES if not clean or chess.pgn.TAG_NAME_REGEX.match(name)])
    others = draw(st.lists(st.tuples(names, tag_values()), max_size=4, unique_by=(lambda pair: pair[0]) if clean else None))
    results = st.sampled_from([[], [], [("Result", "1-0")], [("Result", "*")], [("Result", "1:0")]])
    tags = draw(st.permutations([*start, *others, *draw(results)]))
    unread = [] if clean else draw(st.lists(st.sampled_from(UNREAD_TAGS), max_size=2))
    unread.sort(key=lambda line: UNREAD_TAGS.index(line) > 4)
    tree = GameTree(tags, unread)
    board = start_of(tree).board
    assert board is not None
    _line(draw, tree, board, 0, clean)
    tree.result = draw(st.sampled_from([None, "*", "1-0", "0-1", "1/2-1/2"] + ([] if clean else ["½-½", "1:0"])))
    if not clean and tree.result is not None and draw(st.integers(0, 5)) == 0:
        tree.behind = draw(behinds)
    return tree


def _line(draw: st.DrawFn, line: GameTree | Variation, board: chess.Board, depth: int, clean: bool) -> None:
    line.before = _items(draw, board, board, depth, clean, first=True)
    fewest = 1 if clean and depth else 0
    for _ in range(draw(st.integers(fewest, 6 if depth == 0 else 3))):
        legal = list(board.legal_moves)
        if not legal:
            break
        passes = san.can_pass(board) and draw(st.integers(0, 12)) == 0
        move = chess.Move.null() if passes else draw(st.sampled_from(legal))
        before = board.copy(stack=False)
        uci = move.uci()
        text = san.play(board, move)
        line.moves.append(Move(text, uci, _items(draw, before, board, depth, clean, first=False)))
    if not clean and draw(st.integers(0, 7)) == 0:
        line.rest = draw(rests)


def _items(draw: st.DrawFn, before: chess.Board, board: chess.Board, depth: int, clean: bool, *, first: bool) -> list[Item]:
    """What stands behind a move, or before the first one. `before` is the position in which variations begin."""
    items: list[Item] = []
    for kind in draw(st.lists(st.sampled_from("nccvu"), max_size=3 if draw(st.booleans()) else 0)):
        if kind == "n" and not (clean and first):
            number = draw(st.integers(0, 255))
            if Nag(number) not in items:
                items.append(Nag(number))
        elif kind == "c":
            items.append(Comment(draw(comments(braces=not clean))))
        elif kind == "v" and depth < 3 and not (clean and first) and any(before.legal_moves):
            variation = Variation()
            _line(draw, variation, before.copy(stack=False), depth + 1, clean)
            items.append(variation)
        elif kind == "u" and not clean:
            items.append(Unread(draw(st.sampled_from([*_UNREAD, "1-0" if depth else ")"]))))
    return items
