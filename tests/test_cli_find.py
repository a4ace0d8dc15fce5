"""The command `chesstools find`, loaded as it is installed: through its console entry point."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import Cli, command
from test_find_games import TAGS

from chesstools import ingest, query
from chesstools.find import SCHEMA
from chesstools.search.extract import write_games

SAMPLES = Path(__file__).parent.parent / "sample_data" / "games"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    return command(capsys, "find")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tags.pgn"
    path.write_bytes(TAGS)
    return path


def test_a_table_to_look_at(cli: Cli, file: Path) -> None:
    run = cli(file, "--pattern", "pe5")
    assert run.status == 0
    words = run.out.splitlines()[-1].split()
    assert words[1:3] == ["1", "Carlsen,"]
    assert words[-6:] == ["Anand,", "V", "1/2-1/2", "2013.11.09", "2", "1"]
    assert max(map(len, run.out.splitlines())) <= 80
    assert run.err == "1 game, 1 position.\n"
    run = cli(file, "--pattern", "Pe4", "--every", "--rows", 2)
    assert len(run.out.splitlines()) == 4
    assert run.err == "3 games, 5 positions, of which 2 are shown; --rows N shows more, --output FILE writes all.\n"


def test_nothing_found(cli: Cli, file: Path) -> None:
    run = cli(file, "--pattern", "Ka8")
    assert (run.status, run.out, run.err) == (1, "", "0 games, 0 positions.\n")
    assert cli(file, "--pattern", "Ka8", "--format", "json").out == "[]\n"
    assert cli(file, "--pattern", "Ka8", "--format", "pgn").out == ""


def test_a_position_without_castling_rights_is_another_one(cli: Cli, file: Path) -> None:
    told = "The FEN names no castling rights, and positions with them are others: try it with 'w KQkq -'.\n"
    array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    assert cli(file, "--fen", array).err == f"0 games, 0 positions.\n{told}"
    assert cli(file, "--fen", array, "-q").err == ""
    assert told not in cli(file, "--fen", f"{array} w KQkq -").err
    assert told not in cli(file, "--fen", "8/8/8/8/8/8/8/K1k5 w - -").err


def test_count(cli: Cli, file: Path) -> None:
    assert cli(file, "--pattern", "Pe4", "--count")[:2] == (0, "3 games, 5 positions.\n")
    assert json.loads(cli(file, "--pattern", "Pe4", "--count", "--format", "json").out) == [{"games": 3, "positions": 5}]
    assert cli(file, "--pattern", "Pe4", "--count", "--format", "csv").out == '"games","positions"\n3,5\n'


def test_formats(cli: Cli, file: Path, tmp_path: Path) -> None:
    records = json.loads(cli(file, "--pattern", "Pe4", "--format", "json").out)
    assert [list(record) for record in records] == [SCHEMA.names] * 3
    assert [record["result"] for record in records] == ["1/2-1/2", "0-1", "*"]
    assert [json.loads(line) for line in cli(file, "--pattern", "Pe4", "--format", "jsonl").out.splitlines()] == records
    rows = list(csv.DictReader(io.StringIO(cli(file, "--pattern", "Pe4", "--format", "csv").out)))
    assert [(row["white"], row["ply"]) for row in rows] == [("Carlsen, Magnus", "1"), ("Anand, V", "1"), ("", "1")]
    assert cli(file, "--pattern", "Pe4", "-o", tmp_path / "found.parquet").out == ""
    assert pq.read_table(tmp_path / "found.parquet").to_pylist() == records
    assert cli(file, "--pattern", "Pe4", "-o", tmp_path / "found.arrow").status == 0
    assert pa.ipc.open_file(tmp_path / "found.arrow").read_all().to_pylist() == records


def test_the_games_themselves(cli: Cli, file: Path, tmp_path: Path) -> None:
    run = cli(file, "--pattern", "pc5", "--format", "pgn")
    assert run.out.startswith('[Event "B"]\n')
    assert run.out.rstrip().endswith("1. e4 c5 0-1")
    assert run.out.count("[Event ") == 1
    out = tmp_path / "found.pgn"
    assert cli(file, "--pattern", "Pe4", "--white", "a", "-o", out).status == 0
    games = query([out], "SELECT event, eco FROM games ORDER BY game_index", arrow=True).to_pylist()
    assert games == [{"event": "A", "eco": "A07"}, {"event": "B", "eco": "b90"}]


def test_several_datasets_and_sources(cli: Cli, file: Path, tmp_path: Path) -> None:
    ingest(SAMPLES / "historic_classics.pgn", tmp_path / "classics")
    alone = json.loads(cli(tmp_path / "classics", "--pattern", "Pe4", "--count", "--format", "json").out)[0]
    both = json.loads(cli(tmp_path / "classics", file, "--pattern", "Pe4", "--count", "--format", "json").out)[0]
    assert both == {"games": alone["games"] + 3, "positions": alone["positions"] + 5}
    out = tmp_path / "found.pgn"
    assert cli(tmp_path / "classics", file, "--pattern", "Pe4", "-o", out).status == 0
    assert query(out, "SELECT count(*) AS n FROM games")["n"].tolist() == [both["games"]]


def test_what_was_not_searched(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "atomic.pgn"
    file.write_text('[Variant "Atomic"]\n\n1. e4 e5 *\n\n1. e4 *\n')
    run = cli(file, "--pattern", "Pe4", "--count")
    assert (run.out, run.err) == ("1 game, 1 position.\n", "1 game of a variant was not searched.\n")
    assert cli(file, "--pattern", "Pe4", "--count", "-q").err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--pattern", "Ke9"], "'Ke9' is no term of a pattern"),
        (["--material", "KRR"], "'KRR' does not say what material is there"),
        (["--fen", "x"], "The position 'x' cannot be read"),
        (["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "The position '8/8/8/8/8/8/8/8 w - - 0 1' cannot be played"),
        (["--pawns", "x"], "'x' is no position"),
        (["--pattern", "Ke1", "--year", "x"], "'x' is no year"),
        ([], "Say what to look for"),
        (["--fen", "x", "--lasting", "2"], "A FEN says all of a position"),
        (["--pattern", "Ke1", "-o", "x.docx"], "The name x.docx does not say which format is wanted"),
        (["--pattern", "Ke1", "--format", "parquet"], "Parquet is not text for standard output"),
    ],
)
def test_errors(cli: Cli, file: Path, arguments: list[str], message: str) -> None:
    run = cli(file, *arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"chesstools: {message}")
    assert run.err.count("\n") == 1


def test_the_output_is_no_source(cli: Cli, file: Path) -> None:
    run = cli(file, "--pattern", "Pe4", "-o", file)
    assert run.err == f"chesstools: {file} is one of the sources; give --output another name.\n"
    assert file.read_bytes() == TAGS


def test_a_dataset_without_plies(cli: Cli, file: Path, tmp_path: Path) -> None:
    ingest(file, tmp_path / "games", tables=["games"])
    run = cli(tmp_path / "games", "--pattern", "Ke1")
    assert run.status == 2
    assert "has no table plies; ingest again with --tables plies among them." in run.err


def test_help_has_examples_that_run(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(cli("--help").out.partition("Examples:")[2].split())
    commands = [shlex.split(words) for words in text.split("chesstools find ")[1:]]
    assert len(commands) == 5
    monkeypatch.chdir(tmp_path)
    ingest([SAMPLES / "historic_classics.pgn", SAMPLES / "historic_specials.pgn"], "dataset")
    for arguments in commands:
        assert cli(*arguments).status in (0, 1)
    assert cli(*commands[0]).status == 0
    assert (tmp_path / "endings.csv").is_file()
    assert (tmp_path / "found.pgn").is_file()


def test_a_game_is_noted_once_however_many_positions_it_has(cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[dict[str, list[int]]] = []

    def write(datasets: object, found: dict[str, list[int]], place: Path) -> None:
        noted.append({source: list(numbers) for source, numbers in found.items()})
        write_games(datasets, found, place)  # type: ignore[arg-type]

    monkeypatch.setattr("chesstools.search.extract.write_games", write)
    assert cli(file, "--pattern", "Pe4", "--every", "--format", "pgn").out
    ((numbers,),) = (found.values() for found in noted)
    assert len(numbers) == len(set(numbers))
