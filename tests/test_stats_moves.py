"""Statistics of moves against what python-chess finds when it replays the same games, and what has to add up."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import chess
import pandas as pd
import pytest
from replayed import Game, name_of, replayed
from walks import pgn_of, random_walk, sans

from chesstools import Dataset, ingest
from chesstools.source import Source
from chesstools.stats import Statistics, stats
from chesstools.stats.imbalances import STANDS_PLIES
from chesstools.stats.material import LEADS, SETTLED_PLIES
from chesstools.stats.registry import FAMILIES

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data" / "games"
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
WEIGHT = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
WALKED = [one.name for family in FAMILIES.values() for one in family if one.walked]


def chess960_walk(seed: int) -> bytes:
    choose = random.Random(seed)
    board = chess.Board.from_chess960_pos(choose.randrange(960))
    start, moves = board.copy(), []
    for _ in range(60):
        legal = list(board.legal_moves)
        castling = [move for move in legal if board.is_castling(move)]
        if not legal:
            break
        moves.append(choose.choice(castling or legal))
        board.push(moves[-1])
    return pgn_of(start, sans(start, moves), choose.choice(RESULTS), chess960=True)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Games of several sources: historic ones, those of all producers, random ones."""
    walks = [random_walk(seed, 20 + seed) for seed in range(66)]
    data = b"".join(pgn_of(start, sans(start, moves), RESULTS[seed % 4]) for seed, (start, moves) in enumerate(walks))
    fischer = b"".join(map(chess960_walk, range(15)))
    sources = [Source.from_bytes(data, "walks.pgn"), Source.from_bytes(fischer, "fischer.pgn")]
    folder = tmp_path_factory.mktemp("archive")
    ingest([*sorted(SAMPLES.glob("historic_*.pgn")), SAMPLES / "producers", *sources], folder, part_games=60)
    return Dataset.open(folder)


@pytest.fixture(scope="module")
def games(archive: Dataset) -> list[Game]:
    return list(replayed(archive))


@pytest.fixture(scope="module")
def found(archive: Dataset) -> Statistics:
    return stats(archive, tables=WALKED)


def rows(found: Statistics, name: str, keys: Sequence[str], column: str) -> dict[Any, Any]:
    """A column by the columns `keys`, without 0 and null."""
    table = found.to_pandas(name)
    values = zip(zip(*(table[key] for key in keys), strict=True), table[column], strict=True)
    return {key if len(key) > 1 else key[0]: value for key, value in values if not pd.isna(value) and value != 0}


def test_the_archive_has_everything(games: list[Game]) -> None:
    steps = [step for game in games for step in game.steps]
    assert len(games) > 150
    assert {step.castling for step in steps} == {None, "kingside", "queenside"}
    assert any(step.before.is_en_passant(step.move) for step in steps)
    assert {step.move.promotion for step in steps if step.move.promotion} == {2, 3, 4, 5}
    assert any(game.row["rules"] == "chess960" for game in games)
    assert any(game.start.turn == chess.BLACK for game in games)
    assert any(game.last.is_checkmate() for game in games)


def test_pieces_and_squares(games: list[Game], found: Statistics) -> None:
    counts: defaultdict[str, Counter[Any]] = defaultdict(Counter)
    for game in games:
        for step in game.steps:
            key = (step.side, step.role)
            to = chess.square_name(step.to)
            counts["departures"][*key, chess.square_name(step.move.from_square)] += 1
            counts["arrivals"][*key, to] += 1
            counts["checks"][*key, to] += step.after.is_check()
            counts["mates"][*key, to] += step.after.is_checkmate()
            if step.taken_on is not None:
                counts["captures"][*key, to] += 1
                counts["captured"][name_of(not step.before.turn), step.taken, chess.square_name(step.taken_on)] += 1
                counts["pairs"][*key, step.taken] += 1
            if step.move.promotion:
                key = (step.side, chess.piece_name(step.move.promotion))
                counts["promotions"][key] += 1
                counts["promotions that capture"][key] += step.taken is not None
                counts["promotions that check"][key] += step.after.is_check()
                counts["promotions that mate"][key] += step.after.is_checkmate()
            counts["en_passant"][step.side, step.role, step.taken] += step.before.is_en_passant(step.move)
    for column in ("departures", "arrivals", "captures", "captured", "checks", "mates"):
        expected = +counts[column]
        assert rows(found, "piece_squares", ["side", "role", "square"], column) == expected, column
        by_square: Counter[str] = Counter()
        by_piece: Counter[tuple[str, str]] = Counter()
        for (side, role, square), number in expected.items():
            by_square[square] += number
            by_piece[side, role] += number
        assert rows(found, "square_activity", ["square"], column) == by_square
        if column != "departures":
            assert rows(found, "piece_activity", ["side", "role"], column.replace("arrivals", "moves")) == by_piece
    assert rows(found, "captures", ["side", "role", "captured"], "captures") == +counts["pairs"]
    assert rows(found, "captures", ["side", "role", "captured"], "en_passant") == +counts["en_passant"]
    for column, name in (("promotions", ""), ("capturing", " that capture"), ("checks", " that check"), ("mates", " that mate")):
        assert rows(found, "promotions", ["side", "role"], column) == +counts[f"promotions{name}"]


