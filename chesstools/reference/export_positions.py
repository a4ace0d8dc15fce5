"""The positions of a game as lines of FEN or EPD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import chess

from chesstools.reference.values import is_unknown
from chesstools.tree import GameTree


class Positions:
    """Writes the positions of games that are wanted.

    Args:
        form: ``fen`` or ``epd``.
        positions: ``final``, ``start``, ``every``, or after how many plies.
        unique: whether each position is written once only: men, turn, rights, and where a capture en passant is legal.
        ep: what the en passant field shows: ``legal`` (where a capture is), ``standard`` (behind any double step), ``never``.
    """

    def __init__(self, form: str, *, positions: str | int = "final", unique: bool = False, ep: str = "legal") -> None:
        self._is_epd = form == "epd"
        self._wanted = 0 if positions == "start" else positions
        self._ep = ep
        self._seen: set[str] | None = set() if unique else None

    def of(self, tree: GameTree, board: chess.Board | None, moves: Sequence[chess.Move], left: Counter[str]) -> str:
        """The lines of one game, none where no game can be played; `board` is its start."""
        if self._wanted != "every":
            left["moves"] += len(moves)
        if board is None:
            return ""
        mark = _id(tree) if self._is_epd else None
        return "".join(self._line(position, mark) for position in self._positions(board, moves) if self._is_new(position))

    def _positions(self, board: chess.Board, moves: Sequence[chess.Move]) -> Iterator[chess.Board]:
        """The positions wanted. Each is good until the next one is asked for."""
        found = _all_positions(board, moves)
        if self._wanted == "every":
            yield from found
        else:
            number = len(moves) if isinstance(self._wanted, str) else self._wanted
            yield from islice(found, number, number + 1)

    def _is_new(self, board: chess.Board) -> bool:
        if self._seen is None:
            return True
        key = " ".join(board.fen().split(" ")[:4])
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _line(self, board: chess.Board, mark: str | None) -> str:
        fields = board.fen(en_passant="fen" if self._ep == "standard" else "legal").split(" ")
        if self._ep == "never":
            fields[3] = "-"
        if not self._is_epd:
            return " ".join(fields) + "\n"
        operations = f"hmvc {board.halfmove_clock}; fmvn {board.fullmove_number};"
        return " ".join(fields[:4]) + f" {operations}" + (f' id "{mark}";' if mark else "") + "\n"


def _all_positions(board: chess.Board, moves: Sequence[chess.Move]) -> Iterator[chess.Board]:
    board = board.copy(stack=False)
    yield board
    for move in moves:
        board.push(move)
        yield board


def _id(tree: GameTree) -> str | None:
    """What a position is called after the game it comes from; None where nothing is known of that.

    >>> _id(GameTree([("White", "Alder"), ("Date", "????.??.??")]))
    'Alder - ?'
    """
    white, black, event, date = (
        None if is_unknown(value) else value for value in map(tree.tag, ("White", "Black", "Event", "Date"))
    )
    players = f"{white or '?'} - {black or '?'}" if white or black else None
    known = [players, event, None if date and date.startswith("????") else date]
    return ", ".join(part for part in known if part).replace('"', "'") or None
