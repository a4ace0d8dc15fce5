"""The text of a manifest: a line for each source, and read as it was written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from chesstools import manifest_text
from chesstools.errors import DatasetError
from chesstools.manifest import Manifest, Part, SourceEntry, StretchEntry, Surveyed
from chesstools.step import Entry, Position
from chesstools.summary import SourceSummary


def manifest(count: int) -> Manifest:
    sources = [
        SourceEntry(f"é\n{n}.pgn", 1, None, parts=[Part("a", {"games": 1}, {"games": 9})], summary=SourceSummary(f"é\n{n}.pgn"))
        for n in range(count)
    ]
    return Manifest("1", "lichess", ["games"], [], {"part_games": 5}, sources)


def half_judged() -> SourceEntry:
    stretch = StretchEntry(Position(70, 9, 3), 90, Entry(70, 70), 2, 20)
    surveyed = Surveyed(90, Position(90, 12, 5, glued=True), Entry(90, 90), 3, 70)
    return SourceEntry("b.pgn", 200, 7, stretches={2: stretch}, surveyed=surveyed, summary=SourceSummary("b.pgn"))


@pytest.mark.parametrize("count", [0, 1, 3, 7])
def test_each_source_is_a_line(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_text, "_LINES", 3)
    written = manifest(count)
    text = b"".join(manifest_text.text_of(written))
    assert manifest_text.read(text, "here") == written
    assert json.loads(text)["sources"] == [json.loads(line.rstrip(b",")) for line in text.split(b"\n")[1 : 1 + count]]
    lines = map(manifest_text.line_of, written.sources)
    assert b"".join(manifest_text.text_of(written, lines)) == text


def test_line_breaks_of_others() -> None:
    written = replace(manifest(2), sources=[*manifest(2).sources, half_judged()])
    document = json.loads(b"".join(manifest_text.text_of(written)))
    for text in json.dumps(document), json.dumps(document, indent=1):
        assert manifest_text.read(text.encode(), "here") == written


def test_what_is_broken_anywhere_is_told() -> None:
    text = b"".join(manifest_text.text_of(manifest(2)))
    broken = [text[:at] for at in range(len(text) - 1)]  # without its last line break it is whole
    broken += [text.replace(b"},\n{", b"}\n{"), text.replace(b"}\n]", b"}\n7\n]"), text.replace("é".encode(), b"\xe9")]
    for data in broken:
        with pytest.raises(DatasetError, match=r"^here is damaged \(.*\); ingest again with --overwrite\.$"):
            manifest_text.read(data, "here")


def test_a_source_that_was_half_judged_before() -> None:
    """As it was written when every stretch was listed until the last one was done."""
    start = {"byte_offset": 0, "line": 1, "game_index": 0, "glued": False, "too_long": False}
    entry = {"stored": 0, "offset": 0}
    here = {"byte_offset": 90, "line": 12, "game_index": 5, "glued": True, "too_long": False}
    stretches = [
        {"start": start, "stop": 40, "entry": entry, "part": 0, "stored_bytes": 40, "done": True},
        {"start": start, "stop": 70, "entry": entry, "part": 1, "stored_bytes": 30, "done": True},
        {
            "start": {"byte_offset": 70, "line": 9, "game_index": 3},
            "stop": 90,
            "entry": {"stored": 70, "offset": 70},
            "part": 2,
            "stored_bytes": 20,
            "done": False,
        },
    ]
    written = replace(manifest(0), sources=[half_judged()])
    document = json.loads(b"".join(manifest_text.text_of(written)))
    document["sources"][0] |= {
        "position": {"byte_offset": 0, "line": 1, "game_index": 0},
        "stretches": stretches,
        "surveyed": {"wanted": 90, "here": here, "entry": {"stored": 90, "offset": 90}},
    }
    assert manifest_text.read(json.dumps(document).encode(), "here") == written
