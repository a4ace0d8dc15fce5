"""The command `chesstools ingest`: the dataset is there, and the account of it is right and readable."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pyarrow.dataset as pds
import pytest
from command_line import Cli, Run
from datasets import manifest

ROSTER = '[Event "Open"]\n[Site "Linares ESP"]\n[Date "1999.02.21"]\n[Round "1"]\n[White "Anand, V"]\n[Black "Kramnik, V"]\n'
WON = ROSTER + '[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n'
LOST = ROSTER + '[Result "0-1"]\n\n1. d4 d5 0-1\n\n'
STALEMATE = (
    ROSTER + '[Result "1/2-1/2"]\n\n1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3\n'
    "8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 1/2-1/2\n\n"
)
BLOCKED = ROSTER + '[Result "0-1"]\n\n1. e4 e5 2. Ra3 Nc6 0-1\n\n'
SHUFFLE = "".join(f"{4 * n + 2}. Nf3 Nf6 {4 * n + 3}. Ng1 Ng8 " for n in range(2))
REPEATED = ROSTER + f'[Result "1-0"]\n\n1. e4 e5 {SHUFFLE.replace("6.", "4.").replace("7.", "5.")}6. d4 d5 1-0\n\n'


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "open.pgn"
    path.write_text("Spring open\n\n" + WON * 3 + LOST + STALEMATE + BLOCKED + REPEATED)
    return path


def rows(folder: Path, table: str) -> int:
    return int(pds.dataset(folder / table, format="parquet").count_rows())


def test_account_of_a_dataset(cli: Cli, archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "dataset"
    run = cli("ingest", archive, "-o", target)
    assert run.status == 0, run.err
    assert run.err == ""
    assert re.search(r"^7 games, \d+ plies, [\d.]+ \w+ from 1 source in ", run.out)
    assert re.search(r"1-0 +White won +4 +57.1% +█+", run.out)
    assert re.search(r"1/2-1/2 +drawn +1 +14.3% +█+", run.out)
    assert re.search(r"0-1 +Black won +2 +28.6% +█+", run.out)
    assert re.search(r"Drawn games by reason\n +stalemate +1\n", run.out)
    assert re.search(r"Unclaimed draws\n +1 game lost by a player who could have claimed a draw", run.out)
    assert re.search(r"Findings: \d+ errors?, \d+ warnings?", run.out)
    assert re.search(r" 1 +error +M306 +path-blocked\n", run.out)
    assert f"{archive}: 1 region outside of any game, " in run.out
    for table in ("games", "plies", "findings"):
        assert re.search(rf"{re.escape(str(target / table))}  \(1 file, [\d.]+ \w+\)", run.out)
    assert f"pd.read_parquet('{target}/games')" in run.out
    assert f"FROM '{target}/games/*.parquet'" in run.out
    assert all(line == line.rstrip() for line in run.out.splitlines())
    assert rows(target, "games") == 7


def test_sources_with_text_of_no_game_are_told_up_to_a_number(cli: Cli, here: Path) -> None:
    for number in range(22):
        Path(f"{number:02}.pgn").write_text("words\n\n1. e4 *\n")
    run = cli("ingest", ".", "-o", "dataset")
    assert run.status == 0
    assert run.out.count(": 1 region outside of any game, ") == 20
    assert re.search(r"\n  ./19\.pgn: .*\n  … and 2 more sources: 2 regions, \d+ bytes\n", run.out)


def test_no_glob_is_recommended_before_all_is_read(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are not listed would be read too."""
    Path("a.pgn").write_text("1. e4 *\n")
    monkeypatch.setattr("chesstools.run.may_pass", lambda error: True)
    Path("b.pgn.gz").write_bytes(gzip.compress(b"1. e4 *\n")[:-9])
    run = cli("ingest", "a.pgn", "b.pgn.gz", "-o", "dataset")
    assert run.status == 2
    assert manifest("dataset")["state"] == "running"
    assert "*.parquet" not in run.out
    assert "chesstools query dataset 'SELECT result, count(*) FROM games GROUP BY 1'" in run.out


def test_findings_do_not_matter_to_the_exit_status_and_quiet_is_quiet(cli: Cli, archive: Path, tmp_path: Path) -> None:
    assert cli("ingest", archive, "-o", tmp_path / "d", "--quiet") == Run(0, "", "")


def test_tables(cli: Cli, archive: Path, tmp_path: Path) -> None:
    run = cli("ingest", archive, "-o", tmp_path / "d", "--tables", "games,findings")
    assert run.status == 0
    assert f"{tmp_path / 'd' / 'plies'}" not in run.out
    assert not (tmp_path / "d" / "plies").exists()
    assert rows(tmp_path / "d", "findings") > 0


def test_a_cut_archive_is_told_and_what_was_read_is_kept(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "cut.pgn.gz"
    path.write_bytes(gzip.compress((WON * 100).encode())[:-9])
    run = cli("ingest", path, "-o", tmp_path / "d")
    assert run.status == 2
    assert re.fullmatch(rf"chesstools: {re.escape(str(path))} .+\.\n", run.err)
    assert rows(tmp_path / "d", "games") > 0


def test_another_dataset_is_not_overwritten_unless_asked(cli: Cli, archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "d"
    other = tmp_path / "other.pgn"
    other.write_text(LOST)
    assert cli("ingest", archive, "-o", target).status == 0
    run = cli("ingest", other, "-o", target)
    assert run.status == 2
    assert re.fullmatch(r"chesstools: .*--overwrite.*\.\n", run.err)
    assert rows(target, "games") == 7
    assert cli("ingest", other, "-o", target, "--overwrite").status == 0
    assert rows(target, "games") == 1


@pytest.mark.parametrize(
    "args",
    [
        ["{archive}"],
        ["{archive}", "-o", "{dir}/d", "--tables", "moves"],
        ["{archive}", "-o", "{dir}/open.pgn/d"],
        ["{dir}/none.pgn", "-o", "{dir}/d"],
        ["{archive}", "-o", "{dir}/d", "--profile", "fide-1874"],
    ],
)
def test_what_cannot_be_done_is_one_sentence(cli: Cli, archive: Path, tmp_path: Path, args: list[str]) -> None:
    run = cli("ingest", *[arg.format(archive=archive, dir=tmp_path) for arg in args])
    assert (run.status, run.out) == (2, "")
    assert re.fullmatch(r"chesstools: .+\.\n", run.err)
