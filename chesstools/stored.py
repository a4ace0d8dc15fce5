"""How the tables are laid out in Parquet files: what is kept as a dictionary, what readers may skip by, what is compressed how.

Readers see none of it: they find the columns and types of `chesstools.schema`. The choices were measured on millions of games;
they are about the time that writing takes, and each keeps the files within a few per cent of the smallest.
"""

from __future__ import annotations

import base64
from typing import Any

import pyarrow as pa

from chesstools.schema import SCHEMAS

_WORD = pa.dictionary(pa.int8(), pa.string())
_MOVE = pa.dictionary(pa.int16(), pa.string())
_TEXT = pa.dictionary(pa.int32(), pa.string())

_DICTIONARIES = {
    "games": dict.fromkeys(
        (
            *("result", "result_value", "termination_marker", "white_title", "black_title", "eco", "variant", "rules"),
            *("encoding", "start_fen", "final_status", "end_reason", "end_basis", "profile", "profile_reason"),
        ),
        _TEXT,
    ),
    "plies": {
        **dict.fromkeys(("role", "from_square", "to_square", "captured", "promotion", "castling"), _WORD),
        **dict.fromkeys(("san", "san_standard"), _TEXT),
        "uci": _MOVE,
    },
}
"""Texts that come again and again reach Parquet as numbers, or it would have to compare each with those before it."""

_HARDLY_REPEATED = {
    "games": {
        "game_id",
        "moves_hash",
        "byte_offset",
        "line",
        "game_index",
        "date_value",
        "tags",
        "movetext",
        "comment",
        "final_fen",
    },
    "plies": {"position_key", "halfmove_clock", "comment", "variations"},
    "findings": {"byte_offset", "line", "evidence"},
}
"""Columns for which Parquet need not look for values that come again."""

_SKIPPED_BY = {
    "games": {
        *("game_index", "byte_offset", "line", "date", "date_value", "year", "white_elo", "black_elo", "eco", "ply_count"),
        *("legal_ply_count", "errors", "warnings"),
    },
    "plies": {"game_index", "used_ms", "clock_ms", "eval_cp", "eval_mate"},  # these, so that none need be read where all are null
    "findings": {"game_index", "code", "line", "byte_offset"},
}
"""Columns with statistics: least and greatest value, which let readers pass over rows. What is spread all over cannot."""

_RANDOM = {"moves_hash", "position_key"}
"""No effort makes them smaller."""

_LONG = {"comment", "variations"}
"""Of plies, the columns worth more than the least effort: all others are numbers of a few bits each."""

_BASE64_OF_SCHEMA = "ARROW:schema"


def stored_schema(table: str) -> pa.Schema:
    """The types with which rows are given to Parquet: those of the table, but for columns that are dictionaries.

    >>> stored_schema("plies").field("role").type
    DictionaryType(dictionary<values=string, indices=int8, ordered=0>)
    """
    kinds = _DICTIONARIES.get(table, {})
    return pa.schema([field.with_type(kinds.get(field.name, field.type)) for field in SCHEMAS[table]])


def as_stored(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The same rows with the types of a stored schema."""
    if batch.schema.types == schema.types:
        return batch
    return pa.RecordBatch.from_arrays(
        [_converted(column, field.type) for column, field in zip(batch.columns, schema, strict=True)], schema=schema
    )


def _converted(column: pa.Array, kind: pa.DataType) -> pa.Array:
    if column.type == kind:
        return column
    words = column.dictionary_encode()
    return pa.DictionaryArray.from_arrays(words.indices.cast(kind.index_type), words.dictionary)


def metadata(schema: pa.Schema) -> dict[str, str]:
    """What to write into the footer of a file, so that readers find the types and all metadata of `schema`."""
    own = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    return own | {_BASE64_OF_SCHEMA: base64.b64encode(schema.serialize().to_pybytes()).decode()}


def layout(table: str, schema: pa.Schema) -> dict[str, Any]:
    """Arguments for a `pyarrow.parquet.ParquetWriter` of the table."""
    leaves = {path: field.name for field in schema for path in _leaves(field)}
    once = _HARDLY_REPEATED.get(table, set())
    return {
        "store_schema": False,  # `metadata` has the one that readers want
        "use_dictionary": [
            path for path, name in leaves.items() if name not in once and not pa.types.is_boolean(schema.field(name).type)
        ],
        "write_statistics": [path for path, name in leaves.items() if name in _SKIPPED_BY.get(table, set())],
        "column_encoding": {"halfmove_clock": "DELTA_BINARY_PACKED"} if table == "plies" else None,
        "compression": {path: _compression(table, name) for path, name in leaves.items()},
        "write_page_index": True,
    }


def _compression(table: str, name: str) -> str:
    if name in _RANDOM:
        return "none"
    # Any reader knows snappy; lz4 would be a little faster, but some do not know it.
    return "snappy" if table == "plies" and name not in _LONG else "zstd"


def _leaves(field: pa.Field) -> list[str]:
    """Paths in Parquet of the columns that an Arrow column is made of."""
    if pa.types.is_map(field.type):
        return [f"{field.name}.key_value.key", f"{field.name}.key_value.value"]
    if pa.types.is_list(field.type):
        return [f"{field.name}.list.{path}" for path in _leaves(field.type.value_field.with_name("element"))]
    if pa.types.is_struct(field.type):
        return [f"{field.name}.{path}" for part in field.type for path in _leaves(part)]
    return [field.name]
