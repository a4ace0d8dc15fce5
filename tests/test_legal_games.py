"""Legal games of every kind: positions, keys and draws are those of python-chess."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import chess
import chess.polyglot
import chess.variant
import pytest
from strategies import FULL
from walks import pgn_of, random_walk, sans, shuffling_walk

from chesstools.profiles import get_profile
from chesstools.reference.draws import DrawWatch
from chesstools.reference.position_key import position_key
from chesstools.scan import scan
from chesstools.source import Source


@pytest.mark.parametrize("seed", range(150 if FULL else 15))
def test_chess960_games_end_where_python_chess_ends(seed: int) -> None:
    choose = random.Random(seed)
    start = chess.Board.from_chess960_pos(choose.randrange(960))
    board = start.copy()
    tokens = []
    for _ in range(60):
        legal = list(board.legal_moves)
        if not legal:
            break
        castling = [move for move in legal if board.is_castling(move)]
        move = choose.choice(castling or legal)
        tokens.append(board.san(move))
        board.push(move)
    data = pgn_of(start, tokens, chess960=True)
    game = scan(Source.from_bytes(data)).to_tables()["games"].to_pylist()[0]
    assert (game["legal_ply_count"], game["final_fen"], game["rules"]) == (len(tokens), board.fen(), "chess960")


@pytest.mark.parametrize("variant", chess.variant.VARIANTS, ids=lambda variant: variant.uci_variant)
@pytest.mark.parametrize("seed", range(20 if FULL else 2))
def test_games_of_variants_end_where_python_chess_ends(variant: type[chess.Board], seed: int) -> None:
    choose = random.Random(seed)
    board = variant()
    tokens = []
    for _ in range(80):
        legal = list(board.legal_moves)
        if not legal:
            break
        rare = [move for move in legal if move.drop or move.promotion or board.is_castling(move) or board.is_capture(move)]
        move = choose.choice(rare if rare and choose.random() < 0.3 else legal)
        tokens.append(board.san(move))
        board.push(move)
    data = f'[Variant "{variant.aliases[0]}"]\n\n{" ".join(tokens)} *\n'.encode()
    tables = {name: table.to_pylist() for name, table in scan(Source.from_bytes(data), profile="fide-2023").to_tables().items()}
    game = tables["games"][0]
    assert (game["legal_ply_count"], game["final_fen"]) == (len(tokens), board.fen())
    assert [ply["uci"] for ply in tables["plies"]] == [move.uci() for move in board.move_stack]
    noted = [one for one in tables["findings"] if one["code"][0] in "DFMN"]
    # The standard knows no drops; python-chess writes those of pawns without their letter.
    assert all(one["code"] == "N404" and one["token"][0] == "@" for one in noted)


@pytest.mark.parametrize("seed", range(200 if FULL else 20))
def test_draw_watch_agrees_with_python_chess(seed: int) -> None:
    start, moves = shuffling_walk(seed, 160 if FULL else 90)
    watch = DrawWatch(get_profile("fide-2023"))
    board = start.copy()
    threefold, fifty, seventyfive, fivefold = [], [], [], []
    over = len(moves) + 1
    for index in range(len(moves) + 1):
        if index:
            board.push(moves[index - 1])
        watch.add(board, index)
        assert (watch.repetition >= 2) == board.is_repetition(2)
        assert (watch.repetition >= 3) == board.is_repetition(3)
        if board.is_fivefold_repetition():
            fivefold.append(index)
        if board.is_seventyfive_moves():
            seventyfive.append(index)
        if fivefold or seventyfive:
            over = min(over, index)
            continue
        if board.can_claim_threefold_repetition():
            threefold.append(index)
        if board.can_claim_fifty_moves():
            fifty.append(index)
    assert watch.first_fivefold == (fivefold[0] if fivefold else None)
    assert watch.first_seventyfive == (seventyfive[0] if seventyfive else None)
    for kind, claims in (("repetition", threefold), ("fifty", fifty)):
        covered = {index for run in watch.runs if run.kind == kind for index in range(run.first, run.last + 1, 2)}
        assert covered == set(claims), (start.fen(), moves)
        assert all(run.windows == (run.last - run.first) // 2 + 1 for run in watch.runs)
    at = {index: index % 2 == 0 for index in range(len(moves) + 1)}
    assert all(run.side == (start.turn == at[run.first]) for run in watch.runs)


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_tables_agree_with_python_chess_about_draws(result: str) -> None:
    walks = [shuffling_walk(seed, 170) for seed in range(70 if FULL else 10)]
    data = b"".join(pgn_of(start, sans(start, moves), result) for start, moves in walks)
    tables = {name: table.to_pylist() for name, table in scan(Source.from_bytes(data), profile="fide-2023").to_tables().items()}
    for index, (game, (start, moves)) in enumerate(zip(tables["games"], walks, strict=True)):
        found = [one for one in tables["findings"] if one["game_index"] == index]
        check_draws(game, found, start, moves, result)


def check_draws(
    game: dict[str, Any], found: list[dict[str, Any]], start: chess.Board, moves: Sequence[chess.Move], result: str
) -> None:
    board = start.copy()
    first: dict[str, int] = {}
    for index in range(len(moves) + 1):
        if index:
            board.push(moves[index - 1])
            if board.is_repetition(3):
                first.setdefault("threefold", index)
            if board.is_fivefold_repetition():
                first.setdefault("fivefold", index)
        if board.is_fifty_moves():
            first.setdefault("fifty", index)
        if board.is_seventyfive_moves():
            first.setdefault("seventyfive", index)
    for name in ("threefold", "fivefold", "fifty", "seventyfive"):
        assert game[f"first_{name}_ply"] == first.get(name), (start.fen(), moves)
    codes = {one["code"] for one in found}
    for name, code in (("fivefold", "E514"), ("seventyfive", "E515")):
        assert (code in codes) == (first.get(name, len(moves)) < len(moves))
    over = "fivefold" in first or "seventyfive" in first
    assert ("E516" in codes) == (over and result in ("1-0", "0-1"))
    losers = {"1-0": "black", "0-1": "white"}
    for one in found:
        if one["code"] in ("D601", "D611"):
            lost = one["side"] == losers.get(result)
            assert (one["effect"] == "decisive_against_claimant") == (one["severity"] == "warning") == lost
            assert one["count"] == (one["last_ply"] - one["first_ply"]) // 2 + 1
    assert game["unclaimed_draw"] == any(one["effect"] == "decisive_against_claimant" for one in found)


@pytest.mark.parametrize("seed", range(40 if FULL else 8))
def test_position_keys_are_polyglot_hashes(seed: int) -> None:
    start, moves = random_walk(seed, 80)
    board = start.copy()
    seen: dict[tuple[object, ...], int] = {}
    for move in moves:
        board.push(move)
        key = position_key(board)
        if board.ep_square is None or board.has_legal_en_passant():
            assert key == chess.polyglot.zobrist_hash(board)
        same = (
            board.board_fen(),
            board.turn,
            board.clean_castling_rights(),
            board.ep_square if board.has_legal_en_passant() else None,
        )
        assert seen.setdefault(same, key) == key
    assert len(set(seen.values())) == len(seen)
