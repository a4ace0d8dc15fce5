"""Part files of datasets that something happened to: told as that, and not as an error of who asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools.errors import ChesstoolsError, DatasetError

if TYPE_CHECKING:
    from chesstools.dataset import Dataset
    from chesstools.manifest import Part

MAGIC = b"PAR1"
"""What a Parquet file begins and ends with."""


def whole(file: Path, size: int | None) -> bool:
    """Whether a file has its `size` in bytes (None: not known), and both ends of a Parquet file: a look that costs nothing."""
    try:
        with open(file, "rb") as stream:
            first = stream.read(len(MAGIC))
            end = stream.seek(0, 2)
            stream.seek(max(0, end - len(MAGIC)))
            return first == MAGIC == stream.read() and size in (None, end)
    except OSError:
        return False


def told(file: Path) -> DatasetError:
    """The sentence."""
    return DatasetError(f"{file} is damaged; ingest again with --overwrite.")


@contextmanager
def reading(datasets: Sequence[Dataset]) -> Iterator[None]:
    """Around all that reads rows: where it fails, the files are looked at, and a DatasetError tells of one that is damaged.

    So no guess is made from what a library says. Errors that damage cannot be the cause of cost no look: those of SQL that is
    not understood, of the system (a full disk, a broken pipe), of time and memory, and ours.
    """
    try:
        yield
    except ChesstoolsError:
        raise
    except Exception as error:
        if _may_be_of_damage(error) and (file := damaged(datasets)) is not None:
            raise told(file) from error
        raise


def damaged(datasets: Sequence[Dataset]) -> Path | None:
    """The first part file that cannot be read to its end, or does not hold what it should; None where there is none.

    Reads everything, one row group at a time.
    """
    for dataset in datasets:
        for table in dataset.manifest.tables:
            for part in dataset.manifest.parts:
                file = dataset.path / table / part.name
                if not whole(file, part.bytes.get(table)) or not _can_be_read(file, table, part):
                    return file
    return None


def _can_be_read(file: Path, table: str, part: Part) -> bool:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as parquet:
            for group in range(parquet.num_row_groups):
                parquet.read_row_group(group).validate(full=True)
            return bool(parquet.metadata.num_rows == part.rows.get(table, parquet.metadata.num_rows))
    except (pa.ArrowException, OSError, ValueError):
        return False


def _may_be_of_damage(error: Exception) -> bool:
    import duckdb

    if isinstance(error, OSError):
        return error.errno is None  # Arrow's own, which is not from the system
    return not isinstance(
        error,
        (
            duckdb.ParserException,
            duckdb.BinderException,
            duckdb.CatalogException,
            duckdb.PermissionException,
            duckdb.OutOfMemoryException,
            duckdb.InterruptException,
            MemoryError,
        ),
    )
