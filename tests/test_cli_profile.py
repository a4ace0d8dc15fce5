"""The command `chesstools profile`, loaded as it is installed: through its console entry point."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Cli, command

from chesstools.profile_file import PARAMETERS
from chesstools.profiles import builtin_profiles


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return command(capsys, "profile")


def test_the_list(cli: Cli) -> None:
    run = cli()
    head, *rows = run.out.splitlines()
    assert head.split() == ["NAME", "FROM", "CHOSEN", "BY", "WHAT", "IT", "IS"]
    assert [row.split()[0] for row in rows] == list(builtin_profiles())
    assert "fide-1997  1997-07-01  date" in run.out
    assert "iccf       -           site, mode, event" in run.out
    listed = json.loads(cli("--format", "json").out)
    assert listed[0] == {
        "name": "fide-1985",
        "title": "FIDE Laws of 1984, in force from 1985",
        "valid_from": "1985-01-01",
        "chosen_by": ["date"],
    }


def test_every_profile_is_explained(cli: Cli) -> None:
    for name in builtin_profiles():
        out = cli(name).out
        assert all(f"\n{parameter}: " in out for parameter in PARAMETERS)
    assert "\nlate: 60 minutes [not re-checked]\n" in cli("uscf").out
    assert "\nthreefold_automatic: yes [from a secondary source]\n" in cli("chesscom").out
    assert "\nillegal_moves_lose: 2/2/2\n" in cli("fide-2023").out
    assert "KRBvKR 75 moves, KQPvKQ 75 moves (pawn-on-seventh)" in cli("fide-1989").out
    parameters = json.loads(cli("fide-1989", "--format", "json").out)["parameters"]
    assert parameters["fifty_extensions"]["value"][0] == {
        "material": "KBBvKN",
        "moves": 75,
        "condition": "none",
        "from": "1989-01-01",
        "until": "1992-12-31",
    }
    assert parameters["fifty_extensions"]["confidence"] == "from a secondary source"
    assert parameters["threefold_claim"]["confidence"] == "text of the rules"


def test_what_was_otherwise_is_told(cli: Cli) -> None:
    out = cli("chesscom").out
    assert "\n    before 2019-07-01: no\n" in out
    assert "\nfivefold_draw: 5\n" in cli("lichess").out
    assert "\n    before 2020-02-01: -\n" in cli("lichess").out
    parameters = json.loads(cli("chesscom", "--format", "json").out)["parameters"]
    assert parameters["threefold_automatic"]["earlier"] == [{"before": "2019-07-01", "value": False}]
    assert parameters["fivefold_draw"]["earlier"] == []
    assert "threefold_automatic  yes [from a secondary source]; before 2019-07-01: no" in cli("chesscom", "lichess").out
    # What differs in the past only differs, too.
    assert cli("iccf", "uscf").out.count("before") == 0


def test_a_difference_of_the_past_only_is_one(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[profiles.always]\nbased_on = "lichess"\nsites = ["lichess.org", "!lichess.org/study/", "!lichess.org/broadcast/"]'
    )
    assert [row.split() for row in cli("lichess", "always", "--profile-file", str(file)).out.splitlines()] == [
        ["PARAMETER", "lichess", "always"],
        ["fivefold_draw", "5;", "before", "2020-02-01:", "-", "5"],
    ]


def test_two_are_compared(cli: Cli) -> None:
    assert cli("fide-2018", "fide-2017").out.splitlines() == [
        "PARAMETER           fide-2018                        fide-2017",
        "valid_from          2018-01-01                       2017-07-01",
        "illegal_moves_lose  2/2/2 [from a secondary source]  2/1/1 [from a secondary source]",
    ]
    difference = json.loads(cli("fide-2014", "fide-2017", "--format", "json").out)
    assert difference["fivefold_consecutive"] == {"fide-2014": True, "fide-2017": False}
    assert "threefold_claim" not in difference
    assert cli("iccf", "iccf").out == "iccf and iccf do not differ.\n"


def test_profiles_of_ones_own(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[profiles.club]\nbased_on = "uscf"\nlate = "90 minutes"\ntitle = "Our club"\n')
    run = cli("uscf", "club", "--profile-file", str(file))
    assert "late       60 minutes [not re-checked]  90 minutes" in run.out
    assert "club       -           name" in cli("--profile-file", str(file)).out


def test_case_does_not_matter(cli: Cli) -> None:
    assert cli("FIDE-2023") == cli("fide-2023")
    assert cli("Seed-1992", "LiChess") == cli("seed-1992", "lichess")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["1995"], "There is no profile '1995' (in 1995 it was seed-1992); use one of: fide-1985, "),
        (["fide-2020"], "There is no profile 'fide-2020' (in 2020 it was fide-2018); use one of: "),
        (["Lichness"], "There is no profile 'Lichness' (lichess?); use one of: "),
        (["fide-1874"], "There is no profile 'fide-1874'; use one of: fide-1985, "),
        (["uscf", "iccf", "lichess"], "Name one profile to explain it, or two to compare them."),
        (["--profile-file", "/nowhere.toml"], "Could not read /nowhere.toml: "),
    ],
)
def test_what_cannot_be_done_is_one_sentence(cli: Cli, args: list[str], said: str) -> None:
    run = cli(*args)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"chesstools: {said}")
