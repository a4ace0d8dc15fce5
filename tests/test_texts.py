"""Games in memory: texts and columns of them, converted and repaired in the form in which they were given; tables as sources."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import chess.pgn
import pandas as pd
import polars
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_export import GAMES, GOLDEN, GOLDENS, HERE

import chesstools
from chesstools.convert import convert
from chesstools.errors import OptionError, SourceError
from chesstools.scan import scan
from chesstools.source import Source
from chesstools.texts import convert_text, fix_text

ROOT = Path(__file__).resolve().parent.parent
PGN = '[Event "x"]\n\n1. e4 e5 {c} (1... d5) 2. Nf3 1/2\n'
UCI = "e2e4 e7e5 g1f3"
FIXED = PGN.replace("1/2", "1/2-1/2")

FORMS: dict[str, Any] = {
    "list": [PGN, None, ""],
    "array": pa.array([PGN, None, ""]),
    "large": pa.array([PGN, None, ""], pa.large_string()),
    "chunks": pa.chunked_array([[PGN, None], [""]]),
    "series": pd.Series([PGN, None, ""], index=[7, 8, 9], name="games"),
    "polars": polars.Series("games", [PGN, None, ""]),
}


def values(answer: Any) -> list[str | None]:
    if isinstance(answer, pd.Series):
        return [None if value is pd.NA else value for value in answer.tolist()]
    return answer if isinstance(answer, list) else answer.to_pylist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("form", FORMS)
def test_columns_are_answered_with_the_like(form: str) -> None:
    column = FORMS[form]
    for answer, wanted in ((convert_text(column, "uci"), UCI), (fix_text(column, ignore="P106"), FIXED)):
        assert values(answer) == [wanted, None, ""]
        assert type(answer) is {"polars": pa.ChunkedArray, "large": pa.StringArray}.get(form, type(column))
        if form == "series":
            assert (list(answer.index), answer.name) == ([7, 8, 9], "games")


@pytest.mark.parametrize("engine", HERE)
@pytest.mark.parametrize("name", [name for name, (form, _) in GOLDENS.items() if form != "jsonl"])
def test_a_text_becomes_what_a_file_becomes(name: str, engine: str, tmp_path: Path) -> None:
    form, options = GOLDENS[name]
    left: Counter[str] = Counter()
    text = convert_text(GAMES.read_text("utf-8"), form, engine=engine, left=left, **options)
    assert text == (GOLDEN / name).read_text("utf-8").rstrip("\n")
    assert left == convert(GAMES, tmp_path / "out", to=form, engine=engine, **options).left


def test_other_formats_and_languages() -> None:
    assert convert_text(["e2e4 e7e5", "d2d4"], "san", source_format="moves") == ["e4 e5", "d4"]
    assert convert_text("1. e4 e5 2. Sf3 *", "san", input_language="de", output_language="fr") == "e4 e5 Cf3"
    assert convert_text("1. e4 *", "fen", positions="every", ep="standard").count("\n") == 1


@pytest.mark.parametrize(
    ("ask", "error", "sentence"),
    [
        (lambda: convert_text(PGN, "parquet"), OptionError, r"parquet is no text; convert\(\) writes it to a file\."),
        (lambda: convert_text(PGN, "uci", line_width=3), OptionError, "line-width"),
        (lambda: convert_text(["", 5], "uci"), OptionError, r"Row 1 is 5, not a text\."),
        (lambda: convert_text(5, "uci"), OptionError, "Games are a string, a list, an Arrow array or a pandas Series, not int"),
        (lambda: convert_text("\ud800", "uci"), OptionError, "the text has signs that are no Unicode text"),
        (lambda: convert_text(["{}", "{"], "uci", source_format="json"), SourceError, "^row 0: 1 record could not be read"),
        (lambda: fix_text(PGN, select="M324"), OptionError, "Nothing that is selected can be repaired"),
        (lambda: fix_text(Path("a.pgn")), OptionError, "Games are a string"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(ask: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        ask()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=4))
def test_texts_do_not_touch_each_other(texts: list[str]) -> None:
    assert convert_text(texts, "pgn") == [convert_text(text, "pgn") for text in texts]
    assert fix_text(texts) == [fix_text(text) for text in texts]


# ------------------------------------------------------------------------------------------------- tables as sources


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"pgn": [PGN, PGN]}),
        pa.record_batch({"pgn": [PGN, PGN]}),
        pa.RecordBatchReader.from_batches(pa.schema({"pgn": pa.string()}), [pa.record_batch({"pgn": [PGN, PGN]})]),
        pd.DataFrame({"pgn": [PGN, PGN]}),
        polars.DataFrame({"pgn": [PGN, PGN]}),
        pa.array([PGN, PGN]),
        pa.chunked_array([[PGN], [PGN]]),
        pd.Series([PGN, PGN]),
        polars.Series("any name", [PGN, PGN]),
    ],
    ids=lambda table: f"{type(table).__module__.split('.')[0]}.{type(table).__name__}",
)
def test_a_table_is_a_source(table: Any, tmp_path: Path) -> None:
    assert convert(table, tmp_path / "out.uci").games == 2
    assert (tmp_path / "out.uci").read_text() == f"{UCI}\n" * 2


def test_games_of_a_scan_come_back(tmp_path: Path) -> None:
    table = scan(GAMES, tables=["games"]).to_tables()["games"]
    convert(table, tmp_path / "back.pgn")
    convert(GAMES, tmp_path / "once.pgn")
    assert (tmp_path / "back.pgn").read_bytes() == (tmp_path / "once.pgn").read_bytes()


def test_what_is_no_table_of_games(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="The column holds int64, not texts"):
        convert(pa.array([1]), tmp_path / "out.pgn")


# ------------------------------------------------------------------------------------------------------- python-chess


def test_games_of_python_chess_and_back() -> None:
    """The whole way round: text, tree, python-chess, tree, text."""
    for game in chesstools.games(ROOT / "sample_data" / "games" / "historic_classics.pgn"):
        made = game.to_chess()
        assert isinstance(made, chess.pgn.Game)
        assert chesstools.GameTree.from_chess(made) == game.tree
        assert chesstools.GameTree.from_chess(made).to_pgn() == game.to_pgn() == convert_text(game.to_pgn(), "pgn") + "\n\n"


def test_a_source_in_memory_is_read_as_text_is() -> None:
    (row,) = scan(Source.from_bytes(PGN.encode()), tables=["games"]).to_tables()["games"].to_pylist()
    assert convert_text(PGN, "fen") == row["final_fen"]
