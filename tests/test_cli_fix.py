"""`chesstools fix`: what it writes, prints and refuses, and its exit status."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Cli, command

GOLDEN = Path(__file__).parent / "golden"
TAGS = '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "{}"]\n[Black "?"]\n[Result "{}"]\n\n'
BAD = (
    TAGS.format("A", "1-0") + "1. e2e4! e5 2. Ng1f3 Nc6+ 1/2\n\n"
    + TAGS.format("B", "1-0") + "1. e4 e5 1-0\n\n"
    + TAGS.format("M\x1b[31müller", "0-1").replace('Round "?"', 'Round "?') + "1. f3 e5 2. g4 Qh4+ 1-0\n"
).encode()  # fmt: skip


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], here: Path) -> Cli:
    Path("a.pgn").write_bytes(BAD)
    return command(capsys, "fix")


def golden(name: str, text: str) -> None:
    assert text == (GOLDEN / name).read_text(encoding="utf-8"), text


def test_repaired_games_and_a_summary(cli: Cli) -> None:
    run = cli("a.pgn", "-o", "f.pgn", "--report", "r.csv")
    assert (run.status, run.out) == (1, "")  # the result of the third game still contradicts the mate
    assert b"1. e4 $1 e5 2. Nf3 Nc6 1/2-1/2\n" in Path("f.pgn").read_bytes()
    golden("fix_summary.txt", run.err)
    assert cli("--revert", "r.csv", "f.pgn", "-o", "b.pgn") == (0, "", "b.pgn holds the bytes that a.pgn had\n")
    assert Path("b.pgn").read_bytes() == BAD
    assert cli("--revert", "r.csv", "f.pgn", "-o", "b.pgn", "--quiet").err == ""


def test_a_folder_of_repaired_files_comes_back(cli: Cli) -> None:
    Path("b.pgn").write_bytes(b"1. e2e4 *")
    cli("a.pgn", "b.pgn", "-o", "out", "--report", "r.csv", "-q")
    told = "back/a.pgn holds the bytes that a.pgn had\nback/b.pgn holds the bytes that b.pgn had\n"
    assert cli("--revert", "r.csv", "out", "-o", "back/") == (0, "", told)
    assert (Path("back/a.pgn").read_bytes(), Path("back/b.pgn").read_bytes()) == (BAD, b"1. e2e4 *")


def test_a_diff_is_one_that_patch_reads(cli: Cli) -> None:
    run = cli("a.pgn", "--diff", "--unsafe", "-q")
    assert run.status == 1  # the first game's tag and movetext differ
    golden("fix_diff.txt", run.out)
    cli("a.pgn", "-o", "f.pgn", "--unsafe", "-q")
    if shutil.which("patch"):
        Path("p.diff").write_bytes(run.out.encode())
        subprocess.run(["patch", "-s", "a.pgn", "p.diff"], check=True)
        assert Path("a.pgn").read_bytes() == Path("f.pgn").read_bytes()


def test_a_diff_on_a_terminal_is_coloured_and_escaped(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = cli("a.pgn", "--diff", "-q").out
    assert "\x1b[32m+1. e4 $1 e5 2. Nf3 Nc6 1/2-1/2\x1b[0m" in out
    assert "\\x1b[31m" in out
    assert "M\x1b" not in out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in cli("a.pgn", "--diff", "-q").out


def test_dry_run_counts_and_writes_nothing(cli: Cli) -> None:
    run = cli("a.pgn", "--dry-run", "--select", "N", "--fail-on", "never")
    assert (run.status, run.out) == (0, "")
    assert "5 changes would be made in 2 games of 3" in run.err
    assert [path.name for path in Path().iterdir()] == ["a.pgn"]


def test_chinese(cli: Cli) -> None:
    err = cli("a.pgn", "--dry-run", "--lang", "zh").err
    assert "改动" in err
    assert "将作 7 处改动，涉及 2 局，共 3 局" in err
    assert "尚余：2 个错误，0 个警告，0 条提示" in err


def test_standard_output_and_standard_input(cli: Cli) -> None:
    cli("a.pgn", "-o", "f.pgn", "-q")
    program = "import sys; from chesstools.cli.main import main; sys.exit(main())"
    args = [sys.executable, "-c", program, "fix", "-", "-o", "-", "-q"]
    shown = subprocess.run(args, input=BAD, capture_output=True, check=False)
    assert (shown.returncode, shown.stdout, shown.stderr) == (1, Path("f.pgn").read_bytes(), b"")


@pytest.mark.parametrize(("level", "status"), [("error", 0), ("warning", 0), ("info", 1), ("never", 0)])
def test_exit_status_is_of_what_is_left(cli: Cli, level: str, status: int) -> None:
    Path("b.pgn").write_text(TAGS.format("A", "1-0") + "1. e2e4 e5 1-0\n\n" + TAGS.format("A", "*") + "*\n")
    assert cli("b.pgn", "-o", "f.pgn", "--fail-on", level).status == status


def test_a_source_that_breaks_off(cli: Cli) -> None:
    Path("c.pgn.gz").write_bytes(gzip.compress(BAD * 500)[:-9])
    run = cli("a.pgn", "c.pgn.gz", "-o", "out", "--fail-on", "never", "-q")
    assert run.status == 2
    assert run.err.startswith("chesstools: c.pgn.gz ")
    assert [path.name for path in Path("out").iterdir()] == ["a.pgn"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("a.pgn",), "Say where the repaired games go: --output OUT; or look first with --diff or --dry-run."),
        (("a.pgn", "--in-place"), "--in-place needs --report FILE, from which the sources can be had back."),
        (("a.pgn", "--in-place", "-o", "b"), "--in-place and --output exclude each other; choose one."),
        (("a.pgn", "--dry-run", "-o", "b"), "--dry-run writes nothing; leave --output, --report and --in-place out."),
        (("a.pgn", "--diff", "-o", "-"), "--diff and the repaired games cannot both go to standard output; add --output FILE."),
        (("a.pgn", "--diff", "--report", "r.csv"), "--report tells of what was written; add --output OUT."),
        (
            ("--revert", "r.csv", "a.pgn"),
            "Name repaired files and where their old bytes go: --revert REPORT FIXED --output OUT.",
        ),
        (("--revert", "r.csv", "a.pgn", "-o", "b"), "r.csv cannot be read (No such file or directory); check the name."),
        (("a.pgn", "-o", "a.pgn"), "a.pgn is one of the sources; choose another place, or use --in-place with --report."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(cli: Cli, args: tuple[str, ...], sentence: str) -> None:
    assert cli(*args) == (2, "", f"chesstools: {sentence}\n")
    assert [path.name for path in Path().iterdir()] == ["a.pgn"]


def test_in_place(cli: Cli) -> None:
    assert cli("a.pgn", "--in-place", "--report", "r.parquet", "-q").status == 1
    assert Path("a.pgn").read_bytes() != BAD
    assert cli("--revert", "r.parquet", "a.pgn", "-o", "b.pgn").status == 0
    assert Path("b.pgn").read_bytes() == BAD
