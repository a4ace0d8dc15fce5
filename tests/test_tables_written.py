"""Tables as files: what is in them is what scan() gives, other programs read them, and from games the games come back."""

from __future__ import annotations

import csv
import datetime
import json
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from chesstools.convert import convert
from chesstools.errors import DatasetError, OptionError
from chesstools.readers import ANY, as_pgn
from chesstools.scan import scan
from chesstools.source import find_sources
from chesstools.tokens import NULL_MOVE, PADDING, decode, decode_move, encode, encode_move
from chesstools.writers.lichess_columns import LICHESS

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = sorted((ROOT / "sample_data").rglob("*.pgn"))
MIXED = ROOT / "sample_data" / "games" / "generated_mixed.pgn"
CLASSICS = ROOT / "sample_data" / "games" / "historic_classics.pgn"
PRODUCERS = ROOT / "sample_data" / "games" / "producers"

ENDINGS = {"csv": "csv", "parquet": "parquet", "arrow": "arrow", "arrow-stream": "arrows"}


def read_back(path: Path) -> pa.Table:
    if path.suffix == ".parquet":
        return pq.read_table(path)
    if path.suffix == ".csv":
        return pacsv.read_csv(path, parse_options=pacsv.ParseOptions(newlines_in_values=True))
    if path.suffix == ".arrow":
        return pa.ipc.open_file(path).read_all()
    return pa.ipc.open_stream(path).read_all()


def rows(table: pa.Table) -> list[dict[str, Any]]:
    return table.to_pylist()


@pytest.mark.parametrize("form", ["parquet", "arrow", "arrow-stream"])
@pytest.mark.parametrize("table", ["games", "plies", "findings"])
def test_tables_hold_what_scan_gives(table: str, form: str, tmp_path: Path) -> None:
    out = tmp_path / f"out.{ENDINGS[form]}"
    conversion = convert(MIXED, out, table=table)
    assert conversion.games == 1000
    assert rows(read_back(out)) == rows(scan(MIXED, tables=[table]).to_tables()[table])


