"""key() and sameness(): what tells positions apart (FIDE 9.2.3)."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from chesstools.fen.answers import answer
from chesstools.fen.rows import key_rows


def key(fens: Any, *, chess960: bool = False, engine: str | None = None) -> Any:
    """A stable 64-bit key of each position: that of the column `position_key` of the plies.

    It is the Polyglot hash, but with en passant only where the capture is legal, so that positions that are the same under FIDE
    9.2.3 have the same key whatever their counters are. Equal keys do not prove equal positions: `sameness` does.

    >>> hex(key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    '0x463b96181691fc9c'

    None (null) for a position with a field that cannot be read, or from which no game can be played; OptionError for one given as
    a string.
    """
    return _column("position_key", pa.uint64(), fens, chess960, engine)


def sameness(fens: Any, *, chess960: bool = False, engine: str | None = None) -> Any:
    """What tells each position from others under FIDE 9.2.3: placement, side to move, castling rights (as X-FEN), and the en
    passant square where a capture there is legal. Nulls and errors as for `key`.

    >>> sameness(["4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 4 9"])
    ['4k3/8/8/8/4P3/8/8/4K3 b - -', '4k3/8/8/8/4P3/8/8/4K3 b - -']
    """
    return _column("position", pa.string(), fens, chess960, engine)


def _column(name: str, kind: pa.DataType, fens: Any, chess960: bool, engine: str | None) -> Any:
    def work(lines: pa.StringArray) -> pa.Array:
        return key_rows(lines, chess960=chess960, engine=engine).column(name)

    return answer(fens, work, kind, chess960=chess960)
