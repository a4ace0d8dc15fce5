"""Searching positions, compared with python-chess playing every game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import pytest

from chesstools import Dataset, OptionError, fen, find, ingest
from chesstools.find import Count, answers, question
from chesstools.search import block, exact
from chesstools.search.pattern import pattern_of, upside_down, wing_changed
from chesstools.search.wanted import material_of, pawns_of
from chesstools.source import Source

SAMPLES = Path(__file__).parent.parent / "sample_data" / "games"
START = chess.STARTING_FEN


class Position(NamedTuple):
    """A position of the archive, as python-chess has it."""

    source: str
    game: int
    ply: int
    board: chess.Board


def random_games(count: int, seed: int) -> str:
    """Games of random moves, from the usual array, from Chess960 arrays, and from positions with rights and passed pawns."""
    chance = random.Random(seed)
    texts = []
    for number in range(count):
        kind = number % 3
        if kind == 0:
            board = chess.Board()
        elif kind == 1:
            board = chess.Board.from_chess960_pos(chance.randrange(960))
        else:
            board = chess.Board(chance.choice(STARTS))
        game = chess.pgn.Game()
        game.setup(board)
        game.headers["White"], game.headers["Result"] = f"W{number % 5}", "*"
        node: chess.pgn.GameNode = game
        for _ in range(chance.randrange(120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            rare = [move for move in moves if board.is_castling(move) or board.is_en_passant(move) or move.promotion]
            move = chance.choice(rare if rare and chance.random() < 0.7 else moves)
            board.push(move)
            node = node.add_variation(move)
        texts.append(str(game))
    return "\n\n".join(texts)


STARTS = [
    "r3k2r/pppqppbp/2npbnp1/8/8/2NPBNP1/PPPQPPBP/R3K2R b KQkq - 3 11",
    "7k/PPPP4/8/8/8/8/pppp4/7K w - - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 40",
]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("find")
    sources = [Source.from_bytes(random_games(30, seed).encode(), f"random{seed}.pgn") for seed in (1, 2)]
    ingest([*sources, SAMPLES / "historic_specials.pgn"], folder)
    return Dataset.open(folder)


@pytest.fixture(scope="module")
def positions(dataset: Dataset) -> list[Position]:
    return list(play(dataset))


def play(dataset: Dataset) -> Iterator[Position]:
    """Every position of games by the usual rules and of Chess960."""
    moves: dict[tuple[str, int], list[str]] = {}
    for row in dataset.plies().to_table(columns=["source", "game_index", "uci"]).to_pylist():
        moves.setdefault((row["source"], row["game_index"]), []).append(row["uci"])
    columns = ["source", "game_index", "start_fen", "rules"]
    for row in dataset.games().to_table(columns=columns).to_pylist():
        if row["rules"] in ("standard", "chess960") and row["start_fen"] is not None:
            key = row["source"], row["game_index"]
            board = chess.Board(row["start_fen"], chess960=row["rules"] == "chess960")
            yield Position(*key, 0, board.copy(stack=False))
            for ply, uci in enumerate(moves.get(key, []), 1):
                board.push_uci(uci)
                yield Position(*key, ply, board.copy(stack=False))


def expected(positions: list[Position], holds: Callable[[chess.Board], bool]) -> list[tuple[str, int, int, str]]:
    return [(one.source, one.game, one.ply, one.board.fen(en_passant="legal")) for one in positions if holds(one.board)]


def found(dataset: Dataset, **asked: object) -> list[tuple[str, int, int, str]]:
    rows = find(dataset, every=True, arrow=True, **asked).to_pylist()
    return [(row["source"], row["game_index"], row["ply"], row["fen"]) for row in rows]


# ------------------------------------------------------------------------------------------------------ all of it


def test_every_position_and_its_fen(dataset: Dataset, positions: list[Position]) -> None:
    everything = found(dataset, pattern="white") + found(dataset, pattern="black")
    assert sorted(everything) == sorted(expected(positions, lambda board: True))
    assert sum(board.has_castling_rights(chess.WHITE) for *_, board in positions) > 500
    assert sum(board.has_legal_en_passant() for *_, board in positions) > 20
    assert len({board.chess960 for *_, board in positions}) == 2


def test_blocks_of_any_size(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = found(dataset, pattern="Ke1 P*4>=1")
    for rows in (1, 50, 1000):
        monkeypatch.setattr(block, "BLOCK_ROWS", rows)
        monkeypatch.setattr(block.blocks, "__kwdefaults__", {"most_plies": None, "block_rows": rows})
        assert found(dataset, pattern="Ke1 P*4>=1") == whole


# ------------------------------------------------------------------------------------------------------- patterns


def squares(text: str) -> list[chess.Square]:
    return [chess.parse_square(name) for name in text.split()]


def on(board: chess.Board, letter: str, *names: str) -> int:
    """How many of these men stand on these squares, or anywhere."""
    fields = [chess.parse_square(name) for name in names] or list(chess.SQUARES)
    return sum((man := board.piece_at(square)) is not None and man.symbol() in letter for square in fields)


PATTERNS: list[tuple[str, Callable[[chess.Board], bool]]] = [
    ("Ke1 Rh1 pe5", lambda b: bool(on(b, "K", "e1") and on(b, "R", "h1") and on(b, "p", "e5"))),
    ("ke8 !Pd4", lambda b: bool(on(b, "k", "e8")) and not on(b, "P", "d4")),
    (".e4 ?d4", lambda b: b.piece_at(chess.E4) is None and b.piece_at(chess.D4) is not None),
    ("Ae5", lambda b: on(b, "PNBRQK", "e5") == 1),
    ("ae4", lambda b: on(b, "pnbrqk", "e4") == 1),
    ("[RQ]d* black", lambda b: on(b, "RQ", *(f"d{rank}" for rank in range(1, 9))) > 0 and b.turn == chess.BLACK),
    ("P*7=2", lambda b: on(b, "P", *(f"{file}7" for file in "abcdefgh")) == 2),
    ("Q*>=2", lambda b: on(b, "Q") >= 2),
    ("p*<4 white", lambda b: on(b, "p") < 4 and b.turn == chess.WHITE),
    ("?*<=6", lambda b: len(b.piece_map()) <= 6),
    ("?*>31", lambda b: len(b.piece_map()) > 31),
    ("Na-c3-5 !Nb4", lambda b: on(b, "N", *(f"{f}{r}" for f in "abc" for r in "345")) > 0 and not on(b, "N", "b4")),
    (".f1-1", lambda b: False),
    ("!.e2", lambda b: b.piece_at(chess.E2) is not None),
    (".f-g1 Kh1", lambda b: b.piece_at(chess.F1) is None and b.piece_at(chess.G1) is None and bool(on(b, "K", "h1"))),
]


@pytest.mark.parametrize(("text", "holds"), [one for one in PATTERNS if one[0] != ".f1-1"], ids=lambda one: str(one)[:20])
def test_patterns(dataset: Dataset, positions: list[Position], text: str, holds: Callable[[chess.Board], bool]) -> None:
    right = expected(positions, holds)
    assert found(dataset, pattern=text) == right
    assert right


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ke9", "'Ke9' is no term of a pattern"),
        ("K", "'K' is no term"),
        ("", "The pattern is empty"),
        ("white black", "both sides"),
        ("Kc-a1", "c-a goes backwards; write a-c"),
        ("K*5-3", "5-3 goes backwards; write 3-5"),
        (".*4=2", "counts what is not there"),
        ("!P*4=2", "both denies and counts"),
        ("[K", "is no term"),
        ("[.]e4", "is no term"),
    ],
)
def test_patterns_that_mean_nothing(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        pattern_of(text)


def test_boards_turned_round() -> None:
    for square in chess.SQUARES:
        assert upside_down(chess.BB_SQUARES[square]) == chess.BB_SQUARES[chess.square_mirror(square)]
        assert wing_changed(chess.BB_SQUARES[square]) == chess.BB_SQUARES[square ^ 7]


def test_mirror_images(dataset: Dataset, positions: list[Position]) -> None:
    def holds(board: chess.Board) -> bool:
        return bool(on(board, "K", "g1") and on(board, "p", "h3", "h4")) and board.turn == chess.BLACK

    def other_wing(board: chess.Board) -> chess.Board:
        return board.transform(chess.flip_horizontal)

    text = "Kg1 ph3-4 black"
    assert found(dataset, pattern=text) == expected(positions, holds)
    assert found(dataset, pattern=text, either_color=True) == expected(positions, lambda b: holds(b) or holds(b.mirror()))
    assert found(dataset, pattern=text, either_wing=True) == expected(positions, lambda b: holds(b) or holds(other_wing(b)))
    both = found(dataset, pattern=text, either_color=True, either_wing=True)
    images = (lambda b: b, chess.Board.mirror, other_wing, lambda b: other_wing(b.mirror()))
    assert both == expected(positions, lambda b: any(holds(image(b)) for image in images))  # type: ignore[no-untyped-call]
    assert len(both) > len(found(dataset, pattern=text)) > 0


# --------------------------------------------------------------------------------------------- material and pawns


def men(board: chess.Board) -> str:
    def side(color: chess.Color) -> str:
        return "".join(chess.piece_symbol(kind).upper() * len(board.pieces(kind, color)) for kind in (6, 5, 4, 3, 2, 1))

    return f"{side(chess.WHITE)}v{side(chess.BLACK)}"


def test_material(dataset: Dataset, positions: list[Position]) -> None:
    kinds = sorted({men(one.board) for one in positions})
    chance = random.Random(3)
    for kind in [*chance.sample(kinds, 8), "KvK", "KRvK"]:
        assert found(dataset, material=kind) == expected(positions, lambda b, kind=kind: men(b) == kind)  # type: ignore[misc]
        swapped = "v".join(reversed(kind.split("v")))
        right = expected(positions, lambda b, kind=kind, swapped=swapped: men(b) in (kind, swapped))  # type: ignore[misc]
        assert found(dataset, material=kind, either_color=True) == right


@pytest.mark.parametrize("text", ["KRPPvKRP", "kprp v krp", "KPPR-KPR", "KRPP vs KRP", "KRPP vs. KRP"])
def test_material_as_users_write_it(text: str) -> None:
    assert material_of(text) == ((2, 0, 0, 1, 0), (1, 0, 0, 1, 0))


@pytest.mark.parametrize("text", ["", "KRvR", "KvKK", "RvK", "KXvK", "KRPPKRP", "KvKvK"])
def test_material_that_means_nothing(text: str) -> None:
    with pytest.raises(OptionError, match="does not say what material is there"):
        material_of(text)


def test_pawns(dataset: Dataset, positions: list[Position]) -> None:
    chance = random.Random(4)
    for one in [positions[0], *chance.sample(positions, 8)]:
        white, black = (one.board.pieces_mask(chess.PAWN, color) for color in (chess.WHITE, chess.BLACK))

        def holds(board: chess.Board, white: int | None = white, black: int | None = black) -> bool:
            mine, theirs = (board.pieces_mask(chess.PAWN, color) for color in (chess.WHITE, chess.BLACK))
            return (white is None or mine == white) and (black is None or theirs == black)

        text = one.board.fen()
        assert found(dataset, pawns=text) == expected(positions, holds)
        assert found(dataset, pawns=text.split()[0], pawns_of_side="white") == expected(positions, lambda b: holds(b, black=None))
        assert found(dataset, pawns=text, pawns_of_side="black") == expected(positions, lambda b: holds(b, white=None))
        right = expected(positions, lambda b: holds(b) or holds(b.mirror()))
        assert found(dataset, pawns=text, either_color=True) == right


def test_pawns_that_mean_nothing() -> None:
    for text in ("", "8/8", "x"):
        with pytest.raises(OptionError, match="is no position; write a FEN, or its first field"):
            pawns_of(text)


def test_all_at_once_and_lasting(dataset: Dataset, positions: list[Position]) -> None:
    def holds(board: chess.Board) -> bool:
        return on(board, "Q") == 1 and on(board, "q") == 1 and not on(board, "P", "e4")

    for lasting in (1, 2, 5, 30):
        runs: list[list[Position]] = [[]]
        for before, one in zip([None, *positions], positions, strict=False):
            new_game = before is None or (before.source, before.game) != (one.source, one.game)
            if new_game or not holds(one.board):
                runs.append([])
            if holds(one.board):
                runs[-1].append(one)
        right = [(one.source, one.game, one.ply) for run in runs if len(run) >= lasting for one in run]
        assert [row[:3] for row in found(dataset, pattern="Q*=1 q*=1 !Pe4", lasting=lasting)] == right
        assert right
    together = found(dataset, pattern="white", material="KvK", pawns="8/8/8/8/8/8/8/8")
    assert together == expected(positions, lambda b: b.turn == chess.WHITE and men(b) == "KvK")


# ------------------------------------------------------------------------------------------------ whole positions


def test_positions(dataset: Dataset, positions: list[Position]) -> None:
    same: dict[str, list[tuple[str, int, int, str]]] = {}
    for one in positions:
        line = one.board.fen(en_passant="legal")
        same.setdefault(fen.sameness(line, chess960=one.board.chess960), []).append((one.source, one.game, one.ply, line))
    chance = random.Random(5)
    often = sorted(same, key=lambda text: -len(same[text]))[:10]
    passing = [text for text in same if text.split()[3] != "-"]
    for text in [*often, *chance.sample(sorted(same), 40), *chance.sample(passing, 15)]:
        assert found(dataset, fen=text) == same[text], text
        assert found(dataset, fen=f"{text} 7 99") == same[text]
    assert len(same[often[0]]) > 20


PASSING = b"""1. e4 a6 2. e5 d5 3. d4 *

