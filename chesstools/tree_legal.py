"""Game trees from moves, and whether the moves of a tree are legal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import chess

from chesstools.errors import OptionError
from chesstools.reference import san
from chesstools.reference.export_start import start_of
from chesstools.tree import GameTree, Item, Move, Variation

_Work: TypeAlias = tuple[GameTree | Variation, chess.Board, str]
"""A line that is still to be looked at, the position before it, and its place."""
_NULL = ("--", "Z0", "0000", "@@@@")


def from_moves(moves: Iterable[str], tags: Iterable[tuple[str, str]], result: str | None) -> GameTree:
    """The tree of a game without annotations. Raises OptionError where a move is not legal."""
    tree = GameTree(list(tags), result=result)
    board = _start(tree)
    for number, text in enumerate(moves):
        move = _resolve(board, text)
        if move is None:
            raise OptionError(f"moves[{number}] is {text!r}; {_no_move(board)}.")
        uci = move.uci()
        tree.moves.append(Move(san.play(board, move), uci))
    return tree


def check(tree: GameTree) -> None:
    """Raise OptionError for the first move of the mainline or of a variation that is not legal or not as the standard has it."""
    todo: list[_Work] = [(tree, _start(tree), "")]
    while todo:
        line, board, place = todo.pop()
        _put_off(line.before, board, f"{place}before", todo)
        for number, move in enumerate(line.moves):
            at = f"{place}moves[{number}]"
            legal = _resolve(board, move.san)
            if legal is None or legal.uci() != move.uci:
                raise OptionError(f"{at} is {move.san!r}, {move.uci!r}; {_no_move(board)}.")
            before = board.copy(stack=False) if any(isinstance(item, Variation) for item in move.after) else board
            standard = san.play(board, legal)
            if standard != move.san:
                raise OptionError(f"{at}.san is {move.san!r}; it must be {standard!r}.")
            _put_off(move.after, before, f"{at}.after", todo)


def _no_move(board: chess.Board) -> str:
    return f"{'White' if board.turn else 'Black'} has no such move in move {board.fullmove_number}"


def _put_off(items: list[Item], board: chess.Board, place: str, todo: list[_Work]) -> None:
    for number, item in enumerate(items):
        if isinstance(item, Variation):
            todo.append((item, board.copy(stack=False), f"{place}[{number}].variation."))


def _start(tree: GameTree) -> chess.Board:
    board = start_of(tree).board
    if board is None:
        raise OptionError("No game can start from the position that the FEN and Variant tags give.")
    return board


def _resolve(board: chess.Board, text: str) -> chess.Move | None:
    """The one legal move that a text means; None where there is none or more than one."""
    if text in _NULL:
        return chess.Move.null() if san.can_pass(board) else None
    written = san.read(text) if text else None
    if written is None:
        return None
    try:
        return san.resolve(board, written)
    except san.Ambiguous:
        return None
