"""`chesstools openings`: the tree as files and on the screen, and looking at positions."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shlex
from pathlib import Path

import chess
import pyarrow.parquet as pq
import pytest
from command_line import Cli, command

from chesstools import ingest
from chesstools.openings import explore

GAMES = Path(__file__).parent.parent / "sample_data" / "games"
CLASSICS = GAMES / "historic_classics.pgn"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("COLUMNS", "80")
    return command(capsys, "openings")


def width(text: str) -> int:
    return max(len(line) for line in text.splitlines())


# ---------------------------------------------------------------------------------------------------------- tree


@pytest.mark.parametrize("first", [[], ["tree"]])
def test_the_tree_is_written_and_shown(cli: Cli, tmp_path: Path, first: list[str]) -> None:
    run = cli(*first, CLASSICS, "-o", tmp_path / "out", "--quiet")
    assert (run.status, run.out, run.err) == (0, "", "")
    run = cli(*first, CLASSICS, "-o", tmp_path / "out", "--overwrite")
    assert run.status == 0
    lines = run.out.splitlines()
    assert lines[0] == "59 games counted"
    assert any(line.startswith("1. e4") and "49.2%" in line and "1750–2015" in line for line in lines)
    assert any(line.startswith("  1... e5") for line in lines)
    assert any(line.startswith("Sicilian Defense") for line in lines)
    assert lines[-1].endswith(f"59 games in {tmp_path / 'out'}")
    assert width("\n".join(lines[:-1])) <= 80
    positions = pq.read_table(tmp_path / "out" / "positions.parquet")
    assert (positions["games"][0].as_py(), positions["fen"][0].as_py()) == (59, chess.STARTING_FEN)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["_openings.json", "games.parquet", "moves.parquet", "positions.parquet"]


def test_options_of_the_tree(cli: Cli, tmp_path: Path) -> None:
    assert cli(CLASSICS, "-o", tmp_path, "--depth", "3", "--min-games", "1").status == 0
    positions = pq.read_table(tmp_path / "positions.parquet")
    assert max(positions["ply"].to_pylist()) == 3
    assert min(positions["games"].to_pylist()) == 1
    again = cli(CLASSICS, "-o", tmp_path)
    assert again.status == 2
    assert again.err.endswith("holds openings; add --overwrite to replace them, or choose another folder.\n")


def test_names_beside_moves_where_there_is_room(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    out = cli(CLASSICS, "-o", tmp_path).out
    assert "King's Pawn Game" in out
    assert "…" not in "\n".join(line for line in out.splitlines() if line.startswith(("1.", "  1...")))


def test_no_games_at_all(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("")
    run = cli(tmp_path / "empty.pgn", "-o", tmp_path / "out")
    assert run.status == 0
    assert run.out.splitlines()[0] == "0 games counted"
    assert pq.read_table(tmp_path / "out" / "moves.parquet").num_rows == 0
    (tmp_path / "bad.pgn").write_text("1. e5 *")
    run = cli(tmp_path / "bad.pgn", "-o", tmp_path / "out", "--overwrite")
    assert run.out.splitlines()[0] == "0 games counted; left out: 1 with errors"


def test_a_source_that_breaks_off(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.pgn.gz"
    file.write_bytes(gzip.compress(b"1. e4 e5 *\n" * 3)[:-9])
    run = cli(file, "-o", tmp_path / "out")
    assert run.status == 2
    assert "a.pgn.gz" in run.err
    assert (tmp_path / "out" / "positions.parquet").exists()


def test_what_is_not_there(cli: Cli, tmp_path: Path) -> None:
    run = cli(tmp_path / "nothing.pgn", "-o", tmp_path / "out")
    assert run.status == 2
    assert run.err.count("\n") == 1
    run = cli("exlpore", CLASSICS, "e4")
    assert (run.status, "Did you mean 'explore'?" in run.err) == (2, True)
    run = cli()
    assert run.status == 2
    assert "Usage: chesstools openings" in run.err


# -------------------------------------------------------------------------------------------------------- explore


def test_a_position_is_shown(cli: Cli) -> None:
    run = cli("explore", CLASSICS, "1. e4 e5 2. Nf3")
    assert run.status == 0
    lines = run.out.splitlines()
    assert lines[0] == "r n b q k b n r   C40 King's Knight Opening"
    assert lines[1] == "p p p p . p p p   1. e4 e5 2. Nf3"
    assert "9 games, 1750–1974" in run.out
    assert "White won 77.8%, drawn 0.0%, Black won 22.2%" in run.out
    assert any(line.startswith("2... Nc6") for line in lines)
    assert "Score of White 77.8% 45–94 (95 % interval)" in run.out
    assert width("\n".join(line for line in lines if CLASSICS.name not in line)) <= 80


def test_a_fen(cli: Cli) -> None:
    board = chess.Board()
    board.push_san("e4")
    by_fen = cli("explore", CLASSICS, "--fen", board.fen())
    by_moves = cli("explore", CLASSICS, "e4")
    # The same but for the line, which a FEN does not tell.
    assert by_fen.out.split("\nmove ")[1] == by_moves.out.split("\nmove ")[1]
    assert "B00 King's Pawn Game" in by_fen.out


def test_json_and_csv(cli: Cli) -> None:
    found = explore(CLASSICS, "1. d4")
    document = json.loads(cli("explore", CLASSICS, "1. d4", "--format", "json").out)
    assert document["moves"] == found.moves.to_pylist()
    assert document["notable"] == found.notable.to_pylist()
    assert {name: document[name] for name in found.position} == found.position
    assert (document["eco"], document["opening"], document["line"], document["left_out"]) == (
        "A40",
        "Queen's Pawn Game",
        ["d4"],
        0,
    )
    rows = list(csv.DictReader(io.StringIO(cli("explore", CLASSICS, "1. d4", "--format", "csv", "--depth", "2").out)))
    assert [row["line"] for row in rows] == explore(CLASSICS, "1. d4", depth=2).moves["line"].to_pylist()
    assert int(rows[0]["games"]) == found.moves["games"][0].as_py()


def test_nothing_came_there(cli: Cli) -> None:
    run = cli("explore", CLASSICS, "1. h4 h5")
    assert run.status == 0
    assert "A00 Kádas Opening" in run.out
    assert "No game came here." in run.out
    assert "Games with the highest ratings" not in run.out
    run = cli("explore", CLASSICS, "1. e4", "--min-games", "50")
    assert "No move was played in 50 games or more" in run.out


def test_names_from_archives_are_harmless(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "[bold]a.pgn"
    file.write_text(
        '[White "\x1b[2J[red]W"]\n[Black "B\u202e"]\n[WhiteElo "2000"]\n[BlackElo "2000"]\n\n1. e4 *\n', encoding="utf-8"
    )
    out = cli("explore", file, "e4").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert r"\x1b[2J[red]W 2000 – B\u202e 2000" in out
    assert "[bold]a.pgn:1" in out.replace("\n", "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["e4"], "Give a source or dataset and then moves, such as '1. e4 c5' ('' for the start position)"),
        ([CLASSICS, "1. e4 Ke3"], "'Ke3' is no legal move after 1. e4; give moves from the start position, such as '1. e4 c5'."),
        ([CLASSICS, CLASSICS], "is no legal move; give moves from the start position"),
        ([CLASSICS, "1.", "e4", "c5"], "Give all moves as one argument, in quotation marks: '1. e4 c5'."),
        ([CLASSICS, "--fen", "x"], "The position 'x' cannot be read"),
        ([CLASSICS, "e4", "--depth", "11"], "11 is not in the range 1<=x<=10"),
    ],
)
def test_errors_are_one_sentence(cli: Cli, arguments: list[object], told: str) -> None:
    run = cli("explore", *arguments)
    assert run.status == 2
    assert told in run.err
    assert run.err.count("\n") == 1
    assert run.out == ""


# ----------------------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("first", [[], ["tree"], ["explore"]])
def test_help_has_examples_that_run(cli: Cli, first: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zstandard

    ingest(CLASSICS, tmp_path / "dataset")
    (tmp_path / "archive.pgn.zst").write_bytes(zstandard.compress(CLASSICS.read_bytes()))
    monkeypatch.chdir(tmp_path)
    shown = cli(*first, "--help").out
    lines = [line.strip() for line in shown.split("Examples:")[1].splitlines() if line.strip()]
    assert lines
    for line in lines:
        words = shlex.split(line)
        assert words[:2] == ["chesstools", "openings"]
        run = cli(*words[2:])
        assert (run.status, run.err) == (0, "")
        assert run.out
