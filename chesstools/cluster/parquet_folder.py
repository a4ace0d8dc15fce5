"""A folder of Parquet files that a cluster makes of games: one table, the rows of which are those that one machine writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from chesstools.cluster.converting import PartsWanted, Written, write_part
from chesstools.cluster.in_order import in_order
from chesstools.cluster.joined import Cluster
from chesstools.cluster.piece import Batch, Piece
from chesstools.cluster.planning import Planner
from chesstools.cluster.surveying import Look, Unknown
from chesstools.cluster.troubles import Troubles
from chesstools.conversion import Conversion, Progress
from chesstools.dataset import STRETCH_BYTES
from chesstools.errors import OutputError
from chesstools.folder_places import folder_place
from chesstools.plan import Survey
from chesstools.source import Source
from chesstools.writers.tables import Maker


def write_folder(
    cluster: Cluster,
    sources: Sequence[Source],
    target: str,
    options: Mapping[str, Any],
    *,
    stretch_bytes: int | None,
    engine: str,
    progress: Progress | None,
) -> Conversion:
    """Write one table of all games to ``target/part-000000.parquet`` and so on, in the order of sources and games.

    `target` is a path or a URI. The folder appears when it is complete, and replaces a file or a folder of such parts that stood
    there. `options` are those of the format parquet, `sources` those of `for_workers`, as PGN.

    Raises OutputError where it cannot be written, or where a worker does not see the place.
    """
    Maker(**options)
    planner = Planner(enumerate(sources), STRETCH_BYTES if stretch_bytes is None else stretch_bytes, engine)
    conversion = Conversion("parquet")
    names: list[str] = []
    troubles = Troubles("converted")
    with folder_place(target) as place:
        parts = place.parts.absolute() if isinstance(place.parts, Path) else place.parts
        wanted = PartsWanted(parts, options, engine)
        for piece, written in in_order(cluster, planner, partial(_work, wanted=wanted), _failed, progress=progress):
            if written.unwritable is not None:
                raise OutputError(written.unwritable)
            if written.part is not None:
                names.append(written.part)
            if written.lost is not None:
                troubles.lost(piece, written.lost)
            for error in written.conversion.errors:
                troubles.error(error)
            written.conversion.errors = []
            conversion.merge(written.conversion)
            if piece.stretch.stop is None and (told := troubles.take()) is not None:
                conversion.errors.append(told)
        if not names:  # a reader wants to see the columns
            names = ["none.parquet"]
            write_part(names[0], (), wanted)
        place.commit(names)
    conversion.left_whole = [sentence for _, sentence in sorted(planner.why_whole.items())]
    return conversion


def _work(item: Batch | Look, wanted: PartsWanted) -> list[Written] | Survey | Unknown:
    return item.work() if isinstance(item, Look) else write_part(f"{item.key}.parquet", item.pieces, wanted)


def _failed(_: Piece, why: str) -> Written:
    return Written(lost=why)
