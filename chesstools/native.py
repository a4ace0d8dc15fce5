"""The native core as an engine: the steps of `chesstools.reference.engine`, from compiled code.

The core judges standard chess and Chess960. Games of other variants come back as they are, and the readable engine judges
them in their place.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing

import pyarrow as pa

from chesstools import _core
from chesstools.bytestream import ByteStream, skipped
from chesstools.errors import SourceError
from chesstools.schema import SCHEMAS
from chesstools.step import Job, Position, Step
from chesstools.summary import SourceSummary


def run(stream: ByteStream, job: Job, start: Position, jobs: int) -> Generator[Step, None, None]:
    """Judge what `stream` holds from `start` on, on `jobs` threads.

    Raises SourceError, after the steps of everything that could be read, if the stream breaks off.
    """
    feed = Feed(stream)
    skip = max(0, start.byte_offset - _core.LOOK_BEHIND)
    blocks = skipped(feed, skip)
    if start.byte_offset == 0:
        first = next(blocks, b"")
        if "utf-16" in stream.notes:
            from chesstools.reference.engine import utf16_step

            yield utf16_step(job, start)
        blocks = _chained(first, blocks)
    core = _core.Scan(
        blocks,
        offset=skip,
        start=(start.byte_offset, start.line, start.game_index, start.glued, start.too_long),
        source=job.source,
        schemas={table: SCHEMAS[table] for table in job.tables},
        profile=job.profile,
        codes=set(job.selection.codes),
        batch_games=job.batch_games,
        jobs=jobs,
    )
    with closing(core):
        readers = {table: pa.RecordBatchReader.from_stream(core.batches(table)) for table in job.tables}
        for part in core:
            if part.counts is not None:
                batches = {table: reader.read_next_batch() for table, reader in readers.items()}
                summary = SourceSummary.from_dict({"name": job.source, **part.counts})
                yield Step(batches, Position(*part.end), summary)
            else:
                yield _judge_elsewhere(job, part)
    if feed.error is not None:
        raise feed.error


class Feed(Iterator[bytes]):
    """The blocks of a stream. It ends where the stream breaks off, and remembers why."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self.error: SourceError | None = None
        self._blocks = iter(blocks)

    def __next__(self) -> bytes:
        try:
            return next(self._blocks)
        except SourceError as error:
            self.error = error
            raise StopIteration from None


def _chained(first: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from blocks


def _judge_elsewhere(job: Job, part: _core.Part) -> Step:
    """Judge games of other variants with the readable engine."""
    from chesstools.reference.lexer import Kind, Token
    from chesstools.reference.parallel import Packed, Stretch, judge_stretch

    kinds = tuple(Kind)
    regions = []
    for *fields, triples, too_long in part.games or ():
        glued = [Token(kinds[kind], start, end) for kind, start, end in triples]
        regions.append(Packed._make([*fields, glued, too_long]))
    return judge_stretch(job, Stretch(regions, part.first_game, Position(*part.end)))
