"""Positions from a column of a Parquet, Arrow or CSV file."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from chesstools.errors import OptionError, SourceError
from chesstools.fen.columns import ROWS, as_texts
from chesstools.fen.reading import Positions
from chesstools.source import Source

_BLOCK_BYTES = 1 << 20


def read_file(source: Source, kind: str, column: str | None) -> Iterator[Positions]:
    """The positions of a Parquet or Arrow file. Its end tells what is in it, so that it must be a plain file."""
    if not source.is_anywhere or not source.read_at(0, 8).startswith((b"PAR1", b"ARROW1")):
        raise SourceError(f"{source.name} is a packed or piped {kind.title()} file, whose end is wanted first; save it unpacked.")
    with _clear_errors(source.name, kind):
        if kind == "parquet":
            import pyarrow.parquet as pq

            with source.open_stored() as stored, pq.ParquetFile(stored) as file:
                choose_column(source.name, file.schema_arrow.names, column)
                yield from _of_batches(source.name, file.iter_batches(ROWS), column)
        else:
            with _mapped(source) as stored, pa.ipc.open_file(stored) as file:
                choose_column(source.name, file.schema.names, column)
                batches = (file.get_batch(index) for index in range(file.num_record_batches))
                yield from _of_batches(source.name, batches, column)


def read_stream(name: str, kind: str, first: bytes, blocks: Iterable[bytes], column: str | None) -> Iterator[Positions]:
    """The positions of an Arrow stream, or of CSV with `kind` between its cells."""
    file: io.BufferedReader[Any] = io.BufferedReader(_Blocks(itertools.chain([first], blocks)), _BLOCK_BYTES)
    if kind == "arrow stream":
        with _clear_errors(name, "Arrow"), pa.ipc.open_stream(file) as reader:
            choose_column(name, reader.schema.names, column)
            yield from _of_batches(name, reader, column)
        return
    yield from _read_csv(name, kind, file, column)


def _read_csv(name: str, separator: str, file: io.BufferedReader[Any], column: str | None) -> Iterator[Positions]:
    import csv

    from pyarrow import csv as arrow_csv

    head = file.peek(_BLOCK_BYTES).removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    try:
        names = next(csv.reader([head.decode()], delimiter=separator), [])
    except UnicodeDecodeError:
        raise SourceError(f"{name}: row 0, the heading, is not UTF-8 text; convert the file first.") from None
    choose_column(name, names, column)
    invalid: list[arrow_csv.InvalidRow] = []

    def remember(row: arrow_csv.InvalidRow) -> str:
        invalid.append(row)
        return "error"

    with _clear_errors(name, "CSV", invalid):
        reader = arrow_csv.open_csv(
            file,
            read_options=arrow_csv.ReadOptions(block_size=_BLOCK_BYTES, use_threads=False),
            parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True, invalid_row_handler=remember),
            # As bytes: then a row that is no text can be named. As it stands: 007 must not become 7.
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.binary()),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
            ),
        )
        with reader:
            yield from _of_batches(name, reader, column, all_texts=True)


def choose_column(name: str, names: list[str], column: str | None) -> str:
    """The column with the positions: the one that was asked for, else the one that is named fen, in whatever case.

    >>> choose_column("puzzles.csv", ["PuzzleId", "FEN", "Moves"], None)
    'FEN'
    """
    fitting = [one for one in names if one == column] if column is not None else [one for one in names if one.lower() == "fen"]
    if len(fitting) == 1:
        return fitting[0]
    has = f"it has {', '.join(names) or 'none'}"
    if not fitting:
        raise OptionError(f"{name} has no column {column or 'fen'} ({has}); name the column with the positions by --column.")
    raise OptionError(f"{name} has several columns {column or 'fen'} ({has}); give them different names.")


def _of_batches(
    name: str, batches: Iterable[pa.RecordBatch], column: str | None, *, all_texts: bool = False
) -> Iterator[Positions]:
    row = 1
    for batch in batches:
        wanted = choose_column(name, batch.schema.names, column)
        for start in range(0, batch.num_rows, ROWS):
            part = batch.slice(start, ROWS)
            if all_texts:
                part = pa.RecordBatch.from_arrays([_texts(name, one, row) for one in part.columns], part.schema.names)
            lines = _texts(f"{name}, column {wanted}", part.column(wanted), row)
            numbers = pa.array(range(row, row + part.num_rows), pa.int64())
            yield Positions(name, lines, numbers, part, wanted)
            row += part.num_rows


def _texts(name: str, column: pa.Array, row: int) -> pa.StringArray:
    try:
        return as_texts(pa.chunked_array([column]), row).combine_chunks()
    except OptionError as error:
        raise SourceError(f"{name}: {str(error)[0].lower()}{str(error)[1:]}") from None


@contextmanager
def _clear_errors(name: str, kind: str, invalid: list[object] | None = None) -> Iterator[None]:
    """What Arrow finds wrong with a file as one sentence of ours."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if invalid:
            row = invalid[0]
            cells = f"{row.actual_columns} cells instead of {row.expected_columns}"  # type: ignore[attr-defined]
            where = "" if row.number is None else f" {row.number - 1}"  # type: ignore[attr-defined]
            raise SourceError(f"{name}: row{where} has {cells}; correct it.") from None
        reason = str(error).splitlines()[0].rstrip(". ") if str(error) else type(error).__name__
        raise SourceError(
            f"{name} cannot be read as {kind.title() if kind.islower() else kind} ({reason}); make it anew."
        ) from None


def _mapped(source: Source) -> Any:
    return source.open_stored() if source.path is None else pa.memory_map(source.path)


class _Blocks(io.RawIOBase):
    """Blocks of bytes as a file that can only be read on."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._left = memoryview(block)
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count
