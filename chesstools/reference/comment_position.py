"""A position that a comment gives as FEN, and whether it is the one on the board (F230)."""

from __future__ import annotations

import re

import chess

_FEN = r"""
    (?P<fen> (?P<fen_men> (?:[pnbrqkPNBRQK1-8]{1,8}/){7} [pnbrqkPNBRQK1-8]{1,8} ) [ ] (?P<fen_turn> [wb])
    [ ] (?:[KQA-Hkqa-h]{1,4}|-) [ ] (?:[a-h][36]|-) (?:[ ][0-9]{1,4}){0,2} )
"""
_COMMAND = re.compile(r"\[%fen[ ]" + _FEN + r"\]", re.VERBOSE)
_WHOLE = re.compile(r"(?:FEN:?[ ])?" + _FEN, re.VERBOSE)


def position_in(text: str) -> tuple[str, str, str] | None:
    """The FEN in the text of a comment, its men and its side to move; None where there is none that is certain to be one.

    It is the value of a command `[%fen ...]`, or all that the comment says, perhaps behind the word FEN. The counters may be
    left out; each rank has eight squares.

    >>> position_in("FEN: 8/8/4k3/8/8/4K3/8/8 w - - 0 1")
    ('8/8/4k3/8/8/4K3/8/8 w - - 0 1', '8/8/4k3/8/8/4K3/8/8', 'w')
    >>> position_in("like 8/8/4k3/8/8/4K3/8/8 w - -") is None
    True
    """
    match = _WHOLE.fullmatch(text) or next((one for one in _COMMAND.finditer(text) if _is_whole(one["fen_men"])), None)
    if match is None or not _is_whole(match["fen_men"]):
        return None
    return match["fen"], match["fen_men"], match["fen_turn"]


def _is_whole(men: str) -> bool:
    return all(len(_spread(rank)) == 8 for rank in men.split("/"))


def _spread(men: str) -> str:
    """With a dot for each empty square, however they are counted."""
    return re.sub("[1-8]", lambda digit: "." * int(digit.group()), men)


def is_on_board(board: chess.Board, men: str, turn: str) -> bool:
    """Whether the men stand so and that side is to move.

    Rights and counters are not compared: many programs write them loosely.
    """
    return _spread(men) == _spread(board.board_fen(promoted=False)) and (turn == "w") == board.turn
