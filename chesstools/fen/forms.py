"""normalise(): positions in one way of writing them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from chesstools.errors import OptionError
from chesstools.fen.answers import answer
from chesstools.fen.rows import normalise_rows
from chesstools.reference.normal_form import CASTLING, EN_PASSANT, Form

COUNTERS = ("keep", "reset")


def make_form(en_passant: str = "standard", castling: str = "xfen", counters: str = "keep") -> Form:
    """The way of writing that was asked for. Raises OptionError for an unknown word."""
    for name, word, words in (
        ("en_passant", en_passant, EN_PASSANT),
        ("castling", castling, CASTLING),
        ("counters", counters, COUNTERS),
    ):
        if word not in words:
            raise OptionError(f"{name} is {word!r}; choose from {', '.join(words)}.")
    return Form(en_passant, castling, counters == "reset")


def normalise(
    fens: Any,
    *,
    en_passant: str = "standard",
    castling: str = "xfen",
    counters: str = "keep",
    chess960: bool = False,
    engine: str | None = None,
) -> Any:
    """Positions in one way of writing them: six fields with one space between, rights only where king and rook stand ready.

    `en_passant` says when that square is written: ``standard``, wherever it was given and a pawn can have passed it (PGN
    standard 16.1.3.4); ``legal``, only where a capture on it is legal; ``never``. `castling` is ``xfen`` (K and Q, and the file
    of the rook where those would be unclear; in standard chess the usual letters) or ``shredder`` (always the file). `counters`
    are kept (a move number 0 becomes 1), or reset to 0 and 1. Missing fields are filled in (White to move, no castling, no en
    passant, 0, 1); the operations of an EPD stay as they are. Nothing is guessed: None (null) for a position with a field that
    cannot be read, or from which no game can be played.

    >>> normalise("k2r4/8/8/3Pp3/8/8/8/3K4 w K e6 00 2", en_passant="legal")
    'k2r4/8/8/3Pp3/8/8/8/3K4 w - - 0 2'
    >>> normalise(["r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "?", None], castling="shredder")
    ['r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1', None, None]

    For one position (a string) OptionError is raised in place of None, with the reasons. It is raised for unknown words too.
    """
    form = make_form(en_passant, castling, counters)

    def work(lines: pa.StringArray) -> pa.Array:
        return normalise_rows(lines, form, chess960=chess960, engine=engine).column("fen")

    return answer(fens, work, pa.string(), chess960=chess960)
