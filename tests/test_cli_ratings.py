"""The command `ratings`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command_line import Cli, command
from rated import Played, stream

from chesstools.dataset import ingest
from chesstools.ratings import ratings


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    games = [*stream(1, 80), Played("Ann", "Ann"), Played(result="*"), Played("\x1b[2JEve\u202e", "[bold]Zoe")]
    Path("games.pgn").write_text("".join(game.pgn() for game in games))
    return command(capsys, "ratings")


def test_text(cli: Cli) -> None:
    run = cli("games.pgn", "--method", "elo,glicko2,points")
    assert run.status == 0
    lines = run.out.splitlines()
    assert [line for line in lines if line and not line.startswith(" ") and not line[0].isdigit()] == [
        "Elo",
        "Glicko-2, rating period: month",
        "Points system",
    ]
    assert max(map(len, lines)) <= 80
    assert len([line for line in lines if line[:2].strip().isdigit()]) == 3 * 10
    assert "\x1b" not in run.out
    assert "\\x1b[2JEve\\u202e" in run.out
    assert "[bold]Zoe" in run.out
    assert "81 of 83 games counted; left out (G951):\n  1  " in run.err
    assert "it is not finished" in run.err
    assert "the table has not one answer for" in run.err


def test_top_and_least_games(cli: Cli) -> None:
    assert len(cli("games.pgn", "--top", "3", "-q").out.splitlines()) == 5
    run = cli("games.pgn", "--least-games", "2", "-q")
    assert "Zoe" not in run.out
    assert run.err == ""
    assert "No players." in cli("games.pgn", "--least-games", "99").out
    assert cli("games.pgn", "--top", "0", "-q").out == ""


def test_formats_print_all_players(cli: Cli) -> None:
    players = ratings("games.pgn", "points").players["points"].to_pylist()
    assert len(players) == 10
    texts = {
        form: cli("games.pgn", "--method", "points", "--format", form, "--top", "1", "-q").out
        for form in ("json", "jsonl", "csv")
    }
    rows = json.loads(texts["json"])
    assert rows == [json.loads(line) for line in texts["jsonl"].splitlines()]
    assert rows == [row | {"points": float(row["points"])} for row in players]
    cells = list(csv.DictReader(io.StringIO(texts["csv"])))
    assert [row["points_exact"] for row in cells] == [row["points_exact"] for row in players]
    assert [row["name"] for row in cells] == [row["name"] for row in players]


def test_datasets_and_sources_are_the_same(cli: Cli) -> None:
    ingest("games.pgn", "dataset")
    assert cli("dataset", "-q").out == cli("games.pgn", "-q").out


def test_folder_and_state(cli: Cli) -> None:
    for month in range(1, 7):
        Path(f"{month}.pgn").write_text("".join(game.pgn() for game in stream(1, 80) if game.date.startswith(f"2024.{month:02}")))
        run = cli(f"{month}.pgn", "-o", "out", "--state", "state.parquet", "--method", "elo,points")
        assert run.status == 0
        assert "The tables are in out." in run.err
    Path("all.pgn").write_text("".join(game.pgn() for game in stream(1, 80)))
    assert run.out == cli("all.pgn", "--method", "elo,points").out
    assert sorted(str(path) for path in Path("out").glob("*/*") if path.is_file()) == [
        "out/elo/players.parquet",
        *sorted(f"out/findings/{path.name}" for path in Path("out/findings").iterdir()),
        "out/points/players.parquet",
    ]
    assert cli("all.pgn", "--state", "state.parquet", "--method", "elo,points").status == 2
    assert cli("all.pgn", "-o", "out").err == (
        "chesstools: The folder out holds ratings; give --overwrite to replace them, --state to go on, or choose another.\n"
    )
    assert cli("all.pgn", "-o", "out", "--overwrite").status == 0


def test_every_option_has_its_effect(cli: Cli) -> None:
    Path("known.csv").write_text("name,rating\nAnn,1800\n")
    Path("odd.pgn").write_text(
        "".join(
            game.pgn()
            for game in [
                *stream(2, 60),
                Played("ann", date="????.??.??"),
                Played(moves="1. e4 e5 2. Ke3"),
                Played(moves="1. e4"),
                Played(tags={"Termination": "abandoned"}),
            ]
        )
    )
    changes = {
        "elo": [
            "--elo-k=10",
            "--elo-expectation=table",
            "--elo-most-difference=20",
            "--period=month",
            "--initial=1000",
            "--initial=elo=known.csv",
            "--names=case",
            "--unknown-dates=reject",
            "--forfeits=any",
            "--forfeits=count",
            "--illegal=skip",
        ],
        "glicko2": ["--glicko2-tau=1.2", "--glicko2-deviation=200", "--glicko2-volatility=.1", "--period=game", "--initial=tags"],
        "points": [
            "--points-within10=inclusive",
            "--points-round=half_up_transfer",
            "--points-places=1",
            "--points-compare=levels",
            "--points-floor=0",
            "--initial=points=known.csv",
        ],
    }
    for method, options in changes.items():
        usual = cli("odd.pgn", "--method", method, "--format", "json", "-q").out
        for option in options:
            run = cli("odd.pgn", "--method", method, "--format", "json", "-q", option)
            assert run.status == 0, run.err
            assert (run.out != usual) is (option != "--initial=tags"), option
    levels = [
        {row["level"] for row in json.loads(cli("odd.pgn", "--method", "points", "--format", "json", "-q", *option).out)}
        for option in ([], ["--points-first-level", "from_0"])
    ]
    assert levels[0] != levels[1]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--method", "elo,x"], "There is no method 'x'; choose from elo, glicko2, points."),
        (["--points-floor", "0"], "--points-floor is of the method points; name it with --method too."),
        (["--method", "points", "--period", "month"], "The points system knows no rating periods; leave --period out."),
        (["--elo-k", "much"], "Invalid value for '--elo-k': 'much' is no number and not fide; see 'chesstools ratings --help'."),
        (["--elo-k", "-1"], "k is a number from 0 to 1000, or fide, not -1.0."),
        (["--method", "glicko2", "--glicko2-tau", "0"], "tau is a number above 0, up to 10, not 0.0."),
        (["--initial", "none.csv"], "none.csv is no number, not the word tags, and no file; say what players begin with."),
        (
            ["--method", "elo,points", "--format", "csv"],
            "Each method has its own columns; name one alone with --format csv, or use --output.",
        ),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(cli: Cli, options: list[str], sentence: str) -> None:
    assert cli("games.pgn", *options) == (2, "", f"chesstools: {sentence}\n")


def test_a_source_that_cannot_be_read_to_its_end(cli: Cli) -> None:
    Path("cut.pgn.gz").write_bytes(b"\x1f\x8b\x08\x00")
    run = cli("games.pgn", "cut.pgn.gz", "-q")
    assert run.status == 2
    assert "cut.pgn.gz" in run.err
    assert "Elo" in run.out
