"""Start positions: the array, Chess960 arrays, endings set up at random, and positions reached by play."""

from __future__ import annotations

from random import Random

import chess

from generator.play import Play, Player

ARRAY_960 = 518
"""The Chess960 number of the ordinary array."""

ENDINGS = (
    *("KQ/k", "KR/k", "KRR/k", "KP/k", "KPP/k", "KBN/k", "KBB/k", "KQ/kp", "KQ/kr", "KQ/kq", "KQP/kq", "KR/kr", "KRP/kr"),
    *("KRB/kr", "KRN/kr", "KRPP/krp", "KRPPP/krppp", "KNP/kb", "KNN/kp", "KBP/kb", "KBPP/knpp", "KPP/kpp"),
)
"""Men of both sides, White before the stroke."""

WINNING = ("KQ/k", "KR/k", "KRR/k", "KQ/kp", "KQ/kr", "KBB/k")
PROMOTING = ("KP/k", "KPP/k", "KPP/kpp", "KRPP/krp", "KBPP/knpp", "KRPPP/krppp")
LASTING = ("KR/kr", "KRB/kr", "KQ/kq", "KRN/kr", "KRP/kr", "KRPP/krp", "KQ/kr", "KBN/k")


def chess960(rng: Random) -> chess.Board:
    """A Chess960 array other than the ordinary one."""
    number = rng.randrange(959)
    return chess.Board.from_chess960_pos(number + (number >= ARRAY_960))


def ending(rng: Random, men: tuple[str, ...] = tuple(ENDINGS), clock: int | None = None) -> chess.Board:
    """A quiet ending: men on random squares, either side may be the stronger and either side to move.

    At most one pawn of a colour stands on each file, and no side is in check: so every such position could have arisen.
    """
    while True:
        white, black = rng.choice(men).split("/")
        pieces = [*white, *black]
        board = chess.Board(None)
        files = {"P": list(range(8)), "p": list(range(8))}
        for symbol in pieces:
            if symbol in files:
                file = files[symbol].pop(rng.randrange(len(files[symbol])))
                square = chess.square(file, rng.randrange(1, 7))
            else:
                square = rng.randrange(64)
            if board.piece_at(square):
                break
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        else:
            if rng.random() < 0.5:
                board = board.mirror()
            board.turn = rng.random() < 0.5
            board.halfmove_clock = rng.randrange(30) if clock is None else clock
            board.fullmove_number = rng.randrange(62, 110) + board.halfmove_clock // 2
            if _playable(board):
                return board


def _playable(board: chess.Board) -> bool:
    if not board.is_valid() or board.is_check() or board.is_insufficient_material():
        return False
    # A bishop in the corner behind an unmoved pawn of its own could never have got there.
    for square in board.pieces(chess.BISHOP, chess.WHITE) | board.pieces(chess.BISHOP, chess.BLACK):
        if chess.square_rank(square) in (0, 7):
            return False
    return sum(1 for _ in board.legal_moves) >= 3


def midgame(rng: Random, plies: int) -> chess.Board:
    """A position reached by that many plies of play from the array, not in check, without an en passant right."""
    player = Player(rng)
    while True:
        play = Play(chess.Board())
        while len(play) < plies and not play.over:
            move = player.choose(play)
            if move is None:
                break
            play.step(move)
        board = play.board.copy(stack=False)
        if play.over or len(play) < plies or board.is_check():
            continue
        board.ep_square = None
        return board
