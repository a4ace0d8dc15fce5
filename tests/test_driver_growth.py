"""The work of a run for each source is the same, however many there are: counted, not timed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from datasets import pgn
from loop_cluster import LoopCluster

from chesstools import manifest_text, resuming, saving
from chesstools.cluster import Cluster
from chesstools.dataset import Dataset, ingest
from chesstools.folder import folder_at
from chesstools.manifest import Manifest, SourceEntry
from chesstools.saving import Saver
from chesstools.source import Source


class Counted:
    """Counts the calls of a function that go through it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *places: object, name: str) -> None:
        self.calls = 0
        for place in places:
            function = getattr(place, name)

            def counting(*arguments: object, _function=function, **options: object) -> object:  # type: ignore[no-untyped-def]
                self.calls += 1
                return _function(*arguments, **options)

            monkeypatch.setattr(place, name, counting)


def manifest(names: Iterable[str]) -> Manifest:
    return Manifest("1", "lichess", ["games"], [], {"part_games": 5}, [SourceEntry(name, 1, None) for name in names])


@pytest.mark.parametrize("on_cluster", [False, True])
@pytest.mark.parametrize("count", [4, 16])
def test_each_source_is_made_text_when_it_changes(
    here: Path, monkeypatch: pytest.MonkeyPatch, count: int, on_cluster: bool
) -> None:
    """The manifest is written after every part, but of each source only at the beginning and when it is done."""
    monkeypatch.setattr(saving, "SAVE_SHARE", 0)
    monkeypatch.setattr("chesstools.cluster.planning.BATCH_SOURCES", 1)
    made = Counted(monkeypatch, saving, manifest_text, name="line_of")
    written = Counted(monkeypatch, saving, name="write_manifest")
    sources: list[str | Source] = [Source.from_bytes(pgn(n, n + 1).encode(), f"{n}.pgn") for n in range(count)]
    cluster = cast("Cluster", LoopCluster()) if on_cluster else None
    ingest(sources, "out", engine="reference", cluster=cluster)
    assert Dataset.open("out").summary.games == count
    assert written.calls == count + 1
    assert made.calls == 2 * count + count - 1  # at the first part that is done one source changes


def test_a_large_source_has_few_stretches_at_a_time(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the manifest says of stretches that are known and not judged does not grow with the source."""
    listed = [0]

    def look(entry: SourceEntry) -> bytes:
        listed.append(len(entry.stretches))
        return manifest_text.line_of(entry)

    monkeypatch.setattr(saving, "SAVE_SHARE", 0)
    monkeypatch.setattr(saving, "line_of", look)
    source = Source.from_bytes(b'[Event "a"]\n[Site "b"]\n\n1. e4 e5 2. Nf3 *\n\n' * 400, "a.pgn")
    cluster = cast("Cluster", LoopCluster(at_once=4))
    ingest(source, "out", engine="reference", cluster=cluster, stretch_bytes=100)
    assert len(Dataset.open("out").manifest.parts) > 130
    assert 1 < max(listed) < 40  # of a few tasks, and of those whose survey waited for one before


class Name(str):
    """A name that counts how often it is looked at."""

    looks = 0

    def __hash__(self) -> int:
        Name.looks += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        Name.looks += 1
        return super().__eq__(other)


@pytest.mark.parametrize("count", [10, 1000])
def test_what_was_asked_for_is_compared_once(count: int) -> None:
    Name.looks = 0
    old, plan = (manifest(Name(n) for n in range(count)) for _ in range(2))
    assert resuming.difference(old, plan) is None
    assert Name.looks <= 10 * count
    assert resuming.difference(old, replace(plan, sources=plan.sources[::-1])) == "with the sources in another order"
    assert resuming.difference(old, replace(plan, sources=plan.sources[1:])) == "from 0 too"
    assert resuming.difference(replace(old, sources=old.sources[1:]), plan) == "without 0"
    assert Name.looks <= 40 * count


def test_what_is_not_told_to_change_stands_as_it_was(here: Path) -> None:
    folder = folder_at("out")
    with folder.claim():
        saver = Saver(folder, manifest(["a", "b"]))
        saver.write()
        for entry in saver.manifest.sources:
            entry.done = True
        with saver.changing(1):
            saver.manifest.sources[1].size = 7
        saver.write()
        assert [(entry.done, entry.size) for entry in Dataset.open("out").manifest.sources] == [(False, 1), (True, 7)]
