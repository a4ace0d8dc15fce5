"""What is wrong with a start position: an independent reading of the rules F203 to F215, to verify what is planted.

Only what the Laws make certain is judged; the position may still be one that cannot arise.
"""

from __future__ import annotations

from itertools import pairwise

import chess

_TRAPS = {"a1": ("b2",), "b1": ("a2", "c2"), "d1": ("c2", "e2"), "e1": ("d2", "f2"), "g1": ("f2", "h2"), "h1": ("g2",)}
"""Bishops on these squares are shut in where these pawns have not moved."""


def unplayable(board: chess.Board) -> set[str]:
    """F203, F204 and F206: reasons why a game cannot start from here."""
    codes = set()
    if any(len(board.pieces(chess.KING, colour)) != 1 for colour in chess.COLORS):
        codes.add("F203")
    if board.pawns & chess.BB_BACKRANKS:
        codes.add("F204")
    if "F203" not in codes and board.was_into_check():
        codes.add("F206")
    return codes


def impossible(board: chess.Board) -> set[str]:
    """F205, F207, F212 to F215 for a position that can be played from; of F213 only what is certain."""
    codes = set()
    for colour in chess.COLORS:
        pawns = board.pieces(chess.PAWN, colour)
        if len(pawns) > 8 or chess.popcount(board.occupied_co[colour]) > 16:
            codes.add("F205")
        elif len(pawns) + _promoted(board, colour) > 8:
            codes.add("F207")
        elif _needs_captures(board, colour) > 16 - chess.popcount(board.occupied_co[not colour]):
            codes.add("F215")
        if _shut_in(board, colour):
            codes.add("F214")
    if _impossible_check(board):
        codes.add("F212")
    elif _two_bishops(board):
        codes.add("F213")
    return codes


def _promoted(board: chess.Board, colour: chess.Color) -> int:
    bishops = board.pieces(chess.BISHOP, colour)
    spare = [
        len(board.pieces(chess.QUEEN, colour)) - 1,
        len(board.pieces(chess.ROOK, colour)) - 2,
        len(board.pieces(chess.KNIGHT, colour)) - 2,
    ]
    for name, guards in (("c1", ("b2", "d2")), ("f1", ("e2", "g2"))):
        home, *pawns = (chess.parse_square(square) ^ (0 if colour else 56) for square in (name, *guards))
        is_light = bool(chess.BB_LIGHT_SQUARES >> home & 1)
        alike = [square for square in bishops if bool(chess.BB_LIGHT_SQUARES >> square & 1) == is_light]
        if all(square in board.pieces(chess.PAWN, colour) for square in pawns):
            # It never left home, so that each one elsewhere was a pawn.
            spare.append(len([square for square in alike if square != home]))
        else:
            spare.append(len(alike) - 1)
    return sum(max(0, count) for count in spare)


def _two_bishops(board: chess.Board) -> bool:
    """Two bishops give check, of which neither has just been promoted: one cannot have moved off the other's line."""
    checkers = list(board.checkers())
    last = 7 if board.turn == chess.BLACK else 0
    return len(checkers) == 2 and all(
        board.piece_type_at(square) == chess.BISHOP and chess.square_rank(square) != last for square in checkers
    )


def _needs_captures(board: chess.Board, colour: chess.Color) -> int:
    """The fewest captures that bring pawns from their home files to where they stand; 99 where none do."""
    best = {0: 0}
    for square in board.pieces(chess.PAWN, colour):
        file, rank = chess.square_file(square), chess.square_rank(square)
        advanced = rank - 1 if colour else 6 - rank
        following: dict[int, int] = {}
        for used, cost in best.items():
            for home in range(8):
                steps = abs(home - file)
                if not used >> home & 1 and steps <= advanced:
                    key = used | 1 << home
                    following[key] = min(following.get(key, 99), cost + steps)
        best = following
    return min(best.values(), default=99)


def _shut_in(board: chess.Board, colour: chess.Color) -> bool:
    pawn = chess.Piece(chess.PAWN, colour)
    for name, guards in _TRAPS.items():
        squares = [chess.parse_square(square) for square in (name, *guards)]
        if not colour:
            squares = [chess.square_mirror(square) for square in squares]
        if board.piece_at(squares[0]) == chess.Piece(chess.BISHOP, colour) and all(
            board.piece_at(square) == pawn for square in squares[1:]
        ):
            return True
    return False


def _impossible_check(board: chess.Board) -> bool:
    """More than two checkers, two that do not slide, or two sliders of which one looks through the other's line."""
    king = board.king(board.turn)
    if king is None:
        return False
    checkers = list(board.checkers())
    stepping = [square for square in checkers if board.piece_type_at(square) in (chess.PAWN, chess.KNIGHT)]
    if len(checkers) > 2 or len(stepping) > 1:
        return True
    sliding = [square for square in checkers if square not in stepping]
    return any(king in chess.SquareSet(chess.between(one, other)) for one, other in pairwise(sliding))
