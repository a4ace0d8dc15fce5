"""Every format that can be read: what is in it comes out as the same games, packed or not, whatever it is called."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from chesstools.dataset import ingest
from chesstools.errors import OptionError, SourceError
from chesstools.readers import ANY, as_pgn, format_of
from chesstools.scan import scan
from chesstools.source import Source, find_sources

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = sorted((ROOT / "sample_data").rglob("*.pgn"))
CLASSICS = ROOT / "sample_data" / "games" / "historic_classics.pgn"

FORM = {"source", "byte_offset", "byte_length", "line", "encoding", "movetext", "errors", "warnings", "infos", "codes"}
"""Columns that tell where and how a game is written. Findings may be of that too, such as of comments that do not end."""


def judged(source: Source | Path) -> dict[str, list[dict[str, Any]]]:
    """Games and plies of a source but for the form of the text."""
    tables = scan(source, tables=["games", "plies"]).to_tables()
    return {
        name: table.select([column for column in table.column_names if column not in FORM]).to_pylist()
        for name, table in tables.items()
    }


def read(data: bytes | str, name: str = "games", form: str | None = None) -> Source:
    (source,) = as_pgn([Source.from_bytes(data.encode() if isinstance(data, str) else data, name)], form)
    return source


def pgn_of(data: bytes | str, name: str = "games", form: str | None = None) -> str:
    return b"".join(read(data, name, form).open()).decode()


def error_of(source: Source) -> tuple[int, str | None]:
    """How many games could be read, and what was wrong."""
    scanning = scan(source, tables=["games"], raise_source_errors=False)
    games = scanning.to_tables()["games"].num_rows
    return games, scanning.summary.sources[0].error


def as_csv(games: pa.Table) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["tags", "movetext"])
    for row in games.to_pylist():
        writer.writerow([json.dumps(row["tags"]), row["movetext"]])
    return out.getvalue().encode()


def as_parquet(games: pa.Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(games, out)
    return out.getvalue()


def as_arrow(games: pa.Table) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_file(out, games.schema) as writer:
        writer.write_table(games)
    return out.getvalue()


def as_stream(games: pa.Table) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, games.schema) as writer:
        writer.write_table(games)
    return out.getvalue()


TABLES = {"csv": as_csv, "parquet": as_parquet, "arrow": as_arrow, "arrow-stream": as_stream}


@pytest.mark.parametrize("form", TABLES)
def test_tables_of_games_come_back(form: str) -> None:
    for path in SAMPLES:
        games = scan(path, tables=["games"]).to_tables()["games"]
        assert judged(read(TABLES[form](games))) == judged(path), path


@pytest.mark.parametrize("form", TABLES)
def test_packed_files_and_files_in_place(form: str, tmp_path: Path) -> None:
    data = TABLES[form](scan(CLASSICS, tables=["games"]).to_tables()["games"])
    (tmp_path / "games").write_bytes(data)
    (tmp_path / "games.zst").write_bytes(zstandard.compress(data))
    plain, packed = as_pgn(find_sources([tmp_path / "games", tmp_path / "games.zst"], ANY))
    assert judged(plain) == judged(packed) == judged(CLASSICS)
    assert plain.stored_bytes_read == plain.size == len(data)
    assert plain.hash() == hash_of(tmp_path / "games")


def hash_of(path: Path) -> str | None:
    (source,) = find_sources(path)
    for _ in source.open():
        pass
    return source.hash()


def test_a_dataset_comes_back(tmp_path: Path) -> None:
    for number, path in enumerate(SAMPLES):
        ingest(path, tmp_path / str(number), tables=["games"], part_games=5)
        (source,) = as_pgn(find_sources(tmp_path / str(number), ANY))
        assert judged(source) == judged(path), path


def test_a_folder_is_searched_for_all_formats(tmp_path: Path) -> None:
    ingest(CLASSICS, tmp_path / "data", tables=["games"])
    (tmp_path / "a.uci").write_text("e2e4\n")
    (tmp_path / "b.md").write_text("# no games\n")
    sources = as_pgn(find_sources(tmp_path, ANY))
    assert [Path(source.name).name for source in sources] == ["a.uci", "data"]
    with pytest.raises(SourceError, match="holds no PGN files"):
        find_sources(tmp_path)
    assert ingest(sources, tmp_path / "both").games == 60


@pytest.mark.parametrize(
    ("name", "data", "form"),
    [
        ("a.pgn", '[Event "x"]\n\n1. e4 *', "pgn"),
        ("a.pgn", '{"comment"} 1. e4 *', "pgn"),
        ("a", "{comment} 1. e4 *", "pgn"),
        ("a", '{"tags": [], "moves": []}', "json"),
        ("a.json", '[{"pgn": "1. e4 *"}]', "json"),
        ("a.json", '[Event "x"]\n\n1. e4 *', "pgn"),
        ("a.csv", '[Event "x"]\n[Site "y"]\n', "pgn"),
        ("a.csv", "White,Black,moves\n", "csv"),
        ("a", "White;Black;moves\n", "csv"),
        ("a.txt", "e2e4 e7e5 g1f3\n", "moves"),
        ("a.san", "e4 e5 Nf3\n", "moves"),
        ("a.san", "1. e4 e5 2. Nf3\n", "moves"),
        ("a.txt", "8/P6k/8/8/8/8/8/K7 w - - 0 1\n", "positions"),
        ("a.epd", "8/P6k/8/8/8/8/8/K7 w - - bm a8=Q;\n", "positions"),
        ("a", "", "pgn"),
        ("a", "PAR1", "parquet"),
        ("a", "ARROW1", "arrow"),
    ],
)
def test_formats_are_recognised(name: str, data: str, form: str) -> None:
    assert format_of(Source.from_bytes(data.encode(), name)) == form


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(OptionError, match="There is no format 'xml' to read; choose from pgn, json"):
        as_pgn([Source.from_bytes(b"")], "xml")


# ------------------------------------------------------------------------------------------------- JSON


def test_json_lines_of_trees() -> None:
    inner = {"before": [], "moves": [], "rest": "Kh1"}
    moves = [{"san": "Kg8", "uci": "h7g8", "after": [{"variation": inner}]}]
    variation = {"before": [{"comment": "in } it"}], "moves": moves, "rest": None}
    tree = {
        "source": "a.pgn",
        "game_index": 0,
        "tags": [["Event", 'a "b" \\'], ["FEN", "8/P6k/8/8/8/8/8/K7 b - - 0 9"], ["Event", "again"]],
        "unread_tags": ["[no]"],
        "start_fen": None,
        "before": [{"comment": "before"}],
        "moves": [
            {"san": "Kg7", "uci": "h7g7", "after": [{"nag": 1}, {"variation": variation}]},
            {"san": "a8=Q", "uci": "a7a8q", "after": [{"comment": "behind"}, {"unread": "$900"}]},
        ],
        "rest": "Ke1 {not legal}",
        "result": "1-0",
        "behind": None,
    }
    assert pgn_of(json.dumps(tree) + "\n") == (
        '[Event "a \\"b\\" \\\\"]\n[FEN "8/P6k/8/8/8/8/8/K7 b - - 0 9"]\n[Event "again"]\n[no]\n\n'
        "{ before } 9... Kg7 $1 ( { in } it }".replace("{ in } it }", "; in } it\n9...")
        + " Kg8 ( Kh1\n) ) 10. a8=Q { behind } $900\nKe1 { not legal }\n1-0\n"
    )


def test_json_of_chess_com() -> None:
    archive = {"games": [{"url": "u", "pgn": '[White "a"]\n\n1. e4 *\n'}, {"url": "v"}, {"pgn": '[White "b"]\n\n1. d4 *\n'}]}
    for text in (
        json.dumps(archive),
        json.dumps(archive, indent=2),
        json.dumps({"z": 1, **archive}),
        json.dumps(archive["games"]),
    ):
        games, error = error_of(read(text, "2024-01.json"))
        assert games == 2
        assert error is not None
        assert "1 record could not be read (in game 2" in error
        assert "is no game (it has neither pgn nor moves)" in error


def test_json_of_lichess() -> None:
    game = {
        "id": "q7ZvsdUF",
        "rated": True,
        "variant": "standard",
        "speed": "blitz",
        "createdAt": 1514505150384,
        "status": "outoftime",
        "players": {
            "white": {"user": {"name": "Lance5500", "title": "LM", "id": "lance5500"}, "rating": 2389, "ratingDiff": 4},
            "black": {"user": {"name": "TryingHard87", "id": "tryinghard87"}, "rating": 2498, "ratingDiff": -4},
        },
        "winner": "white",
        "opening": {"eco": "D31", "name": "Semi-Slav Defense: Marshall Gambit", "ply": 7},
        "moves": "d4 d5 c4",
        "clock": {"initial": 300, "increment": 3, "totalTime": 420},
        "clocks": [30003, 30000, 29650],
    }
    source = read(json.dumps(game))
    assert b"".join(source.open()).decode() == (
        '[Site "https://lichess.org/q7ZvsdUF"]\n[Date "2017.12.28"]\n[White "Lance5500"]\n[Black "TryingHard87"]\n'
        '[Result "1-0"]\n[UTCDate "2017.12.28"]\n[UTCTime "23:52:30"]\n[WhiteElo "2389"]\n[BlackElo "2498"]\n'
        '[WhiteRatingDiff "+4"]\n[BlackRatingDiff "-4"]\n[WhiteTitle "LM"]\n[Variant "Standard"]\n'
        '[TimeControl "300+3"]\n[ECO "D31"]\n'
        '[Opening "Semi-Slav Defense: Marshall Gambit"]\n[Termination "Time forfeit"]\n\n'
        "1. d4 { [%clk 0:05:00.03] } 1... d5 { [%clk 0:05:00] } 2. c4 { [%clk 0:04:56.5] } 1-0\n"
    )
    assert source.notes == ["not read: field rated: 1"]
    with_pgn = pgn_of(json.dumps({**game, "pgn": '[Event "x"]\n\n1. d4 *\n'}))
    assert with_pgn == '[Event "x"]\n\n1. d4 *\n'


def test_lichess_game_from_another_position() -> None:
    players = {"white": {"aiLevel": 3}, "black": {}}
    start = "8/P6k/8/8/8/8/8/K7 b - - 0 9"
    game = {"id": "x", "players": players, "status": "started", "moves": "Kg7", "variant": "fromPosition", "initialFen": start}
    assert pgn_of(json.dumps(game)) == (
        '[Site "https://lichess.org/x"]\n[White "lichess AI level 3"]\n[Result "*"]\n[Variant "From Position"]\n'
        '[FEN "8/P6k/8/8/8/8/8/K7 b - - 0 9"]\n[SetUp "1"]\n\n1... Kg7 *\n'
    )


# ------------------------------------------------------------------------------------------------- tables


def test_columns_of_tags() -> None:
    table = pd.DataFrame(
        {
            "Event": ["Rated Blitz game", None],
            "White": ["a", "b"],
            "WhiteElo": pd.array([1500, None], "Int16"),
            "WhiteRatingDiff": [8.0, float("nan")],
            "UTCDate": [pd.Timestamp("2024-05-01").date(), None],
            "UTCTime": [pd.Timestamp("2024-05-01 12:34:56").time(), None],
            "movetext": ["1. e4 { [%eval 0.2] } *", "1. d4 1-0"],
            "internal_id": [1, 2],
        }
    )
    source = read(as_parquet(pa.Table.from_pandas(table)))
    assert b"".join(source.open()).decode() == (
        '[Event "Rated Blitz game"]\n[White "a"]\n[WhiteElo "1500"]\n[WhiteRatingDiff "+8"]\n[UTCDate "2024.05.01"]\n'
        '[UTCTime "12:34:56"]\n\n1. e4 { [%eval 0.2] } *\n\n[White "b"]\n\n1. d4 1-0\n'
    )
    assert source.notes == ["not read: column internal_id: 1"]


def test_csv_of_moves_and_of_positions() -> None:
    assert pgn_of("white_id;moves\nann;e4 e5\nbob;d4 d5\n", "a.csv") == "e4 e5\n*\n\nd4 d5\n"
    assert (
        pgn_of("fen,White\n8/P6k/8/8/8/8/8/K7 w - - 0 1,x\n")
        == '[White "x"]\n[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n[SetUp "1"]\n\n\n'
    )
    assert pgn_of('\ufeffpgn\n"[White ""M\u00fcller""]\n\n1. e4 *"\n'.encode()) == '[White "M\u00fcller"]\n\n1. e4 *\n'
    assert pgn_of("White,moves\nM\u00fcller,e4 *\n".encode("cp1252")) == '[White "M\u00fcller"]\n\ne4 *\n'


def test_moves_and_positions() -> None:
    text = "e2e4 e7e5 1-0\n\nfen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8q\n# a comment\nd2d4\n"
    source = read(text, "games.uci")
    tables = scan(source, tables=["plies"]).to_tables()
    assert tables["plies"]["san_standard"].to_pylist() == ["e4", "e5", "a8=Q", "d4"]
    assert source.notes[-1] == "not read: lines without moves: 2"
    positions = '8/P6k/8/8/8/8/8/K7 w - - bm a8=Q; id "x";\n8/P6k/8/8/8/8/8/K7 w - - hmvc 3; fmvn 7;\n8/8/8/8/8/8/8/8 w - - 0 1\n'
    games = scan(read(positions), tables=["games"]).to_tables()["games"]
    assert [dict(tags)["FEN"] for tags in games["tags"].to_pylist()] == [
        "8/P6k/8/8/8/8/8/K7 w - -", "8/P6k/8/8/8/8/8/K7 w - - 3 7", "8/8/8/8/8/8/8/8 w - - 0 1",
    ]  # fmt: skip
    assert games["comment"].to_pylist() == ['bm a8=Q; id "x";', "hmvc 3; fmvn 7;", None]


@pytest.mark.parametrize(
    ("line", "fen", "comment"),
    [
        ('id "a; hmvc 3; fmvn 7; b";', "", 'id "a; hmvc 3; fmvn 7; b";'),
        (r'id "\"; hmvc 3;"; fmvn 7;', "", r'id "\"; hmvc 3;"; fmvn 7;'),
        ('id "a;"; fmvn 7; hmvc 3;', " 3 7", 'id "a;"; fmvn 7; hmvc 3;'),
        ("hmvc 3; fmvn x;", "", "hmvc 3; fmvn x;"),
        ("hmvc 3; fmvn 7 8;", "", "hmvc 3; fmvn 7 8;"),
        ("5 9; hmvc 3; fmvn 7;", " 5 9", "; hmvc 3; fmvn 7;"),
        ("5 9", " 5 9", None),
    ],
)
def test_counters_of_a_position(line: str, fen: str, comment: str | None) -> None:
    """What is between quotation marks is no operation."""
    game = scan(read(f"4k3/8/8/8/8/8/8/4K3 w - - {line}\n", "a.epd"), tables=["games"]).to_tables()["games"].to_pylist()[0]
    assert (dict(game["tags"])["FEN"], game["comment"]) == (f"4k3/8/8/8/8/8/8/4K3 w - -{fen}", comment)


@pytest.mark.parametrize("line", ["/" * 1_000_000, "a/" * 500_000 + " w", "/a w - - 0 1", "a/ b - -"])
def test_a_long_line_that_is_no_position_takes_linear_time(line: str) -> None:
    """With time that grows with the square the long ones would take hours."""
    with pytest.raises(SourceError, match="1 record could not be read"):
        scan(read(f"{line}\n{POSITION}", "a.epd"), tables=["games"]).to_tables()


def test_a_long_line_with_a_position_takes_linear_time() -> None:
    line = "a/b w - - " + "0 " * 500_000 + "{"
    assert scan(read(f"{line}\n{POSITION}", "a.epd"), tables=["games"]).to_tables()["games"].num_rows == 2


# ------------------------------------------------------------------------------------------------- what is broken

CUT = {name: make(scan(CLASSICS, tables=["games"]).to_tables()["games"]) for name, make in TABLES.items()}

ONE = '{"pgn": "1. e4 *"}\n'
TWO = '{"pgn": "1. d4 *"}\n'
POSITION = "8/P6k/8/8/8/8/8/K7 w - - 0 1\n"

BROKEN: list[tuple[str | bytes, str, int, str]] = [
    (f"{ONE}nonsense\n{TWO}", "a.jsonl", 2, "1 record could not be read (in line 2 is no JSON (Expecting value at character 1))"),
    (f'{ONE}{{"moves": [{{"san": "e4 e5"}}]}}\n3\n', "a.jsonl", 1, "2 records could not be read (the first in line 2 is no game"),
    ('{"moves": [{"san": "e4 e5"}]}', "a.jsonl", 0, "in line 1 is no game of this format (game.moves[0].san is no move)"),
    ('[{"pgn": "1. e4 *"},\n {"pgn": 1,,}]', "a.json", 1, "cannot be read on from line 2: it is no JSON"),
    ('{"games": [{"pgn": "1. e4 *"},\n', "a.json", 1, "cannot be read on from line 2: it is no JSON"),
    ("[" * 100_000, "a.json", 0, "nested too deeply"),
    ('{"moves": ' + "[" * 100_000 + "\n" + ONE, "a.jsonl", 1, "(in line 1 is nested too deeply)"),
    ('{"pgn": ' + "1" * 10_000 + "}\n", "a.jsonl", 0, "cannot be read"),
    ("White,moves\nx,e4\ny\nz,d4 *\n", "a.csv", 2, "(in line 3 has 1 values in place of 2)"),
    ('White,moves\nx,e4\ny,"a"b\nz,d4 *\n', "a.csv", 2, "(in line 3 is no row of the table"),
    ('White,moves\nx,e4\ny,"d4\nz,d4 *\n', "a.csv", 1, "cannot be read on from line 3: a quote opens there and does not close"),
    ("id,name\n1,x\n", "a.csv", 0, "has no column with games"),
    ("", "a.csv", 0, "is empty"),
    (
        'tags,movetext\n"{",e4\n"[[1,2]]",e4\n"[[""A"",""b""]]",d4\n',
        "a.csv",
        1,
        "2 records could not be read (the first in line 2 has",
    ),
    (f"8/8 w\n{POSITION}", "a.fen", 1, "(in line 1 is no position (no FEN or EPD))"),
    (CUT["parquet"][:-100], "a", 0, "cannot be read on from its footer"),
    (CUT["arrow"][:-100], "a", 0, "cannot be read on from its footer"),
    (CUT["arrow-stream"][:-1000], "a", 0, "cannot be read on from row 1"),
    (b"PAR1" + b"\0" * 100 + b"PAR1", "a", 0, "cannot be read on from its footer"),
]


@pytest.mark.parametrize(("data", "name", "games", "message"), BROKEN)
def test_what_is_wrong_is_said_in_one_sentence(data: str | bytes, name: str, games: int, message: str) -> None:
    found, error = error_of(read(data, name))
    assert found == games
    assert error is not None
    assert message in error
    assert "\n" not in error
    assert len(error) < 500


@pytest.mark.parametrize("form", [*TABLES, "pgn"])
def test_what_is_read_only_once_is_recognised_too(form: str, tmp_path: Path) -> None:
    data = CLASSICS.read_bytes() if form == "pgn" else TABLES[form](scan(CLASSICS, tables=["games"]).to_tables()["games"])
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(data,))
    writer.start()
    (source,) = as_pgn(find_sources(tmp_path / "pipe", ANY))
    assert judged(source) == judged(CLASSICS)
    writer.join()
