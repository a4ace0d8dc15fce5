"""`chesstools stats`: what it prints and writes, and what it says where it cannot."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from command_line import Cli, command
from loop_cluster import connected_loop

import chesstools.cluster
from chesstools import ingest
from chesstools.source import Source
from chesstools.stats.registry import FAMILIES, STATISTICS

GAME = """\
[Event "Open \x1b[31m[bold]"]
[Site "?"]
[Date "2001.01.02"]
[Round "1"]
[White "{white}"]
[Black "Berta"]
[Result "{result}"]
[WhiteElo "2000"]
[BlackElo "1900"]

1. e4 e5 2. Nf3 {result}

"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Cli:
    return command(capsys, "stats")


@pytest.fixture
def file(here: Path) -> Path:
    results = ["1-0", "1-0", "0-1", "1/2-1/2", "*"]
    path = here / "games.pgn"
    path.write_text("".join(GAME.format(white=f"Anna {n % 2}", result=result) for n, result in enumerate(results)))
    return path


def test_what_is_printed_and_written(run: Cli, file: Path) -> None:
    done = run(file, "-o", "out", "-j", "1")
    assert (done.status, done.err) == (0, "")
    assert "5 games\n" in done.out
    assert "Outcomes of all games\n  games   White    draw   Black   score" in done.out
    assert "      4  50.0 %  25.0 %  25.0 %  62.5 %  22-91" in done.out
    assert "Kings Pawn" in done.out or "King's Knight" in done.out or "King's Pawn" in done.out
    assert "resignation  inferred" in done.out
    assert "the result is *: not finished, or not known to the source" in done.out
    assert f"{len(STATISTICS)} tables and left_out in out;\ndocs/statistics.md tells what their columns mean." in done.out
    assert "\x1b" not in done.out
    (row,) = pq.read_table("out/outcomes_by_event.parquet").to_pylist()
    assert row["event"] == "Open \x1b[31m[bold]"
    assert row["games"] == 4


def test_nothing_wider_than_the_terminal(run: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run(file, "-o", "out").out.splitlines())) <= 80


def test_a_dataset_and_only_some_tables(run: Cli, file: Path) -> None:
    ingest(file, "dataset")
    done = run("dataset", "-o", "out", "--tables", "players,outcomes", "--format", "csv", "--quiet")
    assert done == (0, "", "")
    assert {path.name for path in Path("out").iterdir()} == {"players.csv", "outcomes.csv", "left_out.csv", "_statistics.json"}
    players = Path("out/players.csv").read_text().splitlines()
    assert players[0].startswith('"player","title","games"')
    assert players[1].startswith('"Berta",,4')


