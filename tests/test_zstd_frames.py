"""Zstandard files of many frames: any tool reads them, each frame holds whole games, and the table says where it begins."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard
from command_line import Cli, command

from chesstools.convert import convert
from chesstools.errors import OptionError
from chesstools.scan import scan
from chesstools.source import Source, find_sources
from chesstools.zstd_frames import read_table

GAMES = b"".join(b'[Event "%d"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n\n' % number for number in range(60_000))


def table(data: bytes) -> list[tuple[int, int]] | None:
    found = read_table(lambda start, count: data[start : start + count], len(data))
    return None if found is None else [(stored, offset) for stored, offset in found.tolist()]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("frames") / "games.pgn.zst"
    convert(Source.from_bytes(GAMES), path, frames=500_000)
    return path


def test_every_tool_reads_the_whole(packed: Path, tmp_path: Path) -> None:
    (source,) = find_sources(packed)
    text = b"".join(source.open())
    one = tmp_path / "one.pgn"
    convert(Source.from_bytes(GAMES), one)
    assert text == one.read_bytes() == GAMES
    with open(packed, "rb") as file, zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as reader:
        assert reader.read() == GAMES
    scanned = scan(packed, tables=[])
    list(scanned)
    assert scanned.summary.games == 60_000


@pytest.mark.skipif(shutil.which("zstd") is None, reason="zstd is not installed")
def test_zstd_itself_reads_it(packed: Path) -> None:
    assert subprocess.run(["zstd", "-dc", str(packed)], capture_output=True, check=True).stdout == GAMES
    assert subprocess.run(["zstd", "-t", str(packed)], capture_output=True).returncode == 0


def test_each_frame_holds_whole_games(packed: Path) -> None:
    data = packed.read_bytes()
    frames = table(data)
    assert frames is not None
    assert len(frames) >= 3
    for (stored, offset), (_, behind) in zip(frames, [*frames[1:], (0, len(GAMES))], strict=True):
        text = zstandard.ZstdDecompressor().decompressobj().decompress(data[stored:])
        assert text == GAMES[offset:behind]
        assert text.startswith(b"[Event")
        assert behind == len(GAMES) or len(text) >= 500_000


def test_small_frames_and_no_games(tmp_path: Path) -> None:
    path = tmp_path / "games.uci.zst"
    convert(Source.from_bytes(b"1. e4 *\n\n1. d4 *\n"), path, frames=1, engine="reference")
    assert table(path.read_bytes()) == [(0, 0), (18, 5)]
    convert(Source.from_bytes(b""), path, frames=1)
    assert table(path.read_bytes()) == [(0, 0)]
    assert b"".join(Source.from_bytes(path.read_bytes()).open()) == b""


def test_what_is_no_table_is_not_taken_for_one(packed: Path) -> None:
    data = packed.read_bytes()
    assert table(b"") is None
    assert table(zstandard.compress(GAMES)) is None
    assert table(data[1000:]) is None
    assert table(data + b"\0") is None


def test_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CHESSTOOLS_LANG", raising=False)
    cli: Cli = command(capsys)
    source = tmp_path / "games.pgn"
    source.write_bytes(GAMES[:1_000_000])
    out = tmp_path / "games.pgn.zst"
    assert cli("convert", str(source), "-o", str(out), "--frames").status == 0
    assert len(table(out.read_bytes()) or []) == 1
    assert cli("convert", str(source), "-o", str(out), "--frames", "10K").status == 0
    assert len(table(out.read_bytes()) or []) >= 1
    wrong = cli("convert", str(source), "-o", str(out), "--frames", "many")
    assert wrong.status == 2
    assert "'many' is no size; give a number of bytes, as in 64MB" in wrong.err
    asked = tmp_path / "asked"
    assert cli("convert", str(source), "--to", "pgn.zst", "-o", str(asked), "--frames", "10K").status == 0
    assert asked.read_bytes() == out.read_bytes()
    other = cli("convert", str(source), "--to", "pgn.gz", "-o", str(out))
    assert other.status == 2
    assert "is to be packed as .gz; give it a name that ends so, or leave that out of --to." in other.err
    plain = cli("convert", str(source), "-o", str(tmp_path / "games.uci"), "--frames")
    assert plain.status == 2
    assert "games.uci a name that ends in .zst, or leave --frames out." in plain.err
    with pytest.raises(OptionError, match="A frame can have 1 to 1073741824 bytes of text, not 0"):
        convert(source, out, frames=0)


def test_standard_output(tmp_path: Path) -> None:
    """Packed as --to says, with frames too."""
    source = tmp_path / "games.pgn"
    source.write_bytes(GAMES[:300_000])
    told = {}
    for ending in (".zst", ".gz"):
        file = tmp_path / f"games.pgn{ending}"
        frames = ["--frames", "10K"] if ending == ".zst" else []
        for output in (str(file), "-"):
            words = ["convert", str(source), "--to", f"pgn{ending}", "-q", "-o", output, *frames]
            code = "import sys; from chesstools.cli.main import main; sys.exit(main(sys.argv[1:]))"
            run = subprocess.run([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, check=True)
            told[output] = run.stdout
        assert told["-"] == file.read_bytes()
        assert told["-"][:2] in (b"\x28\xb5", b"\x1f\x8b")
