"""A stretch of a source judged by a worker, whatever becomes of the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from chesstools.cluster.piece import Piece
from chesstools.errors import SourceError
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.scan import scan_source
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be found out about all sources: as for `chesstools.scan.scan_source`."""

    tables: Sequence[str]
    choice: Choice
    selection: Selection
    nodes: int | None
    engine: str
    stored: bool = False
    with_hash: bool = False
    """Whether the hash of a source is asked for that is one piece."""


@dataclass(slots=True)
class Outcome:
    """How far the judging of a piece came.

    Attributes:
        summary: the counts of what was judged.
        end: where that ends.
        error: why the source could not be read on from there, which is not in the summary. None where it could.
    """

    summary: SourceSummary
    end: Position
    error: SourceError | None = None


def judge_piece(piece: Piece, wanted: Wanted, take: Callable[[Step], bool | None]) -> Outcome:
    """Judge the games of a piece and give the steps, one after the other, to `take`, which returns True when it wants no more.

    >>> from chesstools.plan import fold
    >>> from chesstools.profile_choice import read_choice
    >>> from chesstools.source import Source
    >>> wanted = Wanted(("games",), read_choice(), Selection(), None, "reference")
    >>> piece = Piece(0, Source.from_bytes(b"1. e4 *\\n\\n1. d4 *"), 0, fold([])[0], 16)
    >>> outcome = judge_piece(piece, wanted, lambda step: print(step.batches["games"]["movetext"].to_pylist()))
    ['1. e4 *', '1. d4 *']
    >>> outcome.summary.games, outcome.end.byte_offset, outcome.error
    (2, 16, None)
    """
    stretch = piece.stretch
    outcome = Outcome(SourceSummary(piece.source.name), stretch.start)
    steps = scan_source(
        piece.source,
        tables=wanted.tables,
        profile=wanted.choice,
        selection=wanted.selection,
        start=stretch.start,
        stop=stretch.stop,
        entry=stretch.entry,
        engine=wanted.engine,
        with_hash=wanted.with_hash and piece.is_whole,
        stored=wanted.stored,
        nodes=wanted.nodes,
    )
    with closing(steps):
        while True:
            try:
                step = next(steps, None)
            except SourceError as error:
                outcome.error = error
                return outcome
            if step is None:
                return outcome
            is_enough = take(step)
            outcome.summary.merge(step.summary)
            outcome.end = step.end
            if is_enough:
                return outcome
