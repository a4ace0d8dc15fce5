"""The opening tree: counts against a loop with python-chess, and what holds for every tree."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import chess
import pyarrow.parquet as pq
import pytest
from corpora import judged, needs_corpus, path, text
from openings_page import page

from chesstools import Dataset, DatasetError, OptionError, OutputError, SourceError, ingest, openings, scan
from chesstools.openings import Tree, opening_of, tree, write_openings
from chesstools.reference.position_key import position_key
from chesstools.source import Source

GAMES = Path(__file__).parent.parent / "sample_data" / "games"
MIXED = GAMES / "generated_mixed.pgn"
ARRAY = position_key(chess.Board())


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The games of `MIXED` as a dataset, judged once."""
    folder = tmp_path_factory.mktemp("mixed")
    ingest(MIXED, folder, also="T126")
    return Dataset.open(folder)


def pgn(*games: str, **tags: str) -> Source:
    """Games as moves with a result, all with the same tags."""
    lines = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return Source.from_bytes("".join(f'[Event "{at}"]\n{lines}\n{moves}\n\n' for at, moves in enumerate(games)).encode(), "a.pgn")


def by_key(found: Tree) -> dict[int, dict[str, Any]]:
    return {row["position_key"]: row for row in found.positions.to_pylist()}


def moves_of(found: Tree, line: str) -> dict[str, dict[str, Any]]:
    """The moves in the position after some moves, by SAN."""
    board = chess.Board()
    for san in line.split():
        board.push_san(san)
    return {row["san"]: row for row in found.moves.to_pylist() if row["position_key"] == position_key(board)}


# --------------------------------------------------------------------------------------------- an independent count


def standard_games(dataset: Dataset) -> Iterator[tuple[dict[str, Any], list[chess.Move]]]:
    """The games of a source that belong to the tree: tags as the table games has them, and legal moves."""
    plies = dataset.plies().to_table(["game_index", "uci"])
    moves: dict[int, list[chess.Move]] = defaultdict(list)
    for index, uci in zip(plies["game_index"].to_pylist(), plies["uci"].to_pylist(), strict=True):
        moves[index].append(chess.Move.from_uci(uci))
    for row in dataset.games().to_table().to_pylist():
        if row["errors"] == 0 and row["rules"] == "standard" and row["start_fen"] == chess.STARTING_FEN and row["ply_count"]:
            yield row, moves[row["game_index"]]


def counted_by_hand(games: list[tuple[dict[str, Any], list[chess.Move]]], depth: int) -> tuple[dict[str, Any], dict[Any, Any]]:
    """Games of each position, and of each position and move: position as text, told apart as FIDE 9.2.3 does."""
    positions: dict[str, list[dict[str, Any]]] = defaultdict(list)
    moves: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row, line in games:
        board = chess.Board()
        seen = set()
        for move in [*line[: depth + 1], None]:
            if board.ply() > depth:
                break
            epd = board.epd(en_passant="legal")
            if epd not in seen:
                positions[epd].append(row)
                if move is not None:
                    moves[epd, move.uci()].append(row)
            seen.add(epd)
            if move is not None:
                board.push(move)
    return positions, moves


def results_by_hand(rows: list[dict[str, Any]]) -> dict[str, Any]:
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    results = Counter(row["result_value"] for row in rows)
    known = [points[row["result_value"]] for row in rows if row["result_value"] in points]
    rated = [row for row in rows if row["white_elo"] and row["black_elo"] and row["result_value"] in points]
    years = [row["year"] for row in rows if row["year"] is not None]
    return {
        "games": len(rows),
        "white_won": results["1-0"],
        "drawn": results["1/2-1/2"],
        "black_won": results["0-1"],
        "score": pytest.approx(fmean(known)) if known else None,
        "rated_games": len(rated),
        "white_elo": pytest.approx(fmean(row["white_elo"] for row in rated)) if rated else None,
        "black_elo": pytest.approx(fmean(row["black_elo"] for row in rated)) if rated else None,
        "first_year": min(years, default=None),
        "last_year": max(years, default=None),
    }


