"""Legal games for tests to start from, made with python-chess; and what python-chess thinks of the text of a move."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import chess

STARTS = [
    # Many pins, discovered checks and checks that must be answered.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    # Castling on both sides, nothing in the way.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
    # Pawns that meet: en passant with and without pins along the rank.
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    "8/2p1p1p1/8/KP1P1P1r/R2p1p1k/8/2P1P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/PPPPPPPP/8/8/8/4K3 b - - 0 1",
    # Promotion at every turn.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    # Several men of one kind: disambiguation by file, rank and both, some of them pinned.
    "4k3/8/8/3r4/1N3N2/3N4/1N3N2/3K4 w - - 0 1",
    "k7/8/1Q1Q4/8/1Q1Q4/8/8/3K4 w - - 0 1",
    "R6R/3k4/8/8/8/8/8/R3RK1r w - - 0 1",
    # Double check, and mate and stalemate near at hand.
    "8/8/8/8/8/5kq1/8/7K b - - 0 1",
    "k7/8/KQ6/8/8/8/8/8 w - - 0 1",
]


def interesting(board: chess.Board, move: chess.Move) -> int:
    """How often a walk prefers this move to a plain one."""
    weight = 1
    if board.is_castling(move) or board.is_en_passant(move) or move.promotion:
        weight += 12
    if board.gives_check(move):
        weight += 2
    if board.piece_type_at(move.from_square) == chess.PAWN and abs(move.from_square - move.to_square) == 16:
        weight += 2
    return weight


def random_walk(seed: int, plies: int, *, fen: str | None = None) -> tuple[chess.Board, list[chess.Move]]:
    """A legal game of at most `plies` moves from the array, or from one of `STARTS`, rich in what goes wrong in programs."""
    choose = random.Random(seed)
    if fen is None and seed % 3:
        fen = STARTS[seed % len(STARTS)]
    start = chess.Board(fen) if fen else chess.Board()
    board = start.copy()
    moves = []
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        move = choose.choices(legal, [interesting(board, one) for one in legal])[0]
        moves.append(move)
        board.push(move)
    return start, moves


def shuffling_walk(seed: int, plies: int) -> tuple[chess.Board, list[chess.Move]]:
    """A legal game between few men that go to and fro, so that positions come back."""
    choose = random.Random(seed)
    fen = [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "8/8/8/8/k7/8/K7/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
        "n3k3/p7/8/P7/8/8/8/N3K3 w - - 90 80",
        "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1",
        "5k2/8/8/pPp5/8/8/8/R3K3 w Q a6 0 1",
    ][seed % 7]
    start = chess.Board(fen)
    board = start.copy()
    moves: list[chess.Move] = []
    for _ in range(plies):
        legal = [move for move in board.legal_moves if not board.is_capture(move)] or list(board.legal_moves)
        if not legal:
            break
        back = None
        if len(moves) > 1:
            back = chess.Move(moves[-2].to_square, moves[-2].from_square)
        move = back if back in legal and choose.random() < 0.7 else choose.choice(legal)
        assert move is not None
        moves.append(move)
        board.push(move)
    return start, moves


def sans(start: chess.Board, moves: Sequence[chess.Move]) -> list[str]:
    """The moves in standard notation."""
    board = start.copy()
    texts = []
    for move in moves:
        texts.append(board.san(move))
        board.push(move)
    return texts


def pgn_of(start: chess.Board, tokens: Sequence[str], result: str = "*", *, chess960: bool = False) -> bytes:
    """A game with all roster tags, numbered from the start position."""
    lines = [f'[{name} "?"]' for name in ("Event", "Site", "Date", "Round", "White", "Black")] + [f'[Result "{result}"]']
    if chess960 or start.fen() != chess.STARTING_FEN:
        lines += ['[SetUp "1"]', f'[FEN "{start.fen()}"]', f'[Variant "{"Chess960" if chess960 else "From Position"}"]']
    number, turn = start.fullmove_number, start.turn
    words = []
    for index, token in enumerate(tokens):
        if turn == chess.WHITE:
            words.append(f"{number}.")
        elif index == 0:
            words.append(f"{number}...")
        words.append(token)
        number += turn == chess.BLACK
        turn = not turn
    return ("\n".join(lines) + "\n\n" + " ".join([*words, result]) + "\n\n").encode()


# ------------------------------------------------------------------------------------- what python-chess thinks


def written_anyway(board: chess.Board, move: chess.Move) -> str:
    """SAN of a move that need not be legal, with its square of origin so that it cannot be mistaken for another."""
    if board.is_castling(move):
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"
    piece = board.piece_type_at(move.from_square)
    assert piece is not None
    mark = "x" if board.is_capture(move) else ""
    target = chess.square_name(move.to_square)
    if piece == chess.PAWN:
        source = chess.square_name(move.from_square)[0] if mark else ""
        promotion = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
        return f"{source}{mark}{target}{promotion}"
    return f"{chess.piece_symbol(piece).upper()}{chess.square_name(move.from_square)}{mark}{target}"


def plain(board: chess.Board, token: str) -> str:
    """The token as python-chess reads it, where the engine understands more than it does."""
    text = re.sub(r"e\.?p\.?$", "", token.rstrip("+#"))
    text = text.translate(str.maketrans("♔♕♖♗♘♙♟", "KQRBNPP")).replace(":", "x")
    if re.fullmatch(r"[0Oo]-[0Oo](-[0Oo])?", text):
        return re.sub("[0o]", "O", text)
    if re.fullmatch(r"[a-h][1-8]-?[a-h][1-8][qrbn]?", text):
        return text.replace("-", "")
    text = re.sub(r"^[nrqk]", lambda match: match.group().upper(), text).removeprefix("P")
    return re.sub(r"[=/(]?([QRBN])\)?$", r"=\1", text)


def judged(board: chess.Board, token: str) -> chess.Move | str:
    """The legal move that a token means, or ``ambiguous`` or ``illegal``."""
    text = plain(board, token)
    if re.fullmatch(r"x[a-h][1-8](=[QRBN])?", text):
        # python-chess reads this as a step straight on; the engine as a capture by whatever pawn can make it.
        found = [move for move in board.legal_moves if board.san(move).rstrip("+#").endswith(text)]
        return "illegal" if not found else found[0] if len(found) == 1 else "ambiguous"
    try:
        return board.parse_san(text)
    except chess.AmbiguousMoveError:
        return "ambiguous"
    except ValueError:
        return "illegal"