@pytest.mark.parametrize("table", ["games", "plies", "findings"])
def test_csv_holds_what_scan_gives(table: str, tmp_path: Path) -> None:
    convert(MIXED, tmp_path / "out.csv", table=table)
    expected = scan(MIXED, tables=[table]).to_tables()[table]
    with open(tmp_path / "out.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    assert len(found) == expected.num_rows
    for name in expected.column_names:
        kind = expected.schema.field(name).type
        for row, value in zip(found, expected[name].to_pylist(), strict=True):
            if pa.types.is_nested(kind):
                text = "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            elif isinstance(value, bool):
                text = str(value).lower()
            elif isinstance(value, float):
                assert float(row[name]) == value
                continue
            else:
                text = "" if value is None else str(value)
            assert row[name] == text, name


@pytest.mark.parametrize("form", ENDINGS)
def test_games_come_back_from_every_table(form: str, tmp_path: Path) -> None:
    shape = ["tags", "termination_marker", "comment", "ply_count", "legal_ply_count", "start_fen", "final_fen", "game_id"]
    for path in SAMPLES:
        out = tmp_path / f"out.{ENDINGS[form]}"
        convert(path, out)
        (source,) = as_pgn(find_sources(out, ANY))
        back = scan(source, tables=["games", "plies"]).to_tables()
        first = scan(path, tables=["games", "plies"]).to_tables()
        assert rows(back["games"].select(shape)) == rows(first["games"].select(shape)), path
        assert rows(back["plies"].drop(["source"])) == rows(first["plies"].drop(["source"])), path


def test_a_dataset_is_written_from_any_format(tmp_path: Path) -> None:
    convert(CLASSICS, tmp_path / "games.arrow")
    conversion = convert(tmp_path / "games.arrow", tmp_path / "data", to="dataset")
    assert conversion.games == 59
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["_chesstools.json", "findings", "games", "plies"]
    with pytest.raises(DatasetError, match="holds a complete dataset"):
        convert(CLASSICS, tmp_path / "data", to="dataset")
    assert convert(CLASSICS, tmp_path / "data", to="dataset", overwrite=True).games == 59


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_lichess_columns(ending: str, tmp_path: Path) -> None:
    out = tmp_path / f"out.{ending}"
    conversion = convert(PRODUCERS / "lichess.pgn", out, columns="lichess")
    table = read_back(out)
    assert table.column_names == LICHESS.names
    if ending != "csv":
        kinds = {
            name: "time32[ms]" if name == "UTCTime" and ending == "parquet" else str(LICHESS.field(name).type)
            for name in LICHESS.names
        }
        assert {field.name: str(field.type) for field in table.schema} == kinds  # Parquet has no time in seconds
    games = scan(PRODUCERS / "lichess.pgn", tables=["games"]).to_tables()["games"]
    for row, game in zip(rows(table), rows(games), strict=True):
        tags = dict(game["tags"])
        for name in ("Event", "Site", "White", "Black", "Result", "ECO", "Termination", "TimeControl"):
            assert (row[name] or None) == tags.get(name)
        assert row["WhiteElo"] == game["white_elo"]
        assert row["movetext"] == game["movetext"]
        assert row["UTCDate"] == datetime.date(*map(int, tags["UTCDate"].split(".")))
        assert str(row["UTCTime"]) == tags["UTCTime"]
        assert row["WhiteRatingDiff"] == (int(tags["WhiteRatingDiff"]) if "WhiteRatingDiff" in tags else None)
    held = sum(value is not None for row in rows(table) for name, value in row.items() if name != "movetext")
    if ending != "csv":
        assert conversion.left["tags"] == sum(len(game["tags"]) for game in rows(games)) - held


def test_what_has_no_exact_value_in_lichess_columns_is_null_and_counted(tmp_path: Path) -> None:
    tags = [("White", "a"), ("White", "b"), ("WhiteElo", "?"), ("UTCDate", "2024.??.??"), ("UTCTime", "1:2"), ("Own", "y")]
    tags.append(("WhiteRatingDiff", "x"))
    (tmp_path / "a.pgn").write_text("".join(f'[{name} "{value}"]\n' for name, value in tags) + "\n1. e4 *\n")
    conversion = convert(tmp_path / "a.pgn", tmp_path / "a.parquet", columns="lichess")
    (row,) = rows(pq.read_table(tmp_path / "a.parquet"))
    assert {name: value for name, value in row.items() if value is not None} == {"White": "a", "movetext": "1. e4 *"}
    assert conversion.left == {"tags": 6}


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
def test_tokens(ending: str, tmp_path: Path) -> None:
    expected: dict[tuple[str, int], list[str]] = {}
    plies = scan(MIXED, tables=["plies"]).to_tables()["plies"]
    for row in rows(plies.select(["source", "game_index", "uci"])):
        expected.setdefault((row["source"], row["game_index"]), []).append(row["uci"])
    convert(MIXED, tmp_path / f"ragged.{ending}", table="tokens")
    conversion = convert(MIXED, tmp_path / f"padded.{ending}", table="tokens", max_plies=80)
    ragged, padded = rows(read_back(tmp_path / f"ragged.{ending}")), rows(read_back(tmp_path / f"padded.{ending}"))
    games = rows(scan(MIXED, tables=["games"]).to_tables()["games"])
    cut = 0
    for one, other, game in zip(ragged, padded, games, strict=True):
        moves = expected.get((game["source"], game["game_index"]), [])
        codes, filled = (json.loads(row["moves"]) if ending == "csv" else row["moves"] for row in (one, other))
        assert decode(codes) == moves
        assert decode(filled) == moves[:80]
        assert len(filled) == 80
        assert filled == encode(moves, 80)
        assert one["result"] == {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game["result_value"])
        assert one["white_elo"] == game["white_elo"]
        cut += max(0, len(moves) - 80)
    assert conversion.left["moves"] == cut > 0


def test_every_possible_move_has_its_number() -> None:
    squares = [file + rank for rank in "12345678" for file in "abcdefgh"]
    moves = [start + target + kind for start in squares for target in squares if start != target for kind in ("", *"nbrqk")]
    moves += [f"{man}@{square}" for man in "PNBRQ" for square in squares] + ["0000"]
    codes = encode(move for move in moves if move != "h8h8")
    assert len(set(codes)) == len(moves)
    assert PADDING not in codes
    assert max(codes) < 1 << 16
    assert decode(codes) == moves
    for code in set(range(1 << 16)) - set(codes) - {PADDING}:
        with pytest.raises(OptionError):
            decode_move(code)
    assert decode(pa.array([encode_move("e2e4"), NULL_MOVE, 0, 7], pa.uint16())) == ["e2e4", "0000"]


@pytest.mark.parametrize("uci", ["", "e2", "e2e9", "e2e2", "e7e8x", "K@e4", "e2e4e5", "a1a1"])
def test_what_is_no_move_has_no_number(uci: str) -> None:
    with pytest.raises(OptionError, match="is no move in UCI form"):
        encode_move(uci)


@pytest.mark.parametrize("table", ["games", "plies", "findings", "tokens"])
def test_other_programs_read_the_tables(table: str, tmp_path: Path) -> None:
    for ending in ("csv", "parquet", "arrow"):
        convert(PRODUCERS, tmp_path / f"out.{ending}", table=table)
    count = pq.read_metadata(tmp_path / "out.parquet").num_rows
    assert count > 0
    assert len(pd.read_csv(tmp_path / "out.csv")) == count
    assert len(pd.read_parquet(tmp_path / "out.parquet")) == count
    assert len(pd.read_feather(tmp_path / "out.arrow")) == count
    for ending in ("csv", "parquet"):
        (found,) = duckdb.sql(f"select count(*), count(distinct source) from '{tmp_path}/out.{ending}'").fetchall()
        assert found == (count, len(set(pd.read_csv(tmp_path / "out.csv")["source"])))
    polars = pytest.importorskip("polars")
    assert polars.read_csv(tmp_path / "out.csv", infer_schema_length=None).height == count
    assert polars.read_parquet(tmp_path / "out.parquet").height == count
    assert polars.read_ipc(tmp_path / "out.arrow").height == count


def test_tables_of_no_games(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_bytes(b"")
    for table in ("games", "plies", "findings", "tokens"):
        for ending in ENDINGS.values():
            assert convert(tmp_path / "empty.pgn", tmp_path / f"out.{ending}", table=table).games == 0
            assert read_back(tmp_path / f"out.{ending}").num_rows == 0
            assert read_back(tmp_path / f"out.{ending}").column_names[0] == "source"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table": "plies", "columns": "lichess"}, "--columns lichess is of games, not of plies"),
        ({"max_plies": 9}, "--max-plies is of tokens, not of games"),
        ({"table": "moves"}, "--table is 'moves'; it must be games or plies or findings or tokens"),
        ({"overwrite": True}, "--overwrite means nothing for csv, only for dataset"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=message):
        convert(CLASSICS, tmp_path / "out.csv", **options)


def test_jobs_change_nothing(tmp_path: Path) -> None:
    for jobs in (1, 3):
        convert(MIXED, tmp_path / f"{jobs}.csv", jobs=jobs, table="tokens")
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "3.csv").read_bytes()
