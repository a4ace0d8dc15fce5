"""Names of outputs that are not what they seem: folders, buckets, and URIs of no store that is known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command_line import Cli
from datasets import sentence
from s3_server import S3

from chesstools import ingest
from chesstools.errors import DatasetError, OutputError
from chesstools.folder_places import complete_folder
from chesstools.places import check, written

GAME = b'[Event "Oak Cup"]\n[Result "*"]\n\n1. e4 e5 *\n\n'


@pytest.fixture(scope="module")
def bucket(s3: S3) -> str:
    s3.bucket("meant")
    s3.put("meant/arch/a.pgn", GAME)
    return "s3://meant"


@pytest.mark.parametrize("scheme", ["s3a", "https", "file", "wasbs"])
def test_uris_of_no_known_store_are_no_folders(cli: Cli, here: Path, scheme: str) -> None:
    Path("a.pgn").write_bytes(GAME)
    says = f"{scheme}:// names no store that is known; give a path, or one of s3://, gs://, hdfs://, abfs://."
    for line in ("ingest a.pgn -o {}/ds", "stats a.pgn -o {}/st", "convert a.pgn -o {}/a.uci", "validate a.pgn -o {}/a.csv"):
        run = cli(*line.replace("{}", f"{scheme}://AKIA1:topsecret@abc").split())
        assert (run.status, says in run.err, "topsecret" in run.err) == (2, True, False)
    assert os.listdir() == ["a.pgn"]


def test_what_pathlib_makes_of_a_uri_is_no_folder(here: Path) -> None:
    Path("a.pgn").write_bytes(GAME)
    with pytest.raises(DatasetError) as error:
        ingest("a.pgn", Path("s3://meant/ds2"))
    assert sentence(error) == "s3:/… is no path; give the URI as text, with s3:// before the bucket."
    assert os.listdir() == ["a.pgn"]


def test_a_folder_that_is_called_so_can_be_written_to(here: Path) -> None:
    Path("a.pgn").write_bytes(GAME)
    Path("s3:").mkdir()
    assert ingest("a.pgn", "s3:/ds").games == 1
    with written("./s3:/b.pgn") as out:
        out.write(GAME)
    assert sorted(os.listdir("s3:")) == ["b.pgn", "ds"]


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("s3://meant/arch/", "s3://meant/arch is a folder; give the name of a file."),
        ("s3://meant/arch", "s3://meant/arch is a folder; give the name of a file."),
        ("s3://meant/new/?region=us-east-1", "s3://meant/new is a folder; give the name of a file."),
        ("s3://meant", "s3://meant is a bucket; give the name of a file in it, as in s3://meant/games.pgn."),
        ("s3://no-such-bucket/a.pgn", "s3://no-such-bucket/a.pgn is in a bucket that does not exist; check its name."),
    ],
)
def test_objects_are_not_called_like_folders(cli: Cli, s3: S3, bucket: str, here: Path, output: str, says: str) -> None:
    Path("a.pgn").write_bytes(GAME * 3)
    with pytest.raises(OutputError) as error:
        check(output)
    assert sentence(error) == says
    before = s3.keys("meant")
    run = cli("convert", "a.pgn", "-o", output, "--to", "pgn", "-q")
    assert (run.status, run.err) == (2, f"chesstools: {says}\n")
    assert s3.keys("meant") == before


@pytest.mark.parametrize("stranger", [".git", ".htaccess", ".a.pgn.3f9a2c1d.part", "part-1.parquet"])
def test_a_folder_with_hidden_files_of_others_is_not_replaced(tmp_path: Path, stranger: str) -> None:
    target = tmp_path / "x.parquet"
    target.mkdir()
    (target / stranger).write_text("kept")
    with pytest.raises(OutputError, match="holds other files"), complete_folder(target) as place:
        place.commit([])
    assert (target / stranger).read_text() == "kept"


def test_a_folder_of_parts_and_leftovers_of_them_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "x.parquet"
    target.mkdir()
    for name in ("part-000000.parquet", ".part-000001.parquet.3f9a2c1d.tmp", ".DS_Store"):
        (target / name).write_text("old")
    with complete_folder(target) as place:
        place.commit([])
    assert os.listdir(target) == []
