"""Games with the columns that people know from the public Lichess data set: names, types and order as there.

A column holds what the tag of that name says and nothing else: a rating that is no number, a date with question marks is null.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

LICHESS = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("Event", "Site", "White", "Black", "Result", "WhiteTitle", "BlackTitle")),
        *(pa.field(name, pa.int16()) for name in ("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff")),
        pa.field("UTCDate", pa.date32()),
        pa.field("UTCTime", pa.time32("s")),
        *(pa.field(name, pa.string()) for name in ("ECO", "Opening", "Termination", "TimeControl", "movetext")),
    ]
)

_COLUMNS = {
    "Event": "event",
    "Site": "site",
    "White": "white",
    "Black": "black",
    "Result": "result",
    "WhiteTitle": "white_title",
    "BlackTitle": "black_title",
    "WhiteElo": "white_elo",
    "BlackElo": "black_elo",
    "ECO": "eco",
    "Opening": "opening",
    "Termination": "termination",
    "TimeControl": "time_control",
    "movetext": "movetext",
}


def lichess_batch(games: pa.RecordBatch) -> pa.RecordBatch:
    """The rows of a batch of games with the columns of `LICHESS`.

    >>> from chesstools import scan
    >>> from chesstools.source import Source
    >>> source = Source.from_bytes(b'[WhiteElo "2700"]\\n[WhiteRatingDiff "+4"]\\n[UTCDate "2024.05.01"]\\n\\n1. e4 *')
    >>> (batch,) = scan(source, tables=["games"])
    >>> row = lichess_batch(batch.data).to_pylist()[0]
    >>> row["WhiteElo"], row["WhiteRatingDiff"], row["UTCDate"], row["BlackElo"]
    (2700, 4, datetime.date(2024, 5, 1), None)
    """
    arrays = []
    for field in LICHESS:
        if field.name in _COLUMNS:
            column = games.column(_COLUMNS[field.name])
        elif field.name == "UTCDate":
            column = _when(games.column("utc_date"), r"^[0-9]{4}\.[0-9]{2}\.[0-9]{2}$", "%Y.%m.%d")
        elif field.name == "UTCTime":
            column = _when(games.column("utc_time"), r"^[0-9]{2}:[0-9]{2}:[0-9]{2}$", "%H:%M:%S")
        else:
            column = _number(pc.map_lookup(games.column("tags"), field.name, "first"))
        arrays.append(column.cast(field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=LICHESS)


def _when(text: pa.Array, shape: str, form: str) -> pa.Array:
    known = pc.if_else(pc.match_substring_regex(text, shape), text, None)
    return pc.strptime(known, format=form, unit="s", error_is_null=True)


def _number(text: pa.Array) -> pa.Array:
    whole = pc.if_else(pc.match_substring_regex(text, r"^[+-]?[0-9]{1,4}$"), text, None)
    return pc.cast(pc.utf8_ltrim(whole, "+"), pa.int16())
