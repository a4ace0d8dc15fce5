"""The command `chesstools query`, loaded as it is installed: through its console entry point."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import Cli, command

from chesstools import ingest, query
from chesstools.cli.query_help import OF_OPENINGS
from chesstools.cli.rows_screen import show_rows
from chesstools.cli.terminal import console
from chesstools.schema import SCHEMAS, TABLES
from chesstools.source import Source
from chesstools.sql.examples import examples
from chesstools.sql.macros import macros

SAMPLES = Path(__file__).parent.parent / "sample_data" / "games"
PGN = """[Event "One"]
[White "A \\x1b[31m<script>"]
[Black "B"]
[WhiteElo "1500"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Two"]
[White "C"]
[Black "D"]
[Result "*"]

1. d4 d5 *
""".replace("\\x1b", "\x1b")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    return command(capsys, "query")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two.pgn"
    path.write_text(PGN)
    return path


def test_a_table_to_look_at(cli: Cli, file: Path) -> None:
    run = cli(file, "SELECT game_index, white, white_elo, score(result_value) AS score FROM games ORDER BY game_index")
    assert run.status == 0
    assert (
        run.out
        == """\
game_index  white               white_elo  score
────────────────────────────────────────────────
         0  A \\x1b[31m<script>       1500      1
         1  C                        null   null
"""
    )
    assert "\x1b" not in run.out
    assert run.err == "2 rows.\n"
    assert cli(file, "SELECT 1", "-q").err == ""


def test_rows_that_are_not_shown_are_told(cli: Cli, file: Path) -> None:
    run = cli(file, "FROM plies SELECT san", "--rows", 3)
    assert run.out.split()[2:] == ["e4", "e5", "Qh5"]
    assert run.err == "9 rows, of which 3 are shown; --rows N shows more, --output FILE writes all.\n"


def test_many_columns_are_shown_one_below_the_other(cli: Cli, file: Path) -> None:
    run = cli(file, "FROM games LIMIT 1")
    assert max(map(len, run.out.splitlines())) <= 80
    assert re.search(r"^white +A \\x1b\[31m<script>$", run.out, re.MULTILINE)
    assert len(run.out.splitlines()) == 1 + len(SCHEMAS["games"].names)


def test_names_of_columns_are_broken_where_there_is_no_room(cli: Cli, file: Path) -> None:
    columns = "white AS a_rather_long_name_of_a_player, white_elo AS a_rather_long_name_of_a_rating, black"
    run = cli(file, f"SELECT {columns} FROM games ORDER BY game_index")
    assert max(map(len, run.out.splitlines())) <= 80
    assert "null" in run.out
    assert [line for line in run.out.splitlines() if "a_" in line]
    empty = cli(file, "FROM games WHERE false")
    assert empty.out.split() == SCHEMAS["games"].names
    assert max(map(len, empty.out.splitlines())) <= 80


def shown(width: int, **columns: object) -> list[str]:
    out = io.StringIO()
    show_rows(console(out, width=width), pa.table({name: [value] for name, value in columns.items()}))
    return out.getvalue().splitlines()


def test_names_of_columns_are_broken_no_more_than_they_have_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    columns = {"event": "e" * 40, "most_plies_past": 12, "first_year": 1999}
    assert shown(80, **columns)[0].split() == ["event", "most_plies_past", "first_year"]
    assert shown(44, **columns)[0].split() == ["event", "most_plies_past", "first_year"]
    assert [line.split() for line in shown(36, **columns)[:2]] == [["most_", "first_"], ["event", "plies_past", "year"]]
    lines = shown(31, **columns)
    assert [line.split() for line in lines[:3]] == [["most_"], ["plies_", "first_"], ["event", "past", "year"]]
    assert lines[-1].split()[0] == "e" * 14 + "…"


def test_names_of_players_have_room_or_stand_below_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    columns = {"white": "w" * 40, "black": "b" * 40, "event": "e" * 40}
    assert shown(45, **columns)[-1].split() == ["w" * 14 + "…", "b" * 14 + "…", "e" * 10 + "…"]
    assert shown(40, **columns)[0] == "row 1"


@pytest.mark.parametrize("width", [20, 40, 80, 120])
def test_nothing_is_wider_than_the_screen(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    out = io.StringIO()
    table = pa.table(
        {"source": ["/a/" + "long/" * 30 + "x.pgn"], "number": [12345678], "text": ["棋" * 100], "share": [1 / 3], "none": [None]}
    )
    show_rows(console(out, width=width), table)
    from rich.cells import cell_len

    assert max(map(cell_len, out.getvalue().splitlines())) <= width
    assert "12345678" in out.getvalue()  # a number is never cut
    assert "x.pgn" in out.getvalue()
    assert "…" in out.getvalue()


SQL = """SELECT white, white_elo, [1, 2] AS list, {'a': 1.5, 'b': NULL} AS struct, MAP {'k': 'v'} AS map,
DATE '2024-02-29' AS day,
'\\xAA'::BLOB AS bytes, 'nan'::DOUBLE AS nothing FROM games ORDER BY game_index"""


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json(cli: Cli, file: Path, form: str) -> None:
    run = cli(file, SQL, "--format", form)
    assert (run.status, run.err) == (0, "")
    assert "\x1b" not in run.out
    records = json.loads(run.out) if form == "json" else [json.loads(line) for line in run.out.splitlines()]
    assert records[1] == {
        "white": "C",
        "white_elo": None,
        "list": [1, 2],
        "struct": {"a": 1.5, "b": None},
        "map": [["k", "v"]],
        "day": "2024-02-29",
        "bytes": "aa",
        "nothing": None,
    }
    assert records[0]["white"] == "A \x1b[31m<script>"
    assert json.loads(cli(file, "FROM games WHERE false", "--format", "json").out) == []


def test_csv(cli: Cli, file: Path) -> None:
    run = cli(file, SQL, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run.out)))
    assert rows[1]["white"] == "C"
    assert rows[1]["white_elo"] == ""
    assert json.loads(rows[1]["list"]) == [1, 2]
    assert json.loads(rows[1]["struct"]) == {"a": 1.5, "b": None}
    assert rows[1]["day"] == "2024-02-29"
    assert rows[1]["bytes"] == "aa"
    assert cli(file, "SELECT white FROM games WHERE false", "--format", "csv").out == '"white"\n'


def test_parquet_and_arrow(cli: Cli, file: Path, tmp_path: Path) -> None:
    for name in ("rows.parquet", "rows.arrow"):
        run = cli(file, "FROM plies", "-o", tmp_path / name)
        assert (run.status, run.out) == (0, "")
    table = pq.read_table(tmp_path / "rows.parquet")
    assert table.column_names == SCHEMAS["plies"].names
    assert table.num_rows == 9
    assert pa.ipc.open_file(tmp_path / "rows.arrow").read_all().num_rows == 9
    assert cli(file, "FROM plies", "--format", "parquet").err.startswith("chesstools: Parquet is not text for standard output")


def test_a_file_is_complete_or_not_there(cli: Cli, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    out.write_text("before")
    run = cli(file, "SELECT CASE WHEN range < 200000 THEN range ELSE error('stop') END FROM range(300000)", "-o", out)
    assert run.status == 2
    assert "stop" in run.err
    assert out.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.csv", "two.pgn"]
    assert cli(file, "SELECT 1", "-o", file).err == f"chesstools: {file} is one of the sources; give --output another name.\n"
    assert "does not say which format" in cli(file, "SELECT 1", "-o", tmp_path / "rows.docx").err


def test_sql_from_a_file_and_from_standard_input(cli: Cli, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "count.sql"
    script.write_text("-- how many\nSELECT count(*) AS games\nFROM games;\n")
    assert cli(file, script, "--format", "csv").out == '"games"\n2\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(script.read_bytes())))
    assert cli(file, "-", "--format", "csv").out == '"games"\n2\n'
    script.write_bytes(b"SELECT '\xff'")
    assert cli(file, script).err == "chesstools: The SQL is not UTF-8 text; convert it first.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name a dataset and give SQL behind it; see 'chesstools query --help'."),
        (["FILE"], "The SQL is missing; give it behind FILE, or --example NAME."),
        (["SELECT 1"], "Name at least one source or dataset before the SQL."),
        (["FILE", "missing.sql"], "missing.sql cannot be read (No such file or directory); check the path."),
        (["-", "-"], "Standard input cannot be both a source and the SQL; give one of them as a file."),
        (["FILE", "--example", "opening"], "There is no example 'opening'; did you mean openings?"),
        (["FILE", "SELEC"], 'The SQL cannot be run: syntax error at or near "SELEC" (line 1, column 1).'),
        (["FILE", "DROP VIEW games"], "DROP is not allowed here, only SELECT and its like; results are written by --output."),
        (["nowhere.pgn", "SELECT 1"], "There is no file, folder or match for nowhere.pgn"),
    ],
)
def test_errors(cli: Cli, file: Path, arguments: list[str], message: str) -> None:
    run = cli(*[str(file) if word == "FILE" else word for word in arguments])
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"chesstools: {message.replace('FILE', str(file))}") or "nowhere.pgn" in run.err
    assert run.err.count("\n") == 1


def test_a_time_limit(cli: Cli, file: Path) -> None:
    run = cli(file, "SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range % 7 = b.range", "--timeout", "0.2")
    assert (run.status, run.out) == (2, "")
    assert run.err == "chesstools: The SQL took longer than 0.2 seconds; allow more, or ask for less.\n"


def test_a_source_that_cannot_be_read_to_its_end(cli: Cli, tmp_path: Path) -> None:
    import gzip

    broken = tmp_path / "a.pgn.gz"
    broken.write_bytes(gzip.compress(PGN.encode() * 2000)[:-9])
    run = cli(broken, "SELECT count(*) > 0 AS some FROM games", "--format", "csv")
    assert (run.status, run.out) == (2, '"some"\ntrue\n')
    assert "a.pgn.gz" in run.err


# ------------------------------------------------------------------------------------------------------- lists


def test_lists(cli: Cli) -> None:
    told = cli("--examples").out
    assert [line.split()[0] for line in told.splitlines() if re.match(r"  \S", line)] == [one.name for one in examples()]
    told = cli("--macros").out
    assert [line for line in told.splitlines() if not line.startswith(" ")] == [macro.call for macro in macros()]
    told = cli("--tables").out
    for table in TABLES:
        for field in SCHEMAS[table]:
            assert re.search(rf'^  "?{field.name}"?  +\w+', told, re.MULTILINE), field.name
    for table, columns in OF_OPENINGS.items():
        described = query(Source.from_bytes(b"", "a"), f"DESCRIBE {table}", arrow=True).to_pylist()
        kinds = {row["column_name"]: row["column_type"].lower() for row in described}
        assert {name: meaning.partition(":")[0] for name, meaning in columns.items()} == kinds
    for listed in ("--examples", "--macros", "--tables"):
        assert max(map(len, cli(listed).out.splitlines())) <= 80


@pytest.mark.parametrize("name", [one.name for one in examples()])
def test_examples(cli: Cli, file: Path, name: str) -> None:
    sql = cli("--example", name).out
    assert sql == next(one.sql for one in examples() if one.name == name) + "\n"
    assert cli(file, "--example", name, "--format", "csv") == cli(file, sql, "--format", "csv")


def test_help_has_examples_that_run(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = cli("--help").out
    text = " ".join(told.partition("Examples:")[2].split())
    commands = [shlex.split(words) for words in text.split("chesstools query ")[1:]]
    assert len(commands) == 4
    monkeypatch.chdir(tmp_path)
    ingest(SAMPLES / "historic_classics.pgn", "dataset")
    for arguments in commands:
        run = cli(*arguments)
        assert run.status == 0, run.err
    assert (tmp_path / "games.csv").is_file()


def test_memory_does_not_grow_with_the_answer(tmp_path: Path, file: Path) -> None:
    """A million rows of a hundred letters: 300 MB would be needed to hold them."""
    code = """
import resource, sys
from importlib.metadata import entry_points
(script,) = entry_points(group="console_scripts", name="chesstools")
status = script.load()(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
sys.exit(status)
"""

    def most(rows: int, name: str) -> int:
        sql = f"SELECT range, repeat(chr(97 + (range % 26)::INTEGER), 100) || range AS text FROM range({rows})"
        run = [sys.executable, "-c", code, "query", str(file), sql, "-o", str(tmp_path / name), "-j", "1"]
        return int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)

    for name in ("rows.csv", "rows.parquet"):
        few, many = most(1_000, name), most(1_000_000, name)
        assert many < few + 150, name
    assert pq.ParquetFile(tmp_path / "rows.parquet").metadata.num_rows == 1_000_000


CALL = [sys.executable, "-c", "import sys; from chesstools.cli.main import main; sys.exit(main())"]
ENDLESS = [
    ("SELECT jaro_winkler_similarity(repeat('ab', 1000000), repeat('ba', 1000000))", "The SQL took longer than 2 seconds"),
    ("SELECT len(range(1000000000))", "The SQL needs more memory than it may take"),
    ("SELECT len(repeat('x', 4000000000))", "The SQL needs more memory than it may take"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is that of Linux")
@pytest.mark.parametrize(("sql", "told"), ENDLESS)
def test_limits_hold_inside_of_one_call_of_a_function(file: Path, tmp_path: Path, sql: str, told: str) -> None:
    """DuckDB looks at neither limit there: the command ends itself, and leaves nothing behind."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    run = subprocess.run(
        [*CALL, "query", str(file), sql, "--timeout", "2", "--memory", "500", "--quiet"],
        env={**os.environ, "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 2
    assert run.stderr.startswith(f"chesstools: {told}")
    assert run.stderr.count("\n") == 1
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_what_happens_to_the_output_is_not_the_fault_of_the_sql(file: Path) -> None:
    call = [*CALL, "query", str(file), "FROM range(1000000)", "--format", "csv", "--quiet"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline() == '"range"\n'
        run.stdout.close()
        assert (run.stderr.read(), run.wait()) == ("", 0)
    with open("/dev/full", "w") as full:
        failed = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True)
    assert failed.returncode == 2
    assert failed.stderr.startswith("chesstools: Could not write the output: No space left on device")


def test_openings_of_a_dataset_without_plies(cli: Cli, tmp_path: Path) -> None:
    ingest(Source.from_bytes(PGN.encode(), "two.pgn"), tmp_path / "ds", tables=["games"])
    run = cli(tmp_path / "ds", "SELECT * FROM game_openings")
    assert run.err == "chesstools: game_openings needs the table plies; ingest again with --tables plies among them.\n"


def test_no_advice_that_cannot_be_followed(cli: Cli, file: Path) -> None:
    run = cli(file, "SELECT " + "(" * 1500 + "1" + ")" * 1500)
    assert run.err == "chesstools: The SQL cannot be run: Max expression depth limit of 1000 exceeded.\n"
