"""The text of a manifest: JSON in which each source is a line of its own, so that lines are made and read one by one.

A manifest of a hundred thousand sources has up to a hundred megabytes, and is written again and again while a few of its sources
change. As one tree of objects it would be many times its size.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from typing import Any

from chesstools.errors import DatasetError
from chesstools.manifest import Manifest, Part, SourceEntry, StretchEntry, Surveyed
from chesstools.schema import SCHEMA_VERSION
from chesstools.step import Entry, Position
from chesstools.summary import SourceSummary

_LINES = 1000
"""So many lines are read or written at a time."""

_BEGIN = b'"sources": [\n'
_END = b"]}\n"


def line_of(entry: SourceEntry) -> bytes:
    """What stands of one source in the text.

    >>> line_of(SourceEntry("a.pgn", 7, None))[:59]
    b'{"name": "a.pgn", "size": 7, "mtime_ns": null, "hash": null'
    """
    document = {name: getattr(entry, name) for name in ("name", "size", "mtime_ns", "hash", "notes", "done")}
    document |= {
        "position": _plain_position(entry.position),
        "parts": [{"name": part.name, "rows": part.rows, "bytes": part.bytes} for part in entry.parts],
        "summary": entry.summary.to_dict(),
    }
    if entry.given_up:
        document["given_up"] = True
    if entry.surveyed is not None:
        document |= {
            "stretches": [_plain_stretch(stretch) for stretch in entry.stretches.values()],
            "surveyed": _plain_surveyed(entry.surveyed),
        }
    return json.dumps(document, ensure_ascii=False).encode()


def text_of(manifest: Manifest, lines: Iterable[bytes] | None = None) -> Iterator[bytes]:
    """The text of the file, piece by piece. `lines` has what `line_of` gives for all sources, where that is known already."""
    document = {"schema_version": manifest.schema_version, "tool": "chesstools", "state": manifest.state}
    document |= {"tool_version": manifest.tool_version, "profile": manifest.profile, "tables": manifest.tables}
    document |= {"also": manifest.also, "options": manifest.options}
    yield json.dumps(document, ensure_ascii=False).encode()[:-1] + b", " + _BEGIN
    left = map(line_of, manifest.sources) if lines is None else iter(lines)
    between = b""
    while some := list(islice(left, _LINES)):
        yield between + b",\n".join(some)
        between = b",\n"
    yield b"\n" + _END


def read(data: bytes, where: str) -> Manifest:
    """Read the text of the file `where`. Raises DatasetError if it is not a manifest of this schema version."""
    try:
        document, entries = _taken_apart(data)
        version = document["schema_version"]
        made_by = document["tool_version"]
        if version != SCHEMA_VERSION:
            raise DatasetError(
                f"{where} was made by chesstools {made_by} with tables of version {version}, and this chesstools reads "
                f"version {SCHEMA_VERSION}; ingest again with --overwrite, or use that chesstools."
            )
        with _keeping_all():
            sources = [_entry(entry) for entry in (document["sources"] if entries is None else entries)]
        return Manifest(
            tool_version=made_by,
            profile=document["profile"],
            tables=document["tables"],
            also=document.get("also", []),
            options=document["options"],
            sources=sources,
            state=document["state"],
            schema_version=version,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DatasetError(f"{where} is damaged ({error}); ingest again with --overwrite.") from error


@contextmanager
def _keeping_all() -> Iterator[None]:
    """While a million objects are made that all stay, the search for unused ones would take as long as the rest."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _taken_apart(data: bytes) -> tuple[dict[str, Any], Iterator[dict[str, Any]] | None]:
    """What is said of the dataset, and of each source apart from it; None for text of older kinds, without a line for each."""
    lines = BytesIO(data)
    head = next(lines, b"")
    if not head.endswith(_BEGIN) or not data.endswith(b"\n" + _END):
        return json.loads(data), None
    return json.loads(head + b"]}"), _in_lines(lines)


def _in_lines(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Some lines are parsed together: then the names of fields, which are the same in all, are in memory once for these."""
    left = iter(lines)
    while some := b"".join(islice(left, _LINES)):
        yield from json.loads(b"[" + some.removesuffix(_END).removesuffix(b"\n").removesuffix(b",") + b"]")


def _entry(document: dict[str, Any]) -> SourceEntry:
    known = dict(document)
    known["position"] = Position(**document["position"])
    known["parts"] = [Part(**part) for part in document["parts"]]
    known["summary"] = SourceSummary.from_dict(document["summary"])
    if (surveyed := document.get("surveyed")) is not None:
        known |= _cut(document["stretches"], **surveyed)
    return SourceEntry(**known)


def _cut(stretches: list[dict[str, Any]], **surveyed: Any) -> dict[str, Any]:
    """How far a source is cut. Manifests of before this had all stretches, also those that are done, and no counts of them."""
    left = [one for one in stretches if not one.get("done", False)]
    counts = {"known": len(stretches), "judged_bytes": sum(one["stored_bytes"] for one in stretches if one.get("done", False))}
    places = {"here": Position(**surveyed["here"]), "entry": Entry(**surveyed["entry"])}
    return {"stretches": {one["part"]: _stretch(**one) for one in left}, "surveyed": Surveyed(**counts | surveyed | places)}


def _stretch(
    start: dict[str, Any], stop: int | None, entry: dict[str, int], part: int, stored_bytes: int, done: bool = False
) -> StretchEntry:
    return StretchEntry(Position(**start), stop, Entry(**entry), part, stored_bytes)


def _plain_stretch(one: StretchEntry) -> dict[str, Any]:
    return {
        "start": _plain_position(one.start),
        "stop": one.stop,
        "entry": _plain_place(one.entry),
        "part": one.part,
        "stored_bytes": one.stored_bytes,
    }


def _plain_surveyed(one: Surveyed) -> dict[str, Any]:
    return {
        "wanted": one.wanted,
        "here": _plain_position(one.here),
        "entry": _plain_place(one.entry),
        "known": one.known,
        "judged_bytes": one.judged_bytes,
    }


def _plain_position(one: Position) -> dict[str, Any]:
    return {
        "byte_offset": one.byte_offset,
        "line": one.line,
        "game_index": one.game_index,
        "glued": one.glued,
        "too_long": one.too_long,
    }


def _plain_place(one: Entry) -> dict[str, int]:
    return {"stored": one.stored, "offset": one.offset}
