"""One run of `ingest`: source after source through the engine, part after part onto the disk, and the manifest kept true."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from chesstools.errors import DatasetError, SourceError
from chesstools.folder import part_name, remove_unlisted, write_manifest
from chesstools.lanes import Lane
from chesstools.manifest import COMPLETE, Manifest, SourceEntry
from chesstools.parts import PartWriter, file_schema
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.scan import Position, scan_source
from chesstools.schema import COMPARED, SCHEMAS
from chesstools.source import Source
from chesstools.summary import SourceSummary

SAVE_SHARE = 20
"""The manifest is written after a part, unless that would take more than a twentieth of the time: of ten thousand small
sources it is large. A run that is killed in between does the unlisted parts again."""

READ_ROWS = 1 << 13
"""Games that are read back at a time to be compared."""

Progress = Callable[[int, int], None]
"""Told of the stored bytes read and the games judged so far, of all sources."""


class Run:
    """One run over the sources of a manifest, which it keeps up to date."""

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        choice: Choice,
        selection: Selection,
        *,
        nodes: int | None,
        jobs: int,
        block_bytes: int,
        progress: Progress | None,
        engine: str,
    ) -> None:
        self._folder = folder
        self._manifest = manifest
        self._choice = choice
        self._selection = selection
        self._nodes = nodes
        # The tables with many rows keep one processor busy with writing; the core needs the others alone. Beside the slow
        # engine, writing takes no time.
        writes_much = engine == "native" and not {"games", "plies"}.isdisjoint(manifest.tables)
        self._judging_jobs = max(1, jobs - 1) if writes_much else jobs
        self._block_bytes = block_bytes
        self._progress = progress
        self._engine = engine
        self._part_games = manifest.options["part_games"]
        self._schemas = {
            table: file_schema(table, tool_version=manifest.tool_version, profile=manifest.profile) for table in manifest.tables
        }
        # With one processor there is nothing to gain from threads that write while another judges.
        self._lanes = {table: Lane(has_thread=jobs > 1) for table in manifest.tables}
        self._parts = len(manifest.parts)
        self._part: PartWriter | None = None
        self._pending = SourceSummary(name="")
        self._stored_bytes = sum(entry.size or 0 for entry in manifest.sources if entry.done)
        self._games = sum(entry.summary.games for entry in manifest.sources)
        self._saved_at = self._save_took = 0.0

    def read(self, source: Source, entry: SourceEntry) -> None:
        """Read one source from where it was left to its end, and write its parts."""
        position = Position(**entry.position)
        self._pending = SourceSummary(name=entry.name)
        steps = scan_source(
            source,
            tables=tuple(self._manifest.tables),
            profile=self._choice,
            selection=self._selection,
            start=position,
            jobs=self._judging_jobs,
            batch_games=self._part_games,
            block_bytes=self._block_bytes,
            engine=self._engine,
            with_hash=True,
            stored=True,
            nodes=self._nodes,
        )
        with closing(steps):
            try:
                for step in steps:
                    self._add(step.batches)
                    self._pending.merge(step.summary)
                    self._games += step.summary.games
                    position = step.end
                    if self._pending.games + self._pending.quarantined_regions >= self._part_games:
                        self._commit(entry, position)
                    self._tell(source)
            except SourceError as error:
                entry.summary.error = str(error)
        entry.hash, entry.notes, entry.done = source.hash(), source.notes, True
        self._commit(entry, position)
        self._stored_bytes += source.stored_bytes_read

    def complete(self) -> None:
        """Put the state "complete" into the manifest."""
        if not self._parts:
            self._part = PartWriter(
                self._folder, part_name(0), self._schemas, self._lanes
            )  # without rows, so that readers see the columns
            self._commit(self._manifest.sources[-1])
        finished = copy.deepcopy(self._manifest) if self._selection.wants("A860") else self._manifest
        if finished is not self._manifest:
            self._add_copies(finished)
        finished.state = COMPLETE
        write_manifest(self._folder, finished)
        # Only now: a run that is stopped before must compare all games again.
        self._manifest.sources, self._manifest.state = finished.sources, COMPLETE

    def close(self) -> None:
        """End the threads."""
        for lane in self._lanes.values():
            lane.close()

    def abort(self) -> None:
        """Leave the finished parts, and nothing half-written."""
        if self._part:
            self._part.abort()
        with suppress(DatasetError):
            write_manifest(self._folder, self._manifest)
        # An interrupt may have come between the making of a file and the note of it.
        with suppress(DatasetError, OSError):
            remove_unlisted(self._folder, self._manifest)

    def _add_copies(self, finished: Manifest) -> None:
        """Write findings on games that stand more than once: a part for each source that has some."""
        from chesstools.duplicates import find_copies  # only here: it takes time to import
        from chesstools.scratch import scratch_folder

        empty = {table: pa.RecordBatch.from_pylist([], SCHEMAS[table]) for table in finished.tables}
        names = [entry.name for entry in finished.sources]
        with scratch_folder() as folder:
            of_sources = groupby(find_copies(self._compared, names, folder), key=lambda copies: copies.source)
            for number, of_one in of_sources:
                entry = finished.sources[number]
                for copies in of_one:
                    entry.summary.merge(copies.summary)
                    if "findings" in empty:
                        self._add({**empty, "findings": copies.findings})
                if self._part:
                    entry.parts.append(self._part.finish())
                    self._part = None
                    self._parts += 1

    def _compared(self) -> Iterator[tuple[int, pa.RecordBatch]]:
        """What is compared of the games that were written: the number of their source, and some of its rows."""
        for number, entry in enumerate(self._manifest.sources):
            for part in entry.parts:
                with pq.ParquetFile(self._folder / "games" / part.name) as file:
                    for batch in file.iter_batches(READ_ROWS, columns=COMPARED.names):
                        yield number, batch

    def _add(self, batches: Mapping[str, pa.RecordBatch]) -> None:
        if any(batch.num_rows for batch in batches.values()):
            self._part = self._part or PartWriter(self._folder, part_name(self._parts), self._schemas, self._lanes)
            self._part.add(batches)

    def _commit(self, entry: SourceEntry, position: Position | None = None) -> None:
        """Finish the part, and put it with all that was read up to `position` into the manifest."""
        if self._part:
            entry.parts.append(self._part.finish())
            self._part = None
            self._parts += 1
        entry.summary.merge(self._pending)
        self._pending = SourceSummary(name=entry.name)
        if position:
            entry.position = asdict(position)
        if time.monotonic() - self._saved_at >= SAVE_SHARE * self._save_took:
            started = time.monotonic()
            write_manifest(self._folder, self._manifest)
            self._saved_at = time.monotonic()
            self._save_took = self._saved_at - started

    def _tell(self, source: Source) -> None:
        if self._progress:
            self._progress(self._stored_bytes + source.stored_bytes_read, self._games)
