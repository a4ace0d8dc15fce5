"""Arrow tables as pandas DataFrames, with honest nulls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """The same rows as a DataFrame.

    Whole numbers and truth values become pandas' nullable types, so that a missing rating stays missing and a 64-bit key
    keeps every bit (plain pandas would make floating-point numbers of both). Dictionary columns become categoricals, maps
    become lists of pairs, lists become arrays.

    >>> frame = to_pandas(pa.table({"white_elo": pa.array([2700, None], pa.int16())}))
    >>> frame["white_elo"].dtype, int(frame["white_elo"].isna().sum())
    (Int16Dtype(), 1)
    """
    import pandas as pd

    nullable = {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.uint64(): pd.UInt64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    frame: pd.DataFrame = table.to_pandas(types_mapper=nullable.get)
    return frame
