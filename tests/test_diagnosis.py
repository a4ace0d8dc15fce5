"""Diagnosis of games that stop (M391): one thing is done to a legal game, and the engine says what, or nothing that is wrong.

Every suggestion is carried out on the text and replayed with python-chess: so many moves must be legal as the finding says, and
no more. How often the thing that was done is named is asserted as a share, kind by kind.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.pgn
import pytest
from strategies import FULL

from chesstools.engines import why_not_native
from chesstools.rules import render
from chesstools.scan import scan
from chesstools.source import Source

SAMPLES = Path(__file__).parent.parent / "sample_data"
ROUNDS = 10 if FULL else 2
MIN_TAIL = 6
COMPARED = 12
"""So many games of each kind are judged by both engines, or all of them in a full run."""
ENGINES = ["reference"] if why_not_native() is not None else ["reference", "native"]


class Case(NamedTuple):
    """A text with one thing done to it, and what was done: the reason, and the index of the move."""

    tokens: list[str]
    reason: str
    index: int | None


def legal_games() -> list[list[str]]:
    """The historic games of the samples, by their moves."""
    games = []
    for path in sorted((SAMPLES / "games").glob("historic*.pgn")):
        with path.open(encoding="ascii") as handle:
            while (game := chess.pgn.read_game(handle)) is not None:
                if game.headers.get("FEN") is None:
                    games.append([node.san() for node in game.mainline()])
    return [game for game in games if len(game) >= 30]


# ------------------------------------------------------------------------------------------------- what is done


def board_before(tokens: list[str], index: int) -> chess.Board:
    board = chess.Board()
    for token in tokens[:index]:
        board.push_san(token)
    return board


def other_man(choose: random.Random, game: list[str]) -> Case | None:
    """The wrong one of two men is named."""
    index = choose.randrange(10, len(game) - 10)
    board = board_before(game, index)
    right = board.parse_san(game[index])
    others = [
        move
        for move in board.legal_moves
        if move != right
        and move.to_square == right.to_square
        and board.piece_type_at(move.from_square) == board.piece_type_at(right.from_square) != chess.PAWN
    ]
    if not others:
        return None
    return Case([*game[:index], board.san(choose.choice(others)), *game[index + 1 :]], "other-man", index)


def mistyped(choose: random.Random, game: list[str]) -> Case | None:
    """One sign of the target square is another one, and the move is not legal."""
    index = choose.randrange(len(game) - 7)
    match = re.fullmatch(r"([NBRQK]?[a-h]?[1-8]?x?)([a-h])([1-8])([+#]?)", game[index])
    if match is None:
        return None
    head, file, rank, check = match.groups()
    if choose.random() < 0.5:
        file = choose.choice([sign for sign in "abcdefgh" if abs(ord(sign) - ord(file)) == 1])
    else:
        rank = choose.choice([sign for sign in "12345678" if abs(ord(sign) - ord(rank)) == 1])
    text = f"{head}{file}{rank}{check}"
    try:
        board_before(game, index).parse_san(text)
    except ValueError:
        return Case([*game[:index], text, *game[index + 1 :]], "mistyped", index)
    return None


def doubled(choose: random.Random, game: list[str]) -> Case:
    index = choose.randrange(1, len(game) - 8)
    return Case([*game[:index], game[index - 1], *game[index:]], "left-out", index)


def dropped(choose: random.Random, game: list[str]) -> Case:
    index = choose.randrange(len(game) - 10)
    return Case([*game[:index], *game[index + 1 :]], "missing", index)


def transposed(choose: random.Random, game: list[str]) -> Case:
    index, step = choose.randrange(len(game) - 10), choose.choice([1, 2])
    tokens = list(game)
    tokens[index], tokens[index + step] = tokens[index + step], tokens[index]
    return Case(tokens, "transposed", index)


def changed(reason: str, mask: int) -> Callable[[random.Random, list[str]], Case]:
    """All squares are those of a board that stood otherwise."""

    def change(match: re.Match[str]) -> str:
        sign = match.group()
        if sign.isdigit():
            return str((int(sign) - 1 ^ mask >> 3) + 1)
        return "abcdefgh"["abcdefgh".index(sign) ^ mask & 7]

    def whole(_: random.Random, game: list[str]) -> Case:
        return Case([re.sub("[a-h1-8]", change, token) for token in game], reason, None)

    return whole


def from_array(reason: str, fen: str) -> Callable[[random.Random, list[str]], Case]:
    """A game of random moves, in which pieces soon move, from another array."""

    def play(choose: random.Random, _: list[str]) -> Case | None:
        board = chess.Board(fen, chess960=True)
        tokens = []
        for ply in range(50):
            moves = list(board.legal_moves)
            if not moves:
                return None
            pieces = [move for move in moves if board.piece_type_at(move.from_square) != chess.PAWN]
            move = choose.choice(pieces if pieces and ply > 3 else moves)
            tokens.append(board.san(move))
            board.push(move)
        return Case(tokens, reason, None)

    return play


KINDS: dict[str, tuple[Callable[[random.Random, list[str]], Case | None], float]] = {
    # What is done, and the share of the games that stop early enough in which it must be named.
    "other-man": (other_man, 0.7),
    "mistyped": (mistyped, 0.9),
    "doubled": (doubled, 0.95),
    "dropped": (dropped, 0.95),
    "transposed": (transposed, 0.85),
    "files-mirrored": (changed("files-mirrored", 7), 0.95),
    "ranks-mirrored": (changed("ranks-mirrored", 56), 0.95),
    "board-turned": (changed("board-turned", 63), 0.95),
    "king-queen": (from_array("king-queen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1"), 0.85),
    "knight-bishop": (from_array("knight-bishop", "rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1"), 0.95),
    "chess960": (from_array("chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"), 0.95),
}


# ------------------------------------------------------------------------------------------------- what is said


def judged(cases: list[Case], engine: str) -> list[list[dict[str, Any]]]:
    """The findings of each game."""
    text = "".join(f'[Event "{number}"]\n\n{" ".join(case.tokens)} *\n\n' for number, case in enumerate(cases))
    rows = scan([Source.from_bytes(text.encode())], engine=engine).to_tables()["findings"].to_pylist()
    findings: list[list[dict[str, Any]]] = [[] for _ in cases]
    for row in rows:
        findings[row["game_index"]].append(row)
    return findings


def carried_out(tokens: list[str], row: dict[str, Any]) -> tuple[chess.Board, Iterator[str], int]:
    """The position, the moves from there with the change made, and how many of them are not as written or before the bad one."""
    evidence = dict(row["evidence"])
    reason, bad = evidence["reason"], row["ply"] - 1
    expected = (row["expected"] or "").split(" ", 1)[-1]
    if row["first_ply"] is None:
        if reason in ("king-queen", "knight-bishop", "chess960"):
            return chess.Board(row["expected"], chess960=True), iter(tokens), bad
        if reason == "black-begins":
            board = chess.Board()
            board.turn = chess.BLACK
            return board, iter(tokens), bad
        mask = {"files-mirrored": 7, "ranks-mirrored": 56, "board-turned": 63}[reason]
        return chess.Board(), iter(changed(reason, mask)(random.Random(), tokens).tokens), bad
    index = row["first_ply"] - 1
    behind = list(tokens)
    own = 1  # so many moves from the changed one on are not as they are written
    if reason in ("other-man", "mistyped"):
        assert row["found"].split(" ", 1)[1] == tokens[index]
        behind[index] = expected
    elif reason == "missing":
        behind.insert(index, expected)
        assert row["found"].split(" ", 1)[1] == tokens[index]
        return chess.Board(), iter(behind), max(index, bad) + 1
    elif reason == "left-out":
        many = len(row["found"].split(" ")) - 1
        assert row["found"].split(" ")[1:] == tokens[index : index + many]
        del behind[index : index + many]
        return chess.Board(), iter(behind), max(index + many, bad) - many
    else:
        assert reason == "transposed"
        other = next(at for at in (index + 1, index + 2) if at >= bad and tokens[at] == expected)
        behind[index], behind[other] = behind[other], behind[index]
        own = other + 1 - index
    return chess.Board(), iter(behind), max(index + own, bad)


def check_claim(tokens: list[str], row: dict[str, Any]) -> None:
    """So many moves are legal as is said, and not one more."""
    board, moves, before = carried_out(tokens, row)
    legal = 0
    for move in moves:
        try:
            board.push_san(move)
        except ValueError:
            break
        legal += 1
    else:
        assert dict(row["evidence"])["reach"] == "end", row
    assert legal - before == row["count"], (tokens, row)
    if next(moves, None) is not None or dict(row["evidence"])["reach"] == "part":
        assert dict(row["evidence"])["reach"] == "part", (tokens, row)
        assert row["count"] >= 12
    assert row["count"] >= MIN_TAIL


def is_named(case: Case, row: dict[str, Any], original: list[str]) -> bool:
    """Whether what is suggested gives back the text as it was before anything was done to it."""
    if case.index is None:
        # As long as nobody castles, these two are the same.
        same = {"king-queen", "files-mirrored"}
        reason = dict(row["evidence"])["reason"]
        return reason == case.reason or {reason, case.reason} == same
    if row["first_ply"] is None:
        return False
    if dict(row["evidence"])["reason"] == "missing" == case.reason:
        # Which move is missing nobody can know where several fit.
        return abs(row["first_ply"] - 1 - case.index) <= 1
    return list(carried_out(case.tokens, row)[1]) == original


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_done_is_named(kind: str) -> None:
    do, share = KINDS[kind]
    choose = random.Random(kind)
    originals, cases = [], []
    for game in legal_games() * (ROUNDS if kind != "other-man" else 8 * ROUNDS):
        case = do(choose, game)
        if case is not None:
            originals.append(game)
            cases.append(case)
    told = judged(cases, ENGINES[-1])
    both = cases if FULL else cases[:COMPARED]
    assert judged(both, "reference") == told[: len(both)]
    outcomes: Counter[str] = Counter()
    for original, case, findings in zip(originals, cases, told, strict=True):
        bad = next((row for row in findings if row["code"] == "N401" or (row["code"][:2] == "M3" and row["code"] < "M390")), None)
        tail = next((row["count"] for row in findings if row["code"] == "M390"), 0)
        rows = [row for row in findings if row["code"] == "M391"]
        if bad is None or tail < MIN_TAIL:
            assert rows == []
            continue
        assert len(rows) <= 1
        outcomes["stopped"] += 1
        for row in rows:
            assert (row["ply"], row["byte_offset"], row["severity"]) == (bad["ply"], bad["byte_offset"], "info")
            check_claim(case.tokens, row)
            assert "?" not in render("M391", row)
            outcomes["told"] += 1
            outcomes["named"] += is_named(case, row, original)
            outcomes["whole"] += dict(row["evidence"])["reach"] == "end"
    assert outcomes["stopped"] >= 20, outcomes
    assert outcomes["named"] >= share * outcomes["stopped"], outcomes
    print(kind, dict(outcomes))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_man_that_is_dropped_is_no_slip(engine: str) -> None:
    """Crazyhouse without a Variant tag: that the rest is legal without the drop means nothing."""
    for dropped, expected in (("P@h6", 0), ("Ke5", 1)):
        data = f"1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. {dropped} 5. Nf3 Nf6 6. d4 e6 7. Bd3 Be7 8. O-O O-O 9. Re1 c5 *\n"
        codes = scan(Source.from_bytes(data.encode()), engine=engine).to_tables()["findings"]["code"].to_pylist()
        assert codes.count("M391") == expected, dropped
