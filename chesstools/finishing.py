"""The end of a run of `ingest`, when all sources were read: what can only be told then, and the state "complete"."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

import pyarrow as pa

from chesstools.folder import Folder, write_manifest
from chesstools.lanes import Lane
from chesstools.manifest import COMPLETE, Manifest
from chesstools.parquet_file import parquet_file
from chesstools.parts import PartWriter, file_schemas
from chesstools.schema import COMPARED, SCHEMAS

READ_ROWS = 1 << 13
"""Games that are read back at a time to be compared."""


def finish(folder: Folder, manifest: Manifest, lanes: Mapping[str, Lane], *, compare: bool, name: Callable[[int], str]) -> None:
    """Put the state "complete" into a manifest of which all sources are done, and write it.

    Args:
        compare: whether findings on games that stand more than once are to be written before (A860).
        name: gives the name of one more part of the source with that number, behind all that it has.
    """
    schemas = file_schemas(manifest.tables, tool_version=manifest.tool_version, profile=manifest.profile)
    if not manifest.parts:
        part = PartWriter(folder, name(len(manifest.sources) - 1), schemas, lanes)  # without rows: readers see the columns
        manifest.sources[-1].parts.append(part.finish())
    finished = copy.deepcopy(manifest) if compare else manifest
    if compare:
        _add_copies(folder, finished, schemas, lanes, name)
    finished.state = COMPLETE
    write_manifest(folder, finished)
    # Only now: a run that is stopped before must compare all games again.
    manifest.sources, manifest.state = finished.sources, COMPLETE


def _add_copies(
    folder: Folder, finished: Manifest, schemas: Mapping[str, pa.Schema], lanes: Mapping[str, Lane], name: Callable[[int], str]
) -> None:
    """Write findings on games that stand more than once: a part for each source that has some."""
    from chesstools.duplicates import find_copies  # only here: it takes time to import
    from chesstools.scratch import scratch_folder

    empty = {table: pa.RecordBatch.from_pylist([], SCHEMAS[table]) for table in finished.tables}
    names = [entry.name for entry in finished.sources]

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

    parts = [[part.name for part in entry.parts] for entry in finished.sources]
    with scratch_folder() as scratch:
        of_sources = groupby(find_copies(compared, names, scratch), key=lambda copies: copies.source)
        for number, of_one in of_sources:
            entry = finished.sources[number]
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
