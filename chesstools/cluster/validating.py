"""Findings of all games, judged by a cluster: the same steps in the same order as on one machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from chesstools.cluster.in_order import in_order
from chesstools.cluster.joined import Cluster
from chesstools.cluster.judging import Wanted
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.planning import Planner, for_workers
from chesstools.cluster.shared_scratch import shared_scratch
from chesstools.cluster.surveying import Look, Unknown
from chesstools.cluster.task import Failed
from chesstools.cluster.travelling import Judged, Way, judge_batch, not_judged
from chesstools.cluster.troubles import Troubles
from chesstools.dataset import STRETCH_BYTES
from chesstools.depth import scan_nodes
from chesstools.engines import choose
from chesstools.plan import Survey
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.scan import Progress
from chesstools.scanning import NumberedStep, Scan, no_rows, scan_of
from chesstools.source import Source
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary


def judge_on_cluster(
    cluster: Cluster,
    found: Sequence[Source],
    tables: Sequence[str],
    *,
    choice: Choice,
    selection: Selection,
    unwinnable: str,
    nodes: int | None,
    stretch_bytes: int | None,
    scratch: str | None,
    progress: Progress | None,
    raise_source_errors: bool,
    engine: str | None,
) -> tuple[Scan, Mapping[int, str]]:
    """As `chesstools.scan.scan_all`, with stretches of so many stored bytes; None: `STRETCH_BYTES`.

    `scratch` is where rows pass that are too many to travel: see `shared_scratch`. The other thing it gives is filled in while
    the scan goes on: why large sources were not cut, by their numbers.
    """
    chosen = choose(engine)
    limit = scan_nodes(unwinnable, nodes, chosen)
    bytes_each = STRETCH_BYTES if stretch_bytes is None else stretch_bytes
    planner = Planner(enumerate(for_workers(found)), bytes_each, chosen)

    def steps(read: Sequence[str]) -> Iterator[NumberedStep]:
        wanted = Wanted(tuple(read), choice, selection, limit, chosen)
        with shared_scratch(scratch) as folder:
            yield from _steps(cluster, planner, wanted, Way(folder, bytes_each), progress)

    names = [source.name for source in found]
    compare = selection.wants("A860")
    return scan_of(steps, tables, names, compare=compare, raise_source_errors=raise_source_errors), planner.why_whole


def _steps(cluster: Cluster, planner: Planner, wanted: Wanted, way: Way, progress: Progress | None) -> Iterator[NumberedStep]:
    def failed(piece: Piece, why: str) -> Judged:
        return not_judged(piece, wanted, why)

    troubles = Troubles()
    for piece, judged in in_order(cluster, planner, partial(_work, wanted=wanted, way=way), failed, progress=progress):
        if judged.lost is not None:
            troubles.lost(piece, judged.lost)
        for step in judged.steps():
            yield piece.number, step
        if judged.error is not None:
            troubles.error(judged.error)
        is_last = piece.stretch.stop is None and judged.rest is None
        if is_last and (error := troubles.take()) is not None:
            yield piece.number, Step(no_rows(wanted.tables), Position(), SourceSummary(piece.source.name, error=error))


def _work(item: Batch | Look, wanted: Wanted, way: Way) -> list[Judged] | Failed | Survey | Unknown:
    return item.work() if isinstance(item, Look) else judge_batch(item, wanted, way)
