"""How tables are laid out in files: readers find the documented types, and the same rows from either engine."""

from __future__ import annotations

import datetime
import random
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest

from chesstools import stored
from chesstools.dataset import ingest
from chesstools.engines import why_not_native
from chesstools.folder import part_name
from chesstools.lanes import Lane
from chesstools.local_folder import LocalFolder
from chesstools.parts import PartWriter, file_schema
from chesstools.scan import scan_source
from chesstools.schema import SCHEMAS, TABLES
from chesstools.source import Source
from chesstools.stored import as_stored, layout, stored_schema

ROOT = Path(__file__).resolve().parent.parent
WORDS = ["", "e4", "Nf3", "O-O-O", "Qa1xb2+", "exactly8", "more than eight", "½ 王", "\0", "e4\0", "x" * 300]
NATIVE = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")


def value(kind: pa.DataType, dice: random.Random) -> Any:
    """Some value of an Arrow type that the tables have."""
    if pa.types.is_boolean(kind):
        return dice.random() < 0.5
    if pa.types.is_integer(kind):
        most = 2 ** (kind.bit_width - (kind != pa.uint64())) - 1
        return dice.choice([0, 1, dice.randint(0, min(most, 300)), most, 0 if kind == pa.uint64() else -most - 1])
    if pa.types.is_date32(kind):
        return datetime.date(1900, 1, 1) + datetime.timedelta(days=dice.randint(-99_999, 40_000))
    if pa.types.is_floating(kind):
        return dice.choice([0.0, 0.5, 5400.0])
    if pa.types.is_list(kind):
        return [value(kind.value_type, dice) for _ in range(dice.choice([0, 1, 1, 2, 9]))]
    if pa.types.is_struct(kind):
        return {part.name: value(part.type, dice) for part in kind}
    if pa.types.is_map(kind):
        return [(dice.choice(WORDS), dice.choice([*WORDS, None])) for _ in range(dice.choice([0, 1, 7]))]
    return dice.choice(WORDS)


def batch(schema: pa.Schema, rows: int, dice: random.Random) -> pa.RecordBatch:
    """Rows of all kinds: each column without nulls, with some, or with nothing else."""
    arrays = []
    for field in schema:
        share = dice.choice([0, 0, 0.3, 1]) if field.nullable else 0
        if field.name == "source":
            arrays.append(pa.array(["a.pgn"] * rows).dictionary_encode())
        else:
            arrays.append(pa.array([None if dice.random() < share else value(field.type, dice) for _ in range(rows)], field.type))
    return pa.record_batch(arrays, schema=schema)


def plain(table: pa.Table) -> pa.Table:
    """Without dictionaries and chunks."""
    for place, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(place, field.with_type(pa.string()), table[field.name].cast(pa.string()))
    return table.combine_chunks()


def write(folder: Path, batches: dict[str, list[pa.RecordBatch]]) -> None:
    schemas = {table: file_schema(table, tool_version="1", profile="fide-2023") for table in batches}
    writer = PartWriter(LocalFolder(folder), part_name(0), schemas, {table: Lane(has_thread=False) for table in batches})
    for table, rows in batches.items():
        for each in rows:
            writer._files[table].add(each)
    writer.finish()


@pytest.mark.parametrize("table", TABLES)
def test_every_column_that_is_spoken_of_exists(table: str) -> None:
    names = set(SCHEMAS[table].names)
    for choice in (stored._DICTIONARIES, stored._HARDLY_REPEATED, stored._SKIPPED_BY):
        assert set(choice.get(table, ())) <= names
    assert stored_schema(table).names == SCHEMAS[table].names
    paths = set(layout(table, SCHEMAS[table])["compression"])
    assert names == {path.split(".")[0] for path in paths}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", range(6))
