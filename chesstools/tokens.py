"""Moves as numbers of fixed size, for machine learning: 16 bits each, without a table to look anything up in.

    bits 0-5    square left      (a1 = 0, b1 = 1 … h8 = 63)
    bits 6-11   square reached
    bits 12-14  promotion        (0 none, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king)
    bit 15      drop             (then bits 12-14 are the man: 0 pawn, 1 knight … 4 queen; both squares are the one reached)

0 (a1 to a1) is no move: `PADDING`. A null move is `NULL_MOVE` (h8 to h8). Castling is written as in UCI: the king's move, in
Chess960 king takes own rook. See docs/tokens.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex

from chesstools.errors import OptionError

PADDING = 0
NULL_MOVE = 63 | 63 << 6

DROP = 1 << 15
_PROMOTIONS = "nbrqk"
_DROPS = "PNBRQ"
_FILES = "abcdefgh"
_SQUARES = [file + rank for rank in "12345678" for file in _FILES]
_NUMBERS = {square: number for number, square in enumerate(_SQUARES)}


def encode_move(uci: str) -> int:
    """The number of one move in UCI form. Raises OptionError where it is none.

    >>> encode_move("e2e4"), encode_move("a7a8q"), encode_move("N@f3"), encode_move("0000")
    (1804, 20016, 38229, 4095)
    """
    if uci == "0000":
        return NULL_MOVE
    if len(uci) == 4 and uci[1] == "@" and uci[0] in _DROPS and uci[2:] in _NUMBERS:
        square = _NUMBERS[uci[2:]]
        return DROP | _DROPS.index(uci[0]) << 12 | square << 6 | square
    start, target, promotion = uci[:2], uci[2:4], uci[4:]
    good = start in _NUMBERS and target in _NUMBERS and start != target
    if not good or len(promotion) > 1 or promotion not in _PROMOTIONS:
        raise OptionError(f"{uci!r} is no move in UCI form.")
    code = _PROMOTIONS.index(promotion) + 1 if promotion else 0
    return _NUMBERS[start] | _NUMBERS[target] << 6 | code << 12


def decode_move(code: SupportsIndex) -> str:
    """The move in UCI form. Raises OptionError for `PADDING` and for what is no move.

    >>> decode_move(1804), decode_move(NULL_MOVE), decode_move(38229)
    ('e2e4', '0000', 'N@f3')
    """
    number = code.__index__()
    start, target, kind = _SQUARES[number & 63], _SQUARES[number >> 6 & 63], number >> 12 & 7
    if number == NULL_MOVE:
        return "0000"
    is_drop = number & DROP
    if (
        not 0 < number < 1 << 16
        or (start == target) != bool(is_drop)
        or kind >= len(_DROPS if is_drop else _PROMOTIONS) + (not is_drop)
    ):
        raise OptionError(f"{number} is no move.")
    if is_drop:
        return f"{_DROPS[kind]}@{target}"
    return start + target + (_PROMOTIONS[kind - 1] if kind else "")


def encode(moves: Iterable[str], max_plies: int | None = None) -> list[int]:
    """The numbers of the moves of one game; with `max_plies`, exactly so many, cut or filled up with `PADDING`.

    >>> encode(["e2e4", "e7e5"], max_plies=4)
    [1804, 2356, 0, 0]
    """
    codes = [encode_move(uci) for uci in moves]
    return codes if max_plies is None else (codes + [PADDING] * (max_plies - len(codes)))[:max_plies]


def decode(codes: Iterable[SupportsIndex]) -> list[str]:
    """The moves of one game in UCI form, up to the first `PADDING`: from a list, a NumPy array or an Arrow list value.

    Raises OptionError for a number that is no move.

    >>> decode([1804, 2356, 0, 0])
    ['e2e4', 'e7e5']
    """
    moves = []
    for code in codes:
        number = code.as_py() if hasattr(code, "as_py") else code
        if number == PADDING:
            break
        moves.append(decode_move(number))
    return moves
