"""What a dataset says of itself: the file `_chesstools.json` beside its tables.

It names the finished part files and how far each source was read, so that a run that was stopped can go on, and a reader
can tell finished files from others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

import xxhash

from chesstools.schema import SCHEMA_VERSION
from chesstools.source import MANIFEST_NAME, Source
from chesstools.step import Entry, Position
from chesstools.summary import SourceSummary

FILE_NAME = MANIFEST_NAME

RUNNING = "running"
COMPLETE = "complete"

START = Position()
"""Where every source begins."""


@dataclass(slots=True)
class Part:
    """One finished part: a file of this name in the folder of each table."""

    name: str
    rows: dict[str, int]
    """Rows by table."""
    bytes: dict[str, int]
    """Size of the file by table."""


@dataclass(slots=True)
class StretchEntry:
    """One stretch of a source that several processes read (`chesstools.plan.Stretch`), which is known and not judged."""

    start: Position
    stop: int | None
    entry: Entry
    part: int
    """The number of its part among those of the source."""
    stored_bytes: int
    """About how many bytes of the file it has."""


@dataclass(slots=True)
class Surveyed:
    """How far a source was cut into stretches: what `chesstools.plan.Folding` is made of, and what came of it."""

    wanted: int | None
    here: Position
    entry: Entry
    known: int = 0
    """How many stretches are known, judged or not."""
    judged_bytes: int = 0
    """About how many bytes of the file those have that were judged."""


@dataclass(slots=True)
class SourceEntry:
    """One source: what it is, how far it was read, and what was found in what was read so far."""

    name: str
    size: int | None
    mtime_ns: int | None
    hash: str | None = None
    """xxh3_128 of the bytes as stored (see `ByteStream.hash`); null until the source was read to its end, and for good where
    it was read in stretches, by processes none of which saw all of it."""
    notes: list[str] = field(default_factory=list)
    done: bool = False
    position: Position = START
    """Right behind the last game that is in a finished part: decompressed byte, line (from 1), game (from 0). Of a source that
    is read in stretches it stays at the beginning until the last of them is done."""
    parts: list[Part] = field(default_factory=list)
    """In the order of games. Until `done`, parts of a source that is read in stretches may have gaps between them."""
    summary: SourceSummary = field(default_factory=lambda: SourceSummary(name=""))
    stretches: dict[int, StretchEntry] = field(default_factory=dict)
    """Those that are known and not judged, by the number of their part. There are few at a time, however large the source is."""
    surveyed: Surveyed | None = None
    """Null before the first survey of a source, and where all of it is done."""
    given_up: bool = False
    """Whether it is done only because it was missing: a run to which it is given goes on with it."""


@dataclass(slots=True)
class Manifest:
    """The whole of `_chesstools.json`. `state` is "running" until every source was read, then "complete"."""

    tool_version: str
    profile: str
    tables: list[str]
    also: list[str]
    """The optional rules that were worked out, by code, sorted."""
    options: dict[str, int]
    """part_games, or stretch_bytes on a cluster; unwinnable_nodes, where it was not ``quick``."""
    sources: list[SourceEntry]
    state: str = RUNNING
    schema_version: int = SCHEMA_VERSION

    @classmethod
    def plan(
        cls,
        sources: Iterable[Source],
        *,
        tool_version: str,
        profile: str,
        tables: list[str],
        also: list[str],
        part_games: int,
        nodes: int | None,
        stretch_bytes: int | None = None,
    ) -> Manifest:
        """The manifest of a run that has read nothing yet. With `stretch_bytes` it is one on a cluster."""
        entries = [
            SourceEntry(source.name, source.size, source.mtime_ns, summary=SourceSummary(name=source.name)) for source in sources
        ]
        size = {"part_games": part_games} if stretch_bytes is None else {"stretch_bytes": stretch_bytes}
        options = {**size, **({} if nodes is None else {"unwinnable_nodes": nodes})}
        return cls(tool_version, profile, tables, also, options, entries)

    @property
    def parts(self) -> list[Part]:
        """All finished parts, in order."""
        return [part for entry in self.sources for part in entry.parts]

    @property
    def on_cluster(self) -> bool:
        """Whether sources are read in stretches, by several processes."""
        return "stretch_bytes" in self.options

    def job(self) -> str:
        """Eight hexadecimal digits that are the same for the same job, whatever of it is done, and hardly for another."""
        sources = [(entry.name, entry.size, entry.mtime_ns) for entry in self.sources]
        what = [self.tool_version, self.profile, self.tables, self.also, sorted(self.options.items()), sources]
        return xxhash.xxh32_hexdigest(json.dumps([self.schema_version, *what]).encode())
