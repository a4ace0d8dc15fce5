"""Legal games with broken moves in them: the engine accepts what python-chess accepts, and nothing else.

Walks that are rich in pins, checks, castling, en passant and promotion are written down, then one token is dropped,
doubled, swapped, stripped of its disambiguation, or replaced by the text of a move that is not legal. Where a token means
something to the engine that it does not mean to python-chess, the test says so by rewriting it first (`plain`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import chess
import chess.polyglot
import chess.variant
import pytest
from strategies import FULL, pgn_of, random_walk, sans, shuffling_walk

from chesstools.profiles import FIDE_2023
from chesstools.reference.draws import DrawWatch
from chesstools.reference.illegal import explain
from chesstools.reference.past import Past
from chesstools.reference.position_key import position_key
from chesstools.reference.san import Ambiguous, read, resolve
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


# ------------------------------------------------------------------------------------- what python-chess thinks


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


SAFETY = {"M307", "M308", "M309", "M310", "M311", "M323", "M324", "M325", "M336"}


def check_stop(game: Game, board: chess.Board, token: str, verdict: str, findings: list[dict[str, Any]]) -> None:
    """The finding at the token that stopped the game says the right thing about it."""
    stops = [one for one in findings if one["code"][0] == "M" and one["code"] != "M390"]
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
    tables = {name: table.to_pylist() for name, table in scan(Source.from_bytes(data)).to_tables().items()}
    game = tables["games"][0]
    assert (game["legal_ply_count"], game["final_fen"]) == (len(tokens), board.fen())
    assert [ply["uci"] for ply in tables["plies"]] == [move.uci() for move in board.move_stack]
    noted = [one for one in tables["findings"] if one["code"][0] in "DFMN"]
    # The standard knows no drops; python-chess writes those of pawns without their letter.
    assert all(one["code"] == "N404" and one["token"][0] == "@" for one in noted)


def test_moves_behind_mate_and_stalemate_have_their_own_codes() -> None:
    mated = chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    stuck = chess.Board("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")
    for board, code in ((mated, "E511"), (stuck, "E512")):
        for token in ("Kg8", "Kh7", "e4", "O-O", "Nf3", "--"):
            findings = scan(Source.from_bytes(pgn_of(board, [token, "Kf6"]))).to_tables()["findings"].to_pylist()
            assert [(one["code"], one["ply"], one["count"]) for one in findings if one["ply"]] == [(code, 1, 2)]


# -------------------------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("seed", range(200 if FULL else 20))
def test_draw_watch_agrees_with_python_chess(seed: int) -> None:
    start, moves = shuffling_walk(seed, 160 if FULL else 90)
    watch = DrawWatch(FIDE_2023)
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
    tables = {name: table.to_pylist() for name, table in scan(Source.from_bytes(data)).to_tables().items()}
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
