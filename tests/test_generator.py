"""The generator of sample archives: the same seed gives the same bytes, games are legal, and what is planted is there."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import chess
import chess.pgn
import pytest

from chesstools.rules import all_rules

SAMPLE_DATA = Path(__file__).parent.parent / "sample_data"
sys.path.insert(0, str(SAMPLE_DATA))

from generator import laws, reasons  # noqa: E402
from generator.archive import Options, write_archive  # noqa: E402
from generator.faults import TABLE, Kind, Maker  # noqa: E402
from generator.play import Play  # noqa: E402
from generator.score import Layout, Row, Sheet, Tag, lay_out  # noqa: E402
from generator.styles import STYLES, Draft  # noqa: E402

COMMITTED = Options(games=1000, seed=20, fault_rate=0.15, style="mixed", plies=30)
"""The options of `sample_data/games/generated_mixed.pgn`."""


def archive(options: Options) -> tuple[bytes, list[dict[str, str]]]:
    """An archive and its truth table."""
    pgn, truth = io.BytesIO(), io.StringIO()
    write_archive(options, pgn, truth)
    return pgn.getvalue(), list(csv.DictReader(io.StringIO(truth.getvalue())))


def games(pgn: bytes) -> list[chess.pgn.Game]:
    handle = io.StringIO(pgn.decode())
    found = []
    while (game := chess.pgn.read_game(handle)) is not None:
        found.append(game)
    return found


def test_same_seed_same_bytes() -> None:
    options = Options(games=30, seed=3, fault_rate=0.4, plies=24)
    assert archive(options) == archive(options)
    assert archive(options)[0] != archive(Options(games=30, seed=4, fault_rate=0.4, plies=24))[0]


def test_a_longer_archive_begins_with_the_shorter_one() -> None:
    short, short_truth = archive(Options(games=10, seed=3, fault_rate=0.4, plies=24))
    long, long_truth = archive(Options(games=20, seed=3, fault_rate=0.4, plies=24))
    assert long.startswith(short)
    assert long_truth[: len(short_truth)] == short_truth


def test_committed_sample_is_what_the_generator_writes() -> None:
    pgn, truth = archive(Options(80, COMMITTED.seed, COMMITTED.fault_rate, COMMITTED.style, COMMITTED.plies))
    assert (SAMPLE_DATA / "games" / "generated_mixed.pgn").read_bytes().startswith(pgn)
    with (SAMPLE_DATA / "games" / "generated_mixed.truth.csv").open(encoding="utf-8", newline="") as handle:
        assert list(csv.DictReader(handle))[: len(truth)] == truth


def test_command_prints_one_line(tmp_path: Path) -> None:
    output, truth = tmp_path / "games.pgn", tmp_path / "games.csv"
    arguments = ["--games", "5", "--seed", "9", "--fault-rate", "1", "-o", str(output), "--truth", str(truth)]
    done = subprocess.run(
        [sys.executable, str(SAMPLE_DATA / "generate.py"), *arguments], capture_output=True, text=True, check=True
    )
    findings = len(truth.read_text(encoding="utf-8").splitlines()) - 1
    assert done.stdout == f"{output}: 5 games, 5 with a fault, {findings} findings, seed 9\n"
    assert output.read_bytes() == archive(Options(games=5, seed=9, fault_rate=1))[0]


@pytest.mark.parametrize("style", STYLES)
def test_games_without_fault_are_legal_and_clean(style: str) -> None:
    """python-chess reads every move, the result agrees with the board, and nothing worse than a note is to be reported."""
    pgn, truth = archive(Options(games=30, seed=5, style=style, plies=30))
    found = games(pgn)
    assert len(found) == 30
    for game in found:
        assert game.errors == []
        board = game.end().board()
        moves = list(game.mainline_moves())
        assert moves
        if plycount := game.headers.get("PlyCount"):
            assert int(plycount) == len(moves)
        outcome = board.outcome()
        if outcome is not None:
            assert game.headers["Result"] == outcome.result()
    assert {row["severity"] for row in truth} <= {"info"}
    assert {row["code"] for row in truth} <= {"D601", "D602", "D603", "D611", "D612", "D620", "P112"}


def planted(kind: Kind) -> Sheet:
    for number in range(400):
        rng = Random(f"{kind.name}/{number}")
        before = Maker(rng, "twic", 30)
        sheet = kind.plant(Maker(rng, rng.choice(sorted(kind.styles)), 30, before=before.write(Draft.of(before.game()))))
        if sheet is not None:
            return sheet
    raise AssertionError(f"{kind.name} cannot be planted")


def line_text(layout: Layout, row: Row) -> str:
    return layout.text.split("\n")[layout.line_of(row.where)]


@pytest.mark.parametrize("kind", TABLE.values(), ids=lambda kind: kind.name)
def test_every_kind_can_be_planted_and_stands_where_the_truth_says(kind: Kind) -> None:
    sheet = planted(kind)
    layout = lay_out(sheet)
    codes = Counter(row.code for row in sheet.rows)
    if kind.name != "illegal-in-variation":  # which names one of several codes
        assert codes[kind.code] >= 1
    for row in sheet.rows:
        text = line_text(layout, row)
        if row.where == "lead":
            assert sheet.lead.strip()
        elif row.where == "first":
            assert text == layout.text.split("\n")[0]
        elif isinstance(row.where, tuple):
            assert row.where[1] in text
        else:
            assert not isinstance(row.where, str)
            whole = row.where.text() if isinstance(row.where, Tag) else row.where.text
            assert whole.split("\n")[0].split(" ")[0] in text


ILLEGAL = sorted(kind.name for kind in TABLE.values() if kind.code in {*reasons.CODES, "N401"} and "variation" not in kind.name)


@pytest.mark.parametrize("name", ILLEGAL)
def test_python_chess_stops_where_an_illegal_move_was_planted(name: str) -> None:
    """The moves before the planted one are legal, and that one is not."""
    sheet = planted(TABLE[name])
    row = next(row for row in sheet.rows if row.code == TABLE[name].code)
    game = games(lay_out(sheet).text.encode())[0]
    assert row.ply is not None
    assert len(game.errors) == 1
    assert len(list(game.mainline_moves())) == row.ply - 1


def test_every_active_rule_has_a_kind() -> None:
    codes = {kind.code for kind in TABLE.values()} | {"M390", "M391"}  # which come with moves that stop their line
    assert {rule.code for rule in all_rules() if rule.active and rule.command == "validate"} <= codes


def test_every_kind_is_drawn_once_before_one_is_drawn_again() -> None:
    drawn = write_archive(Options(games=2 * len(TABLE), seed=1, fault_rate=1, plies=16), io.BytesIO()).kinds
    assert set(drawn) == set(TABLE)
    assert max(drawn.values()) <= 3


def test_claim_windows_agree_with_python_chess() -> None:
    """python-chess says at which positions a draw may be claimed; so does the truth, in another way."""
    for seed in range(6):
        maker = Maker(Random(seed), "lichess", 30)
        play = maker.director.game(("repeating", "fifty")[seed % 2])
        maker.director.go_on(play, 6)
        claims = []
        board = play.start.copy(stack=False)
        over, _ = laws.end_index(play.start, play.moves)
        for index in range(len(play) + 1):
            if index:
                board.push(play.moves[index - 1])
            if over is None or index < over:
                claims.append(board.can_claim_threefold_repetition() or board.can_claim_fifty_moves())
        windows: set[int] = set()
        for fact in laws.draw_facts(play.start, play.moves, play.result):
            if fact.code != "D605":
                windows.update(range(fact.index, fact.last + 1, 2))
        assert windows == {index for index, claim in enumerate(claims) if claim}


def test_reasons_on_known_positions() -> None:
    known = {
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1": {"Rb3": "M303", "Qd4": "M302", "Rxe8": "M311", "O-O": "M322"},
        "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1": {"O-O": "M323", "Ra2": "M310"},
        "4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1": {"O-O": "M324", "Kxf2": ""},
        "4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1": {"O-O": "M325", "O-O-O": ""},
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1": {"a8": "M341", "a8=K": "M342", "Kd1=Q": "M343", "a6": "M331"},
    }
    for fen, texts in known.items():
        for text, code in texts.items():
            assert reasons.illegal_reason(chess.Board(fen), text) == code, (fen, text)


def test_play_takes_moves_back() -> None:
    play = Play(chess.Board())
    for san in ("e4", "e5"):
        play.step(play.board.parse_san(san))
    play.undo()
    assert (play.sans, len(play), play.board.fen()) == (["e4"], 1, play.board_at(1).fen())
