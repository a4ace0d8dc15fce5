"""Draws that nobody claimed or saw: which games count, and the numbers of their moves."""

from __future__ import annotations

import io

import chess
import chess.pgn
import pytest
from corpora import needs_corpus
from recomputed.archive import Archive
from recomputed.frames import GAME

from chesstools.source import Source
from chesstools.stats import stats

SHUFFLED = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. Nf3"
"""The array stands for the third time after ply 8, for the fifth after ply 16."""

DRAW_TABLES = ("moves_after_draws", "unclaimed_draws", "draw_rules_by_event", "draw_rules_by_year")


def test_repeated_games_count_once_among_draws_too() -> None:
    once = "".join(
        f'[Event "E"]\n[Round "{n}"]\n[Result "{result}"]\n\n{SHUFFLED} {result}\n\n'
        for n, result in enumerate(["1-0", "1/2-1/2"])
    )
    single, double = (Source.from_bytes((once * times).encode(), "draws.pgn") for times in (1, 2))
    for unique in (False, True):
        found = stats(double, tables=DRAW_TABLES, unique=unique)
        for name, table in stats(single, tables=DRAW_TABLES).items():
            if name in ("moves_after_draws", "unclaimed_draws"):
                assert 0 < table.num_rows == found[name].num_rows // (1 if unique else 2)
            elif name != "left_out":
                assert [row["games"] for row in found[name].to_pylist()] == [2 if unique else 4]
        left_out = {(row["statistic"], row["reason"]): row["games"] for row in found["left_out"].to_pylist()}
        for name in DRAW_TABLES:
            assert left_out[name, "counted"] == (2 if unique else 4)
            assert left_out.get((name, "repeated"), 0) == (2 if unique else 0)


@pytest.mark.parametrize(("begins", "side"), [("w - - 0 1", "white"), ("b - - 0 30", "black")])
def test_moves_of_draws_are_those_that_players_count(begins: str, side: str) -> None:
    """Eight moves to and fro: a position stands five times after ply 16 and three times after ply 8."""
    fen = f"4k1n1/8/8/8/8/8/4P3/4K1N1 {begins}"
    board = chess.Board(fen)
    ways = ["g1f3", "g8f6", "f3g1", "f6g8"] if side == "white" else ["g8f6", "g1f3", "f6g8", "f3g1"]
    moves = []
    for uci in [*ways * 4, "e1f1" if side == "white" else "e8f8"]:
        moves.append(f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(chess.Move.from_uci(uci))}")
        board.push_uci(uci)
    result = "0-1" if side == "white" else "1-0"
    text = f'[Date "2020.01.02"]\n[SetUp "1"]\n[FEN "{fen}"]\n[Result "{result}"]\n\n{" ".join(moves)} {result}\n'
    found = stats(Source.from_bytes(text.encode(), "a.pgn"), tables=DRAW_TABLES)
    (past,) = found["moves_after_draws"].to_pylist()
    replayed = chess.pgn.read_game(io.StringIO(text))
    assert replayed is not None
    boards = [node.board() for node in replayed.mainline()]
    last = boards[past["drawn_ply"] - 2]  # before the ply was made
    assert (past["drawn_move"], past["drawn_side"]) == (last.fullmove_number, "white" if last.turn else "black")
    for row in found["unclaimed_draws"].to_pylist():
        for end in ("first", "last"):
            claimed = boards[row[f"{end}_ply"] - 1]
            assert (row[f"{end}_move"], row["side"]) == (claimed.fullmove_number, "white" if claimed.turn else "black")
    assert found["unclaimed_draws"].num_rows == 1
    assert past["drawn_ply"] == 16


@pytest.mark.parametrize("name", ["small", pytest.param("otb", marks=needs_corpus)])
def test_games_with_an_unclaimed_draw_are_those_that_the_table_of_games_tells(request: pytest.FixtureRequest, name: str) -> None:
    archive: Archive = request.getfixturevalue(name)
    games = archive.dataset.to_pandas("games")
    told = games.loc[games["unclaimed_draw"].fillna(False).astype(bool), GAME]
    found = archive.found.to_pandas("unclaimed_draws")[GAME]
    assert set(map(tuple, found.astype(object).to_numpy())) == set(map(tuple, told.astype(object).to_numpy()))
    assert len(found) > 0
