"""What a dataset says of itself: the file `_chesstools.json` beside its tables.

It names the finished part files and how far each source was read, so that a run that was stopped can go on, and a reader
can tell finished files from others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import xxhash

from chesstools.errors import DatasetError
from chesstools.schema import SCHEMA_VERSION
from chesstools.source import MANIFEST_NAME, Source
from chesstools.summary import SourceSummary

FILE_NAME = MANIFEST_NAME

RUNNING = "running"
COMPLETE = "complete"


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
    """One stretch of a source that several processes read (`chesstools.plan.Stretch`), and whether it was judged."""

    start: dict[str, Any]
    stop: int | None
    entry: dict[str, int]
    part: int
    """The number of its part among those of the source."""
    stored_bytes: int
    """About how many bytes of the file it has."""
    done: bool = False


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
    position: dict[str, Any] = field(default_factory=lambda: {"byte_offset": 0, "line": 1, "game_index": 0})
    """Right behind the last game that is in a finished part: decompressed byte, line (from 1), game (from 0). Of a source that
    is read in stretches it stays at the beginning until the last of them is done."""
    parts: list[Part] = field(default_factory=list)
    """In the order of games. Until `done`, parts of a source that is read in stretches may have gaps between them."""
    summary: SourceSummary = field(default_factory=lambda: SourceSummary(name=""))
    stretches: list[StretchEntry] = field(default_factory=list)
    """Those that are known, until all are done."""
    surveyed: dict[str, Any] | None = None
    """How far the source was cut into stretches, until all are done: what `chesstools.plan.Folding` is made of."""


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

    def to_json(self) -> str:
        """The text of the file."""
        document = {"schema_version": self.schema_version, "tool": "chesstools", "state": self.state}
        document |= {"tool_version": self.tool_version, "profile": self.profile, "tables": self.tables}
        document |= {"also": self.also, "options": self.options}
        head = json.dumps(document, ensure_ascii=False)[:-1]
        # A line for each source: json is many times slower where it indents, and this is written again and again.
        lines = ",\n".join(json.dumps(_entry_to_dict(entry), ensure_ascii=False) for entry in self.sources)
        return f'{head}, "sources": [\n{lines}\n]}}\n'

    @classmethod
    def from_json(cls, text: str, where: str) -> Manifest:
        """Read the text of the file `where`. Raises DatasetError if it is not a manifest of this schema version."""
        try:
            document = json.loads(text)
            version = document["schema_version"]
            made_by = document["tool_version"]
            if version != SCHEMA_VERSION:
                raise DatasetError(
                    f"{where} was made by chesstools {made_by} with tables of version {version}, and this chesstools reads "
                    f"version {SCHEMA_VERSION}; ingest again with --overwrite, or use that chesstools."
                )
            return cls(
                tool_version=made_by,
                profile=document["profile"],
                tables=document["tables"],
                also=document.get("also", []),
                options=document["options"],
                sources=[_entry_from_dict(entry) for entry in document["sources"]],
                state=document["state"],
                schema_version=version,
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DatasetError(f"{where} is damaged ({error}); ingest again with --overwrite.") from error

    def difference(self, plan: Manifest) -> str | None:
        """What is not the same in `plan`, in words; None if `plan` is the same job."""
        if self.tool_version != plan.tool_version:
            return f"by chesstools {self.tool_version}, not {plan.tool_version}"
        if self.profile != plan.profile:
            return f"with profile {self.profile}, not {plan.profile}"
        if self.tables != plan.tables:
            return f"with tables {','.join(self.tables)}, not {','.join(plan.tables)}"
        if self.also != plan.also:
            had, asked = (",".join(codes) or "none" for codes in (self.also, plan.also))
            return f"with optional rules {had}, not {asked}"
        for name in {**plan.options, **self.options}:
            if self.options.get(name, 0) != plan.options.get(name, 0):
                return f"with {name} {self.options.get(name, 0)}, not {plan.options.get(name, 0)}"
        ours, theirs = [[entry.name for entry in manifest.sources] for manifest in (self, plan)]
        if missing := [name for name in ours if name not in set(theirs)]:
            return f"from {missing[0]} too"
        if added := [name for name in theirs if name not in set(ours)]:
            return f"without {added[0]}"
        if ours != theirs:
            return "with the sources in another order"
        for mine, other in zip(self.sources, plan.sources, strict=True):
            if (mine.size, mine.mtime_ns) != (other.size, other.mtime_ns):
                return f"before {mine.name} changed"
        return None


def _entry_to_dict(entry: SourceEntry) -> dict[str, Any]:
    document = {name: getattr(entry, name) for name in ("name", "size", "mtime_ns", "hash", "notes", "done", "position")}
    document |= {
        "parts": [{"name": part.name, "rows": part.rows, "bytes": part.bytes} for part in entry.parts],
        "summary": entry.summary.to_dict(),
    }
    if entry.surveyed is not None:
        document |= {"stretches": [asdict(stretch) for stretch in entry.stretches], "surveyed": entry.surveyed}
    return document


def _entry_from_dict(document: dict[str, Any]) -> SourceEntry:
    known = dict(document)
    known["parts"] = [Part(**part) for part in document["parts"]]
    known["stretches"] = [StretchEntry(**stretch) for stretch in document.get("stretches", [])]
    known["summary"] = SourceSummary.from_dict(document["summary"])
    return SourceEntry(**known)
