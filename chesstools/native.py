"""The native core as an engine: the steps of `chesstools.reference.engine`, from compiled code.

The core judges standard chess and Chess960. Games of other variants come back as they are, and the readable engine judges
them in their place.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from chesstools import _core, openings
from chesstools.bytestream import ByteStream, skipped
from chesstools.errors import SourceError
from chesstools.schema import SCHEMAS
from chesstools.source import Source
from chesstools.step import Entry, Job, Position, Step
from chesstools.stored import stored_schema
from chesstools.summary import SourceSummary

if TYPE_CHECKING:
    from chesstools.reference.parallel import Packed


def run(
    source: Source, job: Job, start: Position, jobs: int, block_bytes: int, stop: int | None = None, entry: Entry | None = None
) -> Generator[Step, None, None]:
    """Judge what `source` holds from `start` on, on `jobs` threads; with `stop`, up to there. It is read from `entry` on.

    The core reads local files by itself, packed or not. All else, and what is wrong with a file, is read here.

    Raises SourceError, after the steps of everything that could be read, if the source breaks off.
    """
    file = open_file(source, with_hash=job.with_hash, entry=entry)
    rest = Rest(source, block_bytes, entry, stop)
    core = _core.Scan(
        file,
        rest,
        start=(start.byte_offset, start.line, start.game_index, start.glued, start.too_long),
        **({} if stop is None else {"stop": stop}),
        source=job.source,
        schemas={table: stored_schema(table) if job.stored else SCHEMAS[table] for table in job.tables},
        choice=job.choice,
        codes=set(job.selection.codes),
        openings=_openings() if "T126" in job.selection.optional else None,
        nodes=job.nodes,
        batch_games=job.batch_games,
        jobs=jobs,
    )
    with closing(rest), closing(core):
        readers = {table: pa.RecordBatchReader.from_stream(core.batches(table)) for table in job.tables}
        is_first = start.byte_offset == 0
        for part in core:
            if is_first and rest.is_utf16:
                yield _utf16_step(job, start)
            is_first = False
            if part.counts is not None:
                batches = {table: reader.read_next_batch() for table, reader in readers.items()}
                summary = SourceSummary.from_dict({"name": job.source, **part.counts})
                yield Step(batches, Position(*part.end), summary)
            else:
                yield _judge_elsewhere(job, part)
        if rest.error is not None:
            raise rest.error


@cache
def _openings() -> _core.Openings:
    return _core.Openings([entry[:4] for entry in openings.load().entries])


def open_file(source: Source, *, with_hash: bool = False, entry: Entry | None = None) -> _core.File | None:
    """The file of a source, entered at its beginning or at `entry`, if the core can read it by itself."""
    if source.path is None or source.member is not None or not source.resumable:
        return None
    if entry is None or entry.stored == 0:
        file = _core.File.open(source.path, with_hash)
    else:
        file = _core.File.open_at(source.path, entry.stored, entry.offset)
    if file is not None:
        source.read_by(file)
    return file


class Rest:
    """The blocks of a source from a place on. They end where the source breaks off; `error` then tells why."""

    def __init__(self, source: Source, block_bytes: int, entry: Entry | None = None, stop: int | None = None) -> None:
        self.error: SourceError | None = None
        self._entry = entry or Entry()
        self._stop = stop
        self._source = source
        self._block_bytes = block_bytes
        self._stream: ByteStream | None = None

    def __call__(self, offset: int) -> Iterator[bytes]:
        self._stream = self._source.open(self._block_bytes, entry=self._entry.stored, stop=self._stop)
        if missing := max(0, self._entry.offset - offset):
            yield bytes(missing)  # the core asks for text to look back at, which a plan sees to that it need not
        try:
            yield from skipped(self._stream, max(0, offset - self._entry.offset))
        except SourceError as error:
            self.error = error

    @property
    def is_utf16(self) -> bool:
        """Whether the text was UTF-16, so that places count bytes of its text as UTF-8."""
        return self._stream is not None and "utf-16" in self._stream.notes

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()


def _utf16_step(job: Job, start: Position) -> Step:
    from chesstools.reference.engine import utf16_step

    return utf16_step(job, start)


def _judge_elsewhere(job: Job, part: _core.Part) -> Step:
    """Judge games of other variants with the readable engine."""
    from chesstools.reference.parallel import Stretch, judge_stretch

    return judge_stretch(job, Stretch(packed_games(part.games or ()), part.first_game, Position(*part.end)))


def packed_games(games: Iterable[tuple[Any, ...]]) -> list[Packed]:
    """Games of other variants as the readable engine takes them."""
    from chesstools.reference.lexer import Kind, Token
    from chesstools.reference.parallel import Packed

    kinds = tuple(Kind)
    packed = []
    for *fields, triples, too_long in games:
        glued = [Token(kinds[kind], start, end) for kind, start, end in triples]
        packed.append(Packed._make([*fields, glued, too_long]))
    return packed
