"""What is given as a list, an Arrow array or a pandas Series is answered as that."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import chesstools
from chesstools.errors import OptionError, SourceError
from chesstools.fen import check, dedupe, divide, from_epd, key, moves, normalise, sameness, to_epd

FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
FENS = [FEN, None, "x", f"{FEN[:-1]}0"]
SERIES = pd.Series(FENS, index=[3, 1, 4, 1], name="start")
ARRAY = pa.array(FENS)


def test_the_library_has_it() -> None:
    assert chesstools.fen.key is key
    assert chesstools.check_fen(FEN) == []


def test_texts() -> None:
    wanted = [FEN, None, None, FEN]
    assert normalise(FENS) == normalise(tuple(FENS)) == normalise(iter(FENS)) == wanted
    assert normalise(ARRAY).equals(pa.array(wanted))
    assert normalise(ARRAY.dictionary_encode()).equals(pa.array(wanted))
    assert normalise(pa.chunked_array([ARRAY, ARRAY])).equals(pa.chunked_array([wanted * 2]))
    answer = normalise(SERIES)
    assert (list(answer.index), answer.name, str(answer.dtype)) == ([3, 1, 4, 1], "start", "string")
    assert [None if value is pd.NA else value for value in answer] == wanted


def test_numbers() -> None:
    answer = key(SERIES)
    assert str(answer.dtype) == "UInt64"
    assert answer.iloc[0] == key(FEN) == key(ARRAY)[0].as_py()
    assert answer.isna().tolist() == [False, True, True, False]
    assert key(ARRAY).type == pa.uint64()


def test_lists() -> None:
    assert (
        moves(SERIES, notation="uci").iloc[0]
        == moves(ARRAY, notation="uci")[0].as_py()
        == ["e1f2", "e1e2", "e1d2", "e1f1", "e1d1"]
    )


def test_filtered() -> None:
    assert dedupe(FENS) == [FEN, None, "x"]
    assert dedupe(ARRAY).to_pylist() == [FEN, None, "x"]
    assert list(dedupe(SERIES).index) == [3, 1, 4]


def test_checked() -> None:
    assert [[problem.code for problem in problems] for problems in check(FENS)] == [[], [], ["F202", "F201", "F201"], ["F208"]]
    table = check(ARRAY)
    assert table.column("ok").to_pylist() == [True, None, False, True]
    frame = check(SERIES)
    assert list(frame.index) == [3, 1, 4, 1]
    assert frame["severity"].tolist()[2:] == ["error", "warning"]


@pytest.mark.parametrize("name", ["p.fen", "p.fen.gz", "p.parquet", "p.arrow", "p.csv"])
def test_files(name: str, tmp_path: Path) -> None:
    """A path is a file, a string never is; lines of text have no nulls, empty ones are passed over."""
    lines = [FEN, "x", f"{FEN[:-1]}0"]
    path, wanted = tmp_path / name, pa.chunked_array([FENS])
    table = pa.table({"id": [1, 2, 3, 4], "Fen": FENS})
    if ".fen" in name:
        data = "\n\n# these\n".join(lines).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        wanted = pa.chunked_array([lines])
    elif name == "p.parquet":
        pq.write_table(table, path)
    elif name == "p.arrow":
        pa.feather.write_feather(table, path)
    else:
        pa.csv.write_csv(table, path)
    for function in (normalise, key, moves, dedupe, check):
        answer = function(path)
        assert answer.equals(function(wanted)) or answer.to_pylist() == function(wanted).to_pylist()
    with pytest.raises(OptionError, match="cannot be read"):
        normalise(str(path))


def test_what_is_no_file_of_positions(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="There is no file or folder"):
        key(tmp_path / "none.fen")
    with pytest.raises(SourceError, match="is a folder; name a file of positions"):
        key(tmp_path)
    (tmp_path / "a.csv").write_text("x\n1\n")
    with pytest.raises(OptionError, match=r"a\.csv"):
        key(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([FEN, 7], "Row 1 is 7, not a text"),
        (["\udc80"], "Row 0 has signs that are no Unicode text"),
        (pa.array([1]), "The column holds int64, not texts"),
        (pa.array([b"a", b"\xff"]), "Row 1 is not UTF-8 text"),
        (7, "Positions are a string, a list, an Arrow array or a pandas Series, not int"),
        (b"x", "not bytes"),
    ],
)
def test_what_is_no_column(given: Any, sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        normalise(given)


@pytest.mark.parametrize("empty", [[], pa.array([], pa.string()), pd.Series([], dtype=object), pa.nulls(0)])
def test_nothing(empty: Any) -> None:
    for function in (normalise, key, moves, dedupe, check):
        assert len(function(empty)) == 0


@pytest.mark.parametrize("ask", [normalise, key, sameness, moves, to_epd, from_epd, lambda fen: divide(fen, 1)])
@pytest.mark.parametrize("engine_given", [None, "reference"])
def test_one_position_that_is_no_unicode_text(ask: Any, engine_given: str | None) -> None:
    options = {"engine": engine_given} if engine_given and ask.__name__ != "<lambda>" else {}
    with pytest.raises(OptionError, match=r"^The position '\\ud800/' [^.]*\.$"):
        ask("\ud800/", **options)
    assert isinstance(ask(FEN, **options), str | int | list | dict)
