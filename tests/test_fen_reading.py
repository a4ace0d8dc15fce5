"""Positions from files: lines and tables, packed and piped, and what cannot be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from chesstools.errors import OptionError, SourceError
from chesstools.fen import reading
from chesstools.fen.reading import read_positions
from chesstools.source import Source, find_sources

FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
OTHER = "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
TABLE = pa.table({"id": [7, 8, 9], "FEN": [FEN, None, OTHER], "note": ["007", "", "é"]})


def read(path: Path, column: str | None = None) -> list[tuple[str | None, int]]:
    (source,) = find_sources(path)
    rows: list[tuple[str | None, int]] = []
    for part in read_positions(source, column):
        assert part.source == str(path)
        rows += zip(part.lines.to_pylist(), part.numbers.to_pylist(), strict=True)
    return rows


# --------------------------------------------------------------------------------------------------------------- lines

TEXT = f"\ufeff{FEN}\r\n\n# {OTHER}\n  {OTHER}\t\n\n{FEN} é".encode()
ROWS = [(FEN, 1), (OTHER, 4), (f"{FEN} é", 6)]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("p.fen", TEXT),
        ("p.fen.gz", gzip.compress(TEXT, mtime=0)),
        ("p.epd.zst", zstandard.compress(TEXT)),
        ("p.txt", TEXT.decode().lstrip("\ufeff").encode("utf-16")),
    ],
)
def test_lines(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert read(tmp_path / name) == ROWS


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_lines_in_small_blocks(size: int) -> None:
    source = Source.from_bytes(TEXT, "p.fen")
    parts = list(reading._read_lines("p.fen", b"", source.open(size)))
    rows = [row for part in parts for row in zip(part.lines.to_pylist(), part.numbers.to_pylist(), strict=True)]
    assert rows == [("\ufeff" + FEN, 1), *ROWS[1:]]  # the mark is taken from the first block, which is given apart


def test_nothing(tmp_path: Path) -> None:
    for data in (b"", b"\n\n", b"# x"):
        (tmp_path / "p.fen").write_bytes(data)
        assert read(tmp_path / "p.fen") == []


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "p.fen"
    path.write_bytes(f"{FEN}\n{OTHER}\n{FEN} ".encode() + b"\xfc\n" + FEN.encode())
    (source,) = find_sources(path)
    parts = read_positions(source)
    assert next(parts).lines.to_pylist() == [FEN, OTHER]
    with pytest.raises(SourceError, match=r"p\.fen: line 3 is not UTF-8 text; convert the file first\.$"):
        next(parts)


def test_a_line_without_end(tmp_path: Path) -> None:
    path = tmp_path / "p.fen"
    path.write_bytes(f"{FEN}\n".encode() + b"8" * (reading.MAX_LINE_BYTES * 3))
    with pytest.raises(SourceError, match=r"line 2 is longer than 1,048,576 bytes"):
        read(path)


# -------------------------------------------------------------------------------------------------------------- tables


def write(path: Path, table: pa.Table = TABLE) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".arrows":
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table)
    elif path.suffix == ".arrow":
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    else:
        separator = "\t" if ".tsv" in path.name else ","
        rows = [[str(name) for name in table.column_names], *([*row.values()] for row in table.to_pylist())]
        text = "".join(separator.join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows).encode()
        path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.arrows", "t.csv", "t.csv.gz", "t.tsv"])
def test_tables(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name)
    assert read(path) == [(FEN, 1), (None, 2), (OTHER, 3)]
    assert read(path, "note") == [("007", 1), ("" if ".csv" not in name and ".tsv" not in name else None, 2), ("é", 3)]
    (source,) = find_sources(path)
    (part,) = read_positions(source)
    assert part.column == "FEN"
    assert part.table is not None
    assert part.table.column_names == TABLE.column_names
    assert part.table["note"].to_pylist()[0] == "007"  # no number is made of it


@pytest.mark.parametrize("kind", [pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string()), pa.string_view()])
def test_kinds_of_text(tmp_path: Path, kind: pa.DataType) -> None:
    path = write(tmp_path / "t.arrow", pa.table({"fen": pa.array([FEN, None], pa.string()).cast(kind)}))
    assert read(path) == [(FEN, 1), (None, 2)]


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.arrows", "t.csv"])
def test_no_such_column(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name)
    with pytest.raises(
        OptionError, match=r"has no column epd \(it has id, FEN, note\); name the column with the positions by --c"
    ):
        read(path, "epd")
    path = write(tmp_path / name, TABLE.rename_columns(["id", "position", "note"]))
    with pytest.raises(OptionError, match=r"has no column fen \(it has id, position, note\)"):
        read(path)


def test_which_column(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", pa.table({"fen": [FEN], "FEN": [OTHER]}))
    assert read(path, "FEN") == [(OTHER, 1)]
    with pytest.raises(OptionError, match="has several columns fen"):
        read(path)


def test_no_texts(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"t\.parquet, column id: the column holds int64, not texts"):
        read(write(tmp_path / "t.parquet"), "id")


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("t.parquet", b"PAR1" + b"\0" * 40, r"t\.parquet cannot be read as Parquet \(.*\); make it anew\.$"),
        ("t.parquet", b"PAR1", r"t\.parquet cannot be read as Parquet \(.*\); make it anew\.$"),
        ("t.arrow", b"ARROW1\0\0" + b"\0" * 40, r"t\.arrow cannot be read as Arrow \(.*\); make it anew\.$"),
        ("t.arrows", b"\xff\xff\xff\xff\x10\0\0\0", r"t\.arrows cannot be read as Arrow \(.*\); make it anew\.$"),
        ("t.csv", f"fen,n\n{FEN},1\n{FEN},1,2\n".encode(), r"t\.csv: row 2 has 3 cells instead of 2; correct it\.$"),
        ("t.csv", f"fen,n\n{FEN},1\n{FEN}".encode() + b"\xe9,2\n", r"t\.csv: row 2 is not UTF-8 text; convert it first\.$"),
        ("t.csv", b"f\xe9n,n\n", r"t\.csv: row 0, the heading, is not UTF-8 text; convert the file first\.$"),
        (
            "t.csv.gz",
            gzip.compress(b"PAR1" + b"\0" * 40, mtime=0),
            r"t\.csv\.gz is a packed or piped Parquet file, whose end is wanted first",
        ),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, data: bytes, sentence: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(SourceError, match=sentence):
        read(tmp_path / name)


def test_a_parquet_file_that_breaks_off(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(SourceError, match=r"t\.parquet cannot be read as Parquet"):
        read(path)


def test_an_empty_csv(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"")
    with pytest.raises(OptionError, match=r"t\.csv has no column fen \(it has none\)"):
        read(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_bytes(b"fen\n")
    assert read(tmp_path / "t.csv") == []


def test_many_rows(tmp_path: Path) -> None:
    count = reading.MAX_LINE_BYTES // 16
    (tmp_path / "t.csv").write_text("n,fen\n" + "".join(f"{number},{FEN}\n" for number in range(count)), encoding="utf-8")
    rows = read(tmp_path / "t.csv")
    assert [number for _, number in rows] == [*range(1, count + 1)]