def test_any_rows_come_back(tmp_path: Path, table: str, seed: int) -> None:
    dice = random.Random(seed)
    batches = [batch(SCHEMAS[table], dice.choice([0, 1, 7, 64, 1000]), dice) for _ in range(dice.randint(0, 4))]
    write(tmp_path, {table: batches})
    wanted = pa.Table.from_batches(batches, SCHEMAS[table])
    path = tmp_path / table / "part-000000.parquet"
    with pq.ParquetFile(path) as file:
        paths = {file.schema.column(at).path for at in range(len(file.schema))}
        assert paths == set(layout(table, SCHEMAS[table])["compression"])
        schema = file_schema(table, tool_version="1", profile="fide-2023")
        assert file.schema_arrow.equals(schema)
        assert file.schema_arrow.metadata == schema.metadata
        assert [field.metadata[b"meaning"] for field in file.schema_arrow] == [field.metadata[b"meaning"] for field in schema]
        found = file.read()
    found.validate(full=True)
    assert plain(found).equals(plain(wanted))
    through_dataset = pads.dataset(tmp_path / table, format="parquet").to_table()
    assert through_dataset.schema.equals(SCHEMAS[table])
    assert plain(through_dataset).equals(plain(wanted))


def test_other_readers_see_texts(tmp_path: Path) -> None:
    dice = random.Random(1)
    rows = batch(SCHEMAS["plies"], 500, dice)
    write(tmp_path, {"plies": [rows]})
    path = tmp_path / "plies" / "part-000000.parquet"
    frame = pd.read_parquet(path)
    assert not isinstance(frame["role"].dtype, pd.CategoricalDtype)
    assert isinstance(frame["source"].dtype, pd.CategoricalDtype)
    seen = duckdb.execute(f"SELECT san, role, uci, position_key FROM '{path}'").fetchall()
    assert seen == list(zip(*(rows[name].to_pylist() for name in ("san", "role", "uci", "position_key")), strict=True))
    kinds = dict(duckdb.execute(f"SELECT column_name, column_type FROM (DESCRIBE FROM '{path}')").fetchall())
    assert {kinds[name] for name in ("source", "san", "uci", "role", "castling", "comment")} == {"VARCHAR"}


def test_rows_with_the_types_of_the_tables_are_converted() -> None:
    dice = random.Random(2)
    for table in TABLES:
        rows = batch(SCHEMAS[table], 50, dice)
        schema = stored_schema(table)
        converted = as_stored(rows, schema)
        assert converted.schema.equals(schema)
        assert plain(pa.Table.from_batches([converted])).equals(plain(pa.Table.from_batches([rows])))
        assert as_stored(converted, schema) is converted


@NATIVE
def test_the_core_gives_the_same_rows_with_the_types_of_files() -> None:
    sources = sorted((ROOT / "sample_data" / "games").rglob("*.pgn"))
    assert sources
    for path in sources:
        data = path.read_bytes()
        for step, wanted in zip(
            scan_source(Source.from_bytes(data, "x"), engine="native", stored=True),
            scan_source(Source.from_bytes(data, "x"), engine="native"),
            strict=True,
        ):
            for table in TABLES:
                step.batches[table].validate(full=True)
                assert wanted.batches[table].schema.equals(SCHEMAS[table])
                ours, theirs = (pa.Table.from_batches([each.batches[table]]) for each in (step, wanted))
                assert plain(ours).equals(plain(theirs)), (path, table)


@NATIVE
def test_both_engines_write_the_same_rows(tmp_path: Path) -> None:
    """Of games of all kinds, variants among them that the readable engine judges for the core."""
    sources = sorted(str(path) for path in (ROOT / "sample_data" / "games").rglob("*.pgn"))
    for engine in ("native", "reference"):
        ingest(sources, tmp_path / engine, engine=engine, jobs=2)
    for table in TABLES:
        ours, theirs = (sorted((tmp_path / engine / table).iterdir()) for engine in ("native", "reference"))
        assert [path.name for path in ours] == [path.name for path in theirs]
        for our, their in zip(ours, theirs, strict=True):
            assert plain(pq.read_table(our)).equals(plain(pq.read_table(their))), (table, our.name)
            with pq.ParquetFile(our) as our_file, pq.ParquetFile(their) as their_file:
                assert our_file.schema.equals(their_file.schema)
