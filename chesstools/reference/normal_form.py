"""Positions in one way of writing them, and what had to be changed for it."""

from __future__ import annotations

from typing import NamedTuple

import chess

from chesstools.finding import Severity
from chesstools.reference.epd_line import split_line
from chesstools.reference.fen import read_fen
from chesstools.reference.text import trim, words

EN_PASSANT = ("standard", "legal", "never")
CASTLING = ("xfen", "shredder")
CHANGES = ("spacing", "fields", "placement", "castling-rights", "castling-letters", "en-passant", "counters")


class Form(NamedTuple):
    """The way of writing."""

    en_passant: str = "standard"
    """When the en passant square is written: ``standard``, wherever it was given and a pawn can have passed it (PGN standard
    16.1.3.4); ``legal``, only where a capture on it is legal; ``never``."""
    castling: str = "xfen"
    """``xfen``: K and Q where that is clear, else the file of the rook; ``shredder``: always the file of the rook."""
    reset_counters: bool = False
    """Counters as at the start of a game."""


def normalise(text: str, form: Form, *, chess960: bool = False) -> tuple[str, list[str]] | None:
    """The line in that form, and which of `CHANGES` were made; None for a position that cannot be read in full, or played.

    Operations of an EPD stay as they are.

    >>> normalise("k2r4/8/8/3Pp3/8/8/8/3K4 w K e6", Form("legal"))
    ('k2r4/8/8/3Pp3/8/8/8/3K4 w - - 0 1', ['fields', 'castling-rights', 'en-passant'])
    """
    line = split_line(text)
    setup = read_fen(line.position, chess960=chess960)
    board = setup.board
    if board is None or not setup.is_read:
        return None
    written = trim(text)
    given = trim(written[: len(written) - len(line.rest)])
    opcodes = any(code == "F202" and "EPD" in str(evidence["reason"]) for code, evidence in setup.problems)
    old = words(given.rstrip("; "))
    has_counters = not line.rest or len(old) > 4

    new = _fields(board, form)
    normal = " ".join(new if has_counters else new[:4]) + line.rest
    if normal == text:
        return normal, []
    differs = [at < len(old) and old[at] != field for at, field in enumerate(new)]
    dropped = any(code == "F209" and evidence.get("severity") is not Severity.INFO for code, evidence in setup.problems)
    made = {
        "spacing": not opcodes and (given != " ".join(old) or text != written),
        "fields": has_counters and (len(old) < 6 or opcodes),
        "placement": differs[0],
        "castling-rights": differs[2] and dropped,
        "castling-letters": differs[2] and not dropped,
        "en-passant": differs[3],
        "counters": not opcodes and (differs[4] or differs[5]),
    }
    return normal, [change for change in CHANGES if made[change]]


def _fields(board: chess.Board, form: Form) -> list[str]:
    square = board.ep_square
    if form.en_passant == "never" or (form.en_passant == "legal" and not board.has_legal_en_passant()):
        square = None
    return [
        board.board_fen(),
        "w" if board.turn else "b",
        board.castling_shredder_fen() if form.castling == "shredder" else board.castling_xfen(),
        "-" if square is None else chess.square_name(square),
        str(0 if form.reset_counters else board.halfmove_clock),
        str(1 if form.reset_counters else max(board.fullmove_number, 1)),
    ]


def sameness(board: chess.Board) -> str:
    """What tells a position from others under FIDE 9.2.3: placement, side, castling rights, and the en passant square where a
    capture there is legal.

    >>> sameness(chess.Board("k2r4/8/8/3Pp3/8/8/8/3K4 w - e6 0 2"))
    'k2r4/8/8/3Pp3/8/8/8/3K4 w - -'
    """
    return " ".join(_fields(board, Form("legal"))[:4])
