"""Parquet files that are read: on a disk, or in a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow.parquet as pq
    from pyarrow.fs import FileSystem

    from chesstools.folder import File


def parquet_file(file: File, **options: Any) -> pq.ParquetFile:
    """A file, to be read with ``with``; `options` are those of `pyarrow.parquet.ParquetFile`.

    The columns that are asked for of some row groups are fetched together from a store, where each request takes time. From a
    disk they are read one by one: measured, fetching ahead makes reading ten million plies a third dearer.
    """
    import pyarrow.parquet as pq

    if isinstance(file, Path):
        return pq.ParquetFile(file, pre_buffer=False, **options)
    return pq.ParquetFile(file.open(), **options)


def paths_of(files: Sequence[File]) -> tuple[FileSystem | None, list[str]]:
    """Files of one dataset as `pyarrow.dataset` takes them: their filesystem (None: that of the disk), and their paths in it."""
    from chesstools.stores import located

    filesystem, paths = None, []
    for file in files:
        if isinstance(file, Path):
            paths.append(str(file))
        else:
            filesystem, path = located(file.uri)
            paths.append(path)
    return filesystem, paths
