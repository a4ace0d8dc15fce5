"""A dataset folder, read back: the games of its table games, in order, with their exact tags and the movetext as it stood."""

from __future__ import annotations

from collections.abc import Iterator

from chesstools.compression import Feed
from chesstools.dataset import Dataset
from chesstools.errors import DatasetError, SourceError
from chesstools.parquet_file import parquet_file
from chesstools.readers.arrow_tables import READ_ERRORS, parquet_records
from chesstools.readers.record import Record
from chesstools.readers.report import Report, shown
from chesstools.source import Source


def read_dataset(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each game in the finished parts of the dataset at `source.dataset`."""
    assert source.dataset is not None
    try:
        files = Dataset.open(source.dataset).files("games")
    except DatasetError as error:
        raise SourceError(str(error)) from None
    for path in files:
        try:
            parquet = parquet_file(path)
        except READ_ERRORS as error:
            raise SourceError(f"{path} cannot be read ({shown(str(error))}); ingest again with --overwrite.") from None
        with parquet:
            yield from parquet_records(parquet, f"{path.name}, ", report)
