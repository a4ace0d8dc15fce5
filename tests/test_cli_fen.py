"""The command `chesstools fen`, loaded as it is installed: through its console entry point."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from command_line import Cli, Run, command

from chesstools.engines import why_not_native

GOOD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BAD = "4k3/8/8/8/8/8/P1P5/1B2K3 w K - 90 1"
DEAD = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"

native = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    return command(capsys, "fen")


# --------------------------------------------------------------------------------------------------------------- check


def test_nothing_wrong(cli: Cli) -> None:
    assert cli("check", GOOD) == Run(0, "", "1 position: nothing found\n")


def test_all_reasons_at_once(cli: Cli) -> None:
    run = cli("check", BAD)
    assert run.status == 1
    assert [line.removeprefix(f"{BAD}: ").split()[0] for line in run.out.splitlines()] == ["F209", "F208", "F214"]
    assert run.err == "1 position: 2 errors, 1 warning\n"


def test_fail_on(cli: Cli) -> None:
    lenient = "4k3/8/8/8/8/8/8/4K3 w - -"
    assert cli("check", lenient).status == 0
    assert cli("check", lenient, "--fail-on", "warning").status == 1
    assert cli("check", BAD, "--fail-on", "never").status == 0


def test_files_standard_input_and_json(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "positions.fen"
    file.write_text(f"# two positions\n{GOOD}\n\n{BAD}", encoding="utf-8")
    run = cli("check", str(file), "--format", "jsonl", "--quiet")
    rows = [json.loads(line) for line in run.out.splitlines()]
    assert [(row["fen"], row["source"], row["line"]) for row in rows] == [(GOOD, str(file), 2), (BAD, str(file), 4)]
    assert [finding["code"] for finding in rows[1]["findings"]] == ["F209", "F208", "F214"]
    assert rows[1]["findings"][2] == {
        "code": "F214",
        "name": "entombed-bishop",
        "severity": "error",
        "message": "the bishop of White on b1 stands behind own pawns that never moved, where no bishop can get",
        "evidence": {
            "side": "white",
            "found": "b1",
            "reason": "the bishop on b1 cannot have got behind pawns that never moved",
        },
    }
    assert (run.status, run.err) == (1, "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    assert json.loads(cli("check", "-", "--format", "json").out) == [{**row, "source": "-"} for row in rows]


def test_no_positions_are_valid_json(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "empty.fen"
    file.write_text("\n", encoding="utf-8")
    assert cli("check", str(file), "--format", "json") == Run(0, "[]\n", "0 positions: nothing found\n")


@pytest.mark.parametrize("argument", ["w", "nowhere/positions.fen"])
def test_neither_file_nor_fen(cli: Cli, argument: str) -> None:
    run = cli("check", argument)
    assert (run.status, run.out) == (2, "")
    assert run.err == f"chesstools: {argument!r} is neither a file nor a FEN; put a FEN into quotation marks, as it has blanks.\n"


@pytest.mark.parametrize("task", ["check", "key", "normalise", "moves", "convert"])
def test_an_argument_that_is_not_utf8(cli: Cli, task: str) -> None:
    """Such bytes come from the operating system as halves of surrogate pairs."""
    argument = b"\xff/x".decode("utf-8", "surrogateescape")
    run = cli(task, *(["--to", "epd"] if task == "convert" else []), argument)
    wanted = "chesstools: The position '\\udcff/x' has signs that are no Unicode text; convert it first.\n"
    assert run == Run(2, "", wanted)


def test_control_characters_do_not_reach_the_terminal(cli: Cli) -> None:
    run = cli("check", "\x1b[2J/ w - - 0 1")
    assert "\x1b" not in run.out
    assert run.status == 1


def test_chess960(cli: Cli) -> None:
    entombed = "4k3/8/8/8/8/8/P1P5/1B2K3 w - - 0 1"
    assert cli("check", entombed).status == 1
    assert cli("check", entombed, "--chess960").status == 0


# ------------------------------------------------------------------------------------------------------------- winnable


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=native)])
def test_dead_position(cli: Cli, engine: str) -> None:
    run = cli("winnable", DEAD, "--engine", engine)
    assert run == Run(
        0,
        f"{DEAD}: White can mate: no (semi-static)\n{DEAD}: Black can mate: no (semi-static)\n{DEAD}: the position is dead\n",
        "",
    )


@native
def test_a_line_that_mates(cli: Cli) -> None:
    fen = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 60"
    run = cli("winnable", fen, "--unwinnable", "full")
    white, black = run.out.splitlines()
    assert white.startswith(f"{fen}: White can mate: yes (mate): 60. ")
    assert white.endswith("#")
    assert black == f"{fen}: Black can mate: no (lack of material)"


@native
def test_a_limit_and_json(cli: Cli) -> None:
    run = cli("winnable", GOOD, "--unwinnable", "full", "--nodes", "2", "--format", "json")
    unknown = {"answer": "unknown", "method": None, "line": [], "nodes": 2}
    assert json.loads(run.out) == [{"fen": GOOD, "source": None, "line": None, "dead": None, "white": unknown, "black": unknown}]


def test_what_is_unknown_can_be_searched(cli: Cli) -> None:
    fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"
    hint = "Where it is unknown, --unwinnable full searches for a mate or a proof that there is none.\n"
    run = cli("winnable", fen)
    assert run.out.startswith(f"{fen}: White can mate: unknown\n")
    assert run.err == hint
    assert cli("winnable", fen, "--format", "json").err == ""
    assert cli("winnable", DEAD).err == ""


def test_full_needs_the_core(cli: Cli) -> None:
    run = cli("winnable", DEAD, "--unwinnable", "full", "--engine", "reference")
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("chesstools: The mode full needs the native core: ")


def test_what_cannot_be_played_does_not_stop_the_others(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "positions.fen"
    file.write_text("8/8/8/8/8/8/8/4K3 w - - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", encoding="utf-8")
    run = cli("winnable", str(file), "--format", "jsonl")
    assert run.status == 2
    assert run.err == f"chesstools: {file}:1: The position '8/8/8/8/8/8/8/4K3 w - - 0 1' cannot be played: Black has 0 kings.\n"
    assert [json.loads(line)["dead"] for line in run.out.splitlines()] == [True]
