"""The command line on sources in object stores: what it does with them, and that nothing secret comes out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Cli
from s3_server import KEY, S3, SECRET, environment, in_environment, proxied

LOGIN = f"{KEY}:{SECRET.replace('%', '%25').replace('/', '%2F').replace('+', '%2B')}"
GAME = '[Event "Oak Cup"]\n[Result "*"]\n\n1. e4 e5 2. Ke3 *\n\n'
SECRETS = [KEY, SECRET, LOGIN, *LOGIN.split(":")]


@pytest.fixture(scope="module")
def bucket(s3: S3) -> str:
    s3.bucket("cli-games")
    for number in range(3):
        s3.put(f"cli-games/2024/{number}.pgn", GAME.encode())
    s3.put("cli-games/long.pgn", (GAME.replace("e5", "e5 {" + "x" * 4000 + "}") * 1000).encode())
    return "s3://cli-games"


def test_validate(cli: Cli, bucket: str) -> None:
    run = cli("validate", f"{bucket}/2024", "--select", "M303", "--quiet")
    assert run.status == 1
    lines = [line for line in run.out.splitlines() if line.startswith("s3:")]
    assert [line.split(":4: ")[0] for line in lines] == [f"s3://cli-games/2024/{number}.pgn" for number in range(3)]


def test_convert(cli: Cli, bucket: str, here: Path) -> None:
    assert cli("convert", f"{bucket}/2024/*.pgn", "-o", "all.uci").status == 0
    assert Path("all.uci").read_text() == "e2e4 e7e5\n" * 3


@pytest.mark.parametrize(
    "tail", ["2024/0.pgn", "2024/none.pgn", "2024/*.none", "2024/0.pgn?region=x&bad_key=topsecret", "a//b.pgn"]
)
def test_no_credentials_come_out(cli: Cli, bucket: str, here: Path, tail: str) -> None:
    uri = f"s3://{LOGIN}@cli-games/{tail}"
    for run in (
        cli("validate", uri, "--format", "json"),
        cli("ingest", uri, "-o", "ds", "--overwrite"),
        cli("convert", uri, "-o", "out.jsonl"),
        cli("stats", uri, "-o", "tables", "--overwrite"),
    ):
        assert not [secret for secret in [*SECRETS, "topsecret"] if secret in run.out + run.err]
        assert "Traceback" not in run.err
    files = [path.read_bytes() for path in here.rglob("*") if path.is_file()]
    assert not [secret for secret in SECRETS for data in files if secret.encode() in data]


@pytest.mark.parametrize(
    "line",
    [
        "validate {}",
        "validate here.pgn -o {} --format csv",
        "validate here.pgn --profile-file {}",
        "validate here.pgn --cluster {}",
        "ingest {} -o ds",
        "ingest here.pgn -o {}",
        "convert {} -o out.uci",
        "convert here.pgn -o {} --to uci",
        "convert here.pgn -o {}.parquet --cluster local",
        "fix {} -o fixed",
        "fix here.pgn -o {}",
        "fix here.pgn -o fixed --report {}",
        "stats {} -o tables",
        "stats here.pgn -o {}",
        "stats {} -o tables --cluster local:1",
        "ratings {} -o tables",
        "ratings here.pgn -o {}",
        "ratings here.pgn --state {}",
        "ratings here.pgn --initial {}",
        "ratings here.pgn --initial elo={}",
        "report {} -o report.html",
        "report here.pgn -o {}",
        "report here.pgn -o report.html --png {}",
        "query {} SELECT",
        "query here.pgn SELECT -o {}",
        "openings tree {}",
        "openings tree here.pgn -o {}",
        "openings explore {}",
        "find {} --pattern Ke1",
        "find here.pgn --pattern Ke1 -o {}",
        "fen check {}",
        "fen key {}",
        "fen normalise here.fen -o {}",
        "fen render {}",
        "profile --profile-file {}",
    ],
)
def test_no_path_argument_lets_credentials_out(cli: Cli, s3: S3, here: Path, line: str) -> None:
    Path("here.pgn").write_text(GAME)
    Path("here.fen").write_text("8/8/8/8/8/8/8/8 w - - 0 1\n")
    run = cli(*(word.replace("{}", f"s3://{LOGIN}@no-such-bucket/a.none") for word in line.split()))
    assert run.status == 2
    assert not [secret for secret in SECRETS if secret in run.out + run.err]
    assert "Traceback" not in run.err
    assert "s3:" not in os.listdir()


@pytest.mark.parametrize("line", ["ratings here.pgn --initial {}", "validate here.pgn --profile-file {}"])
def test_files_that_are_read_from_a_disk_only(cli: Cli, here: Path, line: str) -> None:
    Path("here.pgn").write_text(GAME)
    run = cli(*line.replace("{}", "s3://cli-games/a.toml").split())
    assert "s3://cli-games/a.toml is in an object store, whence " in run.err


def test_an_interrupt_does_not_let_credentials_out(cli: Cli, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("chesstools.cli.validate._write_text", interrupted)
    run = cli("validate", f"{bucket}/2024/0.pgn", "-q", "--format", "csv", "-o", f"s3://{LOGIN}@cli-games/new.csv")
    assert "Interrupted; s3://cli-games/new.csv was not written." in run.err
    assert not [secret for secret in SECRETS if secret in run.out + run.err]


def test_positions_are_read_from_a_store(cli: Cli, s3: S3, bucket: str) -> None:
    s3.put("cli-games/two.fen", b"8/8/8/8/8/8/8/8 w - - 0 1\n8/8/8/8/8/8/8/K1k5 w - - 0 1\n")
    run = cli("fen", "check", f"{bucket}/two.fen")
    assert run.status == 1
    assert "s3://cli-games/two.fen:1: " in run.out


def test_wrong_credentials_are_told_in_one_sentence(cli: Cli, s3: S3, bucket: str) -> None:
    with proxied(s3) as proxy:
        proxy.refuse = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        run = cli("validate", f"{bucket}/2024/0.pgn", "--quiet")
    says = "s3://cli-games/2024/0.pgn is refused by the store; check the credentials and what they permit."
    assert (run.status, run.out, run.err) == (2, "", f"chesstools: {says}\n")


def test_what_could_be_read_is_kept_when_a_store_breaks_off(cli: Cli, s3: S3, bucket: str) -> None:
    with proxied(s3) as proxy:
        proxy.cut(2_500_000, times=1000)
        run = cli("validate", f"{bucket}/long.pgn", "--select", "M303", "--quiet")
        assert proxy.cuts > 900, "it is tried without end"
    assert run.status == 2
    assert "s3://cli-games/long.pgn could not be read to its end (it cannot be reached); the games up to there were" in run.err
    assert run.out.count("M303") > 200


def test_a_machine_without_credentials(bucket: str, s3: S3) -> None:
    with in_environment({**environment("127.0.0.1:1"), "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}):
        code = "import sys; from chesstools.cli.main import main; sys.exit(main())"
        run = subprocess.run(
            [sys.executable, "-c", code, "validate", "s3://cli-games/2024", "--quiet"],
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    assert run.returncode == 2
    assert run.stderr.startswith("chesstools: s3://cli-games/2024 cannot be reached; ")
