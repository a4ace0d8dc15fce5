"""The usual array: the position that games of standard chess begin with, and what White can do there."""

from __future__ import annotations

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

KEY = 0x463B96181691FC9C
"""Its key (`chesstools.reference.position_key`)."""

_TOLD = " ".join(FEN.split(" ")[:4])

STARTS_SQL = f"starts_with(start_fen, '{_TOLD}')"
"""SQL: whether a game begins with it, whatever the counters are and by whatever rules; from games, null as `start_fen` is."""

STANDARD_SQL = f"(rules = 'standard' AND {STARTS_SQL})"
"""SQL: whether a game is one of standard chess from there."""


FIRST_MOVES = {
    0x8DA7A73E5FDD72DC: "a3",
    0x2DF2E8F47B022952: "a4",
    0xCA9DF64CCC1C97F1: "b3",
    0xECCEE3B4B02790B8: "b4",
    0x30E16E80C6E1F31A: "c3",
    0xCA18093C559E579B: "c4",
    0xE89F55CD52014748: "d3",
    0x830EB9B20758D1DE: "d4",
    0xEB16D4AA32CE7438: "e3",
    0x823C9B50FD114196: "e4",
    0x288A7029B65B13ED: "f3",
    0xBB2DEB150F00C115: "f4",
    0x6ADD2D59F64624A4: "g3",
    0xE57697CEFEE41181: "g4",
    0xAEC84BA6D432356E: "h3",
    0xDA980A31BDAE85E2: "h4",
    0x41DD464BFBC3D352: "Na3",
    0xBDAC8EBAD4737E45: "Nc3",
    0x9D5F7AEE7E779DA1: "Nf3",
    0x2DF54C975EB48346: "Nh3",
}
"""White's twenty first moves in standard notation, by the keys of the positions after them."""
