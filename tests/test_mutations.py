"""Legal games with broken moves in them: the engine accepts what python-chess accepts, and nothing else.

Walks that are rich in pins, checks, castling, en passant and promotion are written down, then one token is dropped,
doubled, swapped, stripped of its disambiguation, or replaced by the text of a move that is not legal. Where a token means
something to the engine that it does not mean to python-chess, it is rewritten first (`walks.plain`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import chess
import chess.polyglot
import pytest
from strategies import FULL
from walks import judged, pgn_of, plain, random_walk, sans, written_anyway

from chesstools.rules import all_rules
from chesstools.scan import scan
from chesstools.source import Source

ACTIVE = {rule.code for rule in all_rules() if rule.active}
BLOCKS = 60 if FULL else 6
PER_BLOCK = 40


class Game(NamedTuple):
    start: chess.Board
    tokens: list[str]


# ------------------------------------------------------------------------------------------------- mutations


def unsafe_moves(board: chess.Board) -> list[str]:
    """Texts of moves that are legal but for the safety of the king, as someone might write them down."""
    texts = []
    for move in board.pseudo_legal_moves:
        if not board.is_legal(move):
            texts.append(written_anyway(board, move))
    return texts


def lenient_forms(board: chess.Board, move: chess.Move) -> list[str]:
    """Forms of a legal move that are not SAN and that the engine documents to understand."""
    text = board.san(move)
    body = text.rstrip("+#")
    uci = board.uci(move)
    forms = [uci, body, text + "+", body + "#", body + "++"]
    if body.startswith("O-O"):
        return [*forms, text.replace("O", "0"), text.replace("O", "o")]
    forms.append(uci[:2] + "-" + uci[2:])
    piece = board.piece_type_at(move.from_square)
    if piece == chess.PAWN:
        forms += ["P" + text, text.replace("=", ""), re.sub(r"=(.)", r"(\1)", text), text.replace("=", "/"), "♟" + text]
        if board.is_en_passant(move):
            forms += [text + "e.p.", text + "ep"]
        if board.is_capture(move):
            forms += [text.replace("x", ":"), text.replace("x", "")]
    else:
        source, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
        letter = text[0]
        forms += [letter.lower() + text[1:]] if letter != "B" else []
        figurine = "♔♕♖♗♘"["KQRBN".index(letter)]
        forms += [figurine + text[1:], f"{letter}{source}{target}", f"{letter}{source}-{target}", text.replace("x", "")]
        forms += [f"{letter}{source[0]}{target}", f"{letter}{source[1]}{target}"]
    return forms


def mutate(choose: random.Random, start: chess.Board, moves: Sequence[chess.Move]) -> Game:
    """The game with one thing done to it."""
    tokens = sans(start, moves)
    at = choose.randrange(len(tokens))
    board = start.copy()
    for move in moves[:at]:
        board.push(move)
    kind = choose.choice(["drop", "double", "swap", "other", "strip", "unsafe", "unsafe", "lenient", "any-square", "none"])
    if kind == "drop":
        del tokens[at]
    elif kind == "double":
        tokens.insert(at, tokens[at])
    elif kind == "swap":
        other = choose.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == "other":
        tokens[at] = choose.choice(tokens)
    elif kind == "strip":
        tokens = [re.sub(r"^([NBRQ])[a-h]?[1-8]?(x?[a-h][1-8])", r"\1\2", token) for token in tokens]
    elif kind == "unsafe" and (unsafe := unsafe_moves(board)):
        tokens[at] = choose.choice(unsafe)
    elif kind == "lenient":
        tokens[at] = choose.choice(lenient_forms(board, moves[at]))
    elif kind == "any-square":
        letter = choose.choice(["", "N", "B", "R", "Q", "K", choose.choice("abcdefgh") + "x"])
        tokens[at] = letter + chess.square_name(choose.randrange(64)) + choose.choice(["", "", "", "=Q", "=K"])
    return Game(start, tokens)


def block(number: int) -> list[Game]:
    """Some mutated games."""
    choose = random.Random(number)
    games: list[Game] = []
    while len(games) < PER_BLOCK:
        start, moves = random_walk(choose.randrange(1 << 30), choose.choice([6, 20, 60]))
        if moves:
            games.append(mutate(choose, start, moves))
    return games


SAFETY = {"M307", "M308", "M309", "M310", "M311", "M323", "M324", "M325", "M336"}


def check_stop(game: Game, board: chess.Board, token: str, verdict: str, findings: list[dict[str, Any]]) -> None:
    """The finding at the token that stopped the game says the right thing about it."""
    stops = [one for one in findings if one["code"][0] == "M" and one["code"] not in ("M390", "M391")]
    stops += [one for one in findings if one["code"] in ("N401", "P110", "E511", "E512")]
    assert len(stops) == 1, (game, token, findings)
    stop = stops[0]
    assert stop["code"] in ACTIVE
    assert stop["token"] == token
    assert stop["fen_before"] == board.fen()
    code = stop["code"]
    if not any(board.legal_moves):
        assert code == ("E511" if board.is_check() else "E512")
        return
    assert (code == "N401") == (verdict == "ambiguous"), (board.fen(), token, code)
    for alternative in stop["legal_alternatives"] or []:
        board.parse_san(alternative)
    if code == "N401":
        assert len(stop["legal_alternatives"]) > 1
        return
    assert code[0] == "M", (board.fen(), token, code)
    assert stop["side"] == ("white" if board.turn else "black")
    pseudo = [move for move in board.pseudo_legal_moves if written_anyway(board, move) == plain(board, token)]
    if pseudo:
        assert code in SAFETY | {"M301"}, (board.fen(), token, code)
    if code == "M308":
        assert board.king(board.turn) == pseudo[0].from_square if pseudo else True
    if code in ("M310", "M323"):
        assert board.is_check()
    if code == "M307":
        assert any(board.is_pinned(board.turn, move.from_square) for move in pseudo or board.pseudo_legal_moves)


# -------------------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("number", range(BLOCKS))
def test_engine_accepts_what_python_chess_accepts(number: int) -> None:
    games = block(number)
    data = b"".join(pgn_of(game.start, game.tokens) for game in games)
    tables = {name: table.to_pylist() for name, table in scan(Source.from_bytes(data)).to_tables().items()}
    assert len(tables["games"]) == len(games)
    plies: dict[int, list[dict[str, Any]]] = {index: [] for index in range(len(games))}
    findings: dict[int, list[dict[str, Any]]] = {index: [] for index in range(len(games))}
    for row in tables["plies"]:
        plies[row["game_index"]].append(row)
    for row in tables["findings"]:
        findings[row["game_index"]].append(row)
    for index, (game, row) in enumerate(zip(games, tables["games"], strict=True)):
        check_game(game, row, plies[index], findings[index])


def check_game(game: Game, row: dict[str, Any], plies: list[dict[str, Any]], findings: list[dict[str, Any]]) -> None:
    board = game.start.copy()
    for number, token in enumerate(game.tokens, 1):
        verdict = judged(board, token)
        if isinstance(verdict, str):
            assert row["legal_ply_count"] == number - 1, (board.fen(), token, verdict)
            check_stop(game, board, token, verdict, [one for one in findings if one["ply"] == number])
            break
        assert row["legal_ply_count"] >= number, (board.fen(), token, findings)
        check_ply(board, verdict, token, plies[number - 1])
        board.push(verdict)
    assert row["final_fen"] == board.fen()
    assert row["ply_count"] == len(game.tokens)
    assert len(plies) == row["legal_ply_count"]
    status = "none" if any(board.legal_moves) else "checkmate" if board.is_check() else "stalemate"
    if board.is_insufficient_material() and status == "none":
        status = "dead"
    assert row["final_status"] == status


def check_ply(board: chess.Board, move: chess.Move, token: str, ply: dict[str, Any]) -> None:
    """A row of plies says of a move what python-chess says."""
    after = board.copy(stack=False)
    after.push(move)
    piece, captured = board.piece_type_at(move.from_square), board.piece_type_at(move.to_square)
    assert piece is not None
    en_passant = board.is_en_passant(move)
    castling = board.is_castling(move)
    side = ("kingside" if board.is_kingside_castling(move) else "queenside") if castling else None
    taken = "pawn" if en_passant else None if captured is None or castling else chess.piece_name(captured)
    assert ply["san"] == token
    assert ply["san_standard"] == board.san(move)
    assert ply["uci"] == move.uci()
    assert ply["role"] == chess.piece_name(piece)
    assert ply["captured"] == taken
    assert ply["promotion"] == (chess.piece_name(move.promotion) if move.promotion else None)
    assert (ply["check"], ply["mate"]) == (after.is_check(), after.is_checkmate())
    assert (ply["en_passant"], ply["castling"]) == (en_passant, side)
    assert ply["halfmove_clock"] == after.halfmove_clock
    if after.ep_square is None or after.has_legal_en_passant():
        assert ply["position_key"] == chess.polyglot.zobrist_hash(after)


def test_moves_behind_mate_and_stalemate_have_their_own_codes() -> None:
    mated = chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    stuck = chess.Board("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")
    for board, code in ((mated, "E511"), (stuck, "E512")):
        for token in ("Kg8", "Kh7", "e4", "O-O", "Nf3", "--"):
            findings = scan(Source.from_bytes(pgn_of(board, [token, "Kf6"]))).to_tables()["findings"].to_pylist()
            assert [(one["code"], one["ply"], one["count"]) for one in findings if one["ply"]] == [(code, 1, 2)]
