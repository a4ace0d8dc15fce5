"""The text of a manifest: a line for each source, and read as it was written."""

from __future__ import annotations

import json

import pytest

from chesstools.manifest import Manifest, Part, SourceEntry
from chesstools.summary import SourceSummary


@pytest.mark.parametrize("count", [0, 1, 3])
def test_each_source_is_a_line(count: int) -> None:
    sources = [
        SourceEntry(f"é\n{n}.pgn", 1, None, parts=[Part("a", {"games": 1}, {"games": 9})], summary=SourceSummary(f"é\n{n}.pgn"))
        for n in range(count)
    ]
    manifest = Manifest("1", "lichess", ["games"], [], {"part_games": 5}, sources)
    text = manifest.to_json()
    assert Manifest.from_json(text, "here") == manifest
    assert json.loads(text)["sources"] == [json.loads(line.rstrip(",")) for line in text.split("\n")[1 : 1 + count]]
