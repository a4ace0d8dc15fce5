"""The stated limits: the numbers of Python, of the core and of the README are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chesstools import limits
from chesstools.engines import why_not_native

README = Path(__file__).resolve().parent.parent / "README.md"

STATED = {name: value for name, value in vars(limits).items() if name.startswith("MAX_")}

UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

ROW = re.compile(r"^\| .*? \| ([\d,]+) ?(|[KMG]iB) \| `(MAX_\w+)` \|", re.MULTILINE)


def test_readme_lists_all_limits() -> None:
    listed = {name: int(number.replace(",", "")) * UNITS[unit] for number, unit, name in ROW.findall(README.read_text("utf-8"))}
    assert listed == STATED


@pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")
def test_both_engines_have_the_same_limits() -> None:
    from chesstools import _core

    assert STATED == _core.LIMITS
