"""Sources that can be read once: standard input and pipes."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest
from sources import COMPRESS, GAME, TEXT, make_zip, read, read_broken, zstd

from chesstools.errors import SourceError
from chesstools.source import find_sources


def feed_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("kind", [None, *COMPRESS])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, kind: str | None) -> None:
    feed_stdin(monkeypatch, COMPRESS[kind](TEXT) if kind else TEXT)
    (source,) = find_sources(["-"])
    assert (source.name, source.size, source.mtime_ns, source.resumable) == ("-", None, None, False)
    assert read(source) == TEXT
    assert not sys.stdin.closed
    with pytest.raises(SourceError, match=r"^- can be read only once; save it as a file and give the name of the file\.$"):
        source.open()


def test_a_zip_on_standard_input(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    make_zip("x.zip", {"a.pgn": GAME})
    feed_stdin(monkeypatch, Path("x.zip").read_bytes())
    sentence = "- holds a zip archive that is not a file of its own; save it as a file and give its name."
    assert read_broken(find_sources("-")[0]) == (b"", sentence)


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert read_broken(find_sources("-")[0])[1] == "There is no standard input to read; give the name of a file."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe(here: Path) -> None:
    os.mkfifo("pipe")
    (source,) = find_sources(["pipe"])
    assert (source.size, source.resumable) == (None, False)
    writer = threading.Thread(target=lambda: Path("pipe").write_bytes(zstd(TEXT)))
    writer.start()
    assert read(source) == TEXT
    writer.join()
