"""Findings as one Parquet file, in the schema of a dataset's findings table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

ROWS_IN_A_GROUP = 65_536


def write_findings(out: BinaryIO, batches: Iterable[Any], severities: Iterable[str]) -> int:
    """Write those findings of `batches` (Arrow record batches) that have one of `severities`; how many were left out."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from chesstools.schema import FINDINGS

    wanted = pa.array(list(severities))
    waiting: list[pa.RecordBatch] = []
    left_out = 0
    with pq.ParquetWriter(out, FINDINGS, compression="zstd") as writer:

        def flush() -> None:
            # One table of many small batches: else each of them would be a row group of its own.
            writer.write_table(pa.Table.from_batches(waiting, FINDINGS), row_group_size=ROWS_IN_A_GROUP)
            waiting.clear()

        for batch in batches:
            kept = batch.filter(pc.is_in(batch.column("severity"), value_set=wanted))
            left_out += batch.num_rows - kept.num_rows
            if kept.num_rows:
                waiting.append(kept)
            if sum(part.num_rows for part in waiting) >= ROWS_IN_A_GROUP:
                flush()
        if waiting:
            flush()
    return left_out
