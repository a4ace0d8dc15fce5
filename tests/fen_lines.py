"""Lines of positions for tests: such as come out of games, with EPD operations, and broken in many ways."""

from __future__ import annotations

import random

import chess
from hypothesis import strategies as st
from walks import STARTS, random_walk

SIGNS = 'rnbqkpRNBQKP12345678/ wb-KkQqAHahbg abcdefgh36 0123456789;hmvcfmvn bm id"\\~xé\u00a0\t'

OPERATIONS = (
    "bm Nf3;",
    'id "a; b";',
    "hmvc 7;",
    "fmvn 40;",
    "c0 one two ;",
    "acd 12",
    "pv e4 e5",
    "D1 20; D2 400;",
    "x",
    ";",
    "0 1",
)


@st.composite
def boards(draw: st.DrawFn) -> chess.Board:
    """A position of a legal game."""
    board, moves = random_walk(draw(st.integers(0, 10_000)), draw(st.integers(0, 60)))
    for move in moves:
        board.push(move)
    return board


@st.composite
def lines(draw: st.DrawFn) -> str:
    """A line: a FEN of a legal game or an odd one, perhaps with operations, perhaps spoilt."""
    text = draw(st.one_of(boards().map(lambda board: board.fen(en_passant="fen")), st.sampled_from(STARTS + ODD)))
    if draw(st.booleans()):
        fields = text.split(" ")[: draw(st.sampled_from([1, 2, 4, 4, 6]))]
        text = " ".join([*fields, *draw(st.lists(st.sampled_from(OPERATIONS), max_size=4))])
    choose = random.Random(draw(st.integers(0, 1 << 30)))
    for _ in range(draw(st.sampled_from([0, 0, 1, 2, 4]))):
        at = choose.randrange(len(text) + 1)
        text = text[:at] + choose.choice(SIGNS) * choose.randrange(2) + text[at + choose.randrange(2) :]
    return text


ODD = [
    "",
    " ",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w KQkq - 0 1",
    "7k/8/8/8/8/8/8/RR2K3 w B - 0 1",
    "nqrbbkrn/pppppppp/8/8/8/8/PPPPPPPP/NQRBBKRN w GCgc - 0 1;",
    "4k3/8/8/8/8/8/8/5KR1 w K - 0 1",
    "k2r4/8/8/3Pp3/8/8/8/3K4 w - e6 0 2",
    "8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1",
    "4k3/8/8/8/3B4/2B5/PPPPPPPP/4K3 w - - 0 9",
    "4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 9",
    "P3k3/8/8/44/8/8/8/4K3 w - e3 00 0",
    "4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; fmvn 4;",
    "4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; fmvn 4; bm Kd1;",
    "4k3/8/8/8/8/8/8/4K3 w - - hmvc 3 fmvn 4",
    "4k3/8/8/8/8/8/8/4K3 w - - hmvc 3 bm Kd1; fmvn;",
    "4k3/8/8/8/8/PP6/PPPPPPPP/4K3 w - - 500 20",
    "4k3/8/8/8/8/P7/P7/PK5R w - - 0 20",
]
