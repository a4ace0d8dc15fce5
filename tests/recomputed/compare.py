"""Two tables of the same statistic, value by value."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pyarrow as pa

RELATIVE, ABSOLUTE = 1e-11, 1e-9
"""How far floats may be apart: mean expectations are told to nine digits behind the point, all else as exactly as floats are."""


def differences(ours: pa.Table, theirs: pd.DataFrame) -> dict[str, str]:
    """Columns in which the tables differ, and where they do first; of the rows where there are more or fewer."""
    if ours.num_rows != len(theirs):
        return {"rows": f"{ours.num_rows} and {len(theirs)}"}
    found = {}
    for field in ours.schema:
        pairs = zip(ours[field.name].to_pylist(), theirs[field.name].tolist(), strict=True)
        for row, (one, other) in enumerate(pairs):
            if not same(one, other):
                found[field.name] = f"row {row}: {one!r} and {other!r}"
                break
    return found


def same(one: Any, other: Any) -> bool:
    """Whether the values are equal: whole numbers, texts and truth exactly, broken numbers but for what is rounded."""
    if one is None or pd.isna(other):
        return one is None and bool(pd.isna(other))
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return bool(one == other)
