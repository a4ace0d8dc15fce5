"""The commands of `chesstools fen` that read many positions: what goes in, what comes out, what is said."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import Cli, Run, command

from chesstools.engines import why_not_native
from chesstools.fen import key

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
NO_ROOK = "4k3/8/8/8/8/8/8/4K3 w K - 0 1"
UNREADABLE = "4k3/8/8/8/8/8/8/4K3 w x - 0 1"

ENGINES = [
    "reference",
    pytest.param("native", marks=pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")),
]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    monkeypatch.chdir(tmp_path)
    return command(capsys, "fen")


@pytest.fixture
def fens(tmp_path: Path) -> str:
    (tmp_path / "p.fen").write_text("\n".join([START, "", NO_ROOK, UNREADABLE, KINGS]), encoding="utf-8")
    return "p.fen"


@pytest.fixture
def table(tmp_path: Path) -> str:
    rows = {"id": ["007", "8", "9"], "FEN": [NO_ROOK, None, UNREADABLE], "note": ["a,b", None, "ü"]}
    pq.write_table(pa.table(rows), tmp_path / "t.parquet")
    with open(tmp_path / "t.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([rows.keys(), *zip(*rows.values(), strict=True)])
    return "t.parquet"


def table_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# --------------------------------------------------------------------------------------------------------------- check


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("jobs", [1, 2])
def test_check_as_a_table(cli: Cli, fens: str, engine: str, jobs: int) -> None:
    run = cli("check", fens, "--format", "csv", "--engine", engine, "--jobs", jobs)
    assert (run.status, run.err) == (1, "4 positions: 2 errors\n")
    rows = table_of(run.out)
    assert list(rows[0]) == ["source", "line", "fen", "ok", "playable", "severity", "codes", "messages"]
    assert [(row["line"], row["ok"], row["playable"], row["severity"], row["codes"]) for row in rows] == [
        ("1", "true", "true", "", ""),
        ("3", "false", "true", "error", "F209"),
        ("4", "false", "true", "error", "F201"),
        ("5", "true", "true", "", ""),
    ]
    assert rows[2]["messages"] == "the FEN cannot be read: the castling rights are “x”"
    for suffix in ("parquet", "arrow"):
        assert cli("check", fens, "-o", f"out.{suffix}", "--engine", engine).out == ""
    read = pq.read_table("out.parquet")
    assert read.equals(pa.ipc.open_file("out.arrow").read_all())
    assert read["codes"].to_pylist() == [[], ["F209"], ["F201"], []]
    assert read["line"].to_pylist() == [1, 3, 4, 5]


def test_check_a_column(cli: Cli, table: str) -> None:
    for name in (table, "t.csv"):
        run = cli("check", name)
        assert run.status == 1
        assert [line.split(": ")[:2] for line in run.out.splitlines()] == [
            [f"{name}:1", "F209 impossible-castling-right"],
            [f"{name}:3", "F201 fen-syntax"],
        ]
    rows = [json.loads(line) for line in cli("check", table, "--format", "jsonl").out.splitlines()]
    assert [row["line"] for row in rows] == [1, 2, 3]
    run = cli("check", table, "--column", "note")
    assert run.status == 1
    assert "t.parquet:1: F201" in run.out
    assert cli("check", table, "--column", "no") == Run(
        2, "", "chesstools: t.parquet has no column no (it has id, FEN, note); name the column with the positions by --column.\n"
    )


def test_check_in_chinese(cli: Cli, fens: str) -> None:
    run = cli("check", fens, "--format", "csv", "--lang", "zh")
    assert run.err == "4 个局面：2 个错误\n"
    assert "FEN" in table_of(run.out)[2]["messages"]
    assert "cannot" not in run.out


def test_parquet_is_no_text(cli: Cli, fens: str) -> None:
    run = cli("check", fens, "--format", "parquet")
    assert (run.status, run.err) == (2, "chesstools: Parquet is not text for standard output; add --output FILE.\n")


def test_what_cannot_be_read_leaves_no_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.fen").write_bytes(f"{KINGS}\n{KINGS} ".encode() + b"\xff\n")
    for form in ("csv", "parquet"):
        run = cli("check", "bad.fen", "-o", f"out.{form}")
        assert run == Run(2, "", "chesstools: bad.fen: line 2 is not UTF-8 text; convert the file first.\n")
        assert not (tmp_path / f"out.{form}").exists()


def test_the_speed_of_many(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("check", KINGS)  # imports what is changed
    monkeypatch.setattr(sys.modules["chesstools.cli.fen_check"], "MANY", 2)
    (tmp_path / "p.fen").write_text(f"{KINGS}\n{KINGS}\n", encoding="utf-8")
    assert re.fullmatch(r"2 positions: nothing found \([\d,]+ positions/s\)\n", cli("check", "p.fen").err)


def test_a_progress_bar(cli: Cli, fens: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("check", fens)  # imports what is watched
    bars: list[tuple[int | None, str]] = []
    told: list[tuple[int, int]] = []

    progress = sys.modules["chesstools.cli.progress"]

    class Watching(progress.Bar):  # type: ignore[misc, name-defined]
        def __init__(self, total: int | None, lang: str, *, visible: bool, unit: str, in_bytes: bool, on_cluster: bool) -> None:
            assert in_bytes
            assert not on_cluster
            bars.append((total, unit))
            super().__init__(total, lang, visible=visible, unit=unit)

        def update(self, stored_bytes_read: int, games: int) -> None:
            told.append((stored_bytes_read, games))

    size = Path(fens).stat().st_size
    monkeypatch.setattr(progress, "Bar", Watching)
    for name in ("check", "normalise", "key", "dedupe", "moves"):
        cli(name, fens, fens)
        assert (bars.pop(), told) == ((2 * size, "positions"), [(size, 4), (2 * size, 8)])
        told.clear()


def test_a_folder(cli: Cli, tmp_path: Path) -> None:
    assert cli("check", str(tmp_path)).err == f"chesstools: {tmp_path} is a folder; name the files with positions.\n"


# ----------------------------------------------------------------------------------------------------------- normalise


@pytest.mark.parametrize("engine", ENGINES)
def test_normalise_lines(cli: Cli, fens: str, engine: str) -> None:
    run = cli("normalise", fens, "--engine", engine)
    assert run.status == 1
    assert run.out.splitlines() == [START, KINGS, UNREADABLE, KINGS]
    assert run.err.splitlines() == [
        "chesstools: p.fen:4: F201 fen-syntax: the FEN cannot be read: the castling rights are “x”",
        "4 positions: 1 changed (castling rights 1), 1 not understood",
    ]


def test_normalise_with_report_and_rejects(cli: Cli, fens: str, tmp_path: Path) -> None:
    run = cli("normalise", fens, "-o", "out.fen", "--report", "report.csv", "--rejects", "bad.fen", "--castling", "shredder")
    assert (run.status, run.out) == (1, "")
    assert (tmp_path / "out.fen").read_text() == f"{START.replace('KQkq', 'HAha')}\n{KINGS}\n{KINGS}\n"
    assert (tmp_path / "bad.fen").read_text() == f"{UNREADABLE}\n"
    rows = table_of((tmp_path / "report.csv").read_text())
    assert [(row["line"], row["fen"], row["normal"], row["changes"]) for row in rows] == [
        ("1", START, START.replace("KQkq", "HAha"), "castling-letters"),
        ("3", NO_ROOK, KINGS, "castling-rights"),
        ("4", UNREADABLE, "", ""),
    ]
    run = cli("normalise", fens, "--report", "report.txt")
    assert (run.status, run.out) == (2, "")
    assert "--report" in run.err


def test_normalise_a_table(cli: Cli, table: str) -> None:
    assert cli("normalise", table, "-o", "out.parquet").status == 1
    read, wanted = pq.read_table("out.parquet"), pq.read_table(table)
    assert read.column_names == wanted.column_names
    assert read["FEN"].to_pylist() == [KINGS, None, UNREADABLE]
    assert read.drop_columns(["FEN"]).equals(wanted.drop_columns(["FEN"]))
    run = cli("normalise", "t.csv", "--format", "csv", "--rejects", "bad.fen")
    assert table_of(run.out) == [{"id": "007", "FEN": KINGS, "note": "a,b"}, {"id": "8", "FEN": "", "note": ""}]


@pytest.mark.parametrize("name", ["check", "normalise", "key", "dedupe", "moves"])
def test_a_source_is_not_written_over(cli: Cli, table: str, tmp_path: Path, name: str) -> None:
    before = (tmp_path / "t.csv").read_bytes()
    assert cli(name, "t.csv", "-o", "t.csv") == Run(
        2, "", "chesstools: t.csv is one of the sources; give --output another name.\n"
    )
    assert (tmp_path / "t.csv").read_bytes() == before


def test_one_file_for_two_things(cli: Cli, fens: str) -> None:
    run = cli("normalise", fens, "-o", "x.csv", "--report", "./x.csv")
    assert (run.status, run.out) == (2, "")
    assert run.err == "chesstools: The output, --report and --rejects are to be different files; give them different names.\n"


def test_tables_that_differ(cli: Cli, table: str, tmp_path: Path) -> None:
    pq.write_table(pa.table({"fen": [KINGS]}), tmp_path / "other.parquet")
    run = cli("normalise", table, "other.parquet", "-o", "out.parquet")
    assert run.status == 2
    assert "chesstools: The tables have different columns (id, FEN, note; fen); write them to different files." in run.err
    assert not (tmp_path / "out.parquet").exists()


def test_many_that_are_not_understood(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.fen").write_text(f"{UNREADABLE}\n" * 23, encoding="utf-8")
    lines = cli("normalise", "bad.fen").err.splitlines()
    assert len(lines) == 22
    assert lines[-2:] == [
        "chesstools: 3 more positions were not understood",
        "23 positions: 0 changed, 23 not understood",
    ]


def test_what_is_said_in_chinese(cli: Cli, fens: str) -> None:
    assert cli("normalise", fens, "--lang", "zh").err.splitlines()[-1] == "4 个局面：改写 1 个（易位权 1），无法理解 1 个"


# ------------------------------------------------------------------------------------------------------------- convert


def test_convert(cli: Cli, tmp_path: Path) -> None:
    assert cli("convert", "--to", "epd", START) == Run(0, f"{START[:-4]} hmvc 0; fmvn 1;\n", "1 position converted\n")
    suite = [f'{KINGS[:-4]} bm Kd1; id "x; y";', UNREADABLE, f"{KINGS[:-4]} fmvn 7;"]
    (tmp_path / "s.epd").write_text("\n".join(suite), encoding="utf-8")
    run = cli("convert", "--to", "fen", "s.epd")
    assert run.status == 1
    assert run.out.splitlines() == [KINGS, UNREADABLE, f"{KINGS[:-1]}7"]
    assert run.err.splitlines()[-1] == "3 positions converted, 1 not understood; left behind: bm 1, id 1"
    run = cli("convert", "--to", "fen", "s.epd", "--rejects", "bad.fen", "--format", "jsonl", "--quiet")
    rows = [json.loads(line) for line in run.out.splitlines()]
    assert [(row["line"], row["converted"], row["operations"]) for row in rows] == [
        (1, KINGS, ["bm", "id"]),
        (3, f"{KINGS[:-1]}7", []),
    ]
    assert (tmp_path / "bad.fen").read_text() == f"{UNREADABLE}\n"


# ------------------------------------------------------------------------------------------------------ key and dedupe


@pytest.mark.parametrize("engine", ENGINES)
def test_key(cli: Cli, fens: str, engine: str) -> None:
    run = cli("key", fens, "--engine", engine)
    assert run.status == 1
    assert run.out.splitlines() == [f"{key(START)} {START[:-4]}", *[f"{key(KINGS)} {KINGS[:-4]}"] * 2]
    assert run.err.startswith("chesstools: p.fen:4: F201 fen-syntax: ")
    assert cli("key", fens, "-o", "k.parquet", "--engine", engine).status == 1
    assert pq.read_table("k.parquet")["position_key"].to_pylist() == [key(START), key(KINGS), None, key(KINGS)]
    assert cli("key", START) == Run(0, f"{key(START)} {START[:-4]}\n", "")


@pytest.mark.parametrize("engine", ENGINES)
def test_dedupe(cli: Cli, fens: str, table: str, engine: str) -> None:
    run = cli("dedupe", fens, fens, "--engine", engine)
    assert run == Run(
        0,
        f"{START}\n{NO_ROOK}\n{UNREADABLE}\n",
        "8 positions: 3 distinct, 5 left out; 2 not understood, which are told by their text\n",
    )
    assert cli("dedupe", fens, "--by", "text", "--engine", engine, "-q").out.splitlines()[-1] == KINGS
    pq.write_table(pa.concat_tables([pq.read_table(table)] * 2), "twice.parquet")
    assert cli("dedupe", "twice.parquet", "-o", "once.parquet", "--engine", engine).status == 0
    read = pq.read_table("once.parquet")
    assert read.column_names == ["id", "FEN", "note"]
    assert read["id"].to_pylist() == ["007", "8", "9", "8"]
    assert cli("dedupe", KINGS, KINGS, "--engine", engine).err == "2 positions: 1 distinct, 1 left out\n"
    assert cli("dedupe", fens, "--by", "text", "--engine", engine).err == "4 positions: 4 distinct, 0 left out\n"


# ----------------------------------------------------------------------------------------------------- moves and perft


@pytest.mark.parametrize("engine", ENGINES)
def test_moves(cli: Cli, fens: str, engine: str) -> None:
    one = "7k/8/8/8/8/8/6pK/8 b - - 0 1"
    run = cli("moves", one, "--engine", engine)
    assert run == Run(0, f"{one}: Kg8 Kh7 Kg7 g1=Q+ g1=R g1=B+ g1=N\n", "")
    run = cli("moves", fens, "--notation", "uci", "--engine", engine)
    assert run.status == 1
    assert [line.split(": ")[0] for line in run.out.splitlines()] == ["p.fen:1", "p.fen:3", "p.fen:5"]
    rows = table_of(cli("moves", fens, "--format", "csv", "--engine", engine).out)
    assert len(rows) == 20 + 5 + 5
    assert rows[20] == {"source": "p.fen", "line": "3", "fen": NO_ROOK, "move": "1", "san": "Kf2", "uci": "e1f2"}
    rows = [json.loads(line) for line in cli("moves", one, "--format", "jsonl", "--engine", engine).out.splitlines()]
    assert rows == [{"source": None, "line": None, "fen": one, "san": ["Kg8", "Kh7", "Kg7", "g1=Q+", "g1=R", "g1=B+", "g1=N"]}]


@pytest.mark.parametrize("engine", ENGINES)
def test_perft(cli: Cli, fens: str, engine: str) -> None:
    run = cli("perft", START, "-d", "3", "--engine", engine)
    assert (run.status, run.out) == (0, f"{START}: 8902\n")
    assert run.err.startswith("8,902 lines of 3 plies in ")
    run = cli("perft", fens, "--depth", "1", "--divide", "--engine", engine)
    assert run.status == 1
    lines = run.out.splitlines()
    assert lines[20] == "p.fen:1: 20"
    assert lines[21] == "p.fen:3: e1f2 1"
    assert "chesstools: p.fen:4: The position '4k3/8/8/8/8/8/8/4K3 w x - 0 1' cannot be read: " in run.err
    record = json.loads(cli("perft", KINGS, "-d", "2", "--divide", "--format", "json", "--engine", engine).out)[0]
    assert (record["depth"], record["nodes"], sum(record["divide"].values())) == (2, 25, 25)


# -------------------------------------------------------------------------------------------------------------- render


def test_render(cli: Cli, fens: str, tmp_path: Path) -> None:
    run = cli("render", KINGS, "--size", "200", "--arrow", "e1e2:red", "--square", "e8", "--last-move", "d1e1", "--flipped")
    assert run.status == 0
    svg = ElementTree.fromstring(run.out)
    assert svg.get("width") == "200"
    assert cli("render", KINGS, "-o", "board.svg", "--no-coordinates") == Run(0, "", "")
    assert ElementTree.parse(tmp_path / "board.svg").getroot().get("width") == "400"
    said = "chesstools: The name board.jpg does not say which format is wanted; say it with --format.\n"
    assert cli("render", KINGS, "-o", "board.jpg") == Run(2, "", said)
    assert not (tmp_path / "board.jpg").exists()
    assert cli("render", KINGS, "-o", "board.txt", "--format", "svg").status == 0
    assert cli("render", fens).err == "chesstools: p.fen holds several positions; name one to draw.\n"
    assert cli("render", KINGS, "--square", "z9").status == 2


def test_render_png(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py")
    assert cli("render", KINGS, "-o", "board.png") == Run(0, "", "")
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    run = cli("render", KINGS, "-o", "other.png")
    assert run.status == 2
    assert run.err == "chesstools: PNG pictures need one more package: pip install 'chesstools-pgn[render]', or make an SVG.\n"
    assert not (tmp_path / "other.png").exists()


# ---------------------------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("name", ["check", "normalise", "convert", "key", "dedupe", "moves", "perft", "winnable", "render"])
def test_help_has_examples_that_run(cli: Cli, name: str, tmp_path: Path) -> None:
    (tmp_path / "positions.fen").write_text(f"{START}\n{KINGS}\n", encoding="utf-8")
    (tmp_path / "positions.fen.zst").write_text(f"{START}\n{KINGS}\n", encoding="utf-8")
    (tmp_path / "suite.epd").write_text(f"{KINGS[:-4]} bm Kd1;\n", encoding="utf-8")
    (tmp_path / "puzzles.csv").write_text(f"PuzzleId,FEN\n1,{START}\n", encoding="utf-8")
    shown = cli(name, "--help").out
    lines = [line.strip() for line in shown.split("Examples:")[1].splitlines() if line.strip().startswith("chesstools fen ")]
    assert lines
    for line in lines:
        run = cli(*shlex.split(line)[2:])
        assert run.status == (1 if "1B2K3 w K" in line else 0), run.err
