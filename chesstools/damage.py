"""Part files of datasets that something happened to: told as that, and not as an error of who asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools.errors import ChesstoolsError, DatasetError
from chesstools.local_folder import LocalFolder
from chesstools.parquet_file import parquet_file
from chesstools.store_files import failure
from chesstools.stores import is_known, take_apart

if TYPE_CHECKING:
    from chesstools.dataset import Dataset
    from chesstools.folder import File, Folder
    from chesstools.manifest import Part

MAGIC = b"PAR1"
"""What a Parquet file begins and ends with."""


def whole(file: File, size: int | None, found: int) -> bool:
    """Whether a file has its `size` in bytes (None: not known), and both ends of a Parquet file: a look that costs nothing.

    `found` is the size that it has. In a store that is all that is looked at: objects are there as a whole, or not at all.
    """
    if not isinstance(file, Path):
        return size in (None, found)
    try:
        with open(file, "rb") as stream:
            first = stream.read(len(MAGIC))
            end = stream.seek(0, 2)
            stream.seek(max(0, end - len(MAGIC)))
            return first == MAGIC == stream.read() and size in (None, end)
    except OSError:
        return False


def told(file: File) -> DatasetError:
    """The sentence."""
    return DatasetError(f"{file} is damaged; ingest again with --overwrite.")


@contextmanager
def reading(datasets: Sequence[Dataset]) -> Iterator[None]:
    """Around all that reads rows: where it fails, the files are looked at, and a DatasetError tells of one that is damaged.

    So no guess is made from what a library says. Errors that damage cannot be the cause of cost no look: those of SQL that is
    not understood, of the system (a full disk, a broken pipe), of time and memory, and ours; over a store those that SQL may be
    the cause of, too. What went wrong in a store is told as that, without a look. Nor is more than the sizes and footers of files
    in a store looked at: else one question that failed would fetch everything.
    """
    try:
        yield
    except ChesstoolsError:
        raise
    except Exception as error:
        if (in_store := failure(error)) is not None:
            raise in_store from None
        far = [dataset.folder for dataset in datasets if not isinstance(dataset.folder, LocalFolder)]
        if far and isinstance(error, OSError) and is_known(error):
            raise _meant(error, far).error(error) from None
        if _may_be_of_damage(error) and not (far and _may_be_of_sql(error)):
            if (file := damaged(datasets)) is not None:
                raise told(file) from error
            if far and isinstance(error, OSError):
                raise _meant(error, far).error(error) from None
        raise


def _meant(error: Exception, far: Sequence[Folder]) -> Folder:
    """The one of some folders in stores that an error of Arrow names by a key in it; the first where it names none."""
    named = [folder for folder in far if f"{take_apart(folder.identity).key}/" in str(error)]
    return max(named, key=lambda folder: len(folder.identity), default=far[0])


def damaged(datasets: Sequence[Dataset]) -> File | None:
    """The first part file that cannot be read to its end, or does not hold what it should; None where there is none.

    Reads everything, one row group at a time; in stores only the footers. Raises DatasetError where a store cannot be read.
    """
    for dataset in datasets:
        for table in dataset.manifest.tables:
            sizes = dataset.sizes(table)
            for part in dataset.manifest.parts:
                file = dataset.folder.file(f"{table}/{part.name}")
                found = sizes.get(part.name)
                if found is None or not whole(file, part.bytes.get(table), found) or not _can_be_read(file, table, part):
                    dataset.sizes(table)  # what cannot be reached is not damaged
                    return file
    return None


def _can_be_read(file: File, table: str, part: Part) -> bool:
    import pyarrow as pa

    try:
        with parquet_file(file) as parquet:
            for group in range(parquet.num_row_groups if isinstance(file, Path) else 0):
                parquet.read_row_group(group).validate(full=True)
            return bool(parquet.metadata.num_rows == part.rows.get(table, parquet.metadata.num_rows))
    except (pa.ArrowException, OSError, ValueError):
        return False


def _may_be_of_sql(error: Exception) -> bool:
    """Whether SQL alone may be the cause: for that no dataset is fetched from a store as a whole."""
    import duckdb

    return isinstance(error, (duckdb.ConversionException, duckdb.OutOfRangeException, duckdb.InvalidInputException))


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
