"""The end of a run of `ingest`, when all sources were read: what can only be told then, and the state "complete"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from itertools import groupby

import pyarrow as pa

from chesstools.folder import Folder
from chesstools.lanes import Lane
from chesstools.manifest import Manifest, SourceEntry
from chesstools.parquet_file import parquet_file
from chesstools.parts import PartWriter, file_schemas
from chesstools.saving import Saver
from chesstools.schema import COMPARED, SCHEMAS

READ_ROWS = 1 << 13
"""Games that are read back at a time to be compared."""


def finish(saver: Saver, lanes: Mapping[str, Lane], *, compare: bool, name: Callable[[int], str]) -> None:
    """Put the state "complete" into a manifest of which all sources are done, and write it.

    A run that is stopped before that must begin with this again: so nothing of the manifest is changed before it is written.

    Args:
        compare: whether findings on games that stand more than once are to be written before (A860).
        name: gives the name of one more part of the source with that number, behind all that it has.
    """
    folder, manifest = saver.folder, saver.manifest
    schemas = file_schemas(manifest.tables, tool_version=manifest.tool_version, profile=manifest.profile)
    changed: dict[int, SourceEntry] = {}
    if compare and manifest.parts:
        changed = _with_copies(folder, manifest, schemas, lanes, name)
    elif not manifest.parts:
        last = len(manifest.sources) - 1
        changed = {last: _copied(manifest.sources[last])}
        changed[last].parts.append(PartWriter(folder, name(last), schemas, lanes).finish())  # no rows: readers see the columns
    saver.complete(changed)


def _with_copies(
    folder: Folder, manifest: Manifest, schemas: Mapping[str, pa.Schema], lanes: Mapping[str, Lane], name: Callable[[int], str]
) -> dict[int, SourceEntry]:
    """Write findings on games that stand more than once, a part for each source that has some; returns what these are then."""
    from chesstools.duplicates import find_copies  # only here: it takes time to import
    from chesstools.scratch import scratch_folder

    empty = {table: pa.RecordBatch.from_pylist([], SCHEMAS[table]) for table in manifest.tables}
    names = [entry.name for entry in manifest.sources]

    def compared() -> Iterator[tuple[int, pa.RecordBatch]]:
        """What is compared of the games that were written: the number of their source, and some of its rows."""
        for number, before in enumerate(parts):
            for part in before:
                try:
                    with parquet_file(folder.file(f"games/{part}")) as file:
                        for batch in file.iter_batches(READ_ROWS, columns=COMPARED.names):
                            yield number, batch
                except OSError as error:
                    raise folder.error(error) from None

    parts = [[part.name for part in entry.parts] for entry in manifest.sources]
    changed: dict[int, SourceEntry] = {}
    with scratch_folder() as scratch:
        of_sources = groupby(find_copies(compared, names, scratch), key=lambda copies: copies.source)
        for number, of_one in of_sources:
            entry = changed[number] = _copied(manifest.sources[number])
            writer = PartWriter(folder, name(number), schemas, lanes) if "findings" in empty else None
            try:
                for copies in of_one:
                    entry.summary.merge(copies.summary)
                    if writer is not None:
                        writer.add({**empty, "findings": copies.findings})
                if writer is not None:
                    entry.parts.append(writer.finish())
            except BaseException:
                if writer is not None:
                    writer.abort()
                raise
    return changed


def _copied(entry: SourceEntry) -> SourceEntry:
    """An entry to which parts and counts can be added while the one that it was stays so. It may have many parts."""
    return replace(entry, parts=[*entry.parts], summary=deepcopy(entry.summary))