def test_shares_of_pieces_and_squares(games: list[Game], found: Statistics) -> None:
    squares = found.to_pandas("piece_squares")
    plies = sum(len(game.steps) for game in games)
    assert squares["arrivals"].sum() == squares["departures"].sum() == plies
    pieces = found.to_pandas("piece_activity").set_index(["side", "role"])
    by_piece = squares.groupby(["side", "role"])
    assert (by_piece["arrival_share"].sum() - 1).abs().max() < 1e-9
    pd.testing.assert_series_equal(by_piece["arrivals"].sum().loc[pieces.index], pieces["moves"], check_names=False)
    pd.testing.assert_series_equal(pieces["moves"] / len(games), pieces["moves_per_game"], check_names=False, check_dtype=False)
    pd.testing.assert_series_equal(
        pieces["captures"] / pieces["moves"], pieces["capture_share"], check_names=False, check_dtype=False
    )
    pd.testing.assert_series_equal(
        pieces["checks"] / pieces["moves"], pieces["check_share"], check_names=False, check_dtype=False
    )
    assert (pieces.groupby("side")["move_share"].sum() - 1).abs().max() < 1e-9
    captures = found.to_pandas("captures")
    assert captures["captures"].sum() == squares["captured"].sum() == pieces["captures"].sum()
    assert (captures.groupby("side")["share"].sum() - 1).abs().max() < 1e-9
    assert captures["per_game"].sum() == pytest.approx(captures["captures"].sum() / len(games))


# ------------------------------------------------------------------------------------- the 32 men