1. d4 a6 2. e4 a5 3. e5 d5 4. Ke2 a4 5. Ke1 *

1. e4 e5 *
"""


def test_en_passant_counts_only_where_it_is_legal() -> None:
    source = Source.from_bytes(PASSING, "a.pgn")

    def places(line: str) -> list[tuple[int, int]]:
        frame = find(source, fen=line, every=True)
        return list(zip(frame["game_index"].tolist(), frame["ply"].tolist(), strict=True))

    assert places("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2") == [(2, 2)]
    assert places("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2") == [(2, 2)]
    assert places("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3") == [(0, 4)]
    assert places("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3") == []
    assert places("rnbqkbnr/1pp1pppp/8/p2pP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq d6 0 4") == [(1, 6)]
    # The king moved out and back: the men are the same, the castling rights are not.
    assert places("rnbqkbnr/1pp1pppp/8/3pP3/p2P4/8/PPP2PPP/RNBQKBNR b kq - 1 5") == [(1, 9)]
    assert places("rnbqkbnr/1pp1pppp/8/3pP3/p2P4/8/PPP2PPP/RNBQKBNR b KQkq - 1 5") == []


def test_the_start_position_and_one_that_comes_back() -> None:
    source = Source.from_bytes(b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n\n1. e4 *\n", "a.pgn")
    rows = find(source, fen=START, arrow=True).to_pylist()
    assert [(row["game_index"], row["ply"], row["last_ply"], row["positions"]) for row in rows] == [(0, 0, 4, 2), (1, 0, 0, 1)]
    assert [row["ply"] for row in find(source, fen=START, every=True, arrow=True).to_pylist()] == [0, 4, 0]
    assert rows[0]["fen"] == START
    after = find(source, fen="rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1", every=True, arrow=True).to_pylist()
    assert [(row["ply"], row["fen"].split()[4:]) for row in after] == [(1, ["1", "1"]), (5, ["5", "3"])]


def test_positions_with_colours_exchanged() -> None:
    source = Source.from_bytes(b"1. e4 e6 *\n\n1. e3 e5 *\n\n1. d4 *\n", "a.pgn")
    line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert find(source, fen=line)["game_index"].tolist() == [0]
    assert find(source, fen=line, either_wing=True)["game_index"].tolist() == [0]
    mirrored = "rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert find(source, fen=mirrored, either_color=True)["game_index"].tolist() == [1]
    assert find(source, fen=chess.Board(mirrored).mirror().fen(), either_color=True)["game_index"].tolist() == [1]


def test_equal_keys_are_looked_at_on_the_board(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if two positions had the same key: only the right one is found, and the other is counted."""
    first, other = chess.Board(), chess.Board()
    first.push_san("Nf3")
    other.push_san("Nc3")
    source = Source.from_bytes(b"1. Nf3 d5 *\n\n1. Nc3 d5 *\n", "a.pgn")
    wrong = exact.Exact({exact.position_key(other): first})
    with_wrong_key = question(fen=first.fen())
    object.__setattr__(with_wrong_key, "search", wrong)
    from chesstools.given import opened

    with opened(source) as given:
        count = Count()
        assert list(answers(given.datasets, with_wrong_key, count)) == []
    assert (count.games, count.positions, count.other_positions) == (0, 0, 1)


@pytest.mark.parametrize("line", ["x", "8/8/8/8/8/8/8/8 w - - 0 1", ""])
def test_positions_that_cannot_be(line: str) -> None:
    with pytest.raises(OptionError):
        question(fen=line)
