"""The sample games are what sample_data/README.md says: legal, in standard notation, and complete."""

from __future__ import annotations

import re
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import chess
import chess.pgn
import pytest

import chesstools

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"
HISTORIC = sorted((SAMPLES / "games").glob("historic*.pgn"))
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


def read_games(path: Path) -> list[tuple[str, chess.pgn.Game]]:
    """Each game with its movetext as written."""
    texts = re.split(r"\n\n(?=\[Event )", path.read_text(encoding="ascii"))
    games = []
    with path.open(encoding="ascii") as handle:
        while (game := chess.pgn.read_game(handle)) is not None:
            games.append(game)
    assert len(texts) == len(games)
    return [(text.split("\n\n", 1)[1], game) for text, game in zip(texts, games, strict=True)]


def written_san(movetext: str) -> list[str]:
    """The moves of a movetext without comments or variations, as they were written."""
    return [token for token in movetext.split()[:-1] if not re.fullmatch(r"\d+\.+", token)]


def features(game: chess.pgn.Game, moves: list[str]) -> set[str]:
    """What the game is an example of; asserts that each move is written in standard SAN."""
    board = game.board()
    found = set()
    for san, move in zip(moves, game.mainline_moves(), strict=True):
        assert san == board.san(move)
        if board.is_en_passant(move):
            found.add("en passant")
        if move.promotion not in (None, chess.QUEEN):
            found.add("underpromotion")
        board.push(move)
        if board.is_repetition(3):
            found.add("threefold")
        if board.halfmove_clock >= 100:
            found.add("fifty moves")
        if len(board.checkers()) == 2:
            found.add("double check")
    if board.is_stalemate():
        found.add("stalemate")
    if board.is_checkmate():
        found.add("mate by " + ("castling" if moves[-1].startswith("O") else "a move"))
    if len(moves) >= 199:
        found.add("100 moves")
    outcome = board.outcome(claim_draw=False)
    assert outcome is None or outcome.result() == game.headers["Result"]
    return found


def test_historic_games_are_legal_and_cover_the_special_endings() -> None:
    count = 0
    shown: Counter[str] = Counter()
    for path in HISTORIC:
        for movetext, game in read_games(path):
            assert not game.errors
            assert list(game.headers)[:7] == ROSTER
            assert re.fullmatch(r"[\d?]{4}\.[\d?]{2}\.[\d?]{2}", game.headers["Date"])
            assert movetext.split()[-1] == game.headers["Result"]
            assert max(map(len, movetext.splitlines())) <= 80
            shown.update(features(game, written_san(movetext)))
            count += 1
    assert count >= 60
    wanted = {"threefold", "fifty moves", "stalemate", "underpromotion", "en passant", "100 moves"}
    wanted |= {"double check", "mate by castling"}
    assert wanted - shown.keys() == set()


def test_historic_games_hold_no_errors() -> None:
    scan = chesstools.scan([str(path) for path in HISTORIC])
    for _ in scan:
        pass
    assert scan.summary.severities["error"] == 0


TABLE_ROW = re.compile(r"^\| `([^`]+)` \|([^|]*)\|", re.MULTILINE)
ROWS = {name: games.strip() for name, games in TABLE_ROW.findall((SAMPLES / "README.md").read_text(encoding="utf-8"))}


def test_every_sample_file_is_in_the_readme() -> None:
    files = [path.relative_to(SAMPLES).as_posix() for path in (SAMPLES / "games").rglob("*") if path.is_file()]
    assert [name for name in files if not any(fnmatch(name, row) for row in ROWS)] == []


@pytest.mark.parametrize(("name", "games"), [row for row in ROWS.items() if row[1].isdigit() and row[0].startswith("games/")])
def test_the_readme_counts_the_games_right(name: str, games: str) -> None:
    scan = chesstools.scan([str(SAMPLES / name)])
    for _ in scan:
        pass
    assert sum(source.games for source in scan.summary.sources) == int(games)
