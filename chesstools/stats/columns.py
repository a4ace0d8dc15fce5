"""The table plies, part by part, as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chesstools.engines import choose
from chesstools.errors import DatasetError
from chesstools.parquet_file import parquet_file

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from chesstools.folder import File

Numbers: TypeAlias = NDArray[Any]

Columns: TypeAlias = "dict[str, Numbers | None]"
"""Columns by name; None for one without any value."""

ROLES = ("pawn", "knight", "bishop", "rook", "queen", "king")
SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
SIDES = ("white", "black")
WINGS = ("kingside", "queenside")

NONE = 255
"""The number of no role, no square, no wing."""

_ROLE_NUMBERS = {role: number for number, role in enumerate(ROLES)}
_WORDS: dict[str, Mapping[str, int]] = {
    "role": _ROLE_NUMBERS,
    "captured": _ROLE_NUMBERS,
    "castling": {wing: number for number, wing in enumerate(WINGS)},
}
_MADE = {"": 0, "n": 1, "b": 2, "r": 3, "q": 4}
"""The role that a pawn is promoted to, by the last letter of a move in UCI form."""

_PLAIN = ("game_index", "ply", "check", "mate", "en_passant")
_STATED = ("used_ms", "clock_ms", "eval_cp", "eval_mate")


def pieces(file: File, rows: int) -> Iterator[tuple[str, Columns]]:
    """A part in pieces of whole games, of about so many rows, each with the name of its source.

    Numbers of words are places in `ROLES` and `WINGS`, and `NONE` for null. `move` holds the square of departure in its last six
    bits, the target (of castling the king's) in the six before, and before these the role promoted to, or 0; a null move is 0.
    Of `used_ms`, `clock_ms`, `eval_cp`, `eval_mate` null is NaN.
    """
    with parquet_file(file, read_dictionary=["source", "uci", *_WORDS]) as parquet:
        waiting: Columns | None = None  # rows of the last game, which may go on in the next row group
        group, end = 0, parquet.num_row_groups
        while group < end:
            groups, size = [], 0
            while group < end and size < max(rows, _rows(waiting)):  # a game without end is not copied at every step
                groups.append(group)
                size += parquet.metadata.row_group(group).num_rows
                group += 1
            names = ["source", "uci", *_WORDS, *_PLAIN, *_with_values(parquet, groups)]
            table = parquet.read_row_groups(groups, columns=names, use_threads=False)
            columns = _columns(table, waiting)
            begins = np.flatnonzero(there(columns["ply"]) == 1)
            last = _rows(columns) if group == end or not len(begins) else int(begins[-1])
            if last:
                yield _source(file, table), cut(columns, slice(last))
            waiting = cut(columns, slice(last, None))


def _with_values(parquet: pq.ParquetFile, groups: Sequence[int]) -> list[str]:
    """Which of the columns that sources may leave out have a value in these row groups, or may have one."""
    found = []
    for column in range(parquet.metadata.num_columns):
        chunks = [parquet.metadata.row_group(group).column(column) for group in groups]
        if chunks[0].path_in_schema in _STATED:
            empty = [chunk.statistics is not None and chunk.statistics.null_count == chunk.num_values for chunk in chunks]
            if not all(empty):
                found.append(chunks[0].path_in_schema)
    return found


def _source(file: File, table: pa.Table) -> str:
    names = {name for chunk in table["source"].chunks for name in chunk.dictionary.to_pylist()}
    if len(names) != 1:
        raise DatasetError(f"{file} holds games of several sources; ingest again with --overwrite.")
    return str(names.pop())


def _columns(table: pa.Table, waiting: Columns | None) -> Columns:
    """The columns of a table behind the rows that wait."""
    before = _rows(waiting)
    found: Columns = {}
    for name in ("move", *_WORDS, *_PLAIN, *_STATED):
        old = waiting[name] if waiting else None
        column = table[name] if name in table.column_names else None
        if name in _STATED and old is None and (column is None or column.null_count == len(column)):
            found[name] = None
            continue
        if name == "move":
            values = np.empty(before + table.num_rows, dtype=np.uint16)
            _fill_moves(values[before:], table)
        elif name in _WORDS:
            values = np.full(before + table.num_rows, NONE, dtype=np.uint8)
            _fill_words(values[before:], table[name], _WORDS[name])
        elif name in _STATED:
            values = np.full(before + table.num_rows, np.nan)
            if column is not None:
                values[before:] = column.cast("float64").to_numpy()
        else:
            rest = np.asarray(table[name].to_numpy())
            values = np.empty(before + len(rest), dtype=rest.dtype)
            values[before:] = rest
        if old is not None:
            values[:before] = old
        found[name] = values
    # Castling may be written as king takes rook (Chess960): here it goes to the king's target.
    wing, move = there(found["castling"])[before:], there(found["move"])[before:]
    castles = np.flatnonzero(wing != NONE)
    start = move[castles] & 63
    move[castles] = start | (start & 56 | np.where(wing[castles] == 0, 6, 2)) << 6
    return found


def _fill_words(values: Numbers, column: pa.ChunkedArray, words: Mapping[str, int]) -> None:
    """Put the numbers of words into an array that holds `NONE`."""
    start = 0
    for chunk in column.chunks:
        part = values[start : start + len(chunk)]
        start += len(chunk)
        numbers = np.array([words.get(word, NONE) for word in chunk.dictionary.to_pylist()], dtype=np.uint8)
        if choose() == "native":
            from chesstools._core import put_numbers

            put_numbers(chunk.indices, numbers, part)
        elif not chunk.null_count:
            numbers.take(chunk.indices.to_numpy(), out=part, mode="clip")
        elif chunk.null_count < len(chunk):
            there = np.flatnonzero(chunk.is_valid().to_numpy(zero_copy_only=False))
            part[there] = numbers.take(chunk.indices.drop_null().to_numpy())


def _fill_moves(values: Numbers, table: pa.Table) -> None:
    start = 0
    for chunk in table["uci"].chunks:
        moves = _moves(chunk.dictionary)
        moves.take(chunk.indices.to_numpy(), out=values[start : start + len(chunk)], mode="clip")
        start += len(chunk)


def _moves(words: pa.StringArray) -> Numbers:
    """Moves in UCI form as numbers."""
    if choose() == "native":
        from chesstools._core import moves_of

        return np.frombuffer(moves_of(words.cast("string")), np.uint16)
    return np.array([_move(word) for word in words.to_pylist()], dtype=np.uint16)


@cache
def _move(uci: str) -> int:
    """A move in UCI form as a number, see `pieces`; 0 for what is no move from square to square.

    >>> _move("b1c3") == 1 + 64 * 18, _move("a7b8q") >> 12, _move("0000"), _move("a7a8k")
    (True, 4, 0, 0)
    """
    start, target = uci[:2], uci[2:4]
    if start not in SQUARES or target not in SQUARES:
        return 0
    made = _MADE.get(uci[4:])  # antichess knows promotion to a king
    return 0 if made is None else SQUARES.index(start) | SQUARES.index(target) << 6 | made << 12


def cut(columns: Columns, rows: Any) -> Columns:
    """Some rows of all columns."""
    return {name: None if column is None else column[rows] for name, column in columns.items()}


def there(column: Numbers | None) -> Numbers:
    """A column that always has values."""
    assert column is not None
    return column


def _rows(columns: Columns | None) -> int:
    return len(there(columns["ply"])) if columns else 0
