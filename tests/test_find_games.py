"""Which games are searched, what is told of them, and what there is to say where nothing can be found."""

from __future__ import annotations

from pathlib import Path

import chess
import pyarrow as pa
import pytest

from chesstools import Dataset, DatasetError, OptionError, find, ingest
from chesstools.find import SCHEMA, Count, answers, question
from chesstools.given import opened
from chesstools.openings import tree
from chesstools.source import Source
from chesstools.stats import stats

SAMPLES = Path(__file__).parent.parent / "sample_data" / "games"
START = chess.STARTING_FEN

TAGS = b"""[Event "A"]
[White "Carlsen, Magnus"]
[Black "Anand, V"]
[WhiteElo "2870"]
[BlackElo "2775"]
[Date "2013.11.09"]
[ECO "A07"]
[Result "1/2-1/2"]

1. e4 e5 1/2-1/2

[Event "B"]
[White "Anand, V"]
[Black "CARLSEN"]
[WhiteElo "2775"]
[Date "2014.??.??"]
[ECO "b90"]
[Result "0-1"]

1. e4 c5 0-1

[Event "C"]

1. e4 *
"""


@pytest.mark.parametrize(
    ("games", "right"),
    [
        ({}, [0, 1, 2]),
        ({"player": "carlsen"}, [0, 1]),
        ({"white": "carlsen"}, [0]),
        ({"black": "Carlsen", "result": "0-1"}, [1]),
        ({"result": "1/2-1/2"}, [0]),
        ({"result": "*"}, [2]),
        ({"year": "2013"}, [0]),
        ({"year": "2014-"}, [1]),
        ({"year": "-2014"}, [0, 1]),
        ({"year": "1990-2000"}, []),
        ({"elo": 2700}, [0]),
        ({"eco": "A"}, [0]),
        ({"eco": "B9"}, [1]),
        ({"eco": "a00-B99"}, [0, 1]),
        ({"player": ".*"}, []),
    ],
)
def test_filters(games: dict[str, object], right: list[int]) -> None:
    source = Source.from_bytes(TAGS, "tags.pgn")
    assert find(source, pattern="Pe4", **games)["game_index"].tolist() == right
    assert find(source, fen="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", **games)["game_index"].tolist() == right


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("year", "x"),
        ("year", "-"),
        ("year", "19956"),
        ("year", "19951999"),
        ("year", "-19951"),
        ("eco", "B200"),
        ("year", ""),
        ("eco", "F00"),
        ("result", "2-0"),
    ],
)
def test_filters_that_mean_nothing(name: str, value: str) -> None:
    with pytest.raises(OptionError):
        question(pattern="Ke1", **{name: value})


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"year": "1999-1990"}, "The years 1999-1990 go backwards; write 1990-1999."),
        ({"eco": "b20-A1"}, "The codes b20-A1 go backwards; write A1-b20."),
    ],
)
def test_ranges_that_go_backwards(asked: dict[str, str], told: str) -> None:
    with pytest.raises(OptionError) as raised:
        question(pattern="Ke1", **asked)
    assert str(raised.value) == told
    assert question(pattern="Ke1", year="1990-1990", eco="B90-B9").games.eco == ("B90", "B99")


@pytest.mark.parametrize("tag", ["B20", "b20", "B20a", " B20/01"])
@pytest.mark.parametrize("other", ["B2", "B200", "F20", "?"])
def test_what_an_eco_tag_says_is_the_same_for_all(tag: str, other: str) -> None:
    both = "".join(f'[Event "{eco}"]\n[ECO "{eco}"]\n[Result "1-0"]\n\n1. e4 c5 1-0\n\n' for eco in (other, tag))
    source = Source.from_bytes(both.encode(), "a.pgn")
    assert find(source, pattern="Pe4", eco="B20")["game_index"].tolist() == [1]
    by_tag = stats(source, tables=["outcomes_by_eco_tag"]).to_pandas("outcomes_by_eco_tag")
    assert by_tag[["eco_tag", "games"]].values.tolist() == [["B20", 1]]
    assert [row["eco_agrees"] for row in tree(source).games.to_pylist()] == [None, True]


def test_what_is_told_of_a_game() -> None:
    (row,) = find(Source.from_bytes(TAGS, "tags.pgn"), pattern="pe5", arrow=True).to_pylist()
    assert row == {
        "source": "tags.pgn",
        "game_index": 0,
        "line": 1,
        "ply": 2,
        "last_ply": 2,
        "positions": 1,
        "fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "white": "Carlsen, Magnus",
        "black": "Anand, V",
        "white_elo": 2870,
        "black_elo": 2775,
        "result": "1/2-1/2",
        "event": "A",
        "date": "2013.11.09",
        "eco": "A07",
    }


def test_nothing_to_search(tmp_path: Path) -> None:
    for text in (b"", b"1. Ke5 *", b'[Event "x"]\n\n*\n'):
        for asked in ({"fen": START}, {"pattern": "Ke1"}, {"material": "KvK"}):
            table = find(Source.from_bytes(text, "a.pgn"), arrow=True, **asked)
            assert table.schema == SCHEMA
            assert table.num_rows == (1 if text and "material" not in asked else 0)


def test_games_of_variants_are_told() -> None:
    text = b'[Variant "Atomic"]\n\n1. e4 e5 *\n\n1. e4 *\n\n[FEN "x"]\n\n1. e4 *\n'
    for asked in ({"fen": START}, {"pattern": "Ke1"}):
        with opened(Source.from_bytes(text, "a.pgn")) as given:
            count = Count()
            rows = [row["game_index"] for batch in answers(given.datasets, question(**asked), count) for row in batch.to_pylist()]
        assert rows == [1]
        assert count.not_searched == 2


def test_after_enough_rows_it_only_counts(tmp_path: Path) -> None:
    ingest(SAMPLES / "historic_specials.pgn", tmp_path)
    dataset = Dataset.open(tmp_path)
    everything, some = Count(), Count()
    rows = [row for batch in answers([dataset], question(pattern="Ke1"), everything) for row in batch.to_pylist()]
    first = [row for batch in answers([dataset], question(pattern="Ke1"), some, most=7) for row in batch.to_pylist()]
    assert first == rows[:7]
    assert some == everything
    assert everything.games == len(rows)
    assert everything.positions == sum(row["positions"] for row in rows)


def test_a_dataset_that_was_changed(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    ingest(Source.from_bytes(TAGS, "a.pgn"), tmp_path)
    dataset = Dataset.open(tmp_path)
    (file,) = dataset.files("plies")
    table = pq.read_table(file)

    def written(changed: pa.Table) -> Dataset:
        pq.write_table(changed, file)
        dataset.manifest.parts[0].bytes["plies"] = file.stat().st_size  # else the file would be taken for a damaged one
        return dataset

    with pytest.raises(DatasetError, match="are not those of its games; ingest again with --overwrite"):
        find(written(table.slice(1)), pattern="Ke1")
    with pytest.raises(DatasetError, match="do not stand in the order of play"):
        find(written(table.take([1, 0, *range(2, table.num_rows)])), pattern="Ke1")


def test_what_must_be_asked() -> None:
    with pytest.raises(OptionError, match="Say what to look for"):
        question()
    with pytest.raises(OptionError, match="A FEN says all of a position"):
        question(fen=START, pattern="Ke1")
