"""The command `chesstools rule`, loaded as it is installed: through its console entry point."""

from __future__ import annotations

import json

import pytest
from command_line import Cli, Run, command

from chesstools.rules import all_rules, explain, get_rule


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("COLUMNS", "80")
    return command(capsys, "rule")


def test_a_rule_is_explained_as_the_library_does(cli: Cli) -> None:
    assert cli("M324") == Run(0, explain(get_rule("M324"), 80) + "\n", "")


@pytest.mark.parametrize("way", ["m324", "castle-through-check"])
def test_any_case_and_names(cli: Cli, way: str) -> None:
    assert cli(way).out == cli("M324").out


def test_several_rules_each_once_in_the_order_asked_for(cli: Cli) -> None:
    run = cli("P113", "M34", "P113")
    heads = [f"{code} {get_rule(code).name}" for code in ("P113", "M341", "M342", "M343")]
    assert [line for line in run.out.split("\n") if line in heads] == heads


def test_signs_of_pgn_are_printed_as_they_are(cli: Cli) -> None:
    assert '    [Event "The "Oak" Open"]' in cli("P104").out
    assert "1. e4 {[%clk 1:99]} e5 *" in cli("C701").out


def test_reserved_rules_say_so(cli: Cli) -> None:
    assert "reserved and not active yet" in cli("X902").out
    assert "reserved" not in cli("C701").out


def test_optional_rules_say_how_to_ask_for_them(cli: Cli) -> None:
    assert "Optional: worked out only where asked for, by '--also P112'" in cli("P112").out
    assert "可选规则：只在要求时才检查；用 --also P112" in cli("P112", "--lang", "zh").out
    assert "Optional" not in cli("P113").out


def test_rules_of_one_command_name_it(cli: Cli) -> None:
    assert "Told by 'chesstools ratings' alone: no other command reports it." in cli("G951").out
    assert "只由 chesstools ratings 报告" in cli("G951", "--lang", "zh").out


def test_all_is_a_table(cli: Cli) -> None:
    lines = cli("--all").out.splitlines()
    assert lines[0].split() == ["CODE", "NAME", "SEVERITY", "ACTIVE", "FIX", "WHAT", "IT", "CHECKS"]
    assert [line[:4] for line in lines[1:]] == [rule.code for rule in all_rules()]
    for line, rule in zip(lines[1:], all_rules(), strict=True):
        active = "no" if not rule.active else "optional" if rule.optional else "yes"
        active = rule.command if rule.command == "ratings" else active
        fix = {"none": "no"}.get(rule.fix_level, rule.fix_level)
        assert line.split()[:5] == [rule.code, rule.name, rule.severity.value, active, fix]
        assert line.endswith(rule.summary)  # whole: only a terminal has a width


def test_the_table_fits_a_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    lines = cli("--all").out.splitlines()
    assert max(map(len, lines)) <= 80
    words = " ".join("\n".join(lines).split())
    assert all(f"{rule.code} {rule.name} " in words and " ".join(rule.summary.split()) in words for rule in all_rules())
    assert "ACTIVE no: the code is reserved" in words


def test_all_with_codes_lists_only_those(cli: Cli) -> None:
    assert [line[:4] for line in cli("--all", "G", "M304").out.splitlines()[1:]] == ["G950", "G951", "M304"]


def test_json_is_a_list_whatever_the_number(cli: Cli) -> None:
    assert json.loads(cli("M324", "--format", "json").out) == [get_rule("M324").to_dict()]
    assert json.loads(cli("--all", "--format", "json").out) == [rule.to_dict() for rule in all_rules()]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ((), "Say which rule to explain, as in 'chesstools rule M324', or list all with 'chesstools rule --all'."),
        (("nul-move",), "There is no rule 'nul-move'; did you mean null-move (M304)?"),
        (("M324", "zzzz"), "There is no rule 'zzzz'; `chesstools rule --all` lists them."),
    ],
)
def test_what_cannot_be_explained_is_one_sentence(cli: Cli, args: tuple[str, ...], sentence: str) -> None:
    assert cli(*args) == Run(2, "", f"chesstools: {sentence}\n")


def test_help_ends_in_an_example(cli: Cli) -> None:
    run = cli("--help")
    assert run.status == 0
    assert run.out.rstrip().split("\n")[-1].strip() == "chesstools rule --all"
