"""Moves as text: standard, long algebraic and UCI notation, with the piece letters of any language."""

from __future__ import annotations

from collections.abc import Sequence

ENGLISH = ("K", "Q", "R", "B", "N", "P")
"""Letters of king, queen, rook, bishop, knight and pawn."""


def write_move(san: str, uci: str, form: str, letters: Sequence[str] = ENGLISH) -> str:
    """A move in the form ``san``, ``lan`` or ``uci``; `letters` take the place of the English ones.

    >>> write_move("Nxf3+", "g1f3", "san", "KDTLSB"), write_move("e8=Q", "e7e8q", "lan"), write_move("--", "0000", "uci")
    ('Sxf3+', 'e7-e8=Q', '0000')
    """
    if form == "uci":
        return uci
    if form == "lan":
        san = _long(san, uci)
    return san if tuple(letters) == ENGLISH else _translated(san, letters)


def _long(san: str, uci: str) -> str:
    """Long algebraic notation: both squares, with ``-`` or ``x`` between; castling, drops and the null move as they are."""
    if san[0] in "O-" or "@" in san:
        return san
    letter = san[0] if san[0] in ENGLISH else ""
    sign = "x" if "x" in san else "-"
    promotion = san.find("=")
    marks = len(san) - len(san.rstrip("+#"))
    tail = san[promotion:] if promotion >= 0 else san[len(san) - marks :]
    return f"{letter}{uci[:2]}{sign}{uci[2:4]}{tail}"


def _translated(san: str, letters: Sequence[str]) -> str:
    """With other piece letters, where a move names a piece: first, or behind ``=``."""
    names = dict(zip(ENGLISH, letters, strict=True))
    if san[0] in names:
        san = names[san[0]] + san[1:]
    sign = san.find("=") + 1
    if sign and san[sign : sign + 1] in names:
        san = san[:sign] + names[san[sign]] + san[sign + 1 :]
    return san