@pytest.mark.parametrize("depth", [0, 1, 7, 20])
def test_counts_are_those_of_a_loop_with_python_chess(depth: int, mixed: Dataset) -> None:
    games = list(standard_games(mixed))
    positions, moves = counted_by_hand(games, depth)
    found = tree(mixed, depth=depth, min_games=1)
    assert found.left_out["counted"] == len(games) > 200
    assert found.positions.num_rows == len(positions)
    assert found.moves.num_rows == len(moves)
    epd_of = {}
    for row in found.positions.to_pylist():
        board = chess.Board(row["fen"])
        epd = epd_of[row["position_key"]] = board.epd(en_passant="legal")
        assert row["position_key"] == position_key(board)
        expected = results_by_hand(positions[epd])
        assert {name: row[name] for name in expected} == expected
    for row in found.moves.to_pylist():
        epd = epd_of[row["position_key"]]
        expected = results_by_hand(moves[epd, row["uci"]])
        assert {name: row[name] for name in expected} == expected
        assert row["share"] == pytest.approx(row["games"] / len(positions[epd]))
        board = chess.Board(f"{epd} 0 1")
        assert board.san(chess.Move.from_uci(row["uci"])) == row["san"]
        board.push_uci(row["uci"])
        assert position_key(board) == row["next_position_key"]
        passed = positions.get(board.epd(en_passant="legal"))
        assert row["next_games"] == (passed and len(passed))


@needs_corpus
def test_counts_of_an_archive(tmp_path: Path) -> None:
    """Games of a server, with ratings: half the positions, which the pruned tree has as the whole one."""
    ingest(path("lichess_db"), tmp_path)
    dataset = Dataset.open(tmp_path)
    positions, _ = counted_by_hand(list(standard_games(dataset)), 12)
    found = tree(dataset, depth=12, min_games=3)
    kept = {chess.Board(row["fen"]).epd(en_passant="legal"): row for row in found.positions.to_pylist()}
    assert set(kept) == {epd for epd, rows in positions.items() if len(rows) >= 3}
    for epd, row in kept.items():
        expected = results_by_hand(positions[epd])
        assert {name: row[name] for name in expected} == expected


# ------------------------------------------------------------------------------------------------ what always holds


