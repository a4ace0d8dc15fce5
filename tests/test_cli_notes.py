"""What convert tells of its sources has Chinese words, whatever it is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from command_line import Cli, command

from chesstools.cli.notes import CHINESE, LANGUAGES_IN_CHINESE, WHOLE, told, told_whole
from chesstools.languages import LANGUAGES
from chesstools.readers.record import MARKED
from chesstools.readers.report import Report


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return command(capsys)


PACKAGE = Path(__file__).resolve().parent.parent / "chesstools"
READERS = PACKAGE / "readers"


def sentences() -> set[str]:
    """All that readers tell a report, with ``{}`` for what is filled in."""
    found = set()
    for path in sorted(READERS.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("change", "leave")
            ):
                continue
            what = node.args[1 if node.func.attr == "change" else 0]
            if isinstance(what, ast.JoinedStr):
                found.add("".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in what.values))
            elif isinstance(what, ast.Constant):
                found.add(str(what.value))
            else:
                assert isinstance(what, ast.Name), ast.dump(what)
                assert what.id == "MARKED"
                found.add(MARKED)
    return found


def test_all_that_readers_tell_is_translated() -> None:
    assert {re.sub(r"\{\w+\}", "{}", english) for english in CHINESE} == sentences()
    for english, chinese in CHINESE.items():
        assert re.findall(r"\{\w+\}", english) == re.findall(r"\{\w+\}", chinese)
        assert re.search(r"[\u4e00-\u9fff]", chinese)


def test_all_reasons_not_to_cut_a_source_are_translated() -> None:
    tree = ast.parse((PACKAGE / "plan" / "ranges.py").read_text("utf-8"))
    found = [_form(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    sentences = {text for text in found if text.startswith("{} ") and text.endswith(".")}
    assert len(sentences) > 5
    assert {re.sub(r"\{\w+\}", "{}", english) for english in WHOLE} == sentences
    for english, chinese in WHOLE.items():
        assert re.findall(r"\{\w+\}", english) == re.findall(r"\{\w+\}", chinese)
        values = {"name": "a b.pgn", "kind": "zstd", "how": "chesstools convert 'a b.pgn'"}
        assert told_whole(english.format_map(values), "zh") == chinese.format_map(values)
        assert told_whole(english.format_map(values), "en") == english.format_map(values)
        assert re.search(r"[\u4e00-\u9fff]", chinese)


def _form(node: ast.JoinedStr) -> str:
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def test_all_languages_have_a_name() -> None:
    assert {language.title for language in LANGUAGES.values()} <= set(LANGUAGES_IN_CHINESE)


@pytest.mark.parametrize("english", CHINESE)
def test_each_note_is_told(english: str) -> None:
    """As a report makes it, of a source with any name."""
    filled = english.format(name="'a: b'", size=64, languages="German/Czech or Polish")
    report = Report("x")
    report.change("line 5", filled)
    report.leave(filled, 1_200)
    changed, left = (told(f"C: d.pgn: {note}", "zh") for note in report.notes)
    what = CHINESE[english].format(name="'a: b'", size=64, languages="德语/捷克语 或 波兰语")
    assert changed == f"C: d.pgn：{what}：1（首见于第 5 行）"
    assert left == f"C: d.pgn：未读取：{what}：1,200"
    assert told(f"x: {report.notes[0]}", "en") == f"x: {report.notes[0]}"


def test_the_command_tells_them(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n")
    run = cli("convert", "a.pgn", "--input-language", "auto", "--to", "san", "-o", "out", "--lang", "zh")
    assert run.err.splitlines()[-1] == "a.pgn：着法按以下语言读取：德语/丹麦语/挪威语/瑞典语：1（首见于第 1 行）"
    (tmp_path / "b.csv").write_text("White,own,moves\nAnn,x,e4\n")
    run = cli("convert", "b.csv", "--to", "san", "-o", "out", "--lang", "zh")
    assert run.err.splitlines()[-1] == "b.csv：未读取：own 列：1"
