"""Looking at positions: the answers against the tree and against python-chess, and what people may type."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import chess
import pytest

from chesstools import Dataset, OptionError, ingest
from chesstools.openings import explore, opening_of, tree
from chesstools.openings.place import by_moves
from chesstools.source import Source

GAMES = Path(__file__).parent.parent / "sample_data" / "games"
MIXED = GAMES / "generated_mixed.pgn"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("mixed")
    ingest(MIXED, folder)
    return Dataset.open(folder)


def pgn(*games: str, **tags: str) -> Source:
    lines = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return Source.from_bytes("".join(f'[Event "{at}"]\n{lines}\n{moves}\n\n' for at, moves in enumerate(games)).encode(), "a.pgn")


# ------------------------------------------------------------------------------------------------------- answers


def test_answers_are_those_of_the_tree(mixed: Dataset) -> None:
    """Positions at random, asked for by their moves and by their FEN: the same, and what the whole tree has."""
    whole = tree(mixed, depth=250, min_games=1)
    positions = whole.positions.to_pylist()
    chosen = [positions[0], *random.Random(6).sample(positions, 6), *random.Random(6).sample(positions[:300], 6)]
    for row in chosen:
        moves = [move for move in whole.moves.to_pylist() if move["position_key"] == row["position_key"]]
        by_line, by_fen = explore(mixed, row["line"]), explore(mixed, fen=row["fen"])
        assert by_line.place.key == by_fen.place.key == row["position_key"]
        assert by_line.position == by_fen.position
        assert by_line.position == {name: row[name] for name in by_line.position}
        assert by_line.moves.equals(by_fen.moves)
        assert by_line.moves.drop_columns(["line", "eco", "opening"]).to_pylist() == moves
        assert (by_line.opening or (None,) * 3) == (row["eco"], row["opening"], row["opening_ply"])
        assert sum(move["games"] for move in moves) + row["ended"] == row["games"]


def test_positions_at_random_against_a_loop(mixed: Dataset) -> None:
    """Counts by replaying every game with python-chess, also for positions that no game passed."""
    games: dict[int, list[str]] = {}
    for row in mixed.plies().to_table(["game_index", "uci"]).to_pylist():
        games.setdefault(row["game_index"], []).append(row["uci"])
    good = [
        row["game_index"]
        for row in mixed.games().to_table(["game_index", "errors", "rules", "start_fen"]).to_pylist()
        if row["errors"] == 0 and row["rules"] == "standard" and row["start_fen"] == chess.STARTING_FEN
    ]
    rng = random.Random(960)
    for _ in range(4):
        board = chess.Board()
        for _ in range(rng.randrange(1, 5)):
            board.push(rng.choice(list(board.legal_moves)))
        epd = board.epd(en_passant="legal")
        played: Counter[str] = Counter()
        passed = 0
        for index in good:
            other = chess.Board()
            for uci in [*games.get(index, []), None]:
                if other.epd(en_passant="legal") == epd:
                    passed += 1
                    played[str(uci)] += 1
                    break
                if uci is None:
                    break
                other.push_uci(uci)
        found = explore(mixed, fen=board.fen())
        assert found.position["games"] == passed
        assert {row["uci"]: row["games"] for row in found.moves.to_pylist()} == {
            uci: n for uci, n in played.items() if uci != "None"
        }


def test_transpositions_are_noted() -> None:
    source = pgn("1. d4 d5 2. c4 1-0", "1. c4 d5 2. d4 *", "1. d4 e6 *")
    (row,) = explore(source, "d4 d5").moves.to_pylist()
    assert (row["san"], row["games"], row["next_games"], row["opening"]) == ("c4", 1, 2, "Queen's Gambit")
    # Back to the array, where all games stood.
    (back,) = explore(pgn("1. Nf3 Nf6 2. Ng1 Ng8 *", "1. e4 *"), "Nf3 Nf6 Ng1").moves.to_pylist()
    assert (back["games"], back["next_games"]) == (1, 2)


def test_a_position_that_stood_twice() -> None:
    source = pgn("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 d5 *")
    found = explore(source, "Nf3", depth=3)
    assert found.position["games"] == 1
    assert [row["line"] for row in found.moves.to_pylist()] == ["Nf6", "Nf6 Ng1", "Nf6 Ng1 Ng8"]
    assert explore(source).moves["san"].to_pylist() == ["Nf3"]


def test_depth_and_min_games() -> None:
    source = pgn("1. e4 e5 2. Nf3 Nc6 *", "1. e4 e5 2. Nf3 d6 *", "1. e4 c5 *", "1. d4 *")
    lines = explore(source, depth=3).moves.select(["line", "games"]).to_pylist()
    assert [(row["line"], row["games"]) for row in lines] == [
        ("e4", 3),
        ("e4 e5", 2),
        ("e4 e5 Nf3", 2),
        ("e4 c5", 1),
        ("d4", 1),
    ]
    assert explore(source, depth=3, min_games=2).moves["line"].to_pylist() == ["e4", "e4 e5", "e4 e5 Nf3"]


def test_the_name_of_a_position_without_one() -> None:
    moves = "e4 e5 Nf3 Nc6 Bb5 a6 Na3 h5"
    found = explore(pgn(f"{moves} *"), fen=by_moves(moves).fen)
    assert found.opening == opening_of(moves.split())
    assert found.opening is not None
    assert found.opening.ply == 6


def test_notable_games() -> None:
    text = "".join(
        f'[Event "e{at}"]\n[White "W{at}"]\n[Black "B{at}"]\n[WhiteElo "{2000 + elo}"]\n[BlackElo "2000"]\n'
        f'[Date "{year}.??.??"]\n\n1. e4 {reply} 1-0\n\n'
        for at, (elo, year, reply) in enumerate(
            [
                (10, 2001, "e5"),
                (300, 2002, "c5"),
                (20, 2003, "e6"),
                (300, 2002, "c5"),
                (0, 2004, "d5"),
                (1, 2005, "d6"),
                (2, 2006, "c6"),
            ]
        )
    )
    rows = explore(Source.from_bytes(text.encode(), "a.pgn"), "e4").notable.to_pylist()
    assert [row["white"] for row in rows] == ["W1", "W2", "W0", "W6", "W5"]  # W3 has the same moves as W1
    assert rows[0] == {
        "source": "a.pgn",
        "game_index": 1,
        "line": text[: text.index('[Event "e1"]')].count("\n") + 1,
        "ply": 1,
        "white": "W1",
        "white_elo": 2300,
        "black": "B1",
        "black_elo": 2000,
        "result": "1-0",
        "year": 2002,
        "event": "e1",
    }


def test_games_that_do_not_count_are_told() -> None:
    source = Source.from_bytes(
        b'[Event "bad"]\n\n1. e4 e5 2. Ke3 *\n\n[Event "other"]\n[SetUp "1"]\n'
        b'[FEN "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 1"]\n\n1. e4 *\n\n[Event "good"]\n\n1. e4 *\n',
        "a.pgn",
    )
    found = explore(source, "e4")
    assert (found.position["games"], found.left_out) == (1, 2)
    assert (explore(source).position["games"], explore(source).left_out) == (1, 1)
    assert explore(source, "e4", include_invalid=True).position["games"] == 2


@pytest.mark.parametrize("source", [Source.from_bytes(b"", "empty.pgn"), pgn("1. e5 *"), pgn("1. d4 *")])
def test_no_games(source: Source) -> None:
    found = explore(source, "e4")
    assert (found.position["games"], found.position["score"], found.branches, found.notable.num_rows) == (0, None, [], 0)
    assert found.moves.num_rows == 0
    assert found.opening is not None
    assert explore(source, fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1").opening is None


# ----------------------------------------------------------------------------------------------- what people may type


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ()),
        ("1. e4 c5 2. Nf3", ("e4", "c5", "Nf3")),
        ("1.e4 c5 2.Nf3", ("e4", "c5", "Nf3")),
        ("e4 c5 Nf3", ("e4", "c5", "Nf3")),
        ("1 e4 c5 2 Nf3", ("e4", "c5", "Nf3")),
        ("1. e4 1... c5 2. Nf3", ("e4", "c5", "Nf3")),
        ("  1.\te4\n", ("e4",)),
        ("e2e4 e7e5 Ng1f3", ("e4", "e5", "Nf3")),
        ("1. e4! {best} c5 (1... e5 2. Nf3) 2.Nf3 $14 1-0", ("e4", "c5", "Nf3")),
        ("Nf3 Nf6 g3 g6 Bg2 Bg7 0-0 O-O", ("Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "O-O", "O-O")),
    ],
)
def test_moves_as_people_write_them(text: str, line: tuple[str, ...]) -> None:
    assert by_moves(text).line == line


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ke2", "'Ke2' is no legal move; give moves"),
        ("1. e4 c5 2. Ke3", r"'Ke3' is no legal move after 1\. e4 c5; give moves"),
        ("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. xx", r"'xx' is no legal move after 2\. Nf3 d6 3\. d4 cxd4 4\. Nxd4 Nf6;"),
        ("e4 --", "'--' is no legal move"),
        ("1-1", "is no legal move"),
        ("\x1b[2J", "is no legal move"),
        ("'; DROP TABLE plies; --", "is no legal move"),
        ("e4" * 100_000, "'e4e4e4e4e4e4e4e4e4e4' is no legal move"),
        ("1" * 100_000, "is no legal move"),
        ("١. e4", "is no legal move"),
        ("Nf3 Nf6 Ng1 Ng8 " * 300, "More than 1,000 plies are no opening"),
        ("\ud800", "is no legal move"),
    ],
)
def test_what_is_no_move_is_told_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(OptionError, match=told) as error:
        by_moves(text)
    assert len(str(error.value)) < 200
    assert str(error.value).isprintable() or "Nf" in str(error.value)


@pytest.mark.parametrize(
    "fen", ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "\x1b[2J", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x - - 0 1"]
)
def test_what_is_no_position(fen: str) -> None:
    with pytest.raises(OptionError):
        explore(pgn("1. e4 *"), fen=fen)


def test_moves_or_a_fen() -> None:
    with pytest.raises(OptionError, match="Give moves or a FEN, not both"):
        explore(pgn("1. e4 *"), "e4", fen=chess.STARTING_FEN)


@pytest.mark.parametrize(
    ("options", "told"), [({"depth": 0}, "depth must be 1 to 10"), ({"min_games": 0}, "min_games must be 1")]
)
def test_numbers_that_cannot_be_used(options: dict[str, int], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        explore(pgn("1. e4 *"), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("fields", [4, 6])
def test_a_fen_may_have_fewer_fields(fields: int) -> None:
    found = explore(pgn("1. e4 *"), fen=" ".join(chess.STARTING_FEN.split()[:fields]))
    assert (found.place.fen, found.position["games"]) == (chess.STARTING_FEN, 1)
