"""Values of any Arrow type as what JSON and cells of CSV know."""

from __future__ import annotations

import math
from datetime import date, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def plain(value: Any) -> Any:
    """The same as null, truth value, number, text, list or object.

    Dates and times become ISO 8601 texts, bytes hexadecimal ones, maps lists of pairs (a key may come twice). Numbers that JSON
    does not have (NaN, infinities) become null.

    >>> from datetime import date
    >>> plain({"day": date(2024, 2, 29), "share": float("nan"), "tags": [("White", "Carlsen")]})
    {'day': '2024-02-29', 'share': None, 'tags': [['White', 'Carlsen']]}
    """
    if isinstance(value, (str, int, bool, type(None))):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


def has_cells(kind: pa.DataType) -> bool:
    """Whether Arrow can write a column of this type to CSV, as text or number; else its values become JSON."""
    import pyarrow as pa

    types = pa.types
    return not (types.is_nested(kind) or types.is_binary(kind) or types.is_large_binary(kind) or types.is_null(kind))
