"""Golden files of tables: what stands in CSV byte for byte, and columns, types and values of Parquet and Arrow files.

Files of Parquet and Arrow differ between versions of pyarrow; so their content is what is compared. CHESSTOOLS_GOLDEN=1 writes
the golden files anew, to be looked at by a person.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from test_export import GAMES, GOLDEN, HERE
from test_tables_written import ENDINGS, read_back

from chesstools.convert import convert
from chesstools.source import Source

TABLES: dict[str, dict[str, Any]] = {
    "games": {},
    "plies": {"table": "plies"},
    "findings": {"table": "findings"},
    "tokens": {"table": "tokens"},
    "tokens.padded": {"table": "tokens", "max_plies": 6},
    "lichess": {"columns": "lichess"},
}


def check(name: str, text: bytes) -> None:
    if os.environ.get("CHESSTOOLS_GOLDEN"):
        (GOLDEN / name).write_bytes(text)
    assert text == (GOLDEN / name).read_bytes()


def source() -> Source:
    return Source.from_bytes(GAMES.read_bytes(), "games.pgn")


@pytest.mark.parametrize("engine", HERE)
@pytest.mark.parametrize("name", TABLES)
def test_csv(name: str, engine: str, tmp_path: Path) -> None:
    convert(source(), tmp_path / "out.csv", engine=engine, **TABLES[name])
    check(f"table.{name}.csv", (tmp_path / "out.csv").read_bytes())


def named(kind: pa.DataType) -> str:
    """Parquet has no time in seconds, own names inside lists and maps, and keeps dictionaries, which Arrow files do not."""
    words = kind.value_type if pa.types.is_dictionary(kind) else kind
    return re.sub(r" \('\w+'\)", "", str(words)).replace("time32[ms]", "time32[s]").replace("<element: ", "<item: ")


@pytest.mark.parametrize("form", [form for form in ENDINGS if form != "csv"])
@pytest.mark.parametrize("name", TABLES)
def test_columns_types_and_values(name: str, form: str, tmp_path: Path) -> None:
    """One golden file for all three, as they hold the same."""
    out = tmp_path / f"out.{ENDINGS[form]}"
    convert(source(), out, **TABLES[name])
    table = read_back(out)
    kinds = {field.name: named(field.type) for field in table.schema}
    lines = [json.dumps(kinds), *(json.dumps(row, ensure_ascii=False, default=str) for row in table.to_pylist())]
    check(f"table.{name}.jsonl", "".join(line + "\n" for line in lines).encode())