def test_tables_that_are_named_are_printed(run: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = run(file, "-o", "out", "--tables", "lengths,outcomes_by_eco,unclaimed_draws,outcomes_by_year")
    titles = [line for line in done.out.splitlines() if line in {one.title for one in STATISTICS.values()}]
    assert titles == [STATISTICS[name].title for name in ("outcomes_by_year", "lengths", "outcomes_by_eco", "unclaimed_draws")]
    assert re.search(r"^  C\d\d .* 4  50\.0 %", done.out, re.MULTILINE)
    assert "Draws that were not claimed, and lost\n  no rows\n" in done.out
    assert "… lengths has all" in done.out
    assert "4 tables and left_out in out;" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert "1 table and left_out in out;" in run(file, "-o", "out", "--overwrite", "--tables", "outcomes").out


def test_each_table_can_be_printed(run: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run(file, "-o", "out", "--tables", ",".join(STATISTICS)).out
    assert {one.title for one in STATISTICS.values()} <= set(out.splitlines())
    assert max(map(len, out.splitlines())) <= 80


def test_a_dataset_without_plies(run: Cli, file: Path) -> None:
    ingest(file, "dataset", tables=["games", "findings"])
    done = run("dataset", "-o", "out")
    assert done.status == 0
    assert "chesstools: outcomes_by_eco was not made: a dataset has no table plies.\n" in done.err
    assert not Path("out/outcomes_by_eco.parquet").exists()
    assert Path("out/outcomes_by_eco_tag.parquet").exists()
    done = run("dataset", "-o", "other", "--tables", "outcomes_by_eco")
    assert done.status == 2
    assert done.err == "chesstools: dataset has no table plies, which statistics need; ingest again with it.\n"


def test_the_list(run: Cli) -> None:
    done = run("--list")
    assert done.status == 0
    names = [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")]
    assert names == list(STATISTICS)
    assert [line for line in done.out.splitlines() if not line.startswith(" ")] == list(FAMILIES)


def test_castling_is_told_in_words(run: Cli, here: Path) -> None:
    Path("castled.pgn").write_text("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 1-0\n")
    out = run("castled.pgn", "-o", "out", "--tables", "castling").out
    heading, row = (line.split("  ") for line in out.splitlines()[3:5])
    assert (heading[1:3], [word.strip() for word in row if word][:2]) == (
        ["White castled", "Black castled"],
        ["kingside", "not at all"],
    )


def test_what_is_left_out_and_what_is_not(run: Cli, file: Path) -> None:
    file.write_text(file.read_text() * 2)
    assert "5  " in (out := run(file, "-o", "out", "--unique").out)
    assert "the same game, by its roster tags" in out
    assert "repeats of earlier games" not in out
    assert "5 of them are repeats of earlier games (--unique counts them once)" in run(file, "-o", "out2").out
    bad = Source.from_bytes(b'[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n', "bad.pgn")
    ingest(bad, "bad")
    assert "findings of severity error" in run("bad", "-o", "out", "--overwrite").out
    assert "findings of severity error" not in run("bad", "-o", "out", "--overwrite", "--include-invalid").out


def test_mistakes(run: Cli, file: Path) -> None:
    assert run(file, "-o", "out", "--tables", "plyers") == (
        2,
        "",
        "chesstools: There is no statistic plyers; did you mean players? 'chesstools stats --list' names all of them.\n",
    )
    assert run(file, "-o", file.parent).err.endswith(
        "holds files that are no statistics (games.pgn); choose another folder, or move them away.\n"
    )
    assert run("nothing.pgn", "-o", "out").status == 2
    run(file, "-o", "out", "-q")
    assert run(file, "-o", "out").err == (
        "chesstools: The folder out holds statistics; add --overwrite to replace them, or choose another folder.\n"
    )


def test_a_source_that_breaks_off(run: Cli, file: Path) -> None:
    import gzip

    Path("cut.pgn.gz").write_bytes(gzip.compress(file.read_bytes())[:-10])
    done = run("cut.pgn.gz", "-o", "out")
    assert done.status == 2
    assert "cut.pgn.gz" in done.err
    assert "tables and left_out in out" in done.out


def test_on_a_cluster(run: Cli, file: Path) -> None:
    ingest(file, "dataset")
    plain = run("dataset", "-o", "out", "-j", "1")
    done = run("dataset", "-o", "spread", "--cluster", "local:1", "--scratch", "passed/on")
    assert (done.status, done.out) == (0, plain.out.replace(" in out;", " in spread;"))
    for path in Path("out").glob("*.parquet"):
        assert pq.read_table(Path("spread") / path.name).equals(pq.read_table(path), check_metadata=True)
    assert not list(Path("passed/on").iterdir())


def test_sources_on_a_cluster(run: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As without one, beside a dataset too, and with a source that ends too early."""
    Path("other.pgn").write_text(file.read_text().replace("Anna", "Clara"))
    ingest("other.pgn", "dataset")
    packed = gzip.compress(file.read_bytes().replace(b"Berta", b"Dora") * 50)
    Path("cut.pgn.gz").write_bytes(packed[: len(packed) // 2])
    plain = run("dataset", file, "cut.pgn.gz", "-o", "out")
    monkeypatch.setattr(chesstools.cluster, "connected", connected_loop)
    for place in ((), ("--scratch", "passed/on")):
        done = run("dataset", file, "cut.pgn.gz", "-o", "spread", "--cluster", "local:2", "--overwrite", *place)
        assert (done.status, sorted(done.err.splitlines())) == (2, sorted(plain.err.splitlines()))
        for path in Path("out").glob("*.parquet"):
            assert pq.read_table(Path("spread") / path.name).equals(pq.read_table(path), check_metadata=True)
        assert {path.name for path in Path("spread").iterdir()} == {path.name for path in Path("out").iterdir()}
    assert not list(Path("passed/on").iterdir())


def test_what_cannot_be_on_a_cluster(run: Cli, file: Path) -> None:
    assert "--scratch is for work on a cluster; add --cluster" in run(file, "-o", "out", "--scratch", "there").err
    assert not Path("out").exists()
