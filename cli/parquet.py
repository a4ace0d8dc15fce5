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
    count = left_out = 0
    with pq.ParquetWriter(out, FINDINGS, compression="zstd") as writer:

        def write() -> pa.Table:
            """Write whole groups; what is left. How the rows came must not show in the bytes of the file: each is one piece."""
            rows = pa.Table.from_batches(waiting, FINDINGS)
            while rows.num_rows >= ROWS_IN_A_GROUP or (rows.num_rows and is_end):
                group = rows.slice(0, ROWS_IN_A_GROUP)
                writer.write_table(group.unify_dictionaries().combine_chunks(), row_group_size=ROWS_IN_A_GROUP)
                rows = rows.slice(ROWS_IN_A_GROUP)
            return rows

        is_end = False
        for batch in batches:
            kept = batch.filter(pc.is_in(batch.column("severity"), value_set=wanted))
            left_out += batch.num_rows - kept.num_rows
            count += kept.num_rows
            if kept.num_rows:
                waiting.append(kept)
            if count >= ROWS_IN_A_GROUP:
                waiting = write().to_batches()
                count = sum(part.num_rows for part in waiting)
        is_end = True
        write()
    return left_out
