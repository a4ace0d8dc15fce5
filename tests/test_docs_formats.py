"""docs/formats.md and docs/tokens.md name what there is, and their examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from chesstools.formats import FORMATS, OPTIONS
from chesstools.readers import READERS
from chesstools.readers.recognise import BY_SUFFIX
from chesstools.writers.token_columns import token_schema

DOCS = Path(__file__).resolve().parent.parent / "docs"
FORMATS_TEXT = (DOCS / "formats.md").read_text(encoding="utf-8")
READ, WRITTEN = FORMATS_TEXT.split("## Written")


def first_cells(text: str) -> set[str]:
    return {name for cell in re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE) for name in re.findall(r"`([a-z][\w-]*)`", cell)}


def test_every_format_is_told_of() -> None:
    assert set(READERS) == first_cells(READ.split("| format (`--from`)")[1])
    assert set(FORMATS) == first_cells(WRITTEN.split("| table | a row")[0])
    for suffix in BY_SUFFIX:
        assert suffix in READ
    tables = {
        line.split("`")[1].split()[0] for line in WRITTEN.split("| table | a row")[1].splitlines() if line.startswith("| `")
    }
    assert all(OPTIONS["table"].fits(table) for table in tables)
    assert len(tables) == 4


def test_every_column_of_tokens_is_told_of() -> None:
    text = (DOCS / "tokens.md").read_text(encoding="utf-8")
    assert first_cells(text.split("## The numbers")[0]) == set(token_schema(0).names)


def test_the_examples_run() -> None:
    assert doctest.testfile(str(DOCS / "tokens.md"), module_relative=False).attempted > 4
    assert doctest.testfile(str(DOCS / "tokens.md"), module_relative=False).failed == 0
