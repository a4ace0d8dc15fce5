"""The walk through an archive in docs/walkthrough.md does what it says."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "walkthrough.md"


def test_walkthrough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    parser = doctest.DocTestParser()
    test = parser.get_doctest(PAGE.read_text("utf-8").replace("```", ""), {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 20
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=told.append)
    assert not result.failed, "".join(told)
