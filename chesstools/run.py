"""One run of `ingest`: source after source through the engine, part after part onto the disk, and the manifest kept true."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain, count

import pyarrow as pa

from chesstools.bytestream import may_pass
from chesstools.errors import DatasetError, SourceError
from chesstools.finishing import finish
from chesstools.folder import Folder, part_name, remove_unlisted
from chesstools.lanes import Lane
from chesstools.manifest import Manifest, SourceEntry
from chesstools.parts import PartWriter, file_schemas
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.saving import Saver
from chesstools.scan import scan_source
from chesstools.source import Source
from chesstools.sources.in_turn import in_turn
from chesstools.sources.one import AGAIN, Changed
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary

ANEW = "give the command again with --overwrite when it is complete"

Progress = Callable[[int, int], None]
"""Told of the stored bytes read and the games judged so far, of all sources."""


class Run:
    """One run over the sources of a manifest, which it keeps up to date.

    Attributes:
        failures: why the system or a store did not give all of a source, by its number. Another run goes on there.
    """

    def __init__(
        self,
        folder: Folder,
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
        self.failures: dict[int, str] = {}
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
        self._schemas = file_schemas(manifest.tables, tool_version=manifest.tool_version, profile=manifest.profile)
        # With one processor there is nothing to gain from threads that write while another judges.
        self._lanes = {table: Lane(has_thread=jobs > 1) for table in manifest.tables}
        self._names: Iterator[str] = map(part_name, count(len(manifest.parts)))
        self._part: PartWriter | None = None
        self._pending = SourceSummary(name="")
        self._stored_bytes = sum(entry.size or 0 for entry in manifest.sources if entry.done)
        self._games = sum(entry.summary.games for entry in manifest.sources)
        self._saver = Saver(folder, manifest)

    def read_all(self, sources: Sequence[Source]) -> None:
        """Read all sources that are not done, and put the state "complete" into the manifest if all are done then."""
        try:
            undone = [number for number, entry in enumerate(self._manifest.sources) if not entry.done]
            for number, source in zip(undone, in_turn(sources[number] for number in undone), strict=True):
                if (failure := self._read(number, source, self._manifest.sources[number])) is not None:
                    self.failures[number] = failure
            if self.failures:
                self._saver.write()
            else:
                finish(self._saver, self._lanes, compare=self._selection.wants("A860"), name=self._next_name)
        except BaseException:  # an interrupt too: what is finished stays readable
            self._abort()
            raise
        finally:
            for lane in self._lanes.values():
                lane.close()

    def _read(self, number: int, source: Source, entry: SourceEntry) -> str | None:
        """Read one source from where it was left to its end, and write its parts. Returns why not all of it could be had.

        What is wrong with the source itself is the same for every run: its end is then where it breaks off.
        """
        failure = None
        position = entry.position
        self._pending = SourceSummary(name=entry.name)

        def take(step: Step) -> Position:
            self._add(step.batches)
            self._pending.merge(step.summary)
            self._games += step.summary.games
            if self._pending.games + self._pending.quarantined_regions >= self._part_games:
                self._commit(number, step.end)
            self._tell(source)
            return step.end

        # One step is held back: the last one may end with half a game, where it is not the source that ends there.
        held: Step | None = None
        with closing(self._steps(source, position, self._part_games, self._manifest.tables)) as steps:
            try:
                for step in steps:
                    if held is not None:
                        position = take(held)
                    held = step
            except Changed as error:
                # A source of which nothing is in a part is begun anew by another run.
                held, position = None, entry.position
                self._drop()
                failure = str(error).replace(AGAIN, ANEW) if entry.parts else str(error)
            except SourceError as error:
                if may_pass(error):
                    failure = str(error)
                else:
                    self._pending.error = str(error)
        if held is not None and failure is not None and source.is_broken_off and source.resumable:
            for step in self._whole_games(source, position, held.end):
                position = take(step)
        elif held is not None:
            position = take(held)
        self._commit(number, position, source if failure is None else None)
        self._stored_bytes += source.stored_bytes_read
        return failure

    def _steps(
        self, source: Source, start: Position, batch_games: int, tables: Sequence[str], stop: int | None = None
    ) -> Generator[Step, None, None]:
        return scan_source(
            source,
            tables=tuple(tables),
            profile=self._choice,
            selection=self._selection,
            start=start,
            stop=stop,
            jobs=self._judging_jobs,
            batch_games=batch_games,
            block_bytes=self._block_bytes,
            engine=self._engine,
            with_hash=True,
            stored=True,
            nodes=self._nodes,
        )

    def _whole_games(self, source: Source, start: Position, end: Position) -> Iterator[Step]:
        """What stands in a source between two places, the second of which is where it could not be read any further.

        It is read again, and without the last game of it: another run reads that as a whole.
        """
        stop = self._last_game(source, start, end)
        held: Step | None = None
        with closing(self._steps(source, start, self._part_games, self._manifest.tables, stop)) as steps, suppress(SourceError):
            for step in steps:
                if held is not None:
                    yield held
                held = step
            if held is not None:
                yield held

    def _last_game(self, source: Source, start: Position, end: Position) -> int:
        """Where the last game before `end` begins; where the source breaks off earlier now, the last one before that."""
        before, here = start.byte_offset, start.byte_offset
        with closing(self._steps(source, start, 1, ())) as steps, suppress(SourceError):
            for step in steps:
                if step.end.byte_offset >= end.byte_offset:
                    return here
                before, here = here, step.end.byte_offset
        return before

    def _abort(self) -> None:
        """Leave the finished parts, and nothing half-written."""
        if self._part:
            self._part.abort()
        if self._saver.leave():
            # An interrupt may have come between the making of a file and the note of it.
            with suppress(DatasetError, OSError):
                remove_unlisted(self._folder, self._manifest)

    def _drop(self) -> None:
        """Forget what is not in a finished part."""
        if self._part is not None:
            self._part.abort()
            self._names = chain((self._part.name,), self._names)
            self._part = None
        self._games -= self._pending.games
        self._pending = SourceSummary(name=self._pending.name)

    def _add(self, batches: Mapping[str, pa.RecordBatch]) -> None:
        if any(batch.num_rows for batch in batches.values()):
            self._part = self._part or PartWriter(self._folder, self._next_name(), self._schemas, self._lanes)
            self._part.add(batches)

    def _next_name(self, source: int = 0) -> str:
        """The name of the next part, which is the same for any source."""
        return next(self._names)

    def _commit(self, number: int, position: Position, ended: Source | None = None) -> None:
        """Finish the part, and put it with all that was read up to `position` into the manifest; `ended` was read to its end."""
        part = self._part.finish() if self._part else None
        entry = self._manifest.sources[number]
        with self._saver.changing(number):
            if part is not None:
                entry.parts.append(part)
                self._part = None
            entry.summary.merge(self._pending)
            self._pending = SourceSummary(name=entry.name)
            entry.position = position
            if ended is not None:
                entry.hash, entry.notes, entry.done = ended.hash(), ended.notes, True
        self._saver.save()

    def _tell(self, source: Source) -> None:
        if self._progress:
            self._progress(self._stored_bytes + source.stored_bytes_read, self._games)
