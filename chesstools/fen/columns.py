"""Columns of positions in the form in which a user has them, and answers in the same form.

| given | answer |
|---|---|
| a list or another sequence of strings and None | a list |
| an Arrow array or chunked array of texts | the same |
| a pandas Series | a Series with the same index and name |
| what else knows the Arrow interface (a polars Series …) | an Arrow chunked array |
| a path (`pathlib.Path`) of a file as ``chesstools fen`` reads it | an Arrow chunked array, a line or row a value |

A string is always a position, never the name of a file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa

from chesstools.errors import OptionError, SourceError

ROWS = 65_536
"""Rows that are worked on in one go."""


class Column:
    """Positions, or other texts, as Arrow texts, and the way back."""

    def __init__(self, values: Any, what: str = "Positions") -> None:
        """`what` says in messages what the texts are; only positions are read from files.

        Raises OptionError, which names the row (from 0), where something is no text, and SourceError where a file cannot be read.
        """
        self._series = None
        self.is_list = False
        self._is_chunked = True
        if isinstance(values, pa.Array):
            self._is_chunked = False
            chunks = pa.chunked_array([values])
        elif isinstance(values, pa.ChunkedArray):
            chunks = values
        elif isinstance(values, os.PathLike) and what == "Positions":
            chunks = _of_file(values)
        elif _is_series(values):
            self._series = values
            chunks = pa.chunked_array([_array(values.tolist())])
        elif hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
            chunks = pa.chunked_array(values)
        elif isinstance(values, Iterable) and not isinstance(values, bytes | dict):
            self.is_list = True
            chunks = pa.chunked_array([_array(list(values))])
        else:
            raise OptionError(f"{what} are a string, a list, an Arrow array or a pandas Series, not {type(values).__name__}.")
        self.texts = as_texts(chunks)

    def slices(self) -> Iterator[pa.StringArray]:
        """The texts, some at a time."""
        for chunk in self.texts.chunks:
            for start in range(0, len(chunk), ROWS):
                yield chunk.slice(start, ROWS)

    def map(self, work: Callable[[pa.StringArray], pa.Array], kind: pa.DataType) -> Any:
        """The answers to all texts, in the form of the positions; `work` gives those to some of them, of type `kind`."""
        return self.like(pa.chunked_array([work(texts) for texts in self.slices()], kind))

    def like(self, answers: pa.ChunkedArray) -> Any:
        """One answer a position, in the form of the positions."""
        if self.is_list:
            return answers.to_pylist()
        if self._series is None:
            return answers if self._is_chunked else answers.combine_chunks()
        import pandas as pd

        return pd.Series(_for_pandas(answers), index=self._series.index, name=self._series.name)

    def like_table(self, answers: pa.Table) -> Any:
        """One row a position: a DataFrame with their index for a Series, else the table."""
        if self._series is None:
            return answers
        from chesstools.frames import to_pandas

        return to_pandas(answers).set_index(self._series.index)

    def filter(self, mask: pa.ChunkedArray) -> Any:
        """The positions for which `mask` is true, in the form in which they were given."""
        if self._series is not None:
            return self._series[mask.to_numpy()]
        kept = self.texts.filter(mask)
        if self.is_list:
            return kept.to_pylist()
        return kept if self._is_chunked else kept.combine_chunks()


def as_texts(column: pa.ChunkedArray, first_row: int = 0) -> pa.ChunkedArray:
    """A column of texts of any Arrow type as one of type string. Raises OptionError for what is no text, with its row.

    >>> as_texts(pa.chunked_array([pa.array(["8/8"]).dictionary_encode()])).type
    DataType(string)
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_null(kind):
        return column.cast(pa.string())
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or _is_binary(kind)):
        raise OptionError(f"The column holds {kind}, not texts.")
    column = column.cast(kind) if kind != column.type else column
    if not _is_binary(kind):
        return column.cast(pa.string())
    try:
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        raise OptionError(f"Row {first_row + _not_utf8(column)} is not UTF-8 text; convert it first.") from None


def _is_binary(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind))


def _not_utf8(column: Iterable[Any]) -> int:
    """The first row, from 0, that is not UTF-8."""
    for row, value in enumerate(column):
        try:
            (value.as_py() or b"").decode()
        except UnicodeDecodeError:
            return row
    raise AssertionError("all rows are UTF-8")


def _of_file(path: os.PathLike[str]) -> pa.ChunkedArray:
    from chesstools.fen.reading import read_positions
    from chesstools.source import find_sources

    if os.path.isdir(path):
        raise SourceError(f"{os.fspath(path)} is a folder; name a file of positions.")
    parts = [positions.lines for source in find_sources([path]) for positions in read_positions(source)]
    return pa.chunked_array(parts, pa.string())


def _array(values: list[Any]) -> pa.Array:
    # Floats are how pandas tells of what is missing.
    texts = [None if _is_missing(value) else value for value in values]
    for row, value in enumerate(texts):
        if not isinstance(value, str | None):
            raise OptionError(f"Row {row} is {value!r}, not a text.")
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError as error:
        raise OptionError(f"Row {texts.index(error.object)} has signs that are no Unicode text; convert it first.") from None


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def _is_series(values: Any) -> bool:
    return type(values).__module__.split(".")[0] == "pandas" and type(values).__name__ == "Series"


def _for_pandas(answers: pa.ChunkedArray) -> Any:
    """Numbers with honest nulls; texts and lists as objects."""
    import pandas as pd

    if pa.types.is_uint64(answers.type):
        return pd.array(answers.to_pylist(), dtype="UInt64")
    if pa.types.is_string(answers.type):
        return pd.array(answers.to_pylist(), dtype="string")
    return pd.Series(answers.to_pylist(), dtype=object).array