class Lives:
    """What becomes of the men of one game: who captured whom and when, which were promoted, how often each moved."""

    def __init__(self, game: Game) -> None:
        men = {square: square for square in chess.SquareSet(game.start.occupied)}
        self.taken: dict[int, tuple[int, int]] = {}  # man: by whom, on which move
        self.promoted: list[int] = []
        self.moves: Counter[int] = Counter()
        self.last = (len(game.steps) + 1) // 2
        for step in game.steps:
            man = men.pop(step.move.from_square)
            self.moves[man] += 1
            if step.taken_on is not None:
                self.taken[men.pop(step.taken_on)] = (man, (step.ply + 1) // 2)
            if step.move.promotion:
                self.promoted.append(man)
            if step.castling:
                rank = chess.square_rank(step.move.from_square)
                rook = chess.square(7 if step.castling == "kingside" else 0, rank)
                men[chess.square(5 if step.castling == "kingside" else 3, rank)] = men.pop(rook)
            men[step.to] = man
        assert set(men) == set(chess.SquareSet(game.last.occupied))


@pytest.fixture(scope="module")
def lives(games: list[Game]) -> list[tuple[Game, Lives]]:
    return [(game, Lives(game)) for game in games if game.row["rules"] == "standard" and game.start.fen() == chess.STARTING_FEN]


def kaplan_meier(lives: list[tuple[Game, Lives]], man: int) -> dict[int, tuple[int, int, float]]:
    """By move: how many were alive before it, how many were captured on it, what share lives on; step by step."""
    found, share = {}, 1.0
    for move in range(1, max(one.last for _, one in lives) + 1):
        reached = [one for _, one in lives if one.last >= move]
        alive = [one for one in reached if man not in one.taken or one.taken[man][1] >= move]
        captured = [one for one in alive if man in one.taken and one.taken[man][1] == move]
        if alive:
            share *= 1 - len(captured) / len(alive)
        found[move] = (len(alive), len(captured), share)
    return found


def test_survival(lives: list[tuple[Game, Lives]], found: Statistics) -> None:
    assert len(lives) > 90
    table = found.to_pandas("survival").set_index("square")
    assert len(table) == 32
    by_move = found.to_pandas("survival_by_move").set_index(["square", "move"])
    for square, row in table.iterrows():
        man = chess.parse_square(str(square))
        side = name_of(man < 32)
        assert row["side"] == side
        assert row["role"] == chess.piece_name(chess.Board().piece_type_at(man) or 0)
        captured = [one.taken[man][1] for _, one in lives if man in one.taken]
        assert (row["games"], row["captured"], row["survived"]) == (len(lives), len(captured), len(lives) - len(captured))
        assert row["survival"] == pytest.approx(1 - len(captured) / len(lives))
        for outcome in ("won", "drawn", "lost"):
            alive = [man not in one.taken for game, one in lives if game.outcome(side) == outcome]
            assert row[f"survival_{outcome}"] == pytest.approx(mean(alive))
        assert pd.isna(row["median_capture_move"]) if not captured else row["median_capture_move"] == median(captured)
        assert row["moves_per_game"] == pytest.approx(mean(one.moves[man] for _, one in lives))
        assert row["captures_per_game"] == pytest.approx(
            mean(sum(taker == man for taker, _ in one.taken.values()) for _, one in lives)
        )
        assert row["promotions"] == sum(man in one.promoted for _, one in lives)
        curve = kaplan_meier(lives, man)
        half = next((move for move, (_, _, share) in curve.items() if share <= 0.5 + 1e-12), None)
        assert pd.isna(row["median_life_moves"]) if half is None else row["median_life_moves"] == half
        for move, (alive_then, captured_then, share) in curve.items():
            one = by_move.loc[(square, move)]
            assert (one["alive"], one["captured"]) == (alive_then, captured_then)
            assert one["survival"] == pytest.approx(share)
    assert len(by_move) == 32 * max(one.last for _, one in lives)
    assert (by_move["games"] == [sum(one.last >= move for _, one in lives) for _, move in by_move.index]).all()


def test_who_captures_whom(lives: list[tuple[Game, Lives]], found: Statistics) -> None:
    expected = Counter(
        (chess.square_name(taker), chess.square_name(man)) for _, one in lives for man, (taker, _) in one.taken.items()
    )
    assert rows(found, "captures_by_man", ["square", "captured_square"], "captures") == expected
    survival = found.to_pandas("survival")
    assert survival["captured"].sum() == sum(expected.values())
    assert survival["survived"].sum() + survival["captured"].sum() == 32 * len(lives)
    assert len(found["captures_by_man"]) == 2 * 16 * 16


# ------------------------------------------------------------------------------------- kings


class King:
    """The route of one king."""

    def __init__(self, game: Game, side: str) -> None:
        colour = side == "white"
        own = [step for step in game.steps if step.side == side]
        squares = [board.king(colour) for board in game.boards]
        with_queen = []
        for board in game.boards:
            if not board.pieces(chess.QUEEN, not colour):
                break
            with_queen.append(board.king(colour))
        castles = [step for step in own if step.castling]
        self.outcome = game.outcome(side)
        self.wing = castles[0].castling if castles else None
        self.castled = (castles[0].ply + 1) // 2 if castles else None
        self.moves = sum(step.role == "king" for step in own)
        self.visited = {square for square in squares if square is not None}
        self.last = squares[-1]
        self.rank = max(self.relative(square, colour) for square in squares)
        self.rank_with_queen = max(self.relative(square, colour) for square in [squares[0], *with_queen])
        self.mated = game.last.is_checkmate() and game.last.turn == colour

    @staticmethod
    def relative(square: int | None, colour: chess.Color) -> int:
        assert square is not None
        return chess.square_rank(square) + 1 if colour else 8 - chess.square_rank(square)


@pytest.fixture(scope="module")
def kings(games: list[Game]) -> dict[str, list[King]]:
    return {side: [King(game, side) for game in games] for side in ("white", "black")}


def outcomes(kings: list[King]) -> tuple[int, ...]:
    return (len(kings), *(sum(king.outcome == word for king in kings) for word in ("won", "drawn", "lost")))


def check_groups(table: pd.DataFrame, groups: dict[Any, list[King]], games: int) -> None:
    """Games, shares and scores by group."""
    assert set(table.index) == set(groups)
    for key, row in table.iterrows():
        number, won, drawn, lost = outcomes(groups[key])
        assert (row["games"], row["won"], row["drawn"], row["lost"]) == (number, won, drawn, lost)
        assert row["share"] == pytest.approx(number / games)
        score = (won + drawn / 2) / (won + drawn + lost) if won + drawn + lost else None
        assert pd.isna(row["score"]) if score is None else row["score"] == pytest.approx(score)


def grouped(kings: dict[str, list[King]], key: Callable[[King], Any]) -> dict[Any, list[King]]:
    groups: defaultdict[Any, list[King]] = defaultdict(list)
    for side, ones in kings.items():
        for one in ones:
            if (own := key(one)) is not None:
                groups[(side, *own)].append(one)
    return dict(groups)


def test_castling(games: list[Game], kings: dict[str, list[King]], found: Statistics) -> None:
    pairs = Counter(
        (white.wing or "none", black.wing or "none")
        for white, black in zip(kings["white"], kings["black"], strict=True)
        if white.outcome is not None
    )
    assert rows(found, "castling", ["white_wing", "black_wing"], "games") == pairs
    groups = grouped(kings, lambda king: king.wing and (king.wing, king.castled))
    check_groups(found.to_pandas("castling_moves").set_index(["side", "wing", "move"]), groups, len(games))


def test_routes_of_kings(games: list[Game], kings: dict[str, list[King]], found: Statistics) -> None:
    groups = grouped(kings, lambda king: (king.wing or "none",))
    table = found.to_pandas("king_routes").set_index(["side", "wing"])
    check_groups(table, groups, len(games))
    for key, group in groups.items():
        row = table.loc[key]
        assert row["moves"] == pytest.approx(mean(king.moves for king in group))
        assert row["squares"] == pytest.approx(mean(len(king.visited) for king in group))
        assert row["rank"] == pytest.approx(mean(king.rank for king in group))
        assert row["rank_with_queen"] == pytest.approx(mean(king.rank_with_queen for king in group))
        assert row["still_share"] == pytest.approx(mean(king.moves == 0 for king in group))
        castled = [king.castled for king in group if king.castled is not None]
        if castled:
            assert row["castling_move"] == pytest.approx(mean(castled))
        else:
            assert pd.isna(row["castling_move"])


def test_walks_of_kings(games: list[Game], kings: dict[str, list[King]], found: Statistics) -> None:
    table = found.to_pandas("king_walks")
    for until, rank in (("end", "rank"), ("queen", "rank_with_queen")):
        groups = grouped(kings, lambda king, rank=rank: (getattr(king, rank),))  # type: ignore[misc]
        check_groups(table[table["until"] == until].set_index(["side", "rank"]), groups, len(games))


def test_squares_of_kings(games: list[Game], kings: dict[str, list[King]], found: Statistics) -> None:
    expected: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for side, ones in kings.items():
        for king in ones:
            expected["visited"].update((side, chess.square_name(square)) for square in king.visited)
            expected["last"][side, chess.square_name(king.last or 0)] += 1
            expected["mated"][side, chess.square_name(king.last or 0)] += king.mated
    for game in games:
        expected["arrivals"].update((step.side, chess.square_name(step.to)) for step in game.steps if step.role == "king")
    for column, counts in expected.items():
        assert rows(found, "king_squares", ["side", "square"], column) == +counts, column
    squares = found.to_pandas("king_squares")
    assert squares["last"].sum() == 2 * len(games)
    assert squares["mated"].sum() == found.to_pandas("piece_activity")["mates"].sum()


# ------------------------------------------------------------------------------------- material


def material(board: chess.Board, colour: chess.Color) -> int:
    return sum(len(board.pieces(role, colour)) * worth for role, worth in WORTH.items())


def lead(board: chess.Board) -> int:
    return material(board, chess.WHITE) - material(board, chess.BLACK)


def test_material_by_move(games: list[Game], found: Statistics) -> None:
    boards: defaultdict[tuple[str, int], list[chess.Board]] = defaultdict(list)
    for game in games:
        result = game.row["result_value"] if game.row["result_value"] in RESULTS else "*"
        for move, board in enumerate(game.boards[::2]):
            boards[result, move].append(board)
            boards["all", move].append(board)
    table = found.to_pandas("material_by_move").set_index(["result", "move"])
    assert set(table.index) == set(boards)
    for key, row in table.iterrows():
        those = boards[key]  # type: ignore[index]
        assert row["games"] == len(those)
        assert row["balance"] == pytest.approx(mean(map(lead, those)))
        assert row["total"] == pytest.approx(mean(material(board, True) + material(board, False) for board in those))
        assert row["men"] == pytest.approx(mean(chess.popcount(board.occupied) for board in those))
        weights = [
            sum(
                chess.popcount(board.pieces_mask(role, colour)) * weight
                for role, weight in WEIGHT.items()
                for colour in (True, False)
            )
            for board in those
        ]
        assert row["phase"] == pytest.approx(mean(weight / 24 for weight in weights))
        queens = [all(board.pieces(chess.QUEEN, colour) for colour in (True, False)) for board in those]
        assert row["queens_share"] == pytest.approx(mean(queens))


def stands(game: Game, same: Callable[[chess.Board], Any], at: int) -> int:
    """For how many plies the board at a ply and those around it are the same in what is asked for, to the end of the game."""
    first = last = at
    while first > 0 and same(game.boards[first - 1]) == same(game.boards[at]):
        first -= 1
    while last + 1 < len(game.boards) and same(game.boards[last + 1]) == same(game.boards[at]):
        last += 1
    return last - first + 1


def men(board: chess.Board) -> tuple[int, ...]:
    return tuple(chess.popcount(board.pieces_mask(role, colour)) for colour in (True, False) for role in (1, 2, 3, 4, 5))


def test_scores_of_leads(games: list[Game], found: Statistics) -> None:
    expected: defaultdict[tuple[int, int], Counter[str | None]] = defaultdict(Counter)
    for game in games:
        for move in range(5, 101, 5):
            if 2 * move < len(game.boards) and stands(game, men, 2 * move) >= SETTLED_PLIES:
                own = max(-LEADS, min(LEADS, lead(game.boards[2 * move])))
                expected[move, own][game.outcome("white")] += 1
    table = found.to_pandas("material_scores").set_index(["move", "lead"])
    assert set(table.index) == set(expected)
    for key, row in table.iterrows():
        counts = expected[key]  # type: ignore[index]
        assert row["games"] == sum(counts.values())
        assert (row["won"], row["drawn"], row["lost"]) == (counts["won"], counts["drawn"], counts["lost"])


def surpluses(board: chess.Board) -> tuple[str, str] | None:
    """What White has more and what Black has more."""
    more, less = "", ""
    for role, letter in ((chess.QUEEN, "Q"), (chess.ROOK, "R"), (chess.BISHOP, "B"), (chess.KNIGHT, "N")):
        excess = len(board.pieces(role, True)) - len(board.pieces(role, False))
        more += letter * max(0, excess)
        less += letter * max(0, -excess)
    return (more, less) if more or less else None


def white_is_first(more: str, less: str) -> bool:
    worth = {"Q": 9, "R": 5, "B": 3, "N": 3}
    values = [sum(worth[letter] for letter in side) for side in (more, less)]
    if values[0] != values[1]:
        return values[0] > values[1]
    return next(letter in more for letter in "QRBN" if letter in more + less)


def test_imbalances(games: list[Game], found: Statistics) -> None:
    expected: defaultdict[tuple[str, str], list[tuple[str | None, bool, int]]] = defaultdict(list)
    for game in games:
        seen = set()
        boards = game.boards
        at = 0
        while at < len(boards):
            length = next((n for n in range(1, len(boards) - at) if men(boards[at + n]) != men(boards[at])), len(boards) - at)
            pair = surpluses(boards[at])
            if at and pair and length >= STANDS_PLIES:
                first = white_is_first(*pair)
                pair = pair if first else pair[::-1]
                pawns = len(boards[at].pieces(chess.PAWN, first)) - len(boards[at].pieces(chess.PAWN, not first))
                if pair not in seen:
                    seen.add(pair)
                    expected[pair].append((game.outcome("white" if first else "black"), first, pawns))
            at += length
    table = found.to_pandas("imbalances").set_index(["more", "less"])
    assert set(table.index) == set(expected)
    assert len(table) > 20
    for key, row in table.iterrows():
        those = expected[key]  # type: ignore[index]
        assert row["games"] == len(those)
        assert [row[word] for word in ("won", "drawn", "lost")] == [
            sum(outcome == word for outcome, _, _ in those) for word in ("won", "drawn", "lost")
        ]
        assert row["white"] == sum(first for _, first, _ in those)
        assert row["pawns"] == pytest.approx(mean(pawns for _, _, pawns in those))