def check(found: Tree, min_games: int) -> None:
    positions = by_key(found)
    assert len(positions) == found.positions.num_rows
    played: Counter[int] = Counter()
    for row in found.moves.to_pylist():
        played[row["position_key"]] += row["games"]
        assert row["position_key"] in positions
        after = positions.get(row["next_position_key"])
        assert row["next_games"] == (after and after["games"])
    for key, row in positions.items():
        assert played[key] + row["ended"] == row["games"]
        assert row["games"] >= min_games or key == ARRAY
        assert row["white_won"] + row["drawn"] + row["black_won"] <= row["games"]
        assert row["score"] is None or 0 <= row["score_low"] <= row["score"] <= row["score_high"] <= 1
    for row in list(positions.values())[:: max(1, len(positions) // 300)]:  # replaying takes long
        board = chess.Board()
        for san in row["line"].split():
            board.push_san(san)
        assert (board.fen(en_passant="legal"), board.ply()) == (chess.Board(row["fen"]).fen(en_passant="legal"), row["ply"])
        assert position_key(board) == row["position_key"]
        named = opening_of(row["line"].split())
        assert (row["eco"], row["opening"], row["opening_ply"]) == (named or (None, None, None))


@pytest.mark.parametrize("min_games", [1, 2, 5])
def test_moves_and_ends_make_up_the_games_of_a_position(min_games: int, mixed: Dataset) -> None:
    found = tree(mixed, min_games=min_games)
    check(found, min_games)
    assert found.positions.num_rows > 5


def test_a_position_has_at_least_the_games_of_each_way_that_leads_there(mixed: Dataset) -> None:
    """Where the depth cuts nothing off."""
    found = tree(mixed, depth=250)
    check(found, 2)
    ways = [row for row in found.moves.to_pylist() if row["next_games"] is not None]
    assert all(row["next_games"] >= row["games"] for row in ways)
    assert any(row["next_games"] > row["games"] for row in ways)


def test_it_holds_for_games_with_errors() -> None:
    """All samples of rules, with what can be replayed of them."""
    found = tree(GAMES.parent / "rules", min_games=1, include_invalid=True)
    check(found, 1)
    assert found.left_out["counted"] > 100
    assert all(
        position_key(chess.Board(fen)) == key
        for key, fen in zip(*(found.positions[name].to_pylist() for name in ("position_key", "fen")), strict=True)
    )


@needs_corpus
def test_it_holds_for_an_archive() -> None:
    found = tree(Source.from_bytes(text("otb"), "otb"), depth=20, min_games=3)
    check(found, 3)
    assert found.positions.num_rows > 1_000
    assert found.left_out["counted"] == found.positions["games"][0].as_py()


def test_a_transposition_is_one_position() -> None:
    found = tree(pgn("1. d4 d5 2. c4 e6 1-0", "1. c4 d5 2. d4 e6 0-1", "1. d4 e6 2. c4 d5 *"), min_games=1)
    (after,) = [row for row in found.positions.to_pylist() if row["line"] == "d4 d5 c4 e6"]
    assert (after["games"], after["ended"], after["score"], after["opening"]) == (3, 3, 0.5, "Queen's Gambit Declined")
    assert moves_of(found, "d4 d5 c4")["e6"]["games"] == 2
    (last,) = moves_of(found, "d4 e6 c4").values()
    assert (last["san"], last["games"], last["next_games"]) == ("d5", 1, 3)


def test_a_game_that_passes_a_position_twice_counts_once() -> None:
    there_and_back = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 1-0"
    found = tree(pgn(there_and_back, "1. e4 *"), min_games=1)
    assert by_key(found)[ARRAY]["games"] == 2
    # What it played there the second time does not count: its moves would be more than its games.
    assert {san: row["games"] for san, row in moves_of(found, "").items()} == {"Nf3": 1, "e4": 1}
    assert moves_of(found, "")["e4"]["next_games"] == 2
    check(found, 1)


def test_the_deepest_positions_have_moves_too() -> None:
    found = tree(pgn("1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 *"), depth=2)
    assert [row["line"] for row in found.positions.to_pylist()] == ["", "e4", "e4 e5"]
    (deepest,) = moves_of(found, "e4 e5").values()
    assert (deepest["san"], deepest["games"], deepest["next_games"]) == ("Nf3", 2, None)


def test_performance() -> None:
    found = tree(pgn("1. e4 1-0", "1. e4 1/2-1/2", WhiteElo="2500", BlackElo="2400"), min_games=1)
    row = moves_of(found, "")["e4"]
    assert row["white_performance"] == pytest.approx(2400 + 190.85, abs=0.01)
    assert row["black_performance"] == pytest.approx(2500 - 190.85, abs=0.01)
    all_won = tree(pgn("1. e4 1-0", WhiteElo="2500", BlackElo="2400"), min_games=1)
    assert moves_of(all_won, "")["e4"]["white_performance"] is None


# ------------------------------------------------------------------------------------------- which games, which tables


def test_games_that_are_no_part_are_counted() -> None:
    source = Source.from_bytes(
        b'[Event "good"]\n\n1. e4 *\n\n[Event "bad"]\n\n1. e4 e5 2. Ke3 *\n\n[Event "none"]\n\n*\n\n'
        b'[Event "other"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n\n'
        b'[Event "960"]\n[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n'
        b'1. e4 *\n\n[Event "atomic"]\n[Variant "Atomic"]\n\n1. e4 *\n',
        "a.pgn",
    )
    found = tree(source, min_games=1)
    assert found.left_out == {"errors": 1, "variant": 2, "setup": 1, "no moves": 1, "counted": 1}
    assert by_key(found)[ARRAY]["games"] == 1
    assert [name is not None for name in found.games["opening_by_moves"].to_pylist()] == [True, True, False, False, False, False]
    more = tree(source, min_games=1, include_invalid=True)
    assert more.left_out["counted"] == 2
    assert by_key(more)[ARRAY]["games"] == 2
    check(more, 1)


def test_the_same_game_twice() -> None:
    source = Source.from_bytes(b'[White "A"]\n\n1. e4 *\n\n[White "A"]\n\n1. e4 *\n', "a.pgn")
    assert by_key(tree(source))[ARRAY]["games"] == 2
    once = tree(source, unique=True)
    assert (by_key(once)[ARRAY]["games"], once.left_out["repeated"]) == (1, 1)


def test_openings_of_games_beside_the_tags(mixed: Dataset) -> None:
    games = tree(mixed).games.to_pylist()
    rows = mixed.games().to_table().to_pylist()
    assert [(row["game_index"], row["eco"], row["line"]) for row in games] == [
        (row["game_index"], row["eco"], row["line"]) for row in rows
    ]
    by_moves = {row["game_index"]: row for row in openings.openings_of(mixed.plies().to_table()).to_pylist()}
    for row in games:
        expected = by_moves.get(row["game_index"], {})
        for name in ("eco_by_moves", "opening_by_moves", "opening_family", "opening_ply"):
            assert row[name] == expected.get(name)
        assert (row["eco_contradicted"] or False) == ("T126" in rows[row["game_index"]]["codes"])


@pytest.mark.parametrize(
    ("eco", "moves", "agrees", "contradicted"),
    [
        ("D06", "1. d4 d5 2. c4", True, False),
        (" D06 ", "1. c4 d5 2. d4", True, False),
        ("D09", "1. d4 d5 2. c4", False, False),
        ("B20", "1. d4 d5 2. c4", False, True),
        ("A40", "1. e4 e5 2. Nf3", False, False),
        ("A00", "1. d4 d5 2. c4", False, None),
        ("B20a", "1. d4 d5 2. c4", False, None),
        ("?", "1. d4 d5 2. c4", None, None),
        ("B20", "", None, None),
    ],
)
def test_tags_and_moves(eco: str, moves: str, agrees: bool | None, contradicted: bool | None) -> None:
    (row,) = tree(pgn(f"{moves} *", ECO=eco)).games.to_pylist()
    assert (row["eco_agrees"], row["eco_contradicted"]) == (agrees, contradicted)


@needs_corpus
def test_what_t126_says_of_an_archive() -> None:
    source = Source.from_bytes(text("otb"), "otb")
    findings = scan(source, select="T126", tables=("findings",)).to_tables()["findings"]
    games = tree(source, depth=1).games.to_pylist()
    assert [row["game_index"] for row in games if row["eco_contradicted"]] == findings["game_index"].to_pylist()
    assert len(games) == judged("otb").games.num_rows
    assert sum(row["eco_agrees"] or False for row in games) / len(games) > 0.8


# ------------------------------------------------------------------------------------------------ edges, and files


@pytest.mark.parametrize("source", [Source.from_bytes(b"", "empty.pgn"), pgn("1. e5 *"), pgn("*")])
def test_no_games(source: Source) -> None:
    found = tree(source)
    assert (found.positions.num_rows, found.moves.num_rows, found.left_out["counted"]) == (0, 0, 0)


def test_one_game() -> None:
    found = tree(pgn("1. e4 e5 1-0"))
    (array,) = found.positions.to_pylist()
    assert (array["games"], array["score"], array["white_elo"], array["fen"]) == (1, 1.0, None, chess.STARTING_FEN)
    assert [row["san"] for row in found.moves.to_pylist()] == ["e4"]


@pytest.mark.parametrize(
    ("options", "message"), [({"depth": -1}, "depth must be 0 to"), ({"min_games": 0}, "min_games must be 1")]
)
def test_numbers_that_cannot_be_used(options: dict[str, int], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        tree(pgn("1. e4 *"), **options)  # type: ignore[arg-type]


def test_engines_give_the_same_tree() -> None:
    trees = [tree(GAMES / "historic_classics.pgn", min_games=1, engine=engine) for engine in ("auto", "reference")]
    assert trees[0].positions.equals(trees[1].positions)
    assert trees[0].moves.equals(trees[1].moves)
    assert trees[0].games.equals(trees[1].games)


def test_datasets_and_files(mixed: Dataset, tmp_path: Path) -> None:
    written = write_openings(mixed, tmp_path / "openings")
    found = tree(mixed)
    for name, expected in (("positions", found.positions), ("moves", found.moves), ("games", found.games)):
        table = pq.read_table(tmp_path / "openings" / f"{name}.parquet")
        assert table.equals(expected)
        assert written.rows[name] == expected.num_rows
        assert all(field.metadata[b"meaning"] for field in table.schema)
        assert json.loads(table.schema.metadata[b"left_out"]) == found.left_out == written.left_out
    assert written.families["games"].to_pylist() == sorted(written.families["games"].to_pylist(), reverse=True)
    assert sum(written.families["games"].to_pylist()) == found.left_out["counted"]
    assert found.to_pandas("positions")["position_key"].dtype == "UInt64"
    with pytest.raises(OptionError, match="There is no table 'plies'"):
        found.to_pandas("plies")


def test_what_stands_there_is_kept(tmp_path: Path) -> None:
    mine = tmp_path / "games.parquet"
    mine.write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(OutputError, match=r"holds files that are no openings \(games\.parquet\)"):
            write_openings(pgn("1. e4 *"), tmp_path, overwrite=overwrite)
    assert mine.read_text() == "mine"
    with pytest.raises(OutputError, match="is a file; give the name of a folder for the openings"):
        write_openings(pgn("1. e4 *"), mine)
    write_openings(pgn("1. e4 *"), tmp_path / "out")
    with pytest.raises(OutputError, match="holds openings; add --overwrite to replace them"):
        write_openings(pgn("1. d4 *"), tmp_path / "out")
    with pytest.raises(SourceError):
        write_openings(tmp_path / "nothing.pgn", tmp_path / "out", overwrite=True)
    assert pq.read_table(tmp_path / "out" / "moves.parquet")["san"].to_pylist() == ["e4"]
    write_openings(pgn("1. d4 *"), tmp_path / "out", overwrite=True)
    assert pq.read_table(tmp_path / "out" / "moves.parquet")["san"].to_pylist() == ["d4"]
    assert json.loads((tmp_path / "out" / "_openings.json").read_text())["rows"]["games"] == 1


def test_the_page_about_openings_is_made_from_the_code() -> None:
    assert (GAMES.parent.parent / "docs" / "openings.md").read_text(encoding="utf-8") == page()


def test_a_dataset_without_plies(tmp_path: Path) -> None:
    ingest(pgn("1. e4 *"), tmp_path, tables=["games"])
    with pytest.raises(DatasetError, match="has no table plies"):
        tree(tmp_path)


def test_null_moves_where_games_with_errors_count() -> None:
    found = tree(pgn("1. e4 -- 2. d4 e5 *"), min_games=1, include_invalid=True)
    assert [row["line"] for row in found.positions.to_pylist()] == ["", "e4", "e4 --", "e4 -- d4", "e4 -- d4 e5"]
    assert all(position_key(chess.Board(row["fen"])) == row["position_key"] for row in found.positions.to_pylist())
