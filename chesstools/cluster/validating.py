"""Findings of all games, judged by a cluster: the same steps in the same order as on one machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from chesstools.cluster.in_order import in_order
from chesstools.cluster.joined import Cluster
from chesstools.cluster.judging import Judged, Wanted, judge_batch, not_judged
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.planning import Planner, for_workers
from chesstools.cluster.surveying import Look, Unknown
from chesstools.dataset import STRETCH_BYTES
from chesstools.depth import scan_nodes
from chesstools.engines import choose
from chesstools.plan import Survey
from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.scan import NumberedStep, Progress, Scan, scan_of
from chesstools.source import Source


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
    progress: Progress | None,
    raise_source_errors: bool,
    engine: str | None,
) -> tuple[Scan, Mapping[int, str]]:
    """As `chesstools.scan.scan_all`, with stretches of so many stored bytes; None: `STRETCH_BYTES`.

    The other thing it gives is filled in while the scan goes on: why large sources were not cut, by their numbers.
    """
    chosen = choose(engine)
    limit = scan_nodes(unwinnable, nodes, chosen)
    planner = Planner(enumerate(for_workers(found)), STRETCH_BYTES if stretch_bytes is None else stretch_bytes, chosen)

    def steps(read: Sequence[str]) -> Iterator[NumberedStep]:
        return _steps(cluster, planner, Wanted(tuple(read), choice, selection, limit, chosen), progress)

    names = [source.name for source in found]
    compare = selection.wants("A860")
    return scan_of(steps, tables, names, compare=compare, raise_source_errors=raise_source_errors), planner.why_whole


def _steps(cluster: Cluster, planner: Planner, wanted: Wanted, progress: Progress | None) -> Iterator[NumberedStep]:
    def failed(piece: Piece, why: str) -> Judged:
        return not_judged(piece.source, piece.stretch, wanted, why)

    for piece, judged in in_order(cluster, planner, partial(_work, wanted=wanted), failed, progress=progress):
        for step in judged.steps():
            yield piece.number, step


def _work(item: Batch | Look, wanted: Wanted) -> list[Judged] | Survey | Unknown:
    return item.work() if isinstance(item, Look) else judge_batch(item, wanted)
