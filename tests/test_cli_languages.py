"""--lang: findings, summaries and explanations come in the language that was asked for, and all else as in any other."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import resources
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, Run, command
from test_languages import BADLY_SET, CHINESE, fields_of

from chesstools.rules import all_rules, explain, get_rule
from chesstools.wrapping import cells

SAMPLES = Path(__file__).parent.parent / "sample_data" / "games"
MIXED = SAMPLES / "generated_mixed.pgn"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    for name in ("CHESSTOOLS_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return command(capsys)


def words_file() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files("chesstools.cli").joinpath("words.toml").read_text(encoding="utf-8"))


# ------------------------------------------------------------------------------------------------ choosing


def test_english_is_the_default(cli: Cli) -> None:
    assert cli("rule", "M324").out == explain(get_rule("M324"), 80) + "\n"


@pytest.mark.parametrize(
    ("variable", "value"), [("LANG", "zh_CN.UTF-8"), ("LC_MESSAGES", "zh_SG"), ("LC_ALL", "zh"), ("CHESSTOOLS_LANG", "zh")]
)
def test_the_environment_chooses(cli: Cli, monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    assert cli("rule", "M324").out == explain(get_rule("M324", "zh"), 80) + "\n"
    assert cli("rule", "M324", "--lang", "en").out == explain(get_rule("M324"), 80) + "\n"


def test_an_unknown_language_is_one_sentence(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    run = cli("rule", "M324", "--lang", "fr")
    assert (run.status, run.out) == (2, "")
    assert "'fr' is not one of 'en', 'zh'" in run.err
    monkeypatch.setenv("CHESSTOOLS_LANG", "fr")
    assert cli("rule", "M324") == Run(2, "", "chesstools: CHESSTOOLS_LANG is 'fr'; choose from en, zh.\n")
    assert cli("rule", "M324", "--lang", "zh").status == 0


@pytest.mark.parametrize("command", ["validate", "ingest", "rule", "profile"])
def test_commands_have_the_option(cli: Cli, command: str) -> None:
    assert "--lang [en|zh]" in cli(command, "--help").out


# ------------------------------------------------------------------------------------------------ findings


def test_text_has_one_shape_in_both_languages(cli: Cli) -> None:
    english = cli("validate", MIXED)
    chinese = cli("validate", MIXED, "--lang", "zh")
    assert chinese.status == english.status == 1
    shape = re.compile(r"^(.+:\d+: )(?:.*?(?:, |，))?([A-Z]\d{3} [a-z0-9-]+: )(.+)$")
    lines = [[shape.match(line) for line in run.out.splitlines()] for run in (english, chinese)]
    assert len(lines[0]) > 20
    for one, other in zip(*lines, strict=True):
        assert one is not None
        assert other is not None
        assert one.group(1, 2) == other.group(1, 2)
        assert CHINESE.search(other[3])
    assert re.search(r"：|对局 38（fork_night93-quiet_river88），第 27 着，M325 castle-into-check: O-O 不合规则", chinese.out)


def test_programs_read_the_same_but_for_the_message(cli: Cli) -> None:
    def told(lang: str, form: str) -> str:
        return cli("validate", MIXED, "--format", form, "--lang", lang).out

    for one, other in zip(told("en", "jsonl").splitlines(), told("zh", "jsonl").splitlines(), strict=True):
        english, chinese = json.loads(one), json.loads(other)
        assert list(english) == list(chinese)
        assert CHINESE.search(chinese.pop("message"))
        assert english.pop("message")
        assert english == chinese
    english, chinese = (json.loads(told(lang, "json")) for lang in ("en", "zh"))
    assert {**english["summary"], "seconds": 0} == {**chinese["summary"], "seconds": 0}
    rows = [list(csv.DictReader(StringIO(told(lang, "csv")))) for lang in ("en", "zh")]
    assert [{**row, "message": ""} for row in rows[0]] == [{**row, "message": ""} for row in rows[1]]
    assert all(CHINESE.search(row["message"]) for row in rows[1])


def test_sarif_names_its_language(cli: Cli) -> None:
    run = json.loads(cli("validate", MIXED, "--format", "sarif", "--lang", "zh").out)["runs"][0]
    assert run["language"] == run["tool"]["driver"]["language"] == "zh-CN"
    assert all(CHINESE.search(rule["shortDescription"]["text"]) for rule in run["tool"]["driver"]["rules"])
    assert all(CHINESE.search(result["message"]["text"]) for result in run["results"])
    english = json.loads(cli("validate", MIXED, "--format", "sarif").out)["runs"][0]
    assert english["language"] == "en-US"
    assert not CHINESE.search(json.dumps([result["message"] for result in english["results"]], ensure_ascii=False))
    one, other = ([(result["ruleId"], result["partialFingerprints"]) for result in told["results"]] for told in (english, run))
    assert one == other


def test_github_commands(cli: Cli) -> None:
    lines = cli("validate", MIXED, "--format", "github", "--lang", "zh").out.splitlines()
    assert all(re.match(r"::(error|warning|notice) file=.*,line=\d+,title=[A-Z]\d{3} [a-z0-9-]+::", line) for line in lines)
    assert all(CHINESE.search(line) for line in lines)


@pytest.mark.parametrize("width", [80, 100, 140])
def test_columns_of_the_table_stand_below_each_other(cli: Cli, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = cli("validate", MIXED, "--format", "table", "--lang", "zh").out.splitlines()
    assert max(map(cells, lines)) <= width
    head = lines[0]
    assert head.split() == (["位置", "对局", "着", "规则", "说明"] if width >= 110 else ["位置", "对局", "着", "说明"])
    place = cells(head[: head.index("说明")])
    for line in lines[2:]:  # below the rule; what is longer reaches the last column with a blank before it
        left = ""
        for char in line:
            if cells(left) >= place:
                break
            left += char
        assert cells(left) == place or len(left) == len(line), line
        assert not left or left[-1] == " " or len(left) == len(line), line
    assert not any(line[len(left) :].startswith(("，", "。", "）")) for line in lines)


def test_summary(cli: Cli) -> None:
    run = cli("validate", MIXED, "--lang", "zh", "--format", "jsonl")
    assert re.search(r"^ +\d+  错误 +M325  castle-into-check$", run.err, re.MULTILINE)
    assert re.search(r"^\d+ 个错误，\d+ 个警告，\d+ 条提示$", run.err, re.MULTILINE)
    assert re.search(r"^1,\d{3} 局，[\d,]+ 着，[\d.]+ [kM]B，来自 1 个来源，用时 [\d.]+ 秒", run.err, re.MULTILINE)
    assert "项未显示；用 --severity info 显示全部）" in cli("validate", MIXED, "--lang", "zh").err


def test_ingest(cli: Cli, tmp_path: Path) -> None:
    run = cli("ingest", SAMPLES / "historic_classics.pgn", "-o", tmp_path / "dataset", "--lang", "zh")
    assert run.status == 0
    for text in ("对局结果\n", "  1-0  白胜  34  57.6%", "可提而未提的和棋\n", "检查结果：", "已写入\n", "接下来可以\n"):
        assert text in run.out
    assert str(tmp_path / "dataset" / "games") in run.out


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "gbk"])
@pytest.mark.parametrize("args", [["rule", "E541"], ["validate", str(MIXED)], ["ingest", str(MIXED), "-o", "dataset"]])
def test_pipes_are_utf_8_whatever_the_locale(args: list[str], encoding: str, tmp_path: Path) -> None:
    code = "import sys; from chesstools.cli.main import main; sys.exit(main())"
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "CHESSTOOLS_LANG": "zh"}
    run = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, env=environment, cwd=tmp_path, check=False)
    assert run.returncode == (args[0] == "validate"), run.stderr
    assert CHINESE.search(run.stdout.decode("utf-8"))
    assert b"\\u" not in run.stdout
    assert b"Traceback" not in run.stderr


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals to play with")
def test_a_terminal_keeps_its_encoding(tmp_path: Path) -> None:
    code = "import sys; from chesstools.cli.main import main; sys.exit(main())"
    environment = {**os.environ, "PYTHONIOENCODING": "gbk", "CHESSTOOLS_LANG": "zh", "COLUMNS": "80"}
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", code, "rule", "E541"]
    subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, env=environment, cwd=tmp_path, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode("gbk")
    os.close(ours)
    assert get_rule("E541", "zh").remedy in shown
    assert r"\xbd" in shown  # ½, which this encoding has not


# ------------------------------------------------------------------------------------------------ rules


def test_the_table_of_rules(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = cli("rule", "--all", "--lang", "zh").out.splitlines()
    assert lines[0].split() == ["代码", "名称", "程度", "启用", "修复", "检查内容"]
    rules = all_rules("zh")
    for line, rule in zip(lines[1:], rules, strict=True):
        assert line.split()[:2] == [rule.code, rule.name]
        assert line.endswith(rule.summary)
    starts = {cells(line[: line.rindex(rule.summary)]) for line, rule in zip(lines[1:], rules, strict=True)}
    assert len(starts) == 1
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "90")
    told = cli("rule", "--all", "--lang", "zh").out
    assert max(map(cells, told.splitlines())) <= 90
    assert "启用“否”：代码已预留" in told


def test_rules_as_json(cli: Cli) -> None:
    told = json.loads(cli("rule", "--all", "--format", "json", "--lang", "zh").out)
    assert told == [rule.to_dict() for rule in all_rules("zh")]
    assert {rule["lang"] for rule in told} == {"zh"}


def test_profiles(cli: Cli) -> None:
    lines = cli("profile", "--lang", "zh").out.splitlines()
    assert lines[0].split() == ["名称", "起始日期", "选用依据", "规则"]
    starts = {cells(line[: line.index(told)]) for line, told in ((lines[0], "选用依据"), (lines[1], "日期"), (lines[-1], "网站"))}
    assert len(starts) == 1
    explained = cli("profile", "seed-1992", "--lang", "zh").out
    assert (
        "\nfifty_claim: 100\n    没有吃子、没有动兵走满多少着，行棋方可以要求判和。\n    第 10.12 条只承认已经走出的着法。\n"
        in explained
    )
    english, chinese = (json.loads(cli("profile", "iccf", "--format", "json", "--lang", lang).out) for lang in ("en", "zh"))
    for parameter, one in english["parameters"].items():
        other = chinese["parameters"][parameter]
        assert CHINESE.search(other.pop("meaning"))
        assert bool(one.pop("note")) == bool(CHINESE.search(other.pop("note") or ""))
        del one["meaning"]
        assert one == other
    assert "没有差别" in cli("profile", "lichess", "lichess", "--lang", "zh").out


# ------------------------------------------------------------------------------------------------ words of the command line


def test_the_words_are_the_same_in_both_languages() -> None:
    english, chinese = words_file()["en"], words_file()["zh"]
    tables = [(told.pop("reasons"), told.pop("methods"), told.pop("changes")) for told in (english, chinese)]
    missing = sorted(english.keys() ^ chinese.keys())
    missing += [name for one, other in zip(*tables, strict=True) for name in sorted(one.keys() ^ other.keys())]
    assert not missing, f"in one language of cli/words.toml only: {missing}"
    for name in english:
        assert fields_of(english[name]) == fields_of(chinese[name]), name
    for text in [*chinese.values(), *(text for table in tables[1] for text in table.values())]:
        assert not BADLY_SET.search(re.sub("'.*' ", "", text)), text
        assert CHINESE.search(text) or text in ("，", "。", "{count} {unit}"), text


def test_what_winnable_says_is_chinese(cli: Cli) -> None:
    run = cli("fen", "winnable", "8/8/4k3/8/8/8/8/2B1K3 w - - 0 1", "--lang", "zh")
    assert "白方能否将死对方：否（子力不足）\n" in run.out


def test_every_reason_for_a_draw_has_a_name() -> None:
    from chesstools.reference.values import _TERMINATIONS

    known = {reason for _, reason in _TERMINATIONS if reason} | {"checkmate", "stalemate", "dead_position", "fivefold"}
    known |= {"seventyfive", "threefold", "fifty", "not stated"}
    assert known <= words_file()["zh"]["reasons"].keys()
