"""Commands that are given a dataset: none writes into it, and one that is damaged is told as that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Cli, command
from datasets import files

from chesstools import ingest
from chesstools.source import Source

PGN = b"""[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    return command(capsys)


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    ingest(Source.from_bytes(PGN * 3, "a.pgn"), tmp_path / "ds")
    return tmp_path / "ds"


WRITERS = [
    ("query", "{ds}", "SELECT 1", "-o", "{ds}/games/part-000000.parquet"),
    ("query", "{link}", "SELECT 1", "-o", "{ds}/new.csv"),
    ("query", "{ds}", "SELECT 1", "-o", "{link}/plies/new.csv"),
    ("find", "{ds}", "--pattern", "Qf7", "-o", "{ds}/found.csv"),
    ("report", "{ds}", "-o", "{ds}/page.html"),
    ("report", "{ds}", "-o", "{ds}/../page.html", "--png", "{ds}/pictures"),
    ("stats", "{ds}", "-o", "{ds}"),
    ("stats", "{ds}", "-o", "{ds}/statistics"),
    ("openings", "tree", "{ds}", "-o", "{ds}/openings"),
    ("ratings", "{ds}", "-o", "{ds}/ratings"),
    ("ratings", "{ds}", "--state", "{ds}/games/part-000000.parquet"),
    ("convert", "{ds}", "-o", "{ds}/games/part-000000.parquet", "--to", "parquet"),
]


@pytest.mark.parametrize("words", WRITERS, ids=" ".join)
def test_nothing_is_written_into_a_dataset_that_is_read(cli: Cli, dataset: Path, words: tuple[str, ...]) -> None:
    link = dataset.with_name("link")
    link.symlink_to(dataset)
    before = files(str(dataset.parent))
    run = cli(*(word.format(ds=dataset, link=link) for word in words))
    assert run.status == 2
    assert "lies in the dataset" in run.err
    assert files(str(dataset.parent)) == before
    assert not (dataset / "statistics").exists()


def test_a_source_in_a_folder_or_a_glob_is_not_replaced(cli: Cli, tmp_path: Path) -> None:
    games = tmp_path / "archives" / "a.pgn"
    games.parent.mkdir()
    games.write_bytes(PGN)
    for source in (games.parent, games.with_name("*.pgn")):
        run = cli("query", source, "SELECT 1", "--format", "csv", "-o", games)
        assert (run.status, games.read_bytes()) == (2, PGN)
        assert "is one of the sources" in run.err


READERS = [
    ("stats", "{ds}", "-o", "{out}"),
    ("report", "{ds}", "-o", "{out}"),
    ("openings", "tree", "{ds}", "-o", "{out}"),
    ("openings", "explore", "{ds}", ""),
    ("query", "{ds}", "SELECT * FROM games JOIN plies USING (source, game_index)"),
    ("query", "{ds}", "SELECT * FROM games JOIN plies USING (source, game_index)", "--format", "csv"),
    ("query", "{ds}", "SELECT * FROM game_openings"),
    ("find", "{ds}", "--pattern", "Qf7"),
    ("find", "{ds}", "--fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("ratings", "{ds}"),
]


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:500])


def _cut_and_filled(file: Path) -> None:
    """As long as before, and with both signs of a Parquet file."""
    content = file.read_bytes()
    file.write_bytes(content[:500] + bytes(len(content) - 504) + b"PAR1")


def _overwritten_at_the_start(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:4] + b"\xff" * 2000 + content[2004:])


READ = [(words, table) for words in READERS for table in ("games", "plies") if (words[0], table) != ("ratings", "plies")]
"""Who reads which table: ratings need no plies."""


@pytest.mark.parametrize(("words", "table"), READ, ids=lambda part: part if isinstance(part, str) else " ".join(part))
@pytest.mark.parametrize("harm", [_cut, _cut_and_filled, _overwritten_at_the_start])
def test_a_damaged_part_is_told(
    cli: Cli, dataset: Path, tmp_path: Path, words: tuple[str, ...], harm: Callable[[Path], None], table: str
) -> None:
    part = dataset / table / "part-000000.parquet"
    harm(part)
    run = cli(*(word.format(ds=dataset, out=tmp_path / "out") for word in words), "--quiet")
    assert (run.status, run.err) == (2, f"chesstools: {part} is damaged; ingest again with --overwrite.\n")


def test_errors_of_the_sql_are_no_damage(cli: Cli, dataset: Path) -> None:
    for sql in ("SELECT error('damaged')", "SELECT white::INTEGER FROM games", "SELECT nothing FROM games"):
        run = cli("query", dataset, sql)
        assert run.status == 2
        assert run.err.startswith("chesstools: The SQL cannot be run: ")


def test_errors_of_the_sql_are_told_of_a_damaged_dataset_too(cli: Cli, dataset: Path) -> None:
    _overwritten_at_the_start(dataset / "plies" / "part-000000.parquet")
    run = cli("query", dataset, "SELECT nothing FROM games")
    assert "nothing" in run.err


LATE = [
    ("report", "{ds}", "-o", "{here}/folder"),
    ("report", "{ds}", "-o", "{here}/file/page.html"),
    ("report", "{ds}", "-o", "{here}/page.html", "--png", "{here}/file"),
    ("query", "{ds}", "FROM games", "-o", "{here}/nothing/rows.csv"),
    ("find", "{ds}", "--pattern", "Qf7", "-o", "{here}/nothing/rows.csv"),
]


@pytest.mark.parametrize("words", LATE, ids=" ".join)
def test_where_nothing_can_be_written_no_work_is_done(
    cli: Cli, dataset: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def worked(*_: object) -> None:
        raise AssertionError("work was done")

    monkeypatch.setattr("chesstools.database.check_sources", worked)
    monkeypatch.setattr("chesstools.given.check_sources", worked)
    here = dataset.parent
    (here / "folder").mkdir()
    (here / "file").touch()
    run = cli(*(word.format(ds=dataset, here=here) for word in words))
    assert run.status == 2
    assert run.err.startswith(f"chesstools: {here}/")
    assert not list(here.rglob("*.part"))


@pytest.mark.parametrize("words", [("stats",), ("openings", "tree"), ("ratings",)], ids=" ".join)
def test_a_link_that_leads_nowhere_is_told_as_one(cli: Cli, dataset: Path, words: tuple[str, ...]) -> None:
    link = dataset.with_name("link")
    link.symlink_to(dataset.with_name("nowhere"))
    run = cli(*words, dataset, "-o", link)
    assert run.err == f"chesstools: {link} is a link that leads nowhere; make the folder it names, or choose another.\n"


@pytest.mark.parametrize("number", ["1e300", "-1E+300", "2000000", "1e-300"])
def test_a_rating_that_is_none_comes_with_the_range(cli: Cli, dataset: Path, number: str) -> None:
    table = dataset.with_name("initial.csv")
    table.write_text(f"name,rating\nB,1500\nA,{number}\n")
    run = cli("ratings", dataset, "--initial", table)
    assert run.err == f"chesstools: {table}, row 2: {number} is no rating; numbers up to 1,000,000 are.\n"
