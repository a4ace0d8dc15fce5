"""Every text of a move in many positions: it means what python-chess says, or is illegal for a reason that is true."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import chess
import pytest
from strategies import FULL
from walks import judged, random_walk

from chesstools.reference.illegal import explain
from chesstools.reference.past import Past
from chesstools.reference.san import Ambiguous, read, resolve


def candidate_texts(board: chess.Board) -> Iterator[str]:
    """Every text of a man, a place of origin and a target: all there is to be said in SAN."""
    targets = [chess.square_name(square) for square in chess.SQUARES]
    for letter in "NBRQK":
        for source in ["", *"abcdefgh", *"12345678"]:
            for target in targets:
                yield f"{letter}{source}{target}"
    for source in ["", *(f"{file}x" for file in "abcdefgh")]:
        for target in targets:
            promotions = ["=Q", "=N", "=K", ""] if target[1] in "18" else ["", "=Q"]
            for promotion in promotions:
                yield f"{source}{target}{promotion}"
    yield from ("O-O", "O-O-O")


@pytest.mark.parametrize("seed", range(60 if FULL else 5))
def test_every_text_of_a_move_means_what_python_chess_says(seed: int) -> None:
    start, moves = random_walk(seed * 7 + 1, 30)
    board = start.copy()
    for move in moves[: random.Random(seed).randrange(len(moves) + 1)]:
        board.push(move)
    for text in candidate_texts(board):
        written = read(text)
        assert written is not None
        try:
            mine: chess.Move | str = resolve(board, written) or "illegal"
        except Ambiguous:
            mine = "ambiguous"
        assert mine == judged(board, text), (board.fen(), text)


def squares(evidence: dict[str, object], name: str) -> list[chess.Square]:
    """Squares named in evidence."""
    return [chess.parse_square(square) for square in str(evidence[name]).split(",")]


def holds(board: chess.Board, text: str, code: str, evidence: dict[str, object]) -> bool:
    """Whether the reason is true of the position, worked out from the rules and not from the engine."""
    side, enemy = board.turn, not board.turn
    if text.startswith("O-O"):
        rights = board.has_kingside_castling_rights if text == "O-O" else board.has_queenside_castling_rights
        if code in ("M321", "M322"):
            return not rights(side)
        named = squares(evidence, "blocker" if code == "M326" else "attacker")
        return rights(side) and all(board.piece_at(square) for square in named) and board.is_check() == (code == "M323")
    match = re.fullmatch(r"([NBRQK])?([a-h]?)([1-8]?)(x?)([a-h][1-8])(=[A-Z])?", text)
    assert match
    role = chess.PIECE_SYMBOLS.index((match[1] or "P").lower())
    target = chess.parse_square(match[5])
    men = [
        square
        for square in board.pieces(role, side)
        if match[2] in ("", chess.square_name(square)[0]) and match[3] in ("", chess.square_name(square)[1])
    ]
    if role == chess.PAWN and not match[4]:
        men = [square for square in men if chess.square_file(square) == chess.square_file(target)]
    # A king that goes two squares is not castling unless the text says so.
    pseudo = [move for move in board.pseudo_legal_moves if move.from_square in men and move.to_square == target]
    pseudo = [move for move in pseudo if not board.is_castling(move)]
    reaching = [man for man in men if attacks_alone(role, man, target)]
    ahead = 8 if side else -8
    if code == "M302":
        return not men
    if code == "M305":
        return bool(men) and board.color_at(target) == side
    if code == "M311":
        return bool(men) and target == board.king(enemy)
    if code in ("M307", "M308", "M309", "M310", "M336"):
        first = pseudo[0]
        after = board.copy(stack=False)
        after.push(first)
        king = after.king(side)
        assert king is not None
        assert not any(board.is_legal(move) for move in pseudo)
        marks = {
            "M307": board.is_pinned(side, first.from_square),
            "M308": role == chess.KING,
            "M309": True,
            "M310": board.is_check(),
            "M336": board.is_en_passant(first),
        }
        attackers = board.checkers() if code == "M310" else after.attackers(enemy, king)
        return marks[code] and squares(evidence, "checkers" if code == "M310" else "attacker") == list(attackers)
    if code in ("M341", "M342"):
        return bool(pseudo) and pseudo[0].promotion is not None and match[6] in (None, "=K", "=P")
    if code == "M343":
        return bool(match[6]) and bool(pseudo) and pseudo[0].promotion is None
    if pseudo:
        return False
    if code == "M306":
        return bool(reaching) and all(board.piece_at(square) for square in squares(evidence, "blocker"))
    if code == "M303" and role != chess.PAWN:
        return not reaching
    if code == "M331":
        return all((target - man) * ahead < 0 for man in men)
    if code == "M332":
        return all(board.piece_at(square) for square in squares(evidence, "blocker"))
    if code == "M333":
        return target - 2 * ahead in men and board.piece_at(target) is None
    if code in ("M334", "M335"):
        beside = board.piece_at(target - ahead)
        passed = beside == chess.Piece(chess.PAWN, enemy) and chess.square_rank(target) == (5 if side else 2)
        return board.piece_at(target) is None and passed == (code == "M335")
    return code == "M303"


def attacks_alone(role: chess.PieceType, man: chess.Square, target: chess.Square) -> bool:
    """Whether such a man could go there on a board without other men."""
    empty = chess.Board(None)
    empty.set_piece_at(man, chess.Piece(role, chess.WHITE))
    return target in empty.attacks(man)


@pytest.mark.parametrize("seed", range(100 if FULL else 6))
def test_reasons_are_true_of_the_position(seed: int) -> None:
    start, moves = random_walk(seed * 5 + 2, 40)
    board = start.copy()
    past = Past.of(board)
    for number, move in enumerate(moves[: random.Random(seed).randrange(len(moves) + 1)], 1):
        past.add(board, move, number)
        board.push(move)
    if not any(board.legal_moves):
        return  # then every move is wrong for the reason that the game is over
    for text in candidate_texts(board):
        if judged(board, text) == "illegal":
            written = read(text)
            assert written is not None
            code, evidence = explain(board, written, past, len(board.move_stack) + 1, None)
            assert holds(board, text, code, evidence), (board.fen(), text, code, evidence)
