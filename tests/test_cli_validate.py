"""The command `chesstools validate`, loaded as it is installed: through its console entry point."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from command_line import Cli

from chesstools.schema import FINDINGS

ROSTER = '[Event "Open"]\n[Site "Linares ESP"]\n[Date "1999.02.21"]\n[Round "1"]\n'
CLEAN = ROSTER + '[White "Anand, V"]\n[Black "Kramnik, V"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n'
BLOCKED = ROSTER + '[White "Topalov, V"]\n[Black "Adams, M"]\n[Result "0-1"]\n\n1. e4 e5\n2. Ra3 Nc6 0-1\n\n'
NO_SITE = CLEAN.replace('[Site "Linares ESP"]\n', "")
NO_MOVES = ROSTER + '[White "Anand, V"]\n[Black "Kramnik, V"]\n[Result "*"]\n\n*\n\n'


@pytest.fixture
def pgn(tmp_path: Path) -> Callable[..., Path]:
    def write(*games: str, name: str = "games.pgn") -> Path:
        path = tmp_path / name
        path.write_text("".join(games), encoding="utf-8")
        return path

    return write


def chesstools(*args: object, **options: object) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-c", "import sys; from chesstools.cli.main import main; sys.exit(main())"]
    return subprocess.Popen([*command, *map(str, args)], text=True, **options)  # type: ignore[call-overload,no-any-return]


def test_clean_games_print_nothing_but_the_summary(cli: Cli, pgn: Callable[..., Path]) -> None:
    run = cli("validate", pgn(CLEAN, CLEAN))
    assert (run.status, run.out) == (0, "")
    assert "nothing found\n" in run.err
    assert re.search(r"^2 games, 8 plies, \d+ bytes from 1 source in ", run.err, re.MULTILINE)


def test_a_finding_is_one_line_with_its_place(cli: Cli, pgn: Callable[..., Path]) -> None:
    path = pgn(CLEAN, BLOCKED)
    run = cli("validate", path, "--select", "M306")
    assert run.status == 1
    (line,) = run.out.splitlines()
    assert line.startswith(f"{path}:20: game 1 (Topalov, V-Adams, M), ply 3, M306 path-blocked: ")
    assert "a2" in line
    assert re.search(r"1 +error +M306 +path-blocked", run.err)
    assert "1 error\n" in run.err


def test_text_outside_of_games_has_no_game(cli: Cli, pgn: Callable[..., Path]) -> None:
    path = pgn("Results of the spring open\n\n", CLEAN)
    run = cli("validate", path, "--select", "P110", "--severity", "info")
    assert run.out.startswith(f"{path}:1: P110 ")
    assert f"{path}: 1 region outside of any game, " in run.err


@pytest.mark.parametrize(
    ("game", "fail_on", "status"),
    [
        (BLOCKED, "error", 1),
        (BLOCKED, "E", 1),
        (BLOCKED, "never", 0),
        (NO_SITE, "error", 0),
        (NO_SITE, "warning", 1),
        (NO_SITE, "W", 1),
        (NO_MOVES, "warning", 0),
        (NO_MOVES, "info", 1),
        (NO_MOVES, "i", 1),
        (CLEAN, "info", 0),
    ],
)
def test_exit_status_follows_fail_on(cli: Cli, pgn: Callable[..., Path], game: str, fail_on: str, status: int) -> None:
    assert cli("validate", pgn(game), "--fail-on", fail_on).status == status


def test_only_selected_findings_count(cli: Cli, pgn: Callable[..., Path]) -> None:
    path = pgn(BLOCKED, NO_SITE)
    assert cli("validate", path, "--ignore", "M").status == 0
    assert cli("validate", path, "--select", "P,T").status == 0
    run = cli("validate", path, "--select", "M", "--select", "P106", "--ignore", "M390")
    assert [line.split(", ")[-1].split()[0] for line in (text.split(": ")[1] for text in run.out.splitlines())] == [
        "M306",
        "P106",
    ]


def test_text_leaves_infos_to_those_who_ask(cli: Cli, pgn: Callable[..., Path]) -> None:
    path = pgn(NO_MOVES)
    run = cli("validate", path)
    assert run.out == ""
    assert "1 info (1 finding not shown; --severity info shows all)" in run.err
    assert "P113" in cli("validate", path, "--severity", "info").out
    assert "P113" in cli("validate", path, "--select", "P113").out
    assert "P113" in cli("validate", path, "--format", "csv").out


def test_quiet_prints_findings_only(cli: Cli, pgn: Callable[..., Path]) -> None:
    run = cli("validate", pgn(BLOCKED), "--quiet")
    assert "M306" in run.out
    assert run.err == ""


def test_standard_input(pgn: Callable[..., Path]) -> None:
    with open(pgn(BLOCKED), encoding="utf-8") as file:
        process = chesstools("validate", "-", "-q", stdin=file, stdout=subprocess.PIPE)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert out.startswith("-:10: game 0 (Topalov, V-Adams, M), ply 3, M306 ")


def test_json_lines_json_and_csv_say_the_same(cli: Cli, pgn: Callable[..., Path]) -> None:
    path = pgn(BLOCKED, NO_SITE, NO_MOVES)
    lines = [json.loads(line) for line in cli("validate", path, "--format", "jsonl").out.splitlines()]
    whole = json.loads(cli("validate", path, "--format", "json").out)
    rows = list(csv.DictReader(StringIO(cli("validate", path, "--format", "csv").out)))
    assert lines == whole["findings"]
    assert {line["code"] for line in lines} >= {"M306", "P106", "P113"}
    assert whole["summary"]["games"] == 3
    assert whole["summary"]["findings"]["M306"] == 1
    assert whole["summary"]["sources"][0]["name"] == str(path)
    for line, row in zip(lines, rows, strict=True):
        assert row["evidence"] == "" if not line["evidence"] else json.loads(row["evidence"]) == line["evidence"]
        assert all(row[name] == ("" if value is None else str(value)) for name, value in line.items() if name != "evidence")
    (blocked,) = (line for line in lines if line["code"] == "M306")
    assert (blocked["game_index"], blocked["ply"], blocked["line"], blocked["token"]) == (0, 3, 10, "Ra3")
    assert (blocked["white"], blocked["black"], blocked["name"]) == ("Topalov, V", "Adams, M", "path-blocked")
    assert blocked["evidence"]["blocker"] == "a2"


def test_json_of_nothing_is_still_json(cli: Cli, pgn: Callable[..., Path]) -> None:
    assert json.loads(cli("validate", pgn(CLEAN), "--format", "json").out)["findings"] == []
    assert json.loads(cli("validate", pgn(CLEAN), "--format", "sarif").out)["runs"][0]["results"] == []


def test_parquet_has_the_findings_schema(cli: Cli, pgn: Callable[..., Path], tmp_path: Path) -> None:
    path = pgn(BLOCKED, NO_SITE, NO_MOVES)
    target = tmp_path / "findings.parquet"
    assert cli("validate", path, "--output", target).status == 1
    table = pq.read_table(target)
    assert table.schema.equals(FINDINGS)
    lines = [json.loads(line) for line in cli("validate", path, "--format", "jsonl").out.splitlines()]
    assert table.column("code").to_pylist() == [line["code"] for line in lines]
    cli("validate", path, "--output", target, "--severity", "error")
    assert set(pq.read_table(target).column("severity").to_pylist()) == {"error"}
    cli("validate", pgn(CLEAN), "--output", target)
    assert pq.read_table(target).num_rows == 0


def test_sarif(cli: Cli, pgn: Callable[..., Path]) -> None:
    path = pgn(CLEAN, BLOCKED, NO_MOVES, name="spring open.pgn")
    log = json.loads(cli("validate", path, "--format", "sarif").out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["invocations"] == [{"executionSuccessful": True}]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["message"]["text"]
        assert re.fullmatch("[0-9a-f]{32}", result["partialFingerprints"]["chesstools/v1"])
        (location,) = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"] == path.as_uri()
        assert location["physicalLocation"]["region"].keys() == {"startLine", "byteOffset", "byteLength"}
    (blocked,) = (result for result in run["results"] if result["ruleId"] == "M306")
    assert blocked["level"] == "error"
    assert blocked["locations"][0]["physicalLocation"]["region"]["startLine"] == 20
    assert blocked["locations"][0]["message"]["text"] == "game 1 (Topalov, V-Adams, M), ply 3"


def test_fingerprint_stays_when_a_game_moves(cli: Cli, pgn: Callable[..., Path]) -> None:
    def prints(path: Path) -> list[str]:
        log = json.loads(cli("validate", path, "--format", "sarif", "--select", "M306").out)
        return [result["partialFingerprints"]["chesstools/v1"] for result in log["runs"][0]["results"]]

    assert prints(pgn(BLOCKED)) == prints(pgn(CLEAN, BLOCKED))


def test_github_commands(cli: Cli, pgn: Callable[..., Path]) -> None:
    path = pgn(BLOCKED.replace("Topalov, V", "100%: Topalov, V"), name="a,b.pgn")
    run = cli("validate", path, "--format", "github", "--select", "M306")
    escaped = str(path).replace(",", "%2C")
    assert run.out.startswith(
        f"::error file={escaped},line=10,title=M306 path-blocked::game 0 (100%25: Topalov, V-Adams, M), ply 3: "
    )
    assert len(run.out.splitlines()) == 1


@pytest.mark.parametrize("form", ["text", "table", "github"])
def test_names_cannot_drive_the_terminal(cli: Cli, pgn: Callable[..., Path], form: str) -> None:
    hostile = BLOCKED.replace("Topalov, V", "\x1b[2J\u202e\x9bTopalov\r::error::x").replace("Ra3", "Ra3\x1b]0;x\x07")
    run = cli("validate", pgn(hostile), "--format", form, "--severity", "info")
    assert "\\x1b" in run.out
    assert "\\u202e" in run.out
    assert all(char.isprintable() or char == "\n" for char in run.out + run.err)
    assert not re.search("^::error::x", run.out, re.MULTILINE)


def test_programs_get_names_exactly(cli: Cli, pgn: Callable[..., Path]) -> None:
    name = "Müller\x1b[2J\u202e, A"
    path = pgn(BLOCKED.replace("Topalov, V", name))
    run = cli("validate", path, "--format", "jsonl", "--select", "M306")
    assert "\u202e" not in run.out
    assert "Müller" in run.out
    assert json.loads(run.out)["white"] == name
    (row,) = csv.DictReader(StringIO(cli("validate", path, "--format", "csv", "--select", "M306").out))
    assert row["white"] == name


def test_table_shows_every_finding_under_one_header(cli: Cli, pgn: Callable[..., Path]) -> None:
    run = cli("validate", pgn(*[BLOCKED] * 150), "--format", "table", "--select", "M306")
    assert run.out.count("M306 path-blocked") == 150
    assert run.out.count("message") == 1


def test_output_file_is_there_only_when_complete(cli: Cli, pgn: Callable[..., Path], tmp_path: Path) -> None:
    target = tmp_path / "findings.csv"
    run = cli("validate", pgn(BLOCKED), "--output", target)
    assert run.out == ""
    assert target.read_text().startswith("source,line,")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["findings.csv", "games.pgn"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["{dir}/none.pgn"], None),
        (["{dir}/games.pgn", "--format", "parquet"], "Parquet is not text for standard output; add --output FILE."),
        (["{dir}/games.pgn", "--output", "{dir}"], "{dir} is a folder; give the name of a file."),
        (
            ["{dir}/games.pgn", "--output", "{dir}/games.pgn"],
            "{dir}/games.pgn is one of the sources; give --output another name.",
        ),
        (["{dir}", "--output", "{dir}/games.pgn"], "{dir}/games.pgn is one of the sources; give --output another name."),
        (
            ["{dir}/games.pgn", "--output", "{dir}/no/x.csv"],
            "{dir}/no/x.csv cannot be written (No such file or directory); choose another place.",
        ),
        (["{dir}/games.pgn", "--select", "M999"], None),
        (["{dir}/games.pgn", "--select", ","], None),
        (["{dir}/games.pgn", "--fail-on", "x"], None),
        ([], "Missing argument 'SOURCES...'; see 'chesstools validate --help'."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    cli: Cli, pgn: Callable[..., Path], tmp_path: Path, args: list[str], sentence: str | None
) -> None:
    path = pgn(BLOCKED)
    run = cli("validate", *[arg.format(dir=tmp_path) for arg in args])
    assert (run.status, run.out) == (2, "")
    assert re.fullmatch(r"chesstools: .+[.?]\n", run.err)
    if sentence is not None:
        assert run.err == f"chesstools: {sentence.format(dir=tmp_path)}\n"
    assert path.read_text() == BLOCKED


def test_an_unknown_rule_is_answered_with_a_near_one(cli: Cli, pgn: Callable[..., Path]) -> None:
    assert "path-blocked" in cli("validate", pgn(CLEAN), "--select", "path-bloked").err


def test_a_cut_archive_is_an_error_after_what_could_be_read(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "cut.pgn.gz"
    path.write_bytes(gzip.compress((BLOCKED + CLEAN * 50).encode())[:-20])
    whole = tmp_path / "whole.pgn"
    whole.write_text(BLOCKED)
    run = cli("validate", path, whole, "--select", "M306")
    assert run.status == 2
    assert f"{path}:10: game 0 " in run.out
    assert f"{whole}:10: game 0 " in run.out
    assert [line for line in run.err.splitlines() if line.startswith(f"chesstools: {path} ")]


def test_a_reader_that_goes_away_is_no_error(pgn: Callable[..., Path]) -> None:
    path = pgn(*[BLOCKED] * 2000)
    process = chesstools("validate", path, "-q", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr as err:
        assert err.read() == ""
    assert process.wait(timeout=60) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.skipif(signal.getsignal(signal.SIGINT) == signal.SIG_IGN, reason="a job in the background hears no interrupts")
def test_an_interrupt_is_one_sentence(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.pgn"
    os.mkfifo(pipe)
    process = chesstools("validate", pipe, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(pipe, "wb", buffering=0) as feed:  # blocks until the program reads
        feed.write(CLEAN.encode())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "chesstools: Interrupted; the findings up to here were reported.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_sentence(pgn: Callable[..., Path]) -> None:
    path = pgn(*[BLOCKED] * 200)
    with open("/dev/full", "w") as full:
        process = chesstools("validate", path, "-q", stdout=full, stderr=subprocess.PIPE)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err == "chesstools: Could not write the output: No space left on device; make room or choose another place.\n"


def test_unexpected_errors_are_not_hidden(cli: Cli, pgn: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("chesstools.source.find_sources", broken)
    with pytest.raises(ZeroDivisionError):
        cli("validate", pgn(CLEAN))


@pytest.mark.parametrize("command", [[], ["validate"], ["ingest"], ["rule"]])
def test_help_ends_in_an_example(cli: Cli, command: list[str]) -> None:
    run = cli(*command, "--help")
    assert run.status == 0
    assert re.search(r"\n  Examples?:\n(    chesstools .*\n|    \S.* \| chesstools .*\n)+$", run.out)


def test_without_a_command_there_is_help(cli: Cli) -> None:
    run = cli()
    assert run.status == 2
    assert "Usage: chesstools" in run.err
    run = cli("validat")
    assert run.status == 2
    assert run.err.startswith("chesstools: No such command 'validat'")


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_is_for_terminals(cli: Cli, pgn: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("chesstools.cli.progress.PATIENCE", 0)
    path = pgn(*[CLEAN] * 50)
    assert cli("validate", path).err.count("games/s") <= 1  # that of the summary
    for args, bars in ((["validate", path], True), (["validate", path, "--quiet"], False)):
        screen = Screen()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", screen)
            cli(*args)
        assert ("━" in screen.getvalue()) is bars


def test_progress_bar_says_what_is_done_and_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    from chesstools.cli.progress import progress_bar

    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("chesstools.cli.progress.PATIENCE", 0)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar(4_000_000, "en", quiet=False) as bar:
        bar.update(1_000_000, 1234)
    assert re.search(r"1\.0/4\.0.* MB.*1,234 games .*games/s [\d.]+ s left", screen.getvalue())


# ------------------------------------------------------------------------------------------------ what is shown


def test_a_rule_that_is_named_is_shown_whatever_its_severity(cli: Cli, pgn: Callable[..., Path]) -> None:
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"
    game = CLEAN.replace("1. e4 e5 2. Nf3 Nc6", shuffle).replace("1-0", "1/2-1/2")
    path = pgn(game.replace("[Result", '[ECO "B90"]\n[Result'))

    def shown(*options: str) -> set[str]:
        return set(re.findall(r"\b[A-Z]\d{3}\b", cli("validate", path, *options).out))

    assert shown() == shown("--also", "T126", "--severity", "warning") == set()
    assert shown("--also", "T126") == shown("--also", "ALL", "--ignore", "P112") == shown("--select", "T126") == {"T126"}
    assert shown("--also", "T126,threefold-available") == {"T126", "D601"}
    assert shown("--also", "T126", "--severity", "info") > {"T126", "D601"}


@pytest.mark.parametrize("name", ["report.xlsx", "report.html", "report.md"])
def test_a_name_that_says_no_format_is_refused(cli: Cli, pgn: Callable[..., Path], tmp_path: Path, name: str) -> None:
    path, output = pgn(BLOCKED), tmp_path / name
    run = cli("validate", path, "-o", output)
    assert (run.status, run.out) == (2, "")
    assert run.err == f"chesstools: The name {output} does not say which format is wanted; say it with --format.\n"
    assert not output.exists()
    assert cli("validate", path, "-o", output, "--format", "text").status == 1
    assert "M306" in output.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["report", "report.txt", "report.LOG", "report.csv"])
def test_a_name_that_says_the_format(cli: Cli, pgn: Callable[..., Path], tmp_path: Path, name: str) -> None:
    output = tmp_path / name
    assert cli("validate", pgn(BLOCKED), "-o", output).status == 1
    assert "M306" in output.read_text(encoding="utf-8")
    assert output.read_text(encoding="utf-8").startswith("source,") == name.endswith(".csv")


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_summary_counts_each_severity_of_a_rule(cli: Cli, pgn: Callable[..., Path], engine: str) -> None:
    if engine == "native":
        pytest.importorskip("chesstools._core")
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"
    games = [CLEAN.replace("1. e4 e5 2. Nf3 Nc6", shuffle).replace("1-0", result) for result in ("1-0", "1/2-1/2", "1/2-1/2")]
    told = cli("validate", pgn(*games), "--select", "D601", "--engine", engine, "--fail-on", "never").err
    lines = [line.split() for line in told.splitlines() if "D601" in line]
    assert lines == [["1", "warning", "D601", "threefold-available"], ["5", "info", "D601", "threefold-available"]]
    told = cli("validate", pgn(*games), "--select", "D601", "--engine", engine, "--fail-on", "never", "--lang", "zh").err
    assert [line.split()[:2] for line in told.splitlines() if "D601" in line] == [["1", "警告"], ["5", "提示"]]


def test_messages_on_automatic_draws_name_the_profile(cli: Cli, pgn: Callable[..., Path]) -> None:
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4"
    path = pgn(CLEAN.replace("1. e4 e5 2. Nf3 Nc6", shuffle).replace("1999", "2021"))
    out = cli("validate", path, "--select", "E514,E516", "--profile", "chesscom").out
    assert "after a position had stood 3 times, at ply 8, which ends it by the rules of chesscom\n" in out
    assert (
        "a position that stood three times (ply 8) makes the result 1/2-1/2 by the rules of chesscom, but 1-0 is given\n" in out
    )
    out = cli("validate", path, "--select", "E514,E516", "--profile", "chesscom", "--lang", "zh").out
    assert out.count("按 chesscom 的规则") == 2
