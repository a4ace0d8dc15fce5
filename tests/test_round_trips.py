"""PGN to every format that holds whole games, and back: the same trees."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import independent_replay
import pyarrow as pa
import pytest
import strategies
import tree_strategies
from corpora import ARCHIVES, FULL, needs_corpus, text
from hypothesis import given, settings
from hypothesis import strategies as st
from trees import as_written, trees

from chesstools.dataset import ingest
from chesstools.errors import SourceError
from chesstools.readers import ANY, as_pgn
from chesstools.scan import scan
from chesstools.source import Source, find_sources
from chesstools.tree import GameTree
from chesstools.writers.sinks import ArrowSink, CsvSink, ParquetSink, Sink

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = sorted(path for path in (ROOT / "sample_data").rglob("*.pgn") if FULL or path.stat().st_size < 100_000)
MUCH = settings(max_examples=2000 if FULL else 60, deadline=None)
GAMES = None if FULL else 60
"""So many games of each archive."""


def as_json(data: bytes) -> bytes:
    return "".join(tree.to_json() + "\n" for tree in trees(data)).encode()


def table_of(data: bytes, make: Callable[[io.BytesIO, pa.Schema], Sink]) -> bytes:
    out = io.BytesIO()
    scanning = scan(Source.from_bytes(data), tables=["games"])
    games = scanning.to_tables()["games"]
    sink = make(out, games.schema)
    for batch in games.to_batches():
        sink.add(batch)
    sink.close()
    return out.getvalue()


FORMATS: dict[str, Callable[[bytes], bytes]] = {
    "a.jsonl": as_json,
    "a.csv": lambda data: table_of(data, lambda out, schema: CsvSink(out, schema)),
    "a.parquet": lambda data: table_of(data, lambda out, schema: ParquetSink(out, schema, "games")),
    "a.arrow": lambda data: table_of(data, lambda out, schema: ArrowSink(out, schema, is_stream=False)),
}


def back(data: bytes, name: str) -> list[GameTree]:
    """The trees of the games that a file in another format holds."""
    (source,) = as_pgn([Source.from_bytes(data, name)])
    return trees(b"".join(source.open()))


def check(data: bytes, name: str) -> None:
    made, again = trees(data), back(FORMATS[name](data), name)
    assert [tree.tags for tree in again] == [tree.tags for tree in made]  # first: it shows where games were parted otherwise
    for tree, other in zip(made, again, strict=True):
        # Where only a marker shows where a game ends, one is written.
        assert other == (as_written(tree) if tree.result is None and other.result is not None else tree)


@pytest.mark.parametrize("name", FORMATS)
def test_samples_come_back(name: str) -> None:
    for path in SAMPLES:
        check(b"".join(find_sources(path)[0].open()), name)


@needs_corpus
@pytest.mark.parametrize("archive", ARCHIVES)
@pytest.mark.parametrize("name", FORMATS)
def test_archives_come_back(archive: str, name: str) -> None:
    games = [game for _, game in independent_replay.split_games(text(archive))]
    for start in range(0, len(games[:GAMES]), 500):
        check(b"".join(games[:GAMES][start : start + 500]), name)


@pytest.mark.parametrize("archive", [path for path in SAMPLES if path.parent.name == "producers"], ids=lambda path: path.stem)
def test_datasets_come_back(archive: Path, tmp_path: Path) -> None:
    ingest(archive, tmp_path / "data", tables=["games"])
    (source,) = as_pgn(find_sources(tmp_path / "data", ANY))
    assert trees(b"".join(source.open())) == trees(b"".join(find_sources(archive)[0].open()))


@MUCH
@given(st.lists(tree_strategies.trees(), min_size=1, max_size=3), st.sampled_from(list(FORMATS)))
def test_any_trees_come_back(made: list[GameTree], name: str) -> None:
    check("".join(tree.to_pgn() for tree in made).encode(), name)


@MUCH
@given(st.lists(tree_strategies.trees(), min_size=1, max_size=3))
def test_any_trees_come_back_from_json(made: list[GameTree]) -> None:
    again = back("".join(tree.to_json() + "\n" for tree in made).encode(), "a.jsonl")
    for tree, other in zip(made, again, strict=True):
        assert other == (as_written(tree) if tree.result is None and other.result is not None else tree)


def _is_text(data: bytes) -> bool:
    """Whether it is UTF-8 or Windows-1252. A dash of the latter among bytes that are neither is no dash once it is UTF-8, and a
    byte order mark of UTF-8 among bytes of Windows-1252 is three letters in a table (docs/formats.md)."""
    for encoding in ("utf-8", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding == "utf-8" or b"\xef\xbb\xbf" not in data
    return False


@MUCH
@given(
    st.one_of(strategies.soup(60), strategies.archive(), strategies.damaged()).filter(_is_text), st.sampled_from(list(FORMATS))
)
def test_games_of_any_text_come_back(data: bytes, name: str) -> None:
    try:
        trees(data)
    except SourceError:
        return
    check(data, name)


@pytest.mark.xfail(strict=True, reason="read as Windows-1252, the mark is three letters in the column movetext")
@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.arrow"])
def test_a_byte_order_mark_amid_windows_1252_comes_back_from_tables(name: str) -> None:
    check(b'e4 (e5 1\x960)  1-0\n\xef\xbb\xbf[Event "x"]\n\n 1-0\n[Event "Oak Cup"]\n\n 1-0\n', name)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "data",
    [b"1. {} Zz9 *\n\n*\n[]\n\n", b'[Event "Oak Cup"]\n\n{ 1-0 1-0\n[Event "Oak Cup"]\n\n\n e4 1-0\n'],
    ids=["a line without a name behind a marker", "a comment without an end over blank lines"],
)
def test_what_once_came_back_otherwise(data: bytes, name: str) -> None:
    check(data, name)
