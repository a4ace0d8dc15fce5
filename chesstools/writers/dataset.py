"""A dataset: the folder of Parquet that `chesstools ingest` writes, from any format that can be read."""

from __future__ import annotations

from chesstools.conversion import Conversion, Task
from chesstools.dataset import ingest


def write(task: Task) -> Conversion:
    """Write a dataset, as `chesstools.dataset.ingest` does."""
    conversion = Conversion(task.format)
    summary = ingest(
        list(task.sources),
        task.output.name,
        overwrite=task.options["overwrite"],
        jobs=task.jobs,
        block_bytes=task.block_bytes,
        progress=task.progress,
        raise_source_errors=False,
        engine=task.engine,
    )
    conversion.add(summary.games, {"outside": sum(source.quarantined_regions for source in summary.sources)})
    conversion.errors += [source.error for source in summary.sources if source.error]
    conversion.notes += [f"{source.name}: {note}" for source in task.sources for note in source.notes]
    return conversion
