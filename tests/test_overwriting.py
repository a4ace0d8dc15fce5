"""What is read is never replaced by what is made of it, by whatever name the one or the other is called."""

from __future__ import annotations

import pytest
from command_line import Cli
from in_stores import zipped
from s3_server import S3

from chesstools.overwriting import may_hold

GAME = b'[Event "Oak Cup"]\n[Result "*"]\n\n1. e4 e5 *\n\n'


@pytest.fixture(scope="module")
def bucket(s3: S3) -> str:
    s3.bucket("kept")
    for name in ("arch/x/a.pgn", "arch/x/b.pgn"):
        s3.put(f"kept/{name}", GAME)
    s3.put("kept/z.zip", zipped({"a.pgn": GAME}))
    return "s3://kept"


@pytest.fixture(scope="module")
def dataset(bucket: str) -> str:
    from chesstools import ingest

    ingest(f"{bucket}/arch", f"{bucket}/ds")
    return f"{bucket}/ds"


@pytest.mark.parametrize(
    "line",
    [
        "convert {}/z.zip -o {}/z.zip --to pgn",
        "convert {}/arch -o {}/arch/x/a.pgn",
        "convert {}/arch/x/a.pgn -o {}/arch/x/a.pgn?region=us-east-1 --to pgn",
        "validate {}/arch -o {}/arch/x/a.pgn --format csv",
        "validate {}/arch/*/a.pgn -o {}/arch/x/a.pgn --format csv",
        "validate {} -o {}/z.zip --format csv",
        "report {}/arch -o {}/arch/x/b.pgn",
        "report {}/arch/x/b.pgn?region=us-east-1 -o {}/arch/x/b.pgn",
        "find {}/arch --fen 8/8/8/8/8/8/8/8 -o {}/arch/x/b.pgn",
        "query {}/arch/x/b.pgn SELECT -o {}/arch/x/b.pgn --format csv",
    ],
)
def test_objects_that_are_read_stay(cli: Cli, s3: S3, bucket: str, line: str) -> None:
    before = {name: s3.get(f"kept/{name}") for name in ("arch/x/a.pgn", "arch/x/b.pgn", "z.zip")}
    run = cli(*line.replace("{}", bucket).split())
    assert run.status == 2
    assert "is one of the sources; give " in run.err
    assert before == {name: s3.get(f"kept/{name}") for name in before}


@pytest.mark.parametrize(
    "line",
    [
        "convert {ds} -o {ds}/games/part-000000.parquet",
        "convert {ds} -o {ds}/new.pgn",
        "convert {ds}?region=us-east-1 -o {ds}/new.pgn",
        "convert s3://kept/d?/ -o {ds}/new.pgn",
        "validate {ds} -o {ds}/new.csv",
        "query {ds} SELECT -o {ds}/new.csv",
    ],
)
def test_datasets_that_are_read_stay(cli: Cli, s3: S3, dataset: str, line: str) -> None:
    before = s3.keys("kept")
    run = cli(*line.replace("{ds}", dataset).split())
    assert run.status == 2
    assert "lies in the dataset s3://kept/ds, which is read; give " in run.err
    assert s3.keys("kept") == before


def test_an_output_beside_the_sources_is_written(cli: Cli, s3: S3, bucket: str) -> None:
    assert cli("convert", f"{bucket}/arch/x/a.pgn", "-o", f"{bucket}/arch/x/c.uci").status == 0
    assert s3.get("kept/arch/x/c.uci") == b"e2e4 e7e5\n"


@pytest.mark.parametrize(
    ("source", "output", "may"),
    [
        ("s3://b/a", "s3://b/a/x.pgn", True),
        ("s3://b", "s3://b/a/x.pgn", True),
        ("gs://b/a?scheme=http", "gcs://b/a/x.pgn", True),
        ("s3://b/a", "s3://b/ab.pgn", False),
        ("s3://b/a", "s3://c/a/x.pgn", False),
        ("s3://b/a", "gs://b/a/x.pgn", False),
        ("s3://b/a*/**", "s3://b/ab/x.pgn", True),
        ("s3://b/a", "a/x.pgn", False),
        ("a", "s3://b/a/x.pgn", False),
    ],
)
def test_where_a_store_need_not_be_asked(source: str, output: str, may: bool) -> None:
    assert may_hold(source, output) is may
