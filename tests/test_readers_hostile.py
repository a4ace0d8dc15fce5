"""Input that is made to harm: readers stay within bounds and end with a sentence, never with a crash."""

from __future__ import annotations

import io
import json
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chesstools.errors import SourceError
from chesstools.readers import ANY, BY_SUFFIX, as_pgn, lines
from chesstools.source import Source, find_sources

GAMES = pa.table({"White": [f"player {number}" for number in range(500)], "moves": ["e4 e5 *"] * 500})


def source(data: bytes, name: str) -> Source:
    (found,) = as_pgn([Source.from_bytes(data, name)])
    return found


def read(data: bytes, name: str) -> tuple[bytes, str | None]:
    """All that could be read, and the sentence that says what could not."""
    blocks: list[bytes] = []
    try:
        blocks.extend(source(data, name).open())
    except SourceError as error:
        sentence = str(error)
        assert "\n" not in sentence
        assert len(sentence) < 600
        return b"".join(blocks), sentence
    return b"".join(blocks), None


@pytest.mark.parametrize("name", ["a.jsonl", "a.uci", "a.fen", "a.csv"])
def test_a_million_empty_lines(name: str) -> None:
    header = b"White,moves\n" if name.endswith("csv") else b""
    assert read(header + b"\n" * 1_000_000, name)[0] == b""
    data = header + b"\n" * 30_000
    tracemalloc.start()
    read(data, name)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20  # an object for each line would be more


@pytest.mark.parametrize("name", ["a.jsonl", "a.uci", "a.fen", "a.csv", "a.json"])
def test_nuls(name: str) -> None:
    found, error = read(b"\0" * 1_000_000, name)
    assert error is not None or found.count(b"\n\n") <= 1


def test_nuls_inside_of_values() -> None:
    found, error = read(b'White,moves\n"a\0b","e4\0 e5 *"\n', "a.csv")
    assert error is None
    assert found == b'[White "a\0b"]\n\ne4\0 e5 *\n'


def test_a_value_longer_than_any_game() -> None:
    found, error = read(b"White,moves\nx,e4 *\ny," + b"z" * (33 << 20) + b"\nz,d4 *\n", "a.csv")
    assert found == b'[White "x"]\n\ne4 *\n'
    assert error is not None
    assert "cannot be read on from line 3: field larger than field limit" in error


def test_a_line_longer_than_the_limit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1000)
    data = b"e4 e5 *\n" + b"e4 " * 1_000_000 + b"\nd4 *\n"
    found, error = read(data, "a.uci")
    assert found == b"e4 e5 *\n\nd4 *\n"
    assert error is not None
    assert "1 record could not be read (in line 2 is longer than" in error


def test_many_megabytes_of_rubbish_in_one_movetext() -> None:
    movetext = '{ [ ( ; " [Event "x"] * 1-0 ' * 20_000
    data = json.dumps({"tags": [["White", "a"]], "moves": [], "rest": movetext, "result": "*"}).encode()
    found, error = read(data + b"\n" + data, "a.jsonl")
    assert error is None
    assert found.count(b'\n[White "a"]') == 1
    assert found.startswith(b'[White "a"]')


@pytest.mark.parametrize(("depth", "can_be_read"), [(90, True), (100_000, False)])
def test_deep_nesting(depth: int, *, can_be_read: bool) -> None:
    start = '{"moves":[{"san":"e4","after":[{"variation":'
    data = start * depth + '{"moves":[]}' + "}]}]}" * depth
    found, error = read(data.encode(), "a.jsonl")
    assert found.count(b"(") == (depth if can_be_read else 0)
    assert (error is None) == can_be_read


def parquet() -> bytes:
    out = io.BytesIO()
    pq.write_table(GAMES, out, row_group_size=100, compression="none")
    return out.getvalue()


def arrow() -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_file(out, GAMES.schema) as writer:
        writer.write_table(GAMES, max_chunksize=100)
    return out.getvalue()


def stream() -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, GAMES.schema) as writer:
        writer.write_table(GAMES, max_chunksize=100)
    return out.getvalue()


@pytest.mark.parametrize("make", [parquet, arrow, stream])
def test_files_with_wrong_bytes(make: Callable[[], bytes]) -> None:
    data = make()
    whole, error = read(data, "a")
    assert error is None
    dice = random.Random(7)
    for _ in range(150):
        broken = bytearray(data)
        for _ in range(dice.choice([1, 1, 4])):
            broken[dice.randrange(8, len(data))] = dice.choice([0, 1, 127, 255])
        found, error = read(bytes(broken), "a")
        if error is None and bytes(broken) != data:
            assert found.count(b"[White") <= whole.count(b"[White")


@pytest.mark.parametrize("make", [parquet, arrow, stream])
def test_files_that_break_off(make: Callable[[], bytes]) -> None:
    data = make()
    whole = read(data, "a")[0]
    for size in range(16, len(data) - 16, len(data) // 40):
        found, error = read(data[:size], "a")
        assert error is not None
        assert whole.startswith(found.rstrip(b"\n"))
    found, error = read(data[: len(data) // 2], "a")
    assert (b"[White" in found) == (make is stream)  # the others begin with their end


@pytest.mark.parametrize(
    "game",
    [
        {"moves": [{"san": "e4", "after": [{"comment": "a" + " " * 1_000_000 + "b"}]}]},
        {"tags": [["White", "a\n" + " " * 1_000_000 + "b" + " " * 1_000_000]], "moves": []},
    ],
    ids=["comment", "tag"],
)
def test_a_million_blanks_in_one_value(game: dict[str, object]) -> None:
    """Square time would be hours."""
    assert read(json.dumps(game).encode() + b"\n", "a.jsonl")[1] is None


def test_many_tag_pairs_in_one_movetext() -> None:
    movetext = "\n".join(f'[A{number} "x"]' for number in range(20_000)) + "\n1. e4 *"
    found, error = read(one_row({"movetext": movetext}), "a.csv")
    assert error is None
    assert found.count(b"; [A") == 20_000


def one_row(row: dict[str, str]) -> bytes:
    values = ",".join('"' + value.replace('"', '""') + '"' for value in row.values())
    return (",".join(row) + "\n" + values + "\n").encode()


def test_half_a_surrogate_pair_in_a_line_that_is_no_tag_pair() -> None:
    assert read(b'{"unread_tags": ["[\\ud800"], "moves": []}\n', "a.jsonl") == (b"\n; [?\n*\n", None)


def test_a_folder_of_any_files_that_can_be_read(tmp_path: Path) -> None:
    for suffix in BY_SUFFIX:
        (tmp_path / f"a{suffix}").write_bytes(b"")
    assert {Path(found.name).suffix for found in find_sources(tmp_path, ANY)} == set(BY_SUFFIX)
